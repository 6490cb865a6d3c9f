/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - the tables of the screen: PEs, KPs, types of LPs; see panes.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"
#include "render/text.h"
#include "store/array.h"
#include "top/panes.h"

#define PHASES_WIDTH_MAX 80

/* A row: its value in the column that sorts. */
struct row {
    double key;
    uint32_t pe;
    uint32_t id; /* KP, or number of the type */
};

enum pe_column {
    PE_NUMBER,
    PE_WAIT,
    PE_QUEUE,
    PE_MEMORY,
    PE_AHEAD,
    PE_EFFICIENCY,
    PE_NEWS,
    PE_COLUMNS
};
enum kp_column {
    KP_UNDONE,
    KP_RECENT,
    KP_ROLLBACKS,
    KP_SECONDARY,
    KP_AHEAD,
    KP_EXECUTED,
    KP_COLUMNS
};
enum type_column { TYPE_EVENTS, TYPE_RECENT, TYPE_ROLLBACKS, TYPE_UNDONE, TYPE_COLUMNS };

static const struct column {
    const char *words;
    int width;
} pe_columns[PE_COLUMNS] = {{"PE", 6},     {"rest", 7},   {"queue", 12}, {"memory", 10},
                            {"ahead", 11}, {"eff. %", 8}, {"news", 9}},
  kp_columns[KP_COLUMNS] = {{"undone", 14},    {"just now", 12}, {"rollbacks", 12},
                            {"secondary", 12}, {"ahead", 11},    {"executed", 14}},
  type_columns[TYPE_COLUMNS] = {
      {"events", 16}, {"just now", 12}, {"rollbacks", 14}, {"undone", 14}};

