/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.c - "dump --layout=wide"; see wide.h.
 *
 * First, the command reads the numbers of all KPs and LPs to determine the columns.
 * Then, for each PE, a cursor per kind of record moves over the blocks. The next line belongs to
 * the earliest sampling point of the records at the cursors. Each cursor at that point adds the
 * values of its records to the line. An LP without a record at that point had no change: its counts
 * are 0. In an incomplete file, the record was possibly damaged or lost; the cells of the LP then
 * stay empty.
 *
 * Invariants
 * 1. Before records are added to a line, all its cells are empty, except the number of the PE and,
 *    if the file is complete, the counts of the LPs of the PE, which are 0.
 * 2. At most IDS_MAX numbers of LPs and COLUMNS_MAX columns are kept. A file that needs more is
 *    refused with an error message that suggests a remedy.
 */
#include "dump/wide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "cli/exit.h"
#include "data/known.h"
#include "render/text.h"

#define NAME_MAX_SIZE 80u
#define CELL_MAX      (NAME_MAX_SIZE + DECIMAL_MAX + 8u)
#define IDS_MAX       ((size_t)2 << 20) /* maximum number of LPs; their numbers take 16 MiB */
#define COLUMNS_MAX   ((size_t)1 << 20) /* maximum number of columns; their cells take 16 MiB */
#define BATCH         4096              /* maximum number of LPs or KPs processed together */

/* Kinds of records from which the lines of the wide layout are made. */
enum { KIND_PE, KIND_KP, KIND_AHEAD, KIND_LP, KINDS };
static const enum ws_wide_level kind_level[KINDS] = {WS_WIDE_PE, WS_WIDE_KP, WS_WIDE_KP,
                                                     WS_WIDE_LP};

struct kind {
    const struct fmt_schema *schema; /* schema of the kind; NULL: the file has no such records */
    struct ws_select select;         /* selection of records: a copy that owns nothing */
    struct fmt_wanted wanted;
    /* Indices of fields; -1: no such field. sample: the field with the number of the sample;
     * number: the field with the number of the KP or LP. */
    int32_t sample, number;
    /* [item]: index of the field that supplies its values; -1: not in this kind of record. */
    int32_t field[WS_WIDE_ITEMS_MAX];
};

struct wide {
    const struct ws_wide_options *options;
    const struct ws_select *select;
    struct ws_file *file;
    struct ws_wide_columns columns;
    struct kind kinds[KINDS];
    struct ws_cursor cursors[KINDS];
    struct id_set *lps; /* owned; [PE]: numbers of its LPs */
    size_t n_lps;       /* number of LPs on all PEs */
    bool is_complete;   /* true if the file has all records of the run */
    struct fmt_value *cells;
    uint64_t rows; /* number of lines printed so far */
    bool refused;  /* true if an error message has said that too much memory is needed */
};

/* ---- Kinds of records ------------------------------------------------------------------------ */

static int32_t field_of_number(const struct fmt_schema *schema, const char *name)
{
    int32_t field = ws_field_find(schema, name);
    return field >= 0 && schema->fields[field].type <= FMT_U64 ? field : -1;
}

/* Prepares kind k: finds its schema, and the fields in it that supply the values of items and the
 * time of the sampling point. */
