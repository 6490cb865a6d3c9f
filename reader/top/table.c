/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - the tables on the screen: PEs, KPs, LPs, types of LPs. Their columns are fitted into lines,
 * and their rows sorted; see panes.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/text.h"
#include "store/array.h"
#include "top/panes.h"

#define PHASES_WIDTH_MAX 80
#define NAMES_LEAST      14
#define COLUMNS_MAX      8
#define LP_NAME_COLUMNS  20 /* width of names of LPs */

/* ---- Columns --------------------------------------------------------------------------------- */

/* The value in a column: a count (enum ws_count) of what the row is about, or one of these. */
enum { VALUE_PE = WS_COUNTS, REST, LOST, QUEUE, MEMORY, AHEAD, EFFICIENCY, NEWS, RECENT };

/* width, least: usual and minimum width; rank: columns with larger ranks are left out earlier; 0:
 * never. */
struct column {
    const char *words;
    int width, least, rank, value;
};

/* The columns for each entity. none: text if nothing is recorded about it; NULL: none. names: width of
 * the names of rows, which precede the columns. */
static const struct table {
    const char *none;
    int names;
    unsigned n;
    struct column columns[COLUMNS_MAX];
} tables[TOP_ENTITIES] = {
    [TOP_OF_PES] = {NULL,
                    0,
                    8,
                    {{"PE", 6, 6, 0, VALUE_PE},
                     {"rest", 7, 6, 3, REST},
                     {"lost", 7, 6, 4, LOST},
                     {"queue", 12, 8, 5, QUEUE},
                     {"memory", 10, 9, 7, MEMORY},
                     {"ahead", 11, 9, 6, AHEAD},
                     {"eff. %", 8, 8, 2, EFFICIENCY},
                     {"news", 9, 9, 1, NEWS}}},
    [TOP_OF_KPS] =
        {"no data of KPs: record with --real-time-samp=MS --kp-data=1, or --event-trace=2",
         14,
         6,
         {{"undone", 14, 9, 0, WS_UNDONE},
          {"just now", 12, 10, 1, RECENT},
          {"rollbacks", 12, 11, 2, WS_ROLLBACKS},
          {"secondary", 12, 11, 5, WS_SECONDARY},
          {"ahead", 11, 9, 3, AHEAD},
          {"executed", 14, 10, 4, WS_PROCESSED}}},
    [TOP_OF_LPS] = {"no data of LPs: record with --real-time-samp=MS --lp-data=1",
                    22,
                    5,
                    {{"undone", 13, 9, 0, WS_UNDONE},
                     {"just now", 11, 10, 1, RECENT},
                     {"eff. %", 8, 8, 2, EFFICIENCY},
                     {"remote", 13, 9, 4, WS_REMOTE},
                     {"executed", 13, 10, 3, WS_PROCESSED}}},
    [TOP_OF_TYPES] =
        {"no data of LP types: record with --event-trace=2 (rollbacks) or --event-trace=3",
         24,
         4,
         {{"events", 16, 9, 0, WS_TRACED},
          {"just now", 12, 10, 3, RECENT},
          {"rollbacks", 14, 11, 1, WS_ROLLBACKS},
          {"undone", 14, 9, 2, WS_UNDONE}}},
};

/* Widths of the columns of a table, in characters. */
struct layout {
    int names;               /* width of the names of rows, which precede the columns */
    int widths[COLUMNS_MAX]; /* indexed by column; 0: the column is not shown */
    int end;                 /* total width of the names of rows and of the columns */
};

static enum top_entity entity_of(enum top_page page)
{
    return page == TOP_KPS     ? TOP_OF_KPS
           : page == TOP_LPS   ? TOP_OF_LPS
           : page == TOP_TYPES ? TOP_OF_TYPES
                               : TOP_OF_PES;
}

unsigned top_sorts(enum top_page page)
{
    return tables[entity_of(page)].n;
}

