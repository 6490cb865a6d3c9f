/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - draws the tables on the screen: PEs, KPs, LPs, types of LPs; see panes.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"
#include "render/text.h"
#include "store/array.h"
#include "top/columns.h"
#include "top/panes.h"

#define PHASES_WIDTH_MAX 80

/* A row of a table. key: its sort key. */
struct row {
    double key;
    uint32_t pe;
    uint32_t id; /* number of the KP or LP, or index of the type */
};

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool is_of_pes(enum top_page page)
{
    return page == TOP_PES || page == TOP_OVERVIEW;
}

static double rest_share(const struct top_pe *pe)
{
    double sum = 0;
    for (int i = 0; i < WS_PHASE_COUNT; i++) {
        sum += pe->phases[i];
    }
    return sum > 0 ? 100 * pe->phases[WS_PHASE_REST] / sum : NAN;
}

static void pe_values(const struct top_run *run, const struct row *row, double *values)
{
    const struct top_pe *pe = &run->model.pes[row->pe];
    values[PE_NUMBER] = row->pe;
    values[PE_WAIT] = rest_share(pe);
    values[PE_QUEUE] = run->model.has.queue ? (double)pe->queue : NAN;
    values[PE_MEMORY] = (double)pe->memory;
    values[PE_AHEAD] = pe->ahead;
    values[PE_EFFICIENCY] = ws_efficiency(pe->processed, pe->undone);
    values[PE_NEWS] = top_clock() - pe->news;
}

/* Stores the value of a KP for each column in values; NaN for columns that are not recorded. */
static void kp_values(const struct top_run *run, const struct row *row, double *values)
{
    assert(row->pe < run->model.n_pes && row->id < run->model.pes[row->pe].n_kps);
    const struct top_has *has = &run->model.has;
    const struct top_kp *kp = &run->model.pes[row->pe].kps[row->id];
    bool undone = has->kps || has->rollbacks;
    values[KP_UNDONE] = undone ? (double)kp->counts.undone : NAN;
    values[KP_RECENT] = undone ? kp->recent_undone : NAN;
    values[KP_ROLLBACKS] = undone ? (double)kp->counts.rollbacks : NAN;
    values[KP_SECONDARY] = undone ? (double)kp->counts.secondary : NAN;
    values[KP_AHEAD] = has->ahead ? kp->ahead : NAN;
    values[KP_EXECUTED] = has->kps ? (double)kp->counts.processed : NAN;
}

static void lp_values(const struct top_run *run, const struct row *row, double *values)
{
    assert(row->id < run->model.n_lps);
    const struct top_lp *lp = &run->model.lps[row->id];
    values[LP_UNDONE] = (double)lp->undone;
    values[LP_RECENT] = lp->recent_undone;
    values[LP_EFFICIENCY] = ws_efficiency((double)lp->processed, (double)lp->undone);
    values[LP_REMOTE] = (double)lp->remote;
    values[LP_EXECUTED] = (double)lp->processed;
}

static void type_values(const struct top_run *run, const struct row *row, double *values)
{
    assert(row->id < run->model.n_types);
    const struct top_has *has = &run->model.has;
    const struct top_type *type = &run->model.types[row->id];
    values[TYPE_EVENTS] = has->events ? (double)type->events : NAN;
    values[TYPE_RECENT] = type->recent;
    values[TYPE_ROLLBACKS] = has->rollbacks ? (double)type->rollbacks : NAN;
    values[TYPE_UNDONE] = has->rollbacks ? (double)type->undone : NAN;
}

static void values_find(const struct top_run *run, enum top_page page, const struct row *row,
                        double *values)
{
    if (page == TOP_KPS) {
        kp_values(run, row, values);
    } else if (page == TOP_LPS) {
        lp_values(run, row, values);
    } else if (page == TOP_TYPES) {
        type_values(run, row, values);
    } else {
        pe_values(run, row, values);
    }
}

/* Returns the sort key of a row for a column. Larger keys come first: low numbers of PEs, low
 * efficiencies, and high values in all other columns. The key of a KP without data in the column is
 * its virtual time ahead of GVT. */
static double row_key(const struct top_run *run, enum top_page page, const struct row *row,
                      unsigned column)
{
    double values[TOP_COLUMNS_MAX];
    enum top_kind kind = top_column(page, column)->kind;
    values_find(run, page, row, values);
    if (kind == TOP_EFFICIENCY || kind == TOP_NUMBER_OF_PE) {
        return -values[column];
    }
    return page == TOP_KPS && isnan(values[column]) ? values[KP_AHEAD] : values[column];
}

