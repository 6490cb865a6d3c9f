/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * panes.c - draws the screen from its parts, and finds the greatest costs of the run so far; see panes.h.
 */
#include "top/panes.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_file.h"
#include "render/text.h"

#define KPS_ONCE     10      /* maximum number of rows of KPs in text output */
#define FINDINGS_FEW 2       /* maximum number of findings in the overview */
#define NOWHERE      (-1000) /* a row above the screen, where drawing only measures */

void top_missing(const struct top_run *run, char *to, size_t size)
{
    assert(size > 0);
    const struct top_model *m = &run->model;
    bool counts = top_knows(m, TOP_OF_PES, WS_PROCESSED);
    snprintf(to, size, "%s%s%s%s%s",
             !counts ? "  rates, efficiency: --real-time-samp=MS or --enable-gvt-stats=1" : "",
             counts && !m->has_phases ? "  times: --real-time-samp=MS" : "",
             m->known[TOP_OF_KPS] == 0 ? "  KPs: --kp-data=1" : "",
             m->known[TOP_OF_LPS] == 0 ? "  LPs: --lp-data=1" : "",
             m->known[TOP_OF_TYPES] == 0 ? "  LP types: --event-trace=2" : "");
}

void top_view_init(struct top_view *view)
{
    *view = (struct top_view){.interval = 1};
    view->only_pe = view->only_kp = view->number = -1;
    view->wanted = -1;
    view->lp = UINT64_MAX;
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void kps_take(struct ws_evidence *e, const struct top_model *m)
{
    const struct top_parts *kps = &m->parts[TOP_OF_KPS];
    double most = 0, all = 0;
    e->kps += kps->n;
    for (size_t i = 0; i < kps->n; i++) {
        double rollbacks = (double)kps->list[i].counts.rollbacks;
        all += rollbacks;
        if (rollbacks > most) {
            most = rollbacks;
            e->kp_pe = kps->list[i].pe;
            e->kp = kps->list[i].kp;
        }
    }
    if (most > 0) {
        e->kp_rollbacks = most;
        e->kp_all = all;
    }
}

/* Sets the counts that records of PEs state. */
static void counts_take(struct ws_reals *to, const struct top_model *m,
                        const struct ws_counts *from)
{
    for (int i = 0; i < WS_COUNTS; i++) {
        bool known = top_knows(m, TOP_OF_PES, (enum ws_count)i);
        to->each[i] = known ? (double)from->each[i] : NAN;
    }
}

/* Reads the counters at the end of a PE; see ws_end_f. */
static bool end_read(void *of, uint32_t pe, const char *const names[], uint64_t values[], size_t n)
{
    const struct ws_live_pe *seen = ws_live_pe(of, pe);
    return seen->ended && ws_end_counters(&seen->end.info, names, values, n);
}

/* Sets what the samples state, where the PEs have not ended. Returns false if memory is exhausted. */
static bool samples_take(struct ws_evidence *e, const struct top_run *run)
{
    const struct top_model *m = &run->model;
    double ticks = m->has_phases ? ws_stats_ticks_per_second(run->files[0].live->sb) : 0;
    for (uint32_t i = 0; i < m->n_pes && !e->has_ends; i++) {
        struct ws_evidence_pe *pe = m->pes[i].elsewhere ? NULL : ws_evidence_pe(e, i);
        if (pe != NULL) {
            counts_take(&pe->sum, m, &m->parts[TOP_OF_PES].list[i].counts);
        } else if (!m->pes[i].elsewhere) {
            return false;
        }
    }
    for (size_t i = 0; i < e->n_pes && ticks > 0 && !e->has_times; i++) {
        for (int k = 0; k < WS_PHASE_COUNT; k++) {
            e->pes[i].phases[k] = m->pes[e->pes[i].pe].times[k] / ticks;
            e->pes[i].seconds += e->pes[i].phases[k];
        }
    }
    if (!e->has_ends) {
        counts_take(&e->sum, m, &m->sum);
        e->sum.gvts = e->n_pes > 0 ? e->pes[0].sum.gvts : NAN; /* each PE counts all of them */
    }
    return true;
}

/* Takes the facts, the ends of PEs and the losses of a file. is_over: true if it does not grow any
 * more. */
static void file_take(struct ws_evidence *e, struct ws_live *live, bool is_over)
{
    double end = 0.0; /* that of the last PE */
    uint32_t open = is_over ? live->n_here - live->n_ended : 0;
    ws_evidence_facts(e, live->sb);
    for (uint32_t pe = 0; pe < live->sb->layout.n_pes; pe++) {
        const struct fmt_end_info *info = &ws_live_pe(live, pe)->end.info;
        bool is_known = info->records_dropped != FMT_DROPPED_UNKNOWN;
        end = fmax(end, info->real_time);
        e->records_lost += is_known ? (double)info->records_dropped : 0.0;
        e->loss_unknown |= !is_known;
    }
    e->pes_open = open > e->pes_open ? open : e->pes_open;
    ws_evidence_ends(e, end_read, live, end);
}

size_t top_findings(const struct top_run *run, struct ws_finding *list, size_t max)
{
    assert(max <= WS_FINDINGS_MAX);
    struct ws_evidence e;
    size_t n = 0;
    if (run->n_files == 0 || run->state == TOP_READING) {
        return 0;
    }
    ws_evidence_init(&e);
    e.pes_absent = run->model.n_pes - run->model.n_here;
    e.records_lost = 0.0;
    for (size_t i = 0; i < run->n_files; i++) {
        file_take(&e, run->files[i].live, run->state == TOP_ENDED || run->state == TOP_KILLED);
    }
    if (samples_take(&e, run)) {
        kps_take(&e, &run->model);
        n = ws_findings_find(&e, list, max);
    }
    ws_evidence_free(&e);
    return n;
}

/* Draws the findings in the rows before `bottom`: all of them, with remedies, or the first ones
 * without. */
static int findings_draw(struct top_canvas *c, int y, int bottom, const struct top_run *run,
                         bool all)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, all ? WS_FINDINGS_MAX : FINDINGS_FEW);
    if (n == 0 && all) {
        top_put(c, y++, 1, TOP_PLAIN, "no finding so far");
    }
    for (size_t i = 0; i < n && y < bottom; i++) {
        char advice[WS_FINDING_TEXT];
        top_put(c, y, 1, TOP_WARNING, "*");
        y = top_put_lines(c, y, 3, bottom - y, TOP_PLAIN, list[i].text);
        if (all) {
            y = top_put_lines(c, y, 3, bottom - y, TOP_DIM, ws_finding_advice(advice, &list[i]));
        }
    }
    return y;
}

