/*
 * wide.c - "dump --layout=wide", see wide.h.
 *
 * First a walk over the numbers of all KPs and LPs, one column of the file: it gives the columns.
 * Then for each PE a cursor per kind of record moves over its blocks. The least number of a
 * sampling point at a cursor is the next line; whatever cursor is at it puts its records' values
 * into the line. So a sampling point of which records are missing (damage, loss) still gives its
 * line, with empty places.
 *
 * Invariants: (1) a line's cells are empty before its first record; (2) no more than IDS_MAX
 * numbers of LPs and COLUMNS_MAX columns are kept: larger runs are refused with advice.
 */
#include "wide.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "emit.h"
#include "exit.h"
#include "text.h"
#include "walk.h"
#include "wide_columns.h"

#define IDS_MAX     ((size_t)2 << 20) /* 16 MiB */
#define COLUMNS_MAX ((size_t)1 << 20) /* 16 MiB */
#define ITEMS_MAX   64
#define BATCH       4096 /* numbers that are taken at a time */

/* Kinds of records that take part. */
enum { KIND_PE, KIND_KP, KIND_AHEAD, KIND_LP, KINDS };
static const enum ws_wide_level kind_level[KINDS] = {WS_WIDE_PE, WS_WIDE_KP, WS_WIDE_KP,
                                                     WS_WIDE_LP};

struct kind {
    const struct fmt_schema *schema; /* NULL: the file has no such records */
    struct ws_select select;         /* the options that apply: a copy, nothing owned */
    struct fmt_wanted wanted;
    int32_t sample, number; /* fields; number: of the KP or LP */
    int32_t field[ITEMS_MAX];
};

struct wide {
    const struct ws_wide_options *options;
    const struct ws_select *select;
    struct ws_survey *survey;
    struct ws_wide_columns columns;
    struct kind kinds[KINDS];
    struct ws_cursor cursors[KINDS];
    struct ws_ids *lps; /* of each PE; owned */
    size_t n_lps;       /* in all of them */
    struct fmt_value *cells;
    struct ws_emitter emitter;
    bool refused; /* too large; was said */
    int output_errno;
    bool output_failed;
};

/* ---- What there is ----------------------------------------------------------------------------
 */

static const struct fmt_schema *schema_find(const struct fmt_superblock *sb, const char *name)
{
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        if (strcmp(sb->schemas[i]->name, name) == 0) {
            return sb->schemas[i];
        }
    }
    return NULL;
}

static void want(struct kind *kind, int32_t field)
{
    if (field >= 0) {
        fmt_wanted_add(&kind->wanted, (uint32_t)field);
    }
}

static int32_t field_of_number(const struct fmt_schema *schema, const char *name)
{
    int32_t field = ws_field_find(schema, name);
    return field >= 0 && schema->fields[field].type <= FMT_U64 ? field : -1;
}

/* Items of the level of the kind, and what any kind says about the sampling point. */
static void kind_init(struct wide *w, int k)
{
    static const char *const names[2][KINDS] = {{"gvt_pe", "gvt_kp", "", "gvt_lp"},
                                                {"rt_pe", "rt_kp", "rt_ahead", "rt_lp"}};
    static const char *const numbers[] = {NULL, "kp", "lp"};
    struct kind *kind = &w->kinds[k];
    enum ws_wide_level level = kind_level[k];
    const struct fmt_superblock *sb = w->survey->sb;
    *kind = (struct kind){.select = *w->select, .number = -1};
    kind->schema = schema_find(sb, names[sb->stream == FMT_STREAM_RT][k]);
    if (kind->schema == NULL || !ws_wide_columns_use(&w->columns, level)) {
        kind->schema = NULL;
        return;
    }
    kind->select.kps.n = level == WS_WIDE_PE ? 0 : kind->select.kps.n;
    kind->select.lps.n = level == WS_WIDE_LP ? kind->select.lps.n : 0;
    kind->sample = field_of_number(kind->schema, "sample");
    kind->number = level == WS_WIDE_PE ? -1 : field_of_number(kind->schema, numbers[level]);
    if (kind->sample < 0 || (level != WS_WIDE_PE && kind->number < 0)) {
        kind->schema = NULL; /* not records of ours */
        return;
    }
    want(kind, kind->sample);
    want(kind, kind->number);
    for (uint32_t i = 0; i < w->columns.n_items; i++) {
        const struct ws_wide_item *item = &w->columns.items[i];
        bool common = strcmp(item->field, "gvt") == 0 || strcmp(item->field, "real_time") == 0;
        kind->field[i] =
            common || item->level == level ? ws_field_find(kind->schema, item->field) : -1;
        want(kind, kind->field[i]);
    }
}