static void kind_init(struct wide *w, int k)
{
    assert(k >= 0 && k < KINDS);
    static const char *const names[2][KINDS] = {{"gvt_pe", "gvt_kp", "", "gvt_lp"},
                                                {"rt_pe", "rt_kp", "rt_ahead", "rt_lp"}};
    static const char *const numbers[] = {NULL, "kp", "lp"};
    struct kind *kind = &w->kinds[k];
    enum ws_wide_level level = kind_level[k];
    const struct fmt_superblock *sb = w->file->sb;
    *kind = (struct kind){.select = *w->select, .number = -1};
    kind->schema = ws_schema_named(sb, names[sb->stream == FMT_STREAM_RT][k]);
    if (kind->schema == NULL) {
        return;
    }
    kind->select.kps.n = level == WS_WIDE_PE ? 0 : kind->select.kps.n;
    kind->select.lps.n = level == WS_WIDE_LP ? kind->select.lps.n : 0;
    kind->sample = field_of_number(kind->schema, "sample");
    kind->number = level == WS_WIDE_PE ? -1 : field_of_number(kind->schema, numbers[level]);
    /* Records without these fields do not come from Warpscope. */
    bool is_usable = kind->sample >= 0 && (level == WS_WIDE_PE || kind->number >= 0);
    bool is_used = false;
    ws_want(&kind->wanted, kind->sample);
    ws_want(&kind->wanted, kind->number);
    for (uint32_t i = 0; i < w->columns.n_items; i++) {
        const struct ws_wide_item *item = &w->columns.items[i];
        bool common = strcmp(item->field, "gvt") == 0 || strcmp(item->field, "real_time") == 0;
        kind->field[i] =
            common || item->level == level ? ws_field_find(kind->schema, item->field) : -1;
        ws_want(&kind->wanted, kind->field[i]);
        is_used |= item->level == level;
    }
    kind->schema = is_usable && is_used ? kind->schema : NULL;
}

/* Returns the number of records in the file that are of a kind whose name ends in `suffix`. */
static uint64_t records_count(const struct ws_file *s, const char *suffix)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        n += ws_ends_with(s->sb->schemas[i]->name, suffix) ? s->kind_records[i] : 0;
    }
    return n;
}

/* ---- Numbers of KPs and LPs ------------------------------------------------------------------ */

static bool too_large(struct wide *w, const char *what)
{
    ws_say(
        &ws_on_stderr,
        "%s: too many %s for the wide layout; choose some with --lp or --pe, or use the long one",
        w->file->path, what);
    w->refused = true;
    return false;
}

static bool ids_add(struct wide *w, struct id_set *ids, uint64_t *numbers, size_t n)
{
    return id_set_add(ids, numbers, n) || ws_no_memory(&w->refused);
}

/* Adds the numbers of the KPs or LPs in a block to a set. KPs of all PEs share one set; each PE has
 * a set of its own for its LPs. Returns false after an error message. */
static bool part_numbers(const struct ws_part *part, void *ctx)
{
    struct wide *w = ctx;
    uint64_t numbers[BATCH];
    for (int k = KIND_KP; k < KINDS; k++) {
        const struct kind *kind = &w->kinds[k];
        if (kind->schema != part->columns->schema) {
            continue;
        }
        bool is_lp = kind_level[k] == WS_WIDE_LP;
        struct id_set *ids = is_lp ? &w->lps[part->block->pe] : &w->columns.numbers[WS_WIDE_KP];
        size_t before = ids->n;
        for (uint32_t row = 0; row < part->block->n_records;) {
            size_t n = 0;
            for (; n < BATCH && row < part->block->n_records; row++) {
                numbers[n++] = fmt_columns_value(part->columns, (uint32_t)kind->number, row).as.u;
            }
            if (!ids_add(w, ids, numbers, n)) {
                return false;
            }
        }
        w->n_lps += is_lp ? ids->n - before : 0;
        if (w->n_lps > IDS_MAX || w->columns.numbers[WS_WIDE_KP].n > IDS_MAX) {
            return too_large(w, is_lp ? "LPs" : "KPs");
        }
    }
    return true;
}

/* Returns true if the PE has an LP at this position among its LPs, and the user's selection
 * includes the LP. */
static bool has_lp(const struct wide *w, uint32_t pe, uint64_t place)
{
    assert(pe < w->file->sb->layout.n_pes);
    const struct ws_ranges *chosen = &w->select->lps;
    return place < w->lps[pe].n &&
           (chosen->n == 0 || ws_ranges_have(chosen, w->lps[pe].ids[place]));
}

/* Collects the numbers for which LP columns are needed: the positions that selected LPs have among
 * the LPs of their PE. Returns false after an error message. */
