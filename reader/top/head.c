/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * head.c - draws the upper part of the screen: the run, its progress and its rates; and the phases of
 * PEs; see panes.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "access/facts.h"
#include "render/text.h"
#include "top/panes.h"

#define RATE_SECONDS 10.0
#define BAR_MAX      400
#define PICTURE_MAX  120

const char *top_state_word(const struct top_run *run)
{
    assert(run->state <= TOP_ENDED);
    static const char *const words[] = {
        [TOP_WAITING] = "waiting", [TOP_READING] = "reading", [TOP_RUNNING] = "running",
        [TOP_SILENT] = "silent",   [TOP_KILLED] = "killed",   [TOP_ENDED] = "ended",
    };
    return top_was_recovered(run) ? "recovered" : words[run->state];
}

bool top_was_recovered(const struct top_run *run)
{
    struct top_end end;
    return run->state == TOP_ENDED && top_run_end(run, &end) && end.info->code == FMT_END_KILLED;
}

char *top_duration(char to[TOP_DURATION_MAX], double seconds)
{
    if (!(seconds >= 0)) {
        return strcpy(to, "-");
    }
    if (seconds < 59.95) {
        snprintf(to, TOP_DURATION_MAX, "%.1f s", seconds);
    } else if (seconds < 3599.5) {
        int whole = (int)(seconds + 0.5);
        snprintf(to, TOP_DURATION_MAX, "%d m %02d s", whole / 60, whole % 60);
    } else if (seconds < 100 * 3600) {
        snprintf(to, TOP_DURATION_MAX, "%d h %02d m", (int)seconds / 3600, (int)seconds / 60 % 60);
    } else {
        snprintf(to, TOP_DURATION_MAX, "%.0f days", seconds / 86400);
    }
    return to;
}

char *top_duration_rough(char to[TOP_DURATION_MAX], double seconds)
{
    static const struct {
        double below, unit;
        const char *word;
    } units[] = {
        {99.5, 1, "s"}, {99.5 * 60, 60, "m"}, {360e3, 3600, "h"}, {INFINITY, 86400, "days"}};
    size_t i = 0;
    if (!(seconds >= 0)) {
        return strcpy(to, "-");
    }
    while (seconds >= units[i].below && i < 3) {
        i++;
    }
    snprintf(to, TOP_DURATION_MAX, "%.0f %s", seconds / units[i].unit, units[i].word);
    return to;
}

void top_rates_now(const struct top_run *run, struct top_rates *rates)
{
    const struct top_model *m = &run->model;
    const struct top_history *h = &m->history;
    double until = run->state == TOP_SILENT || run->elapsed < h->last ? run->elapsed : h->last;
    top_history_rates(h, until, RATE_SECONDS, rates);
    for (int i = 0; i < WS_COUNTS; i++) {
        bool known = !run->unrecorded && top_knows(m, TOP_OF_PES, (enum ws_count)i);
        rates->of.each[i] = known ? rates->of.each[i] : NAN;
    }
    rates->advance = run->unrecorded ? NAN : rates->advance;
}

void top_headline_find(const struct top_run *run, struct top_headline *h)
{
    static const char *const words[TOP_HEADLINE_MAX] = {"committed/s", "efficiency", "GVT/s",
                                                        "rollbacks/s"};
    char number[WS_COUNT_MAX];
    struct top_rates r;
    top_rates_now(run, &r);
    const double efficiency = ws_efficiency(r.of.processed, r.of.undone);
    const double rates[] = {r.of.committed, efficiency, r.of.gvts, r.of.rollbacks};
    *h = (struct top_headline){.is_poor = efficiency < 50};
    ws_seconds_text(h->span, r.seconds);
    for (unsigned i = 0; i < TOP_HEADLINE_MAX; i++) {
        if (isnan(rates[i])) {
            continue;
        }
        if (i == 1) {
            snprintf(number, sizeof number, "%.2f %%", efficiency);
        } else if (rates[i] < 100) {
            ws_number_text(number, round(rates[i] * 10) / 10);
        } else {
            ws_count_fit(number, (uint64_t)rates[i], 11);
        }
        snprintf(h->texts[h->n++], sizeof h->texts[0], "%s %s", number, words[i]);
    }
}

bool top_eta_now(const struct top_run *run, struct top_eta *eta)
{
    return run->state == TOP_RUNNING && !run->stalled && !run->unrecorded &&
           !isnan(run->end_time) &&
           top_history_eta(&run->model.history, run->model.gvt, run->end_time, eta);
}