/* ---- The screen ------------------------------------------------------------------------------ */

/* Returns the length of the longest prefix of `text` that has at most `room` characters and is
 * followed by a double blank or by the end of the text. */
static int parts_fit(const char *text, int room)
{
    int length = (int)strlen(text);
    while (length > 0 && length > room) {
        for (length--; length > 0 && !(text[length] == ' ' && text[length - 1] == ' '); length--) {
        }
        length -= length > 0;
    }
    return length;
}

static void overview_draw(struct top_canvas *c, int y, int bottom, const struct top_run *run,
                          struct top_view *view)
{
    const struct top_model *m = &run->model;
    int lines = findings_draw(c, NOWHERE, 0, run, false) - NOWHERE, end = bottom;
    bottom -= bottom - y > 10 + lines ? lines : 0;
    int space = bottom - y, pes = (int)(m->n_here > 1000 ? 1000 : m->n_here) + 1;
    bool has_kps = m->known[TOP_OF_KPS] != 0 || m->has_ahead;
    int kps = has_kps ? (space - 3) * 2 / 5 : 1;
    y = top_draw_legend(c, y, run);
    space = bottom - y;
    int room = space - kps > 3 ? space - kps : 3;
    if (pes > room) {
        y = top_draw_extremes(c, y, run);
        room = bottom - y - kps;
        pes = room;
    }
    y = top_draw_table(c, y, pes < room ? pes : room, run, view, TOP_PES, true);
    if (bottom - y >= 2 || !has_kps) {
        int kp_rows = view->once && bottom - y > KPS_ONCE + 1 ? KPS_ONCE + 1 : bottom - y;
        y = top_draw_table(c, y, kp_rows, run, view, TOP_KPS, false);
    }
    findings_draw(c, view->once ? y : bottom, view->once ? y + end - bottom : end, run, false);
    char missing[256];
    top_missing(run, missing, sizeof missing);
    if (y < bottom && missing[0] != '\0' && !view->once) {
        int x = top_put(c, bottom - 1, 1, TOP_DIM, "not recorded:");
        top_put(c, bottom - 1, x, TOP_DIM, "%.*s", parts_fit(missing, c->cols - x), missing);
    }
}

static void help_draw(struct top_canvas *c, int y, const struct top_run *run)
{
    static const char *const lines[][2] = {
        {"a p k l t f", "all, PEs, KPs, LPs, types, findings"},
        {"Enter", "KPs of PE; LPs of KP; follow LP"},
        {"5 Enter", "go to the PE, KP or LP with number 5"},
        {"Up Down", "select; also PgUp PgDn Home End"},
        {"s S r", "sort by next, previous column; reverse"},
        {"Space", "pause the screen; the run goes on"},
        {"+ -", "refresh more often, less often"},
        {"h ?", "this help; any key leaves it"},
        {"q", "quit; the run goes on"},
    };
    char missing[256];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++, y++) {
        top_put(c, y, 0, TOP_BOLD, "%s", lines[i][0]);
        top_put(c, y, 12, TOP_PLAIN, "%s", lines[i][1]);
    }
    if (y + 6 > c->rows) {
        return;
    }
    y = top_put_lines(
        c, y + 1, 0, 4, TOP_PLAIN,
        "rest: time without work. ahead: virtual time beyond GVT, of the KP farthest "
        "ahead. just now: counts of the latest seconds. > marks the column that sorts, "
        "< the reverse order. -: not recorded.");
    top_missing(run, missing, sizeof missing);
    if (missing[0] != '\0' && run->n_files > 0) {
        top_put(c, y + 1, 0, TOP_PLAIN, "not recorded:");
        top_put_lines(c, y + 1, 13, c->rows - y - 2, TOP_PLAIN, missing);
    }
}