static bool lp_columns_make(struct wide *w)
{
    assert(w->lps != NULL);
    uint64_t numbers[BATCH];
    for (uint32_t pe = 0; pe < w->file->sb->layout.n_pes; pe++) {
        for (size_t i = 0; i < w->lps[pe].n;) {
            size_t n = 0;
            for (; n < BATCH && i < w->lps[pe].n; i++) {
                numbers[n] = i;
                n += has_lp(w, pe, i);
            }
            if (!ids_add(w, &w->columns.numbers[WS_WIDE_LP], numbers, n)) {
                return false;
            }
        }
    }
    return true;
}

static void kp_columns_choose(struct wide *w)
{
    struct id_set *ids = &w->columns.numbers[WS_WIDE_KP];
    size_t kept = 0;
    for (size_t i = 0; i < ids->n; i++) {
        if (w->select->kps.n == 0 || ws_ranges_have(&w->select->kps, ids->ids[i])) {
            ids->ids[kept++] = ids->ids[i];
        }
    }
    ids->n = kept;
}

/* Sets first_column of each group, and n_columns, according to `numbers`. */
static void columns_place(struct ws_wide_columns *columns)
{
    for (uint32_t i = 0; i < columns->n_groups; i++) {
        struct ws_wide_group *group = &columns->groups[i];
        group->first_column = columns->n_columns;
        columns->n_columns += group->n_items * columns->numbers[group->level].n;
    }
}

/* Reads the numbers of the KPs and LPs on all selected PEs, assigns the columns, and allocates the
 * cells. Returns false after an error message. */
static bool columns_make(struct wide *w)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_select pes_only = *w->select;
    uint64_t pe_number = 0;
    pes_only.kps.n = pes_only.lps.n = 0;
    pes_only.by_time = false;
    pes_only.seen = NULL; /* these records are not the answer */
    for (int k = KIND_KP; k < KINDS; k++) {
        const struct kind *kind = &w->kinds[k];
        if (kind->schema != NULL) {
            fmt_wanted_add(&wanted[ws_schema_number(w->file->sb, kind->schema)],
                           (uint32_t)kind->number);
        }
    }
    ws_scan(w->file, &pes_only, wanted, part_numbers, w);
    if (w->refused || !ids_add(w, &w->columns.numbers[WS_WIDE_PE], &pe_number, 1) ||
        !lp_columns_make(w)) {
        return false;
    }
    kp_columns_choose(w);
    columns_place(&w->columns);
    if (w->columns.n_columns > COLUMNS_MAX) {
        return too_large(w, "columns");
    }
    w->cells = calloc(w->columns.n_columns, sizeof *w->cells);
    return w->cells != NULL || ws_no_memory(NULL);
}

/* Finds the kinds of records and the columns. Returns false after an error message. */
static bool wide_prepare(struct wide *w)
{
    w->lps = calloc(w->file->sb->layout.n_pes, sizeof *w->lps);
    for (int k = 0; k < KINDS; k++) {
        kind_init(w, k);
    }
    return w->lps != NULL ? columns_make(w) : ws_no_memory(NULL);
}

/* ---- Lines of the layout --------------------------------------------------------------------- */

/* Prints the cell in a column, or its name in the header of CSV. */
static void cell_print(struct wide *w, const struct ws_wide_item *item, uint64_t number,
                       size_t column, bool is_header)
{
    assert(column < w->columns.n_columns);
    const struct fmt_value *cell = &w->cells[column];
    char *begin = (char *)ws_out_room(w->options->out, CELL_MAX), *to = begin;
    if (begin == NULL || (w->options->json && cell->type == 0)) {
        return;
    }
    *to = ',';
    to += column > 0;
    if (w->options->json) {
        *to++ = '"';
        to += ws_wide_name(to, NAME_MAX_SIZE, item, number);
        *to++ = '"';
        *to++ = ':';
    }
    to += is_header         ? ws_wide_name(to, NAME_MAX_SIZE, item, number)
          : cell->type == 0 ? 0
                            : ws_format_value(to, cell, w->options->json);
    ws_out_take(w->options->out, (size_t)(to - begin));
}