static uint64_t records_of(const struct ws_survey *s, const char *suffix)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        const char *name = s->sb->schemas[i]->name;
        size_t length = strlen(name), tail = strlen(suffix);
        if (length >= tail && strcmp(name + length - tail, suffix) == 0) {
            n += s->kind_records[i];
        }
    }
    return n;
}

/* ---- The numbers of KPs and LPs ---------------------------------------------------------------
 */

static bool too_large(struct wide *w, const char *what)
{
    fprintf(stderr,
            "warpscope: %s: too many %s for the wide layout; choose some with --lp or --pe, or use"
            " the long one\n",
            w->survey->path, what);
    w->refused = true;
    return false;
}

static bool ids_add(struct wide *w, struct ws_ids *ids, uint64_t *numbers, size_t n)
{
    if (!ws_ids_add(ids, numbers, n)) {
        fputs("warpscope: out of memory\n", stderr);
        w->refused = true;
    }
    return !w->refused;
}

/* Adds the numbers in a block to the set of its level: KPs of all PEs, LPs of the block's. */
static bool part_numbers(struct ws_survey *s, const struct ws_part *part, void *ctx)
{
    struct wide *w = ctx;
    uint64_t numbers[BATCH];
    for (int k = KIND_KP; k < KINDS; k++) {
        const struct kind *kind = &w->kinds[k];
        if (kind->schema != part->columns->schema) {
            continue;
        }
        bool is_lp = kind_level[k] == WS_WIDE_LP;
        struct ws_ids *ids = is_lp ? &w->lps[part->block->pe] : &w->columns.numbers[WS_WIDE_KP];
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
    (void)s;
    return true;
}

/* The places of chosen LPs among those of their PE. */
static bool lp_columns_make(struct wide *w)
{
    uint64_t numbers[BATCH];
    const struct ws_ranges *chosen = &w->select->lps;
    for (uint32_t pe = 0; pe < w->survey->sb->layout.n_pes; pe++) {
        for (size_t i = 0; i < w->lps[pe].n;) {
            size_t n = 0;
            for (; n < BATCH && i < w->lps[pe].n; i++) {
                if (chosen->n == 0 || ws_ranges_have(chosen, w->lps[pe].ids[i])) {
                    numbers[n++] = i;
                }
            }
            if (!ids_add(w, &w->columns.numbers[WS_WIDE_LP], numbers, n)) {
                return false;
            }
        }
    }
    return true;
}

static bool kp_columns_choose(struct wide *w)
{
    struct ws_ids *ids = &w->columns.numbers[WS_WIDE_KP];
    size_t kept = 0;
    for (size_t i = 0; i < ids->n; i++) {
        if (w->select->kps.n == 0 || ws_ranges_have(&w->select->kps, ids->ids[i])) {
            ids->ids[kept++] = ids->ids[i];
        }
    }
    ids->n = kept;
    return true;
}

/* Walks over the numbers of all chosen PEs and deals out the columns. */
static bool columns_make(struct wide *w)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_select pes_only = *w->select;
    uint64_t pe_number = 0;
    pes_only.kps.n = pes_only.lps.n = 0;
    pes_only.by_time = false;
    for (int k = KIND_KP; k < KINDS; k++) {
        const struct kind *kind = &w->kinds[k];
        if (kind->schema != NULL) {
            fmt_wanted_add(&wanted[ws_schema_number(w->survey->sb, kind->schema)],
                           (uint32_t)kind->number);
        }
    }
    ws_walk(w->survey, &pes_only, wanted, part_numbers, w);
    if (w->refused || !ids_add(w, &w->columns.numbers[WS_WIDE_PE], &pe_number, 1) ||
        !lp_columns_make(w) || !kp_columns_choose(w)) {
        return false;
    }
    ws_wide_columns_place(&w->columns);
    if (w->columns.n_columns > COLUMNS_MAX) {
        return too_large(w, "columns");
    }
    w->cells = calloc(w->columns.n_columns, sizeof *w->cells);
    if (w->cells == NULL) {
        fputs("warpscope: out of memory\n", stderr);
    }
    return w->cells != NULL;
}