/* Draws the rates of the LP that the user follows, if there is one. */
static int lp_draw(struct top_canvas *c, int y, const struct top_run *run,
                   const struct top_view *view)
{
    const struct top_chosen_lp *chosen = &run->model.chosen;
    char line[WS_PLOT_BYTES(TOP_LP_STEPS)], number[WS_COUNT_MAX];
    if (view->lp == UINT64_MAX || !chosen->any) {
        return y;
    }
    int x = top_put(c, y, 1, TOP_BOLD, "LP %" PRIu64 "  ", view->lp);
    if (chosen->n == 0) {
        top_put(c, y, x, TOP_DIM, "no sample since it is followed");
        return y + 1;
    }
    double high = 0;
    int room = c->cols - x - 24, n = (int)chosen->n < room ? (int)chosen->n : room;
    x = top_put(c, y, x, TOP_PLAIN, "%s net events/s ",
                ws_number_fit(number, chosen->rates[chosen->n - 1], 8));
    if (n > 0) {
        const double *from = chosen->rates + chosen->n - n;
        for (int i = 0; i < n; i++) {
            high = from[i] > high ? from[i] : high;
        }
        ws_plot_line(line, from, (size_t)n, 0, high > 0 ? high : 1, c->utf8);
        top_put(c, y, x + 1, TOP_GOOD, "%s", line);
    }
    return y + 1;
}

static void footer_draw(struct top_canvas *c, const struct top_view *view)
{
    assert(view->page < TOP_PAGES);
    int y = c->rows - 1;
    static const char *const pages[TOP_PAGES] = {"overview", "PEs",      "KPs", "LPs",
                                                 "LP types", "findings", "help"};
    top_put(c, y, 0, TOP_TITLE, "%*s", c->cols, "");
    int x = top_put(c, y, 1, TOP_TITLE, "%s", pages[view->page]);
    bool parts = view->page == TOP_KPS || view->page == TOP_LPS;
    if (view->page == TOP_LPS && view->only_kp >= 0) {
        x = top_put(c, y, x, TOP_TITLE, " of KP %" PRId64, view->only_kp);
    }
    if (parts && view->only_pe >= 0) {
        x = top_put(c, y, x, TOP_TITLE, " of PE %" PRId64, view->only_pe);
    }
    if (view->number >= 0) {
        x = top_put(c, y, x, TOP_TITLE, ", go to %" PRId64 "_", view->number);
    } else if (view->n_rows > view->page_rows && view->page != TOP_HELP) {
        x = top_put(c, y, x, TOP_TITLE, ", %zu of %zu", view->selected + 1, view->n_rows);
    }
    static const char keys[] =
        "q quit  h help  p PEs  k KPs  l LPs  t LP types  f findings  a all  "
        "s sort  Space pause  Enter choose";
    top_put_right(c, y, c->cols - 1, TOP_TITLE, "%.*s", parts_fit(keys, c->cols - x - 3), keys);
}

void top_draw(struct top_canvas *c, const struct top_run *run, struct top_view *view)
{
    assert(view->page < TOP_PAGES);
    int bottom = c->rows - (view->once ? 0 : 1);
    view->n_rows = 0;
    if (c->rows < 4 || c->cols < 20) {
        top_put(c, 0, 0, TOP_PLAIN, "too small");
        return;
    }
    if (view->page == TOP_HELP) {
        top_draw_title(c, run, view);
        help_draw(c, 1, run);
        footer_draw(c, view);
        return;
    }
    int y = top_draw_head(c, run, view);
    bool ready = run->n_files > 0 && run->state != TOP_READING;
    if (ready && view->page == TOP_OVERVIEW) {
        overview_draw(c, y, bottom, run, view);
    } else if (ready && view->page == TOP_FINDINGS) {
        findings_draw(c, y, bottom, run, true);
    } else if (ready) {
        y = view->page == TOP_PES ? top_draw_legend(c, y, run) : y;
        if (view->page == TOP_PES && (int)run->model.n_here > bottom - y - 1) {
            y = top_draw_extremes(c, y, run);
        }
        y = view->page == TOP_LPS ? lp_draw(c, y, run, view) : y;
        top_draw_table(c, y, bottom - y, run, view, view->page, true);
    }
    if (!view->once) {
        footer_draw(c, view);
    }
}