static void cells_print(struct wide *w, bool is_header)
{
    size_t column = 0;
    for (uint32_t g = 0; g < w->columns.n_groups; g++) {
        const struct ws_wide_group *group = &w->columns.groups[g];
        const struct id_set *numbers = &w->columns.numbers[group->level];
        for (size_t i = 0; i < numbers->n; i++) {
            for (uint32_t k = 0; k < group->n_items; k++) {
                cell_print(w, &w->columns.items[group->first_item + k], numbers->ids[i], column++,
                           is_header);
            }
        }
    }
}

/* Prints the current line. Returns false if the limit of lines has been reached, or if output has
 * failed. */
static bool line_print(struct wide *w)
{
    const char *begin = !w->options->json ? "" : w->rows > 0 ? ",\n{" : "\n{";
    ws_out_write(w->options->out, begin, strlen(begin));
    cells_print(w, false);
    return ws_out_write(w->options->out, w->options->json ? "}" : "\n", 1) &&
           ++w->rows < w->options->limit;
}

/* Stores the values of the record at the cursor of kind k in w->cells, the cells of the current
 * line. hints: indices at which id_set_find() begins to search; updated by this function. [0]:
 * in w->lps[pe]; [1]: in w->columns.numbers[]. */
static void record_put(struct wide *w, int k, uint32_t pe, size_t hints[2])
{
    assert(k >= 0 && k < KINDS && w->cursors[k].valid);
    const struct kind *kind = &w->kinds[k];
    const struct ws_cursor *cursor = &w->cursors[k];
    enum ws_wide_level level = kind_level[k];
    size_t place = 0;
    if (level != WS_WIDE_PE) {
        uint64_t number = ws_cursor_value(cursor, kind->number).as.u;
        if (level == WS_WIDE_LP) {
            number = id_set_find(&w->lps[pe], number, &hints[0]);
        }
        place = id_set_find(&w->columns.numbers[level], number, &hints[1]);
    }
    for (uint32_t g = 0; g < w->columns.n_groups; g++) {
        const struct ws_wide_group *group = &w->columns.groups[g];
        size_t at = group->first_column + (group->level == level ? place * group->n_items : 0);
        bool here = group->level == level && place != ID_SET_NONE;
        for (uint32_t i = 0; i < group->n_items && (here || group->level == WS_WIDE_PE); i++) {
            int32_t field = kind->field[group->first_item + i];
            if (field >= 0 && (here || w->cells[at + i].type == 0)) {
                w->cells[at + i] = ws_cursor_value(cursor, field);
            }
        }
    }
}

/* A sampling point: index of the part of the stream, and number of the sample in that part. */
struct point {
    uint64_t part, sample;
};

/* Returns true if the cursor of kind k is at a record of this sampling point. */
static bool is_at(const struct wide *w, int k, struct point point)
{
    assert(k >= 0 && k < KINDS);
    const struct ws_cursor *cursor = &w->cursors[k];
    return cursor->valid && cursor->blocks.block.part == point.part &&
           ws_cursor_value(cursor, w->kinds[k].sample).as.u == point.sample;
}

/* Sets *least to the earliest sampling point of the records at the cursors. Returns false if all
 * cursors are at their ends. */
static bool point_find(const struct wide *w, struct point *least)
{
    bool any = false;
    for (int k = 0; k < KINDS; k++) {
        const struct ws_cursor *cursor = &w->cursors[k];
        if (cursor->valid) {
            struct point p = {cursor->blocks.block.part,
                              ws_cursor_value(cursor, w->kinds[k].sample).as.u};
            if (!any || p.part < least->part ||
                (p.part == least->part && p.sample < least->sample)) {
                *least = p;
            }
            any = true;
        }
    }
    return any;
}

