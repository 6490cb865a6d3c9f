/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * head.c - draws the upper part of the screen: the run, its progress and its rates; see panes.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "access/joined.h"
#include "render/plot.h"
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
    return run->state == TOP_ENDED && top_run_end(run, &end) && end.code == FMT_END_KILLED;
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
    if (!(seconds >= 0)) {
        return strcpy(to, "-");
    }
    if (seconds < 99.5) {
        snprintf(to, TOP_DURATION_MAX, "%.0f s", seconds);
    } else if (seconds < 99.5 * 60) {
        snprintf(to, TOP_DURATION_MAX, "%.0f m", seconds / 60);
    } else if (seconds < 100 * 3600) {
        snprintf(to, TOP_DURATION_MAX, "%.0f h", seconds / 3600);
    } else {
        snprintf(to, TOP_DURATION_MAX, "%.0f days", seconds / 86400);
    }
    return to;
}

void top_rates_now(const struct top_run *run, struct top_rates *rates)
{
    const struct top_history *h = &run->model.history;
    if (run->unrecorded) {
        *rates = (struct top_rates){NAN, NAN, NAN, NAN, NAN, NAN, 0};
        return;
    }
    double until = run->state == TOP_SILENT || run->elapsed < h->last ? run->elapsed : h->last;
    top_history_rates(h, until, RATE_SECONDS, rates);
}

void top_draw_title(struct top_canvas *c, const struct top_run *run, const struct top_view *view)
{
    char clock[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL) {
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    }
    top_put(c, 0, 0, TOP_TITLE, "%*s", c->cols, "");
    top_put(c, 0, 1, TOP_TITLE, "warpscope top  %.*s", c->cols > 40 ? c->cols - 40 : 1,
            run->folder);
    top_put_right(c, 0, c->cols - 1, TOP_TITLE, "%s%s  %s", top_state_word(run),
                  view->paused ? ", paused" : "", clock);
}

/* Degrees of detail in the progress line, in descending order. Narrow screens get less detail. */
enum detail { DETAIL_ALL, DETAIL_NO_SPREAD, DETAIL_SHORT, DETAIL_LEAST, DETAILS };

/* Draws the estimated remaining time and its range from column x on. Returns the column after
 * it. */
static int eta_draw(struct top_canvas *c, int y, int x, const struct top_run *run,
                    enum detail detail)
{
    char likely[TOP_DURATION_MAX], early[TOP_DURATION_MAX], late[TOP_DURATION_MAX];
    struct top_eta eta;
    bool live = run->state == TOP_RUNNING && !run->stalled && !run->unrecorded;
    if (!live || isnan(run->end_time) ||
        !top_history_eta(&run->model.history, run->model.gvt, run->end_time, &eta)) {
        return x;
    }
    x = top_put(c, y, x, TOP_PLAIN, detail >= DETAIL_SHORT ? "  ends in " : "   ends in ");
    x = top_put(c, y, x, TOP_BOLD, "%s", top_duration(likely, eta.likely));
    top_duration_rough(early, eta.early);
    top_duration_rough(late, eta.late);
    if (detail == DETAIL_ALL && strcmp(early, late) != 0) {
        x = top_put(c, y, x, TOP_PLAIN, " (%s to %s)", early, late);
    }
    return x;
}

/* Draws the progress line in row y; draws nothing if y is -1. Returns the width of the line. */
static int times_draw(struct top_canvas *c, int y, const struct top_run *run, enum detail detail)
{
    char number[WS_COUNT_MAX], time[TOP_DURATION_MAX];
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
    return eta_draw(c, y, x, run, detail);
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

static int rate_draw(struct top_canvas *c, int y, int x, const char *words, double rate)
{
    char number[WS_COUNT_MAX];
    if (isnan(rate)) {
        return x;
    }
    if (rate < 100) {
        ws_number_text(number, round(rate * 10) / 10);
    } else {
        ws_count_fit(number, (uint64_t)rate, 11);
    }
    if (x + (int)(strlen(number) + strlen(words)) + 1 > c->cols) {
        return x;
    }
    x = top_put(c, y, x, TOP_BOLD, "%s", number);
    return top_put(c, y, x, TOP_PLAIN, " %s   ", words);
}

static void rates_draw(struct top_canvas *c, int y, const struct top_run *run)
{
    char number[WS_COUNT_MAX];
    struct top_rates r;
    const struct top_model *m = &run->model;
    top_rates_now(run, &r);
    if (!m->has.pes) {
        top_put(c, y, 0, TOP_PLAIN, "%s records", ws_count_text(number, m->records));
        return;
    }
    int x = rate_draw(c, y, 0, "committed/s", r.committed);
    if (m->has.counts) {
        double efficiency = ws_efficiency(r.processed, r.undone);
        if (!isnan(efficiency) && x + 19 <= c->cols) {
            x = top_put(c, y, x, efficiency < 50 ? TOP_WARNING : TOP_BOLD, "%.2f %%", efficiency);
            x = top_put(c, y, x, TOP_PLAIN, " efficiency   ");
        }
        x = rate_draw(c, y, x, "GVT/s", r.gvts);
        rate_draw(c, y, x, "rollbacks/s", r.rollbacks);
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
    if (run->model.has.pes && !is_low) {
        bool wide = c->cols >= 130;
        int width = wide ? c->cols / 2 : c->cols;
        bool first = picture_draw(c, y, 0, width, run, false);
        y += !wide && first;
        bool second =
            run->model.has.counts && picture_draw(c, y, wide ? width : 0, width - 12, run, true);
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