/* ---- Lines ------------------------------------------------------------------------------------
 */

typedef void (*column_f)(struct wide *w, const struct ws_wide_item *item, uint64_t number,
                         size_t column);

/* All columns from left to right. */
static void columns_each(struct wide *w, column_f fn)
{
    size_t column = 0;
    for (uint32_t g = 0; g < w->columns.n_groups; g++) {
        const struct ws_wide_group *group = &w->columns.groups[g];
        const struct ws_ids *numbers = &w->columns.numbers[group->level];
        for (size_t i = 0; i < numbers->n; i++) {
            for (uint32_t k = 0; k < group->n_items; k++) {
                fn(w, &w->columns.items[group->first_item + k], numbers->ids[i], column++);
            }
        }
    }
}

static void name_print(struct wide *w, const struct ws_wide_item *item, uint64_t number,
                       size_t column)
{
    char *to = ws_sink_room(&w->emitter.sink, 80);
    size_t n = 0;
    if (column > 0) {
        to[n++] = ',';
    }
    w->emitter.sink.used += n + ws_wide_name(to + n, 79, item, number);
}

static void cell_print(struct wide *w, const struct ws_wide_item *item, uint64_t number,
                       size_t column)
{
    struct ws_sink *sink = &w->emitter.sink;
    if (!w->options->json) {
        if (column > 0) {
            ws_sink_char(sink, ',');
        }
        if (w->cells[column].type != 0) {
            ws_emit_value(&w->emitter, &w->cells[column]);
        }
        return;
    }
    if (w->cells[column].type != 0) {
        ws_sink_text(sink, column > 0 ? ",\"" : "\"");
        char *to = ws_sink_room(sink, 80);
        sink->used += ws_wide_name(to, 80, item, number);
        ws_sink_text(sink, "\":");
        ws_emit_value(&w->emitter, &w->cells[column]);
    }
}

static void header_print(struct wide *w)
{
    ws_emit_start(&w->emitter);
    if (w->options->json) {
        ws_sink_char(&w->emitter.sink, '[');
        return;
    }
    columns_each(w, name_print);
    ws_sink_char(&w->emitter.sink, '\n');
}

/* False: no more are wanted. */
static bool line_print(struct wide *w)
{
    struct ws_sink *sink = &w->emitter.sink;
    if (w->options->json) {
        ws_sink_text(sink, w->emitter.rows > 0 ? ",\n{" : "\n{");
    }
    errno = 0;
    columns_each(w, cell_print);
    ws_sink_char(sink, w->options->json ? '}' : '\n');
    if (ferror(sink->out)) {
        w->output_errno = errno;
        w->output_failed = true;
    }
    return ++w->emitter.rows < w->options->limit && !w->output_failed;
}

/* Puts the values of the record at the cursor into the line. *hint: see ws_ids_find(). */
static void record_put(struct wide *w, int k, uint32_t pe, size_t hints[2])
{
    const struct kind *kind = &w->kinds[k];
    const struct ws_cursor *cursor = &w->cursors[k];
    enum ws_wide_level level = kind_level[k];
    size_t place = 0;
    if (level != WS_WIDE_PE) {
        uint64_t number = ws_cursor_value(cursor, kind->number).as.u;
        if (level == WS_WIDE_LP) {
            number = ws_ids_find(&w->lps[pe], number, &hints[0]);
        }
        place = ws_ids_find(&w->columns.numbers[level], number, &hints[1]);
    }
    for (uint32_t g = 0; g < w->columns.n_groups; g++) {
        const struct ws_wide_group *group = &w->columns.groups[g];
        size_t at = group->first_column + (group->level == level ? place * group->n_items : 0);
        bool here = group->level == level && place != WS_IDS_NONE;
        for (uint32_t i = 0; i < group->n_items && (here || group->level == WS_WIDE_PE); i++) {
            int32_t field = kind->field[group->first_item + i];
            if (field >= 0 && (here || w->cells[at + i].type == 0)) {
                w->cells[at + i] = ws_cursor_value(cursor, field);
            }
        }
    }
}