static int by_key(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    double kx = isnan(x->key) ? -INFINITY : x->key, ky = isnan(y->key) ? -INFINITY : y->key;
    if (kx != ky) {
        return kx < ky ? 1 : -1;
    }
    if (x->pe != y->pe) {
        return x->pe < y->pe ? -1 : 1;
    }
    return (x->id > y->id) - (x->id < y->id);
}

/* State while the rows of a page are collected. */
struct rows {
    const struct top_run *run;
    const struct top_view *view;
    enum top_page page;
    struct row *list; /* freed by the caller of rows_find() */
    size_t n, room;
};

/* Adds a row with its sort key to r->list. Returns false if out of memory. */
static bool row_add(struct rows *r, uint32_t pe, uint32_t id)
{
    struct row row = {.pe = pe, .id = id};
    if (!array_reserve(&r->list, &r->room, r->n + 1, sizeof *r->list)) {
        return false;
    }
    row.key = row_key(r->run, r->page, &row, r->view->sort[r->page]);
    r->list[r->n++] = row;
    return true;
}

/* Returns true if the user has chosen to see this PE and this KP. */
static bool is_shown(const struct top_view *view, uint32_t pe, uint32_t kp)
{
    return (view->only_pe < 0 || view->only_pe == (int64_t)pe) &&
           (view->only_kp < 0 || view->only_kp == (int64_t)kp);
}