unsigned top_sorts(enum top_page page)
{
    return page == TOP_KPS ? KP_COLUMNS : page == TOP_TYPES ? TYPE_COLUMNS : PE_COLUMNS;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static double rest_share(const struct top_pe *pe)
{
    double sum = 0;
    for (int i = 0; i < TOP_PHASES; i++) {
        sum += pe->phases[i];
    }
    return sum > 0 ? 100 * pe->phases[TOP_REST] / sum : NAN;
}

/* The worst are first: the least efficient, all else the largest. */
static double pe_key(const struct top_pe *pe, uint32_t number, unsigned column, double now)
{
    switch (column) {
    case PE_WAIT:
        return rest_share(pe);
    case PE_QUEUE:
        return (double)pe->queue;
    case PE_MEMORY:
        return (double)pe->memory;
    case PE_AHEAD:
        return pe->ahead;
    case PE_EFFICIENCY:
        return -top_efficiency(pe->processed, pe->undone);
    case PE_NEWS:
        return now - pe->news;
    default:
        return -(double)number;
    }
}

static double kp_key(const struct top_kp *kp, unsigned column)
{
    switch (column) {
    case KP_RECENT:
        return kp->recent_undone;
    case KP_ROLLBACKS:
        return (double)kp->counts.rollbacks;
    case KP_SECONDARY:
        return (double)kp->counts.secondary;
    case KP_AHEAD:
        return kp->ahead;
    case KP_EXECUTED:
        return (double)kp->counts.processed;
    default:
        return (double)kp->counts.undone;
    }
}

static double type_key(const struct top_type *type, unsigned column)
{
    return column == TYPE_RECENT      ? type->recent
           : column == TYPE_ROLLBACKS ? (double)type->rollbacks
           : column == TYPE_UNDONE    ? (double)type->undone
                                      : (double)type->events;
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

static bool row_add(struct row **rows, size_t *room, size_t *n, struct row row)
{
    if (!array_reserve(rows, room, *n + 1, sizeof **rows)) {
        return false;
    }
    (*rows)[(*n)++] = row;
    return true;
}

/* Returns the rows of a page in their order, NULL if there are none. */
static struct row *rows_find(const struct top_run *run, const struct top_view *view,
                             enum top_page page, size_t *n)
{
    const struct top_model *m = &run->model;
    unsigned sort = view->sort[page];
    struct row *rows = NULL;
    size_t room = 0;
    double now = top_clock();
    bool good = true;
    *n = 0;
    if (page == TOP_TYPES) {
        for (uint32_t i = 0; good && i < m->n_types; i++) {
            good = row_add(&rows, &room, n, (struct row){type_key(&m->types[i], sort), 0, i});
        }
    }
    for (uint32_t i = 0; good && page != TOP_TYPES && i < m->n_pes; i++) {
        const struct top_pe *pe = &m->pes[i];
        if (page != TOP_KPS) {
            good = row_add(&rows, &room, n, (struct row){pe_key(pe, i, sort, now), i, 0});
            continue;
        }
        bool is_shown = view->only_pe < 0 || view->only_pe == (int64_t)i;
        for (uint32_t k = 0; good && is_shown && k < pe->n_kps; k++) {
            if (pe->kps[k].seen) {
                good = row_add(&rows, &room, n, (struct row){kp_key(&pe->kps[k], sort), i, k});
            }
        }
    }
    if (rows != NULL) {
        qsort(rows, *n, sizeof *rows, by_key);
    }
    for (size_t i = 0; view->reverse && i < *n / 2; i++) {
        struct row other = rows[i];
        rows[i] = rows[*n - 1 - i];
        rows[*n - 1 - i] = other;
    }
    return rows;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Divides the bar among the phases: a letter for each part. */
static void phases_draw(struct top_canvas *c, int y, int x, int width, const struct top_pe *pe)
{
    double sum = 0, before = 0;
    int at = 0;
    for (int i = 0; i < TOP_PHASES; i++) {
        sum += pe->phases[i];
    }
    for (int i = 0; i < TOP_PHASES && sum > 0; i++) {
        before += pe->phases[i];
        int end = (int)(before / sum * width + 0.5);
        for (; at < end; at++) {
            top_put(c, y, x + at, (enum top_style)(TOP_PHASE_STYLE + i), "%c",
                    top_phase_names[i].letter);
        }
    }
}

static int phases_width(const struct top_canvas *c, const struct top_run *run)
{
    int width = c->cols - 1;
    for (int i = 0; i < PE_COLUMNS; i++) {
        width -= pe_columns[i].width;
    }
    width = width > PHASES_WIDTH_MAX ? PHASES_WIDTH_MAX : width;
    return run->model.has.phases && width >= 5 ? width : 0;
}

static void number_draw(struct top_canvas *c, int y, int end, enum top_style style, double v)
{
    char text[WS_COUNT_MAX];
    if (isnan(v)) {
        top_put_right(c, y, end, TOP_DIM, "-");
    } else {
        top_put_right(c, y, end, style, "%s", ws_number_fit(text, v, 10));
    }
}

static void count_draw(struct top_canvas *c, int y, int end, enum top_style style, double v,
                       int width)
{
    char text[WS_COUNT_MAX];
    top_put_right(c, y, end, style, "%s", ws_count_fit(text, (uint64_t)v, (size_t)width - 1));
}

static void pe_draw(struct top_canvas *c, int y, const struct top_run *run, const struct row *row,
                    enum top_style style)
{
    const struct top_pe *pe = &run->model.pes[row->pe];
    const struct top_has *has = &run->model.has;
    int x = pe_columns[PE_NUMBER].width, bar = phases_width(c, run);
    double efficiency = top_efficiency(pe->processed, pe->undone), age = top_clock() - pe->news;
    char text[64];
    top_put_right(c, y, x, style, "%" PRIu32, row->pe);
    phases_draw(c, y, x + 1, bar, pe);
    x += bar + 1;
    double rest = rest_share(pe);
    x += pe_columns[PE_WAIT].width;
    top_put_right(c, y, x, style, isnan(rest) ? "-" : "%.0f %%", rest);
    x += pe_columns[PE_QUEUE].width;
    if (has->queue) {
        count_draw(c, y, x, style, (double)pe->queue, pe_columns[PE_QUEUE].width);
    } else {
        top_put_right(c, y, x, TOP_DIM, "-");
    }
    x += pe_columns[PE_MEMORY].width;
    ws_format_bytes(text, sizeof text, pe->memory);
    top_put_right(c, y, x, style, "%s", pe->memory == 0 ? "-" : text);
    x += pe_columns[PE_AHEAD].width;
    number_draw(c, y, x, style, pe->ahead);
    x += pe_columns[PE_EFFICIENCY].width;
    top_put_right(c, y, x, efficiency < 50 && style == TOP_PLAIN ? TOP_WARNING : style,
                  isnan(efficiency) ? "-" : "%.2f", efficiency);
    x += pe_columns[PE_NEWS].width;
    const char *word = pe->process_state == 'T' || pe->process_state == 't' ? "stopped"
                       : run->state == TOP_ENDED                            ? "ended"
                       : run->state == TOP_KILLED                           ? "killed"
                       : pe->process_state == 'X'                           ? "gone"
                                                                            : NULL;
    if (word != NULL) {
        top_put_right(c, y, x, run->state == TOP_ENDED ? style : TOP_WARNING, "%s", word);
    } else {
        top_put_right(c, y, x, age > 3 && style == TOP_PLAIN ? TOP_WARNING : style, "%.0f s ago",
                      age);
    }
}

static void kp_draw(struct top_canvas *c, int y, const struct top_run *run, const struct row *row,
                    enum top_style style)
{
    const struct top_kp *kp = &run->model.pes[row->pe].kps[row->id];
    const double values[KP_COLUMNS] = {
        [KP_UNDONE] = (double)kp->counts.undone,
        [KP_RECENT] = kp->recent_undone,
        [KP_ROLLBACKS] = (double)kp->counts.rollbacks,
        [KP_SECONDARY] = (double)kp->counts.secondary,
        [KP_AHEAD] = run->model.has.ahead ? kp->ahead : NAN,
        [KP_EXECUTED] = (double)kp->counts.processed,
    };
    int x = 14;
    top_put_right(c, y, 6, style, "%" PRIu32, row->pe);
    top_put_right(c, y, 13, style, "%" PRIu32, row->id);
    for (int i = 0; i < KP_COLUMNS; i++) {
        x += kp_columns[i].width;
        if (i == KP_AHEAD) {
            number_draw(c, y, x, style, values[i]);
        } else {
            count_draw(c, y, x, style, values[i], kp_columns[i].width);
        }
    }
}

static void type_draw(struct top_canvas *c, int y, const struct top_run *run, const struct row *row,
                      enum top_style style)
{
    const struct top_type *type = &run->model.types[row->id];
    const char *name = top_run_type(run, type->id);
    int x = 24;
    top_put(c, y, 1, style, "%.22s", name[0] == '\0' ? "(no name)" : name);
    for (unsigned i = 0; i < TYPE_COLUMNS; i++) {
        x += type_columns[i].width;
        count_draw(c, y, x, style, type_key(type, i), type_columns[i].width);
    }
}

static void columns_draw(struct top_canvas *c, int y, const struct top_run *run,
                         const struct top_view *view, enum top_page page)
{
    const struct column *columns = page == TOP_KPS     ? kp_columns
                                   : page == TOP_TYPES ? type_columns
                                                       : pe_columns;
    int x = page == TOP_KPS ? 14 : page == TOP_TYPES ? 24 : 0;
    if (page == TOP_KPS) {
        top_put_right(c, y, 6, TOP_BOLD, "PE");
        top_put_right(c, y, 13, TOP_BOLD, "KP");
    } else if (page == TOP_TYPES) {
        top_put(c, y, 1, TOP_BOLD, "LP type");
    }
    for (unsigned i = 0; i < top_sorts(page); i++) {
        bool sorts = view->sort[page] == i;
        x += columns[i].width;
        top_put_right(c, y, x, sorts ? TOP_TITLE : TOP_BOLD, "%s%s",
                      sorts ? view->reverse ? "<" : ">" : "", columns[i].words);
        if (i == PE_NUMBER && page != TOP_KPS && page != TOP_TYPES) {
            int bar = phases_width(c, run);
            if (bar >= 10) {
                top_put(c, y, x + 1, TOP_BOLD, "%.*s", bar,
                        bar < 19 ? "time" : "where its time goes");
            }
            x += bar + 1;
        }
    }
}

/* Says which option records what a table would show. Returns false if it is recorded. */
static bool nothing_draw(struct top_canvas *c, int y, const struct top_run *run, enum top_page page)
{
    const struct top_has *has = &run->model.has;
    const char *words =
        page == TOP_KPS && !has->kps && !has->ahead && !has->rollbacks
            ? "no data of KPs: record with --real-time-samp=MS --kp-data=1, or --event-trace=2"
        : page == TOP_TYPES && !has->types
            ? "no data of LP types: record with --event-trace=2 (rollbacks) or --event-trace=3"
            : NULL;
    if (words != NULL) {
        top_put(c, y, 1, TOP_DIM, "%s", words);
    }
    return words != NULL;
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
    struct row *rows = rows_find(run, view, page, &n);
    size_t first = 0;
    columns_draw(c, y++, run, view, page);
    if (is_main) {
        view->n_rows = n;
        view->page_rows = fits;
        view->selected = n == 0 ? 0 : view->selected >= n ? n - 1 : view->selected;
        view->scroll = view->selected < view->scroll ? view->selected : view->scroll;
        view->scroll =
            view->selected >= view->scroll + fits ? view->selected - fits + 1 : view->scroll;
        view->scroll = n <= fits ? 0 : view->scroll > n - fits ? n - fits : view->scroll;
        first = view->scroll;
        view->chosen_pe = n > 0 && page != TOP_TYPES ? (int64_t)rows[view->selected].pe : -1;
    }
    for (size_t i = first; i < n && i < first + fits; i++, y++) {
        bool selected = is_main && !view->once && i == view->selected;
        enum top_style style = selected ? TOP_SELECTED : TOP_PLAIN;
        if (page == TOP_KPS) {
            kp_draw(c, y, run, &rows[i], style);
        } else if (page == TOP_TYPES) {
            type_draw(c, y, run, &rows[i], style);
        } else {
            pe_draw(c, y, run, &rows[i], style);
        }
        if (selected) {
            top_put(c, y, 0, TOP_SELECTED, ">");
        }
    }
    free(rows);
    return y;
}
