/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.c - "dump --layout=wide"; see wide.h.
 *
 * First, the command reads the numbers of all KPs and LPs to determine the columns (wide_find.c).
 * Then, for each PE, a cursor per kind of record moves over the blocks. The next line belongs to
 * the earliest sampling point of the records at the cursors. Each cursor at that point adds the
 * values of its records to the line. An LP without a record at that point had no change: its counts
 * are 0. In an incomplete file, the record was possibly damaged or lost; the cells of the LP then
 * stay empty.
 *
 * Invariant: before records are added to a line, all its cells are empty, except the number of the
 * PE and, if the file is complete, the counts of the LPs of the PE, which are 0.
 */
#include "dump/wide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit.h"
#include "render/text.h"

#define NAME_MAX_SIZE 80u
#define CELL_MAX      (NAME_MAX_SIZE + DECIMAL_MAX + 8u)

/* ---- Lines of the layout --------------------------------------------------------------------- */

typedef void (*column_f)(struct ws_wide *w, const struct ws_wide_item *item, uint64_t number,
                         size_t column);

/* Calls fn for all columns from left to right. */
static void columns_each(struct ws_wide *w, column_f fn)
{
    size_t column = 0;
    for (uint32_t g = 0; g < w->columns.n_groups; g++) {
        const struct ws_wide_group *group = &w->columns.groups[g];
        const struct id_set *numbers = &w->columns.numbers[group->level];
        for (size_t i = 0; i < numbers->n; i++) {
            for (uint32_t k = 0; k < group->n_items; k++) {
                fn(w, &w->columns.items[group->first_item + k], numbers->ids[i], column++);
            }
        }
    }
}

static void name_print(struct ws_wide *w, const struct ws_wide_item *item, uint64_t number,
                       size_t column)
{
    char *to = (char *)ws_out_room(w->options->out, CELL_MAX);
    if (to != NULL) {
        *to = ',';
        ws_out_take(w->options->out,
                    (column > 0) + ws_wide_name(to + (column > 0), NAME_MAX_SIZE, item, number));
    }
}

static void cell_print(struct ws_wide *w, const struct ws_wide_item *item, uint64_t number,
                       size_t column)
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
    to += cell->type == 0 ? 0 : ws_format_value(to, cell, w->options->json);
    ws_out_take(w->options->out, (size_t)(to - begin));
}

static void header_print(struct ws_wide *w)
{
    if (!w->options->json) {
        columns_each(w, name_print);
    }
    ws_out_write(w->options->out, w->options->json ? "[" : "\n", 1);
}

/* Prints the current line. Returns false if the limit of lines has been reached, or if output has
 * failed. */
static bool line_print(struct ws_wide *w)
{
    const char *begin = !w->options->json ? "" : w->rows > 0 ? ",\n{" : "\n{";
    ws_out_write(w->options->out, begin, strlen(begin));
    columns_each(w, cell_print);
    return ws_out_write(w->options->out, w->options->json ? "}" : "\n", 1) &&
           ++w->rows < w->options->limit;
}

/* Stores the values of the record at the cursor of kind k in w->cells, the cells of the current
 * line. hints: indices at which id_set_find() begins to search; updated by this function. [0]:
 * in w->lps[pe]; [1]: in w->columns.numbers[]. */
static void record_put(struct ws_wide *w, int k, uint32_t pe, size_t hints[2])
{
    assert(k >= 0 && k < WS_WIDE_KINDS && w->cursors[k].valid);
    const struct ws_wide_kind *kind = &w->kinds[k];
    const struct ws_cursor *cursor = &w->cursors[k];
    enum ws_wide_level level = ws_wide_kind_level[k];
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
static bool is_at(const struct ws_wide *w, int k, struct point point)
{
    assert(k >= 0 && k < WS_WIDE_KINDS);
    const struct ws_cursor *cursor = &w->cursors[k];
    return cursor->valid && cursor->block.part == point.part &&
           ws_cursor_value(cursor, w->kinds[k].sample).as.u == point.sample;
}

/* Sets *least to the earliest sampling point of the records at the cursors. Returns false if all
 * cursors are at their ends. */
static bool point_find(const struct ws_wide *w, struct point *least)
{
    bool any = false;
    for (int k = 0; k < WS_WIDE_KINDS; k++) {
        const struct ws_cursor *cursor = &w->cursors[k];
        if (cursor->valid) {
            struct point p = {cursor->block.part, ws_cursor_value(cursor, w->kinds[k].sample).as.u};
            if (!any || p.part < least->part ||
                (p.part == least->part && p.sample < least->sample)) {
                *least = p;
            }
            any = true;
        }
    }
    return any;
}

/* Returns true if the PE has an LP at this position among its LPs, and the user's selection
 * includes the LP. */
static bool has_lp(const struct ws_wide *w, uint32_t pe, uint64_t place)
{
    assert(pe < w->file->sb->layout.n_pes);
    const struct ws_ranges *chosen = &w->select->lps;
    return place < w->lps[pe].n &&
           (chosen->n == 0 || ws_ranges_have(chosen, w->lps[pe].ids[place]));
}

/* Sets the counts of all selected LPs of a PE to 0 in one group of columns. */
static void counts_clear(struct ws_wide *w, const struct ws_wide_group *group, uint32_t pe)
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
static void line_start(struct ws_wide *w, uint32_t pe)
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
static bool pe_dump(struct ws_wide *w, uint32_t pe)
{
    size_t hints[WS_WIDE_KINDS][2] = {{0}};
    for (int k = 0; k < WS_WIDE_KINDS; k++) {
        ws_cursor_start(&w->cursors[k], w->file, &w->kinds[k].select, w->kinds[k].schema,
                        &w->kinds[k].wanted, pe);
    }
    for (struct point point; point_find(w, &point);) {
        line_start(w, pe);
        for (int k = 0; k < WS_WIDE_KINDS; k++) {
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

static int lines_dump(struct ws_wide *w)
{
    uint32_t n_pes = w->file->sb->layout.n_pes;
    if (!ws_wide_prepare(w)) {
        return WS_EXIT_DAMAGED;
    }
    w->is_complete = ws_file_good(w->file);
    header_print(w);
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
    uint64_t fine = ws_wide_records(file, "_kp") + ws_wide_records(file, "_lp");
    unsigned granularity = options->granularity >= 0 ? (unsigned)options->granularity : fine > 0;
    struct ws_wide *w = calloc(1, sizeof *w);
    int status = WS_EXIT_DAMAGED;
    if (w == NULL) {
        ws_no_memory(NULL);
        return status;
    }
    *w = (struct ws_wide){.options = options, .select = select, .file = file};
    if (!ws_wide_columns_init(&w->columns, file->sb->stream, granularity)) {
        fprintf(stderr, "warpscope: %s: the wide layout is for files of streams gvt and rt\n",
                file->path);
        status = WS_EXIT_USAGE;
    } else if (granularity == 1 && fine == 0) {
        fprintf(stderr,
                "warpscope: %s: no records of KPs or LPs: the run was recorded with"
                " --granularity=0\n",
                file->path);
    } else {
        status = lines_dump(w);
    }
    for (uint32_t pe = 0; w->lps != NULL && pe < file->sb->layout.n_pes; pe++) {
        id_set_free(&w->lps[pe]);
    }
    for (int k = 0; k < WS_WIDE_KINDS; k++) {
        ws_cursor_free(&w->cursors[k]);
    }
    ws_wide_columns_free(&w->columns);
    free(w->lps);
    free(w->cells);
    free(w);
    return status;
}