/* Collects the rows of r->page in r->list, and sorts them. The caller frees r->list. */
static void rows_find(struct rows *r)
{
    const struct top_model *m = &r->run->model;
    bool good = true;
    for (uint32_t i = 0; r->page == TOP_TYPES && good && i < m->n_types; i++) {
        good = row_add(r, 0, i);
    }
    for (uint32_t i = 0; r->page == TOP_LPS && good && i < m->n_lps; i++) {
        const struct top_lp *lp = &m->lps[i];
        good = !lp->seen || !is_shown(r->view, lp->pe, lp->kp) || row_add(r, lp->pe, i);
    }
    for (uint32_t i = 0; good && i < m->n_pes; i++) {
        const struct top_pe *pe = &m->pes[i];
        if (is_of_pes(r->page) && !pe->elsewhere) {
            good = row_add(r, i, 0);
        }
        bool kps = r->page == TOP_KPS && (r->view->only_pe < 0 || r->view->only_pe == (int64_t)i);
        for (uint32_t k = 0; kps && good && k < pe->n_kps; k++) {
            good = !pe->kps[k].seen || row_add(r, i, k);
        }
    }
    if (r->list != NULL) {
        qsort(r->list, r->n, sizeof *r->list, by_key);
    }
    for (size_t i = 0; r->view->reverse && i < r->n / 2; i++) {
        struct row other = r->list[i];
        r->list[i] = r->list[r->n - 1 - i];
        r->list[r->n - 1 - i] = other;
    }
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Draws a bar that is divided among the phases of a PE, with the letter of each phase. */
static void phases_draw(struct top_canvas *c, int y, int x, int width, const struct top_pe *pe)
{
    double sum = 0, before = 0;
    int at = 0;
    for (int i = 0; i < WS_PHASE_COUNT; i++) {
        sum += pe->phases[i];
    }
    for (int i = 0; i < WS_PHASE_COUNT && sum > 0; i++) {
        before += pe->phases[i];
        int end = (int)(before / sum * width + 0.5);
        for (; at < end; at++) {
            top_put(c, y, x + at, (enum top_style)(TOP_PHASE_STYLE + i), "%c",
                    ws_phase_names[i].letter);
        }
    }
}

/* Returns the width of the bars of phases, which fill the rest of the line; 0 if no bars are
 * drawn. */
static int phases_width(const struct top_canvas *c, const struct top_run *run,
                        const struct top_layout *l)
{
    int width = c->cols - 1 - l->end;
    width = width > PHASES_WIDTH_MAX ? PHASES_WIDTH_MAX : width;
    return run->model.has.phases && width >= 5 ? width : 0;
}

/* Draws the time since the last news of a PE, or the reason why no more news comes. */
static void news_draw(struct top_canvas *c, int y, int x, const struct top_run *run,
                      const struct top_pe *pe, enum top_style style)
{
    double age = top_clock() - pe->news;
    bool ended = run->state == TOP_ENDED && !top_was_recovered(run);
    const char *word = pe->process_state == 'T' || pe->process_state == 't'  ? "stopped"
                       : ended                                               ? "ended"
                       : run->state == TOP_KILLED || run->state == TOP_ENDED ? "killed"
                       : pe->process_state == 'X'                            ? "gone"
                                                                             : NULL;
    if (word != NULL) {
        top_put_right(c, y, x, ended ? style : TOP_WARNING, "%s", word);
    } else {
        top_put_right(c, y, x, age > 3 && style == TOP_PLAIN ? TOP_WARNING : style, "%.0f s ago",
                      age);
    }
}

/* Draws the value v of a column, which ends before x. Draws "-" if it is not known. */
static void cell_draw(struct top_canvas *c, int y, int x, const struct top_run *run,
                      const struct row *row, enum top_kind kind, double v, int width,
                      enum top_style style)
{
    char text[WS_COUNT_MAX];
    if (isnan(v) || (kind == TOP_BYTES && v == 0.0)) {
        top_put_right(c, y, x, kind == TOP_COUNT || kind == TOP_MEASURE ? TOP_DIM : style, "-");
        return;
    }
    switch (kind) {
    case TOP_NUMBER_OF_PE:
        top_put_right(c, y, x, style, "%" PRIu32, row->pe);
        break;
    case TOP_COUNT:
        ws_count_fit(text, (uint64_t)v, (size_t)width - 1);
        top_put_right(c, y, x, style, "%s", text);
        break;
    case TOP_MEASURE:
        top_put_right(c, y, x, style, "%s", ws_number_fit(text, v, (size_t)width - 1));
        break;
    case TOP_PERCENT:
        top_put_right(c, y, x, style, "%.0f %%", v);
        break;
    case TOP_BYTES:
        ws_format_bytes(text, sizeof text, (uint64_t)v);
        top_put_right(c, y, x, style, "%s", text);
        break;
    case TOP_EFFICIENCY:
        top_put_right(c, y, x, v < 50 && style == TOP_PLAIN ? TOP_WARNING : style, "%.2f", v);
        break;
    case TOP_NEWS:
        news_draw(c, y, x, run, &run->model.pes[row->pe], style);
        break;
    }
}

/* Draws the names of a row of a page of KPs, LPs or types of LPs. */
static void names_draw(struct top_canvas *c, int y, const struct top_run *run, enum top_page page,
                       const struct row *row, int width, enum top_style style)
{
    if (page == TOP_TYPES) {
        const char *name = top_run_type(run, run->model.types[row->id].id);
        top_put(c, y, 1, style, "%.*s", width - 2, name[0] == '\0' ? "(no name)" : name);
        return;
    }
    top_put_right(c, y, 6, style, "%" PRIu32, row->pe);
    top_put_right(c, y, 13, style, "%" PRIu32,
                  page == TOP_LPS ? run->model.lps[row->id].kp : row->id);
    if (page == TOP_LPS) {
        const uint64_t number = run->model.lps[row->id].number;
        bool is_followed = run->model.chosen.any && run->model.chosen.lp == number;
        top_put_right(c, y, width, is_followed ? TOP_BOLD : style, "%s%" PRIu64,
                      is_followed ? "*" : "", number);
    }
}

static void row_draw(struct top_canvas *c, int y, const struct top_run *run, enum top_page page,
                     const struct row *row, const struct top_layout *l, enum top_style style)
{
    double values[TOP_COLUMNS_MAX];
    int x = l->names;
    values_find(run, page, row, values);
    if (!is_of_pes(page)) {
        names_draw(c, y, run, page, row, l->names, style);
    }
    for (unsigned i = 0; i < top_sorts(page); i++) {
        x += l->widths[i];
        if (l->widths[i] > 0) {
            cell_draw(c, y, x, run, row, top_column(page, i)->kind, values[i], l->widths[i], style);
        }
        if (is_of_pes(page) && i == PE_NUMBER) {
            int bar = phases_width(c, run, l);
            phases_draw(c, y, x + 1, bar, &run->model.pes[row->pe]);
            x += bar + 1;
        }
    }
}

static void columns_draw(struct top_canvas *c, int y, const struct top_run *run,
                         const struct top_view *view, enum top_page page,
                         const struct top_layout *l)
{
    int x = l->names;
    if (page == TOP_KPS || page == TOP_LPS) {
        top_put_right(c, y, 6, TOP_BOLD, "PE");
        top_put_right(c, y, 13, TOP_BOLD, "KP");
    }
    if (page == TOP_LPS) {
        top_put_right(c, y, x, TOP_BOLD, "LP");
    } else if (page == TOP_TYPES) {
        top_put(c, y, 1, TOP_BOLD, "LP type");
    }
    for (unsigned i = 0; i < top_sorts(page); i++) {
        bool sorts = view->sort[page] == i;
        x += l->widths[i];
        if (l->widths[i] > 0) {
            top_put_right(c, y, x, sorts ? TOP_TITLE : TOP_BOLD, "%s%s",
                          sorts ? view->reverse ? "<" : ">" : "", top_column(page, i)->words);
        }
        if (i == PE_NUMBER && is_of_pes(page)) {
            int bar = phases_width(c, run, l);
            if (bar >= 10) {
                top_put(c, y, x + 1, TOP_BOLD, "%.*s", bar,
                        bar < 19 ? "time" : "where its time goes");
            }
            x += bar + 1;
        }
    }
}

/* If a page has no data, draws a line that names the options to record it. Returns false if the
 * page has data. */
static bool nothing_draw(struct top_canvas *c, int y, const struct top_run *run, enum top_page page)
{
    const struct top_has *has = &run->model.has;
    const char *words =
        page == TOP_KPS && !has->kps && !has->ahead && !has->rollbacks
            ? "no data of KPs: record with --real-time-samp=MS --kp-data=1, or --event-trace=2"
        : page == TOP_LPS && !has->lps
            ? "no data of LPs: record with --real-time-samp=MS --lp-data=1"
        : page == TOP_TYPES && !has->types
            ? "no data of LP types: record with --event-trace=2 (rollbacks) or --event-trace=3"
            : NULL;
    if (words != NULL) {
        top_put(c, y, 1, TOP_DIM, "%s", words);
    }
    return words != NULL;
}

/* Selects the row with the number that the user typed. If there is none, keeps the selected entity
 * selected even if its row has moved; a selection of the first row, however, stays at the first
 * row. */
static void row_select(const struct rows *rows, struct top_view *view)
{
    bool is_part = rows->page == TOP_KPS || rows->page == TOP_TYPES;
    bool stays = view->wanted_id < 0 && view->selected > 0 && !view->moved && view->row_id >= 0;
    for (size_t i = 0; (stays || view->wanted_id >= 0) && i < rows->n; i++) {
        const struct row *row = &rows->list[i];
        int64_t id = rows->page == TOP_LPS ? (int64_t)rows->run->model.lps[row->id].number
                     : is_part             ? (int64_t)row->id
                                           : (int64_t)row->pe;
        bool same = row->id == view->row_id && (int64_t)row->pe == view->row_pe;
        if (stays ? same : id == view->wanted_id) {
            view->selected = i;
            break;
        }
    }
    view->wanted_id = -1;
    view->moved = false;
}

int top_draw_table(struct top_canvas *c, int y, int space, const struct top_run *run,
                   struct top_view *view, enum top_page page, bool is_main)
{
    size_t n = 0, fits = space > 1 ? (size_t)space - 1 : 0;
    if (space < 2) {
        return y;
    }
    if (nothing_draw(c, y, run, page)) {
        return y + 1;
    }
    struct rows rows = {.run = run, .view = view, .page = page};
    rows_find(&rows);
    n = rows.n;
    size_t first = 0;
    struct top_layout layout;
    top_layout_make(&layout, page, c->cols - is_of_pes(page), view->sort[page]);
    columns_draw(c, y++, run, view, page, &layout);
    if (is_main) {
        view->n_rows = n;
        view->page_rows = fits;
        row_select(&rows, view);
        view->selected = n == 0 ? 0 : view->selected >= n ? n - 1 : view->selected;
        view->scroll = view->selected < view->scroll ? view->selected : view->scroll;
        view->scroll =
            view->selected >= view->scroll + fits ? view->selected - fits + 1 : view->scroll;
        view->scroll = n <= fits ? 0 : view->scroll > n - fits ? n - fits : view->scroll;
        first = view->scroll;
        const struct row *row = n > 0 ? &rows.list[view->selected] : NULL;
        view->row_pe = row != NULL ? (int64_t)row->pe : -1;
        view->row_id = row != NULL ? (int64_t)row->id : -1;
        view->row_lp = row != NULL && page == TOP_LPS ? run->model.lps[row->id].number : UINT64_MAX;
    }
    for (size_t i = first; i < n && i < first + fits; i++, y++) {
        bool selected = is_main && !view->once && i == view->selected;
        enum top_style style = selected ? TOP_SELECTED : TOP_PLAIN;
        row_draw(c, y, run, page, &rows.list[i], &layout, style);
        if (selected) {
            top_put(c, y, 0, TOP_SELECTED, ">");
        }
    }
    free(rows.list);
    return y;
}