/* The lines of one PE. False: no more are wanted. */
static bool pe_dump(struct wide *w, uint32_t pe)
{
    size_t hints[KINDS][2] = {{0}};
    for (int k = 0; k < KINDS; k++) {
        ws_cursor_start(&w->cursors[k], w->survey, &w->kinds[k].select, w->kinds[k].schema,
                        &w->kinds[k].wanted, pe);
    }
    for (;;) {
        uint64_t least = UINT64_MAX, samples[KINDS];
        bool any = false;
        for (int k = 0; k < KINDS; k++) {
            if (w->cursors[k].valid) {
                samples[k] = ws_cursor_value(&w->cursors[k], w->kinds[k].sample).as.u;
                least = samples[k] < least ? samples[k] : least;
                any = true;
            }
        }
        if (!any) {
            return true;
        }
        memset(w->cells, 0, w->columns.n_columns * sizeof *w->cells);
        w->cells[0] = (struct fmt_value){.type = FMT_U32, .as.u = pe};
        for (int k = 0; k < KINDS; k++) {
            while (w->cursors[k].valid &&
                   ws_cursor_value(&w->cursors[k], w->kinds[k].sample).as.u == least) {
                record_put(w, k, pe, hints[k]);
                ws_cursor_next(&w->cursors[k]);
            }
        }
        if (!line_print(w)) {
            return false;
        }
    }
}

static int lines_dump(struct wide *w)
{
    uint32_t n_pes = w->survey->sb->layout.n_pes;
    w->lps = calloc(n_pes, sizeof *w->lps);
    for (int k = 0; k < KINDS; k++) {
        kind_init(w, k);
    }
    if (w->lps == NULL || !columns_make(w)) {
        return WS_EXIT_DAMAGED;
    }
    header_print(w);
    for (uint32_t pe = 0; pe < n_pes && w->options->limit > 0; pe++) {
        if (ws_select_pe(w->select, pe) && !pe_dump(w, pe)) {
            break;
        }
    }
    if (w->output_failed) {
        return ws_output_failed(w->output_errno);
    }
    ws_emit_end(&w->emitter);
    return WS_EXIT_OK;
}

int ws_wide_dump(const struct ws_wide_options *options, struct ws_survey *survey,
                 const struct ws_select *select)
{
    uint64_t fine = records_of(survey, "_kp") + records_of(survey, "_lp");
    unsigned granularity = options->granularity >= 0 ? (unsigned)options->granularity : fine > 0;
    struct wide *w = calloc(1, sizeof *w);
    int status = WS_EXIT_DAMAGED;
    if (w == NULL) {
        fputs("warpscope: out of memory\n", stderr);
        return status;
    }
    *w = (struct wide){.options = options, .select = select, .survey = survey};
    w->emitter.out = options->out;
    w->emitter.json = options->json;
    if (!ws_wide_columns_init(&w->columns, survey->sb->stream, granularity)) {
        fprintf(stderr, "warpscope: %s: the wide layout is for files of streams gvt and rt\n",
                survey->path);
        status = WS_EXIT_USAGE;
    } else if (granularity == 1 && fine == 0) {
        fprintf(stderr,
                "warpscope: %s: no records of KPs or LPs: the run was recorded with"
                " --granularity=0\n",
                survey->path);
    } else {
        status = lines_dump(w);
    }
    for (uint32_t pe = 0; w->lps != NULL && pe < survey->sb->layout.n_pes; pe++) {
        ws_ids_free(&w->lps[pe]);
    }
    for (int k = 0; k < KINDS; k++) {
        ws_cursor_free(&w->cursors[k]);
    }
    ws_wide_columns_free(&w->columns);
    free(w->lps);
    free(w->cells);
    free(w);
    return status;
}