/* Returns the index of the shown column to leave out first or, if is_cut is false, to make narrower:
 * the widest one. Returns -1 if there is none. */
static int column_find(const struct layout *l, const struct table *table, unsigned sorts,
                       bool is_cut)
{
    int found = -1, most = 0;
    for (unsigned i = 0; i < table->n; i++) {
        const struct column *c = &table->columns[i];
        bool can = is_cut ? l->widths[i] > 0 && i != sorts : l->widths[i] > c->least;
        int by = is_cut ? c->rank : l->widths[i];
        found = can && by > most ? (int)i : found;
        most = can && by > most ? by : most;
    }
    return found;
}

/* Fits the columns of a table into `cols` characters: makes them narrower or, if that is not enough,
 * leaves out the least important ones. sorts: index of the column by which the rows are sorted,
 * which always stays. */
static void layout_make(struct layout *l, const struct top_run *run, enum top_entity of, int cols,
                        unsigned sorts)
{
    assert(of < TOP_ENTITIES);
    const struct table *table = &tables[of];
    bool is_narrow = of == TOP_OF_TYPES && cols < 64;
    *l = (struct layout){.names = is_narrow ? NAMES_LEAST : table->names};
    for (size_t i = 0; of == TOP_OF_LPS && i < run->n_files && l->names == table->names; i++) {
        l->names += run->files[i].live->descs.names != NULL ? LP_NAME_COLUMNS - 6 : 0;
    }
    int least = l->names;
    l->end = l->names;
    for (unsigned i = 0; i < table->n; i++) {
        l->widths[i] = table->columns[i].width;
        l->end += l->widths[i];
        least += table->columns[i].least;
    }
    for (int i; least > cols && (i = column_find(l, table, sorts, true)) >= 0;) {
        least -= table->columns[i].least;
        l->end -= l->widths[i];
        l->widths[i] = 0;
    }
    for (int i; l->end > cols && (i = column_find(l, table, sorts, false)) >= 0; l->end--) {
        l->widths[i]--;
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Returns the value of a part for a column; NaN if it is not recorded. */
static double value_of(const struct top_model *m, enum top_entity of, const struct top_part *part,
                       int value)
{
    assert(part->pe < m->n_pes);
    const struct top_pe *pe = &m->pes[part->pe];
    const struct ws_counts *counts = &part->counts;
    switch (value) {
    case VALUE_PE:
        return part->pe;
    case REST:
        return 100 * pe->phases[WS_PHASE_REST] / top_phases_sum(pe); /* NaN without times */
    case LOST:
        return ws_lost_share(pe->lost, pe->covered);
    case QUEUE:
        return m->has_queue ? (double)pe->queue : NAN;
    case MEMORY:
        return pe->memory > 0 ? (double)pe->memory : NAN;
    case AHEAD:
        return m->has_ahead ? part->ahead : NAN;
    case EFFICIENCY:
        return of == TOP_OF_PES ? ws_efficiency(pe->processed, part->recent)
                                : ws_efficiency((double)counts->processed, (double)counts->undone);
    case NEWS:
        return date_clock() - pe->news;
    case RECENT:
        return top_knows(m, of, WS_UNDONE) || top_knows(m, of, WS_TRACED) ? part->recent : NAN;
    default:
        return top_knows(m, of, (enum ws_count)value) ? (double)counts->each[value] : NAN;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct top_row *x = a, *y = b;
    double kx = isnan(x->key) ? -INFINITY : x->key, ky = isnan(y->key) ? -INFINITY : y->key;
    return kx != ky ? (kx < ky ? 1 : -1)
                    : (x->part->id > y->part->id) - (x->part->id < y->part->id);
}

/* Returns the sort key of a part. Larger keys come first: low numbers of PEs, low efficiencies, and high
 * values in all other columns. The key of a KP without data in the column is its virtual time ahead of
 * GVT. */
static double key_of(const struct top_model *m, enum top_entity of, const struct top_part *part,
                     int value)
{
    double key = value_of(m, of, part, value);
    return value == EFFICIENCY || value == VALUE_PE ? -key
           : of == TOP_OF_KPS && isnan(key)         ? value_of(m, of, part, AHEAD)
                                                    : key;
}

struct top_row *top_rows_find(const struct top_model *m, const struct top_view *view,
                              enum top_page page, size_t *n)
{
    const enum top_entity of = entity_of(page);
    const int value = tables[of].columns[view->sort[page]].value;
    const struct top_parts *parts = &m->parts[of];
    struct top_row *rows = malloc(parts->n * sizeof *rows + 1);
    *n = 0;
    for (size_t i = 0; rows != NULL && i < parts->n; i++) {
        const struct top_part *part = &parts->list[i];
        bool is_chosen = (view->only_pe < 0 || view->only_pe == (int64_t)part->pe) &&
                         (view->only_kp < 0 || view->only_kp == (int64_t)part->kp);
        if (of == TOP_OF_PES ? !m->pes[i].elsewhere : is_chosen || of == TOP_OF_TYPES) {
            rows[(*n)++] = (struct top_row){key_of(m, of, part, value), part};
        }
    }
    if (rows != NULL) {
        qsort(rows, *n, sizeof *rows, by_key);
    }
    for (size_t i = 0; view->reverse && i < *n / 2; i++) {
        struct top_row other = rows[i];
        rows[i] = rows[*n - 1 - i];
        rows[*n - 1 - i] = other;
    }
    return rows;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Returns the width of the bars of phases, which fill the rest of the line; 0 if no bars are
 * drawn. */
static int phases_width(const struct top_canvas *c, const struct top_run *run,
                        const struct layout *l)
{
    int width = c->cols - 1 - l->end;
    width = width > PHASES_WIDTH_MAX ? PHASES_WIDTH_MAX : width;
    return run->model.has_phases && width >= 5 ? width : 0;
}

/* Returns the reason why no more news comes from a PE; NULL: there is none. */
static const char *news_word(const struct top_run *run, const struct top_pe *pe)
{
    bool over = run->state == TOP_KILLED || run->state == TOP_ENDED;
    return pe->process_state == 'T' || pe->process_state == 't' ? "stopped"
           : run->state == TOP_ENDED && !top_was_recovered(run) ? "ended"
           : over                                               ? "killed"
           : pe->process_state == 'X'                           ? "gone"
                                                                : NULL;
}

/* Stores a value as text, with at most width characters of counts and measures. Returns the text. */
static const char *value_text(char to[WS_COUNT_MAX], int value, double v, size_t width)
{
    switch (value) {
    case VALUE_PE:
        snprintf(to, WS_COUNT_MAX, "%.0f", v);
        return to;
    case NEWS:
        snprintf(to, WS_COUNT_MAX, "%.0f s ago", v);
        return to;
    case REST:
    case LOST:
        snprintf(to, WS_COUNT_MAX, "%.0f %%", v);
        return to;
    case EFFICIENCY:
        snprintf(to, WS_COUNT_MAX, "%.2f", v);
        return to;
    case MEMORY:
        ws_format_bytes(to, WS_COUNT_MAX, (uint64_t)v);
        return to;
    case AHEAD:
        return ws_number_fit(to, v, width);
    default:
        return ws_count_fit(to, (uint64_t)v, width);
    }
}

/* Draws the value v of a column, which ends before x. Draws "-" if it is not known. */
static void cell_draw(struct top_canvas *c, int y, int x, const struct top_run *run,
                      const struct top_part *part, int value, double v, int width,
                      enum top_style style)
{
    char text[WS_COUNT_MAX];
    const char *word = value == NEWS ? news_word(run, &run->model.pes[part->pe]) : NULL;
    bool is_share = value == REST || value == LOST || value == EFFICIENCY || value == MEMORY;
    bool is_bad =
        (value == EFFICIENCY && v < 50) || (value == NEWS && v > 3) || (value == LOST && v > 20);
    bool ended = word != NULL && strcmp(word, "ended") == 0;
    if (isnan(v)) {
        top_put_right(c, y, x, is_share ? style : TOP_DIM, "-");
    } else if (word != NULL) {
        top_put_right(c, y, x, ended ? style : TOP_WARNING, "%s", word);
    } else {
        top_put_right(c, y, x, is_bad && style == TOP_PLAIN ? TOP_WARNING : style, "%s",
                      value_text(text, value, v, (size_t)width - 1));
    }
}

int top_draw_extremes(struct top_canvas *c, int y, const struct top_run *run)
{
    static const struct {
        const char *words, *unit;
        int value;
    } list[] = {{"news", "", NEWS},        {"efficiency from", " %", EFFICIENCY},
                {"lost to", "", LOST},     {"queue to", "", QUEUE},
                {"memory to", "", MEMORY}, {"ahead to", "", AHEAD}};
    const struct top_model *m = &run->model;
    int x = top_put(c, y, 1, TOP_BOLD, "%" PRIu32 " PEs", m->n_here);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char text[WS_COUNT_MAX];
        const int value = list[i].value, sign = value == EFFICIENCY ? -1 : 1;
        double most = NAN;
        uint32_t at = 0;
        for (uint32_t pe = 0; pe < m->n_pes; pe++) {
            const struct top_part *part = &m->parts[TOP_OF_PES].list[pe];
            double v = m->pes[pe].elsewhere ? NAN : value_of(m, TOP_OF_PES, part, value);
            bool is_more = !isnan(v) && !(sign * v <= sign * most);
            at = is_more ? pe : at;
            most = is_more ? v : most;
        }
        if (value == NEWS ? most > 3 : !isnan(most)) {
            x = top_put_whole(c, y, x, value == NEWS ? TOP_WARNING : TOP_PLAIN,
                              "  %s %s%s (PE %" PRIu32 ")", list[i].words,
                              value_text(text, value, most, WS_COUNT_MAX), list[i].unit, at);
        }
    }
    return y + 1;
}

/* Draws the names of a row on a page of KPs, LPs or types of LPs. part NULL: the headings. */
static void names_draw(struct top_canvas *c, int y, const struct top_run *run, enum top_entity of,
                       const struct top_part *part, int width, enum top_style style)
{
    char pe[24] = "PE", kp[24] = "KP", number[24], lp[4 * LP_NAME_COLUMNS + 1] = "LP";
    bool is_followed = false;
    if (of == TOP_OF_TYPES) {
        const char *name = part == NULL ? "LP type" : top_run_type(run, (uint32_t)part->number);
        top_put(c, y, 1, style, "%.*s", width - 2, name[0] == '\0' ? "(no name)" : name);
        return;
    }
    if (part != NULL) {
        const char *own = width > 22 ? top_run_lp_name(run, part->number) : NULL;
        snprintf(pe, sizeof pe, "%" PRIu32, part->pe);
        snprintf(kp, sizeof kp, "%" PRIu32, part->kp);
        snprintf(number, sizeof number, "%" PRIu64, part->number);
        utf8_plain(lp, sizeof lp, own != NULL ? own : number, LP_NAME_COLUMNS);
        is_followed = run->model.chosen.any && run->model.chosen.lp == part->number;
    }
    top_put_right(c, y, 6, style, "%s", pe);
    top_put_right(c, y, 13, style, "%s", kp);
    if (of == TOP_OF_LPS) {
        top_put_right(c, y, width, is_followed ? TOP_BOLD : style, "%s%s", is_followed ? "*" : "",
                      lp);
    }
}

/* Draws a row of the table on a page. part NULL: the headings. */
static void line_draw(struct top_canvas *c, int y, const struct top_run *run,
                      const struct top_view *view, enum top_page page, const struct top_part *part,
                      const struct layout *l, enum top_style style)
{
    const enum top_entity of = entity_of(page);
    int x = l->names;
    if (of != TOP_OF_PES) {
        names_draw(c, y, run, of, part, l->names, style);
    }
    for (unsigned i = 0; i < tables[of].n; i++) {
        const struct column *column = &tables[of].columns[i];
        bool sorts = view->sort[page] == i;
        x += l->widths[i];
        if (l->widths[i] > 0 && part == NULL) {
            top_put_right(c, y, x, sorts ? TOP_TITLE : style, "%s%s",
                          sorts ? view->reverse ? "<" : ">" : "", column->words);
        } else if (l->widths[i] > 0) {
            cell_draw(c, y, x, run, part, column->value,
                      value_of(&run->model, of, part, column->value), l->widths[i], style);
        }
        if (column->value == VALUE_PE) {
            int bar = phases_width(c, run, l);
            if (part != NULL) {
                top_draw_phases(c, y, x + 1, bar, &run->model.pes[part->pe]);
            } else if (bar >= 10) {
                top_put(c, y, x + 1, style, "%.*s", bar, bar < 19 ? "time" : "where its time goes");
            }
            x += bar + 1;
        }
    }
}

/* Selects the row with the number that the user typed. If there is none, keeps the selected part
 * selected even if its row has moved; a selection of the first row, however, stays at the first
 * row. */
static void row_select(const struct top_row *rows, size_t n, struct top_view *view)
{
    bool stays = view->wanted < 0 && view->selected > 0 && !view->moved && view->has_row;
    for (size_t i = 0; (stays || view->wanted >= 0) && i < n; i++) {
        const struct top_part *part = rows[i].part;
        if (stays ? part->id == view->row.id : part->number == (uint64_t)view->wanted) {
            view->selected = i;
            break;
        }
    }
    view->wanted = -1;
    view->moved = false;
}

int top_draw_table(struct top_canvas *c, int y, int space, const struct top_run *run,
                   struct top_view *view, enum top_page page, bool is_main)
{
    size_t n = 0, fits = space > 1 ? (size_t)space - 1 : 0;
    if (space < 2) {
        return y;
    }
    const struct top_model *m = &run->model;
    const enum top_entity of = entity_of(page);
    if (tables[of].none != NULL && m->known[of] == 0 && (of != TOP_OF_KPS || !m->has_ahead)) {
        top_put(c, y, 1, TOP_DIM, "%s", tables[of].none);
        return y + 1;
    }
    struct top_row *rows = top_rows_find(m, view, page, &n);
    size_t first = 0;
    struct layout layout;
    layout_make(&layout, run, of, c->cols - (of == TOP_OF_PES), view->sort[page]);
    line_draw(c, y++, run, view, page, NULL, &layout, TOP_BOLD);
    if (is_main) {
        view->n_rows = n;
        view->page_rows = fits;
        row_select(rows, n, view);
        view->selected = n == 0 ? 0 : view->selected >= n ? n - 1 : view->selected;
        view->scroll = view->selected < view->scroll ? view->selected : view->scroll;
        view->scroll =
            view->selected >= view->scroll + fits ? view->selected - fits + 1 : view->scroll;
        view->scroll = n <= fits ? 0 : view->scroll > n - fits ? n - fits : view->scroll;
        first = view->scroll;
        view->has_row = n > 0;
        view->row = n > 0 ? *rows[view->selected].part : view->row;
    }
    for (size_t i = first; i < n && i < first + fits; i++, y++) {
        bool selected = is_main && !view->once && i == view->selected;
        enum top_style style = selected ? TOP_SELECTED : TOP_PLAIN;
        line_draw(c, y, run, view, page, rows[i].part, &layout, style);
        if (selected) {
            top_put(c, y, 0, TOP_SELECTED, ">");
        }
    }
    free(rows);
    return y;
}