const char *top_eta_text(const struct top_run *run, bool spread, char to[TOP_ETA_MAX])
{
    char likely[TOP_DURATION_MAX], early[TOP_DURATION_MAX], late[TOP_DURATION_MAX];
    struct top_eta eta;
    if (!top_eta_now(run, &eta)) {
        return NULL;
    }
    top_duration(likely, eta.likely);
    top_duration_rough(early, eta.early);
    top_duration_rough(late, eta.late);
    bool differ = spread && strcmp(early, late) != 0;
    snprintf(to, TOP_ETA_MAX, "ends in %s%s%s%s%s%s", likely, differ ? " (" : "",
             differ ? early : "", differ ? " to " : "", differ ? late : "", differ ? ")" : "");
    return to;
}

const char *top_clock_text(char to[TOP_DURATION_MAX])
{
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) == NULL ||
        strftime(to, TOP_DURATION_MAX, "%H:%M:%S", &local) == 0) {
        to[0] = '\0';
    }
    return to;
}

void top_draw_title(struct top_canvas *c, const struct top_run *run, const struct top_view *view)
{
    char clock[TOP_DURATION_MAX];
    top_put(c, 0, 0, TOP_TITLE, "%*s", c->cols, "");
    top_put(c, 0, 1, TOP_TITLE, "warpscope top  %.*s", c->cols > 40 ? c->cols - 40 : 1,
            run->folder);
    top_put_right(c, 0, c->cols - 1, TOP_TITLE, "%s%s  %s", top_state_word(run),
                  view->paused ? ", paused" : "", top_clock_text(clock));
}

/* Degrees of detail in the progress line, in descending order. Narrow screens get less detail. */
enum detail { DETAIL_ALL, DETAIL_NO_SPREAD, DETAIL_SHORT, DETAIL_LEAST, DETAILS };

/* Draws the progress line in row y; draws nothing if y is -1. Returns the width of the line. */
static int times_draw(struct top_canvas *c, int y, const struct top_run *run, enum detail detail)
{
    char number[WS_COUNT_MAX], time[TOP_DURATION_MAX], text[TOP_ETA_MAX];
    const char *eta = top_eta_text(run, detail == DETAIL_ALL, text);
    bool over = run->state == TOP_ENDED || run->state == TOP_KILLED;
    int x = 0;
    if (detail < DETAIL_SHORT) {
        x = top_put(c, y, x, TOP_PLAIN, over ? "ran for " : "running for ");
    }
    x = top_put(c, y, x, TOP_BOLD, "%s", top_duration(time, run->elapsed));
    x = top_put(c, y, x, TOP_PLAIN, detail < DETAIL_SHORT ? "   GVT " : "  GVT ");
    x = top_put(c, y, x, TOP_BOLD, "%s", ws_number_text(number, run->model.gvt));
    if (!isnan(run->end_time) && detail < DETAIL_LEAST) {
        x = top_put(c, y, x, TOP_PLAIN, " of %s", ws_number_text(number, run->end_time));
    }
    return eta == NULL
               ? x
               : top_put(c, y, x, TOP_PLAIN, detail >= DETAIL_SHORT ? "  %s" : "   %s", eta);
}

static void progress_draw(struct top_canvas *c, int y, const struct top_run *run)
{
    char bar[WS_PLOT_BYTES(BAR_MAX)];
    double part = run->model.gvt / run->end_time;
    int detail = DETAIL_ALL;
    while (detail < DETAIL_LEAST && times_draw(c, -1, run, (enum detail)detail) > c->cols) {
        detail++;
    }
    times_draw(c, y, run, (enum detail)detail);
    if (!(part >= 0)) {
        return;
    }
    part = part > 1 ? 1 : part;
    int width = c->cols - 9 < BAR_MAX ? c->cols - 9 : BAR_MAX;
    if (width > 4) {
        ws_plot_bar(bar, part, (size_t)width, c->utf8);
        top_put(c, y + 1, 0, TOP_GOOD, "%s", bar);
        top_put(c, y + 1, width, TOP_BOLD, "%7.2f %%", 100 * part);
    }
}

static void rates_draw(struct top_canvas *c, int y, const struct top_run *run)
{
    char number[WS_COUNT_MAX];
    struct top_headline h;
    top_headline_find(run, &h);
    if (run->model.known[TOP_OF_PES] == 0) {
        top_put(c, y, 0, TOP_PLAIN, "%s records", ws_count_text(number, run->model.records));
        return;
    }
    int x = h.n == 0 ? 0 : top_put(c, y, 0, TOP_DIM, "last %s:", h.span);
    for (unsigned i = 0; i < h.n; i++) {
        bool is_poor = i == 1 && h.is_poor;
        x = top_put_whole(c, y, x, is_poor ? TOP_WARNING : TOP_BOLD, "  %s", h.texts[i]);
    }
}

/* Draws a bar chart of the latest minutes: of efficiency, or of committed events per second.
 * Returns false if there is nothing to draw yet. */