/* Sets the counts of all selected LPs of a PE to 0 in one group of columns. */
static void counts_clear(struct wide *w, const struct ws_wide_group *group, uint32_t pe)
{
    const struct id_set *places = &w->columns.numbers[WS_WIDE_LP];
    struct fmt_value *cell = &w->cells[group->first_column];
    for (size_t i = 0; i < places->n; i++) {
        bool here = has_lp(w, pe, places->ids[i]);
        for (uint32_t k = 0; k < group->n_items; k++, cell++) {
            cell->type = here ? FMT_U64 : 0;
        }
    }
}

/* Begins a line of a PE: sets its first cell to the number of the PE, and the counts of LPs to 0 if
 * the file is complete. All other cells become empty. */
static void line_start(struct wide *w, uint32_t pe)
{
    memset(w->cells, 0, w->columns.n_columns * sizeof *w->cells);
    w->cells[0] = (struct fmt_value){.type = FMT_U32, .as.u = pe};
    for (uint32_t g = 0; w->is_complete && g < w->columns.n_groups; g++) {
        if (w->columns.groups[g].level == WS_WIDE_LP) {
            counts_clear(w, &w->columns.groups[g], pe);
        }
    }
}

/* Prints the lines of one PE. Returns false if the limit of lines has been reached, or if output
 * has failed. */
static bool pe_dump(struct wide *w, uint32_t pe)
{
    size_t hints[KINDS][2] = {{0}};
    for (int k = 0; k < KINDS; k++) {
        ws_cursor_start(&w->cursors[k], w->file, &w->kinds[k].select, w->kinds[k].schema,
                        &w->kinds[k].wanted, pe);
    }
    for (struct point point = {0}; point_find(w, &point);) {
        line_start(w, pe);
        for (int k = 0; k < KINDS; k++) {
            while (is_at(w, k, point)) {
                record_put(w, k, pe, hints[k]);
                ws_cursor_next(&w->cursors[k]);
            }
        }
        if (!line_print(w)) {
            return false;
        }
    }
    return true;
}

static int lines_dump(struct wide *w)
{
    uint32_t n_pes = w->file->sb->layout.n_pes;
    if (!wide_prepare(w)) {
        return WS_EXIT_DAMAGED;
    }
    w->is_complete = ws_file_good(w->file);
    if (!w->options->json) {
        cells_print(w, true);
    }
    ws_out_write(w->options->out, w->options->json ? "[" : "\n", 1);
    for (uint32_t pe = 0; pe < n_pes && w->options->limit > 0; pe++) {
        if (ws_select_pe(w->select, pe) && !pe_dump(w, pe)) {
            break;
        }
    }
    ws_out_write(w->options->out, "\n]\n", w->options->json ? 3 : 0);
    return WS_EXIT_OK;
}

int ws_wide_dump(const struct ws_wide_options *options, struct ws_file *file,
                 const struct ws_select *select)
{
    uint64_t fine = records_count(file, "_kp") + records_count(file, "_lp");
    unsigned granularity = options->granularity >= 0 ? (unsigned)options->granularity : fine > 0;
    struct wide *w = calloc(1, sizeof *w);
    int status = WS_EXIT_DAMAGED;
    if (w == NULL) {
        ws_no_memory(NULL);
        return status;
    }
    *w = (struct wide){.options = options, .select = select, .file = file};
    if (!ws_wide_columns_init(&w->columns, file->sb->stream, granularity)) {
        ws_refuse(file->path, "the wide layout is for files of streams gvt and rt", NULL);
        status = WS_EXIT_USAGE;
    } else if (granularity == 1 && fine == 0) {
        ws_refuse(file->path, "no records of KPs or LPs",
                  "the run was recorded with --granularity=0");
    } else {
        status = lines_dump(w);
    }
    for (uint32_t pe = 0; w->lps != NULL && pe < file->sb->layout.n_pes; pe++) {
        id_set_free(&w->lps[pe]);
    }
    for (int k = 0; k < KINDS; k++) {
        fmt_columns_free(&w->cursors[k].columns);
    }
    for (int level = 0; level < WS_WIDE_LEVELS; level++) {
        id_set_free(&w->columns.numbers[level]);
    }
    free(w->lps);
    free(w->cells);
    free(w);
    return status;
}