static bool picture_draw(struct top_canvas *c, int y, int x, int width, const struct top_run *run,
                         bool efficiency)
{
    double values[PICTURE_MAX], low = 0, high = 100;
    char line[WS_PLOT_BYTES(PICTURE_MAX)], number[WS_COUNT_MAX];
    int label = 12, n = width - label - (efficiency ? 0 : 16);
    n = n > PICTURE_MAX ? PICTURE_MAX : n;
    if (n < 8) {
        return false;
    }
    double step = top_history_picture(&run->model.history, efficiency, values, (unsigned)n);
    bool any = ws_plot_range(values, (size_t)n, &low, &high);
    if (!any) {
        return false;
    }
    ws_plot_line(line, values, (size_t)n, 0, efficiency ? 100 : high > 0 ? high : 1, c->utf8);
    top_put(c, y, x, TOP_DIM, "%s", efficiency ? "efficiency" : "committed/s");
    top_put(c, y, x + label, TOP_GOOD, "%s", line);
    if (!efficiency) {
        top_put(c, y, x + label + n + 1, TOP_DIM, "to %s",
                ws_count_fit(number, (uint64_t)high, 11));
    } else {
        char time[TOP_DURATION_MAX];
        double all = run->model.history.last - run->model.history.first, span = step * n;
        span = all < span ? all : span;
        top_put(c, y, x + label + n + 1, TOP_DIM, "%s", top_duration(time, span));
    }
    return true;
}

int top_draw_head(struct top_canvas *c, const struct top_run *run, const struct top_view *view)
{
    const char *command = top_run_fact(run, "command");
    bool is_low = c->rows < TOP_ROWS_LOW;
    int y = is_low ? 1 : 2;
    top_draw_title(c, run, view);
    if (run->n_files == 0) {
        y = top_put_lines(c, y, 0, 2, TOP_BOLD, "Waiting for a run:");
        return top_put_lines(c, y, 0, 3, TOP_DIM, run->problem) + 1;
    }
    if (!is_low) {
        top_put(c, 1, 0, TOP_DIM, "%.*s", c->cols, command == NULL ? "" : command);
    }
    if (run->state == TOP_READING) {
        top_put(c, y, 0, TOP_PLAIN, "reading what was recorded so far: %.0f %%",
                100 * top_run_progress(run));
        return y + 2;
    }
    progress_draw(c, y, run);
    y += isnan(run->end_time) ? 1 : 2;
    rates_draw(c, y++, run);
    if (run->model.known[TOP_OF_PES] != 0 && !is_low) {
        bool wide = c->cols >= 130;
        int width = wide ? c->cols / 2 : c->cols;
        bool first = picture_draw(c, y, 0, width, run, false);
        y += !wide && first;
        bool second = top_knows(&run->model, TOP_OF_PES, WS_PROCESSED) &&
                      picture_draw(c, y, wide ? width : 0, width - 12, run, true);
        y += second || (wide && first);
    }
    const char *word = run->warning[0] != '\0'   ? run->warning
                       : run->problem[0] != '\0' ? run->problem
                                                 : run->notice;
    if (word[0] != '\0') {
        top_put(c, y, 0, TOP_WARNING, "%c", run->warning[0] != '\0' ? '!' : '*');
        y = top_put_lines(c, y, 2, is_low ? 2 : 3, TOP_WARNING, word);
    }
    const char *pes = top_run_fact(run, WS_PES_FACT);
    if (pes != NULL) {
        top_put(c, y++, 0, TOP_DIM, "* only PEs %.40s: the others record on disks of other hosts",
                pes);
    }
    return y;
}

/* ---- Phases ---------------------------------------------------------------------------------- */

void top_draw_phases(struct top_canvas *c, int y, int x, int width, const struct top_pe *pe)
{
    double sum = top_phases_sum(pe), before = 0;
    int at = 0;
    for (int i = 0; i < WS_PHASE_COUNT && sum > 0; i++) {
        before += pe->phases[i];
        int end = (int)(before / sum * width + 0.5);
        for (; at < end; at++) {
            top_put(c, y, x + at, (enum top_style)(TOP_PHASE_STYLE + i), "%c",
                    ws_phase_names[i].letter);
        }
    }
}

int top_draw_legend(struct top_canvas *c, int y, const struct top_run *run)
{
    int x = 1;
    if (!run->model.has_phases || c->rows < TOP_ROWS_LOW) {
        return y;
    }
    for (int i = 0; i < WS_PHASE_COUNT; i++) {
        const struct ws_phase_name *name = &ws_phase_names[i];
        if (x + (int)strlen(name->words) + 3 >= c->cols) {
            y++;
            x = 1;
        }
        x = top_put(c, y, x, (enum top_style)(TOP_PHASE_STYLE + i), "%c", name->letter);
        x = top_put(c, y, x, TOP_DIM, " %s  ", name->words);
    }
    return y + 1;
}
