/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * second.c - the second pass: finds sums over the critical path, and the windows of conservative
 * execution; see analyze.h.
 *
 * A window begins at the time of the earliest remaining event, and contains the events up to this
 * time plus its lookahead. No event in a window can have sent another event in that window to a
 * different LP. Windows follow one another, as in synchronous conservative algorithms (Nicol, J.
 * ACM 40(2), 1993). The events of an LP in a window are executed one after another. A window
 * therefore takes as many steps as its busiest LP has events.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "analyze/output.h"

/* Number of events of an LP in the current window. */
struct mark {
    uint32_t window; /* number of the window to which `events` belongs, modulo 2^32 */
    uint32_t events;
};

struct pass {
    struct analyze *a;
    struct mark *marks; /* owned; [lp * n_windows + i]: mark of the LP for a->windows[i] */
};

/* ---- Windows --------------------------------------------------------------------------------- */

static void window_end(struct analyze_window *w)
{
    if (w->n > 0) {
        w->events += w->n;
        w->ones += w->n == 1;
        w->lps += w->n_lps;
        w->steps += w->n_most;
        w->widest = w->n > w->widest ? w->n : w->widest;
    }
    w->n = w->n_lps = w->n_most = 0;
}

static void window_add(struct analyze_window *w, struct mark *mark, const struct analyze_event *e)
{
    /* With lookahead 0, a window contains the events of a single time. */
    if (w->windows == 0 || (e->ts >= w->end && !(w->lookahead <= 0.0 && e->ts <= w->end))) {
        window_end(w);
        w->windows++;
        w->end = e->ts + w->lookahead;
    }
    if (mark->window != (uint32_t)w->windows) {
        *mark = (struct mark){(uint32_t)w->windows, 0};
        w->n_lps++;
    }
    mark->events++;
    w->n++;
    w->n_most = mark->events > w->n_most ? mark->events : w->n_most;
}

double analyze_lookahead(const struct analyze *a)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i <= ANALYZE_TYPES_MAX; i++) {
        for (uint32_t k = 0; k <= ANALYZE_TYPES_MAX; k++) {
            const struct analyze_pair *pair = &a->pairs[i][k];
            if (pair->events > 0 && pair->lookahead < least) {
                least = pair->lookahead;
            }
        }
    }
    return least;
}

/* Sets the lookaheads of the windows: those of the command line, otherwise multiples of the
 * smallest offset between LPs or, if that is 0, of a tenth of the mean offset. */
static void windows_choose(struct analyze *a)
{
    assert(a->n_windows == 0);
    static const double factors[] = {1.0, 2.0, 10.0};
    double least = analyze_lookahead(a), mean = ws_histogram_mean(&a->offsets);
    uint32_t n = a->options->n_lookaheads;
    for (uint32_t i = 0; i < n; i++) {
        a->windows[a->n_windows++].lookahead = a->options->lookaheads[i];
    }
    if (n > 0) {
        return;
    }
    if (isfinite(least)) {
        a->windows[a->n_windows++].lookahead = least;
    }
    for (size_t i = least > 0.0 ? 1 : 0; i < sizeof factors / sizeof factors[0]; i++) {
        double lookahead =
            isfinite(least) && least > 0.0 ? factors[i] * least : factors[i] * mean / 10.0;
        if (isfinite(lookahead) && lookahead > 0.0) {
            a->windows[a->n_windows++].lookahead = lookahead;
        }
    }
}

/* ---- The pass -------------------------------------------------------------------------------- */

static enum analyze_taken event_take(const struct analyze_event *e, bool must,
                                     const struct analyze_event *ahead, void *ctx)
{
    struct pass *p = ctx;
    struct analyze *a = p->a;
    (void)must;
    if (ahead != NULL) {
        __builtin_prefetch(&p->marks[(size_t)ahead->lp * a->n_windows]);
    }
    for (uint32_t i = 0; i < a->n_windows; i++) {
        window_add(&a->windows[i], &p->marks[(size_t)e->lp * a->n_windows + i], e);
    }
    const uint64_t *element = ws_pages_get(&a->before, e->number);
    if (element == NULL) {
        return ANALYZE_STOP;
    }
    bool on_path = (*element & ANALYZE_ON_PATH) != 0;
    if (on_path) {
        a->more[e->lp].path_events++;
        a->more[e->lp].path_time += e->handler_time;
        a->path_time += e->handler_time;
        if (e->handler_time > a->path_longest) {
            a->path_longest = e->handler_time;
            a->path_longest_lp = e->lp;
        }
        a->path_remote += (*element & ANALYZE_BY_CAUSE) != 0 &&
                          a->lps[e->src].pe != analyze_rank(a, e->lp, e->pe) + 1;
        if (a->path_out != NULL && !analyze_path_out_add(a->path_out, a, e, *element)) {
            return ANALYZE_STOP;
        }
    }
    if (a->n_fields > 0) {
        analyze_values_add(a, e, on_path);
    }
    return ANALYZE_TAKEN;
}

bool analyze_second(struct analyze *a)
{
    struct pass p = {.a = a};
    bool good = analyze_values_init(a);
    windows_choose(a);
    p.marks = calloc((size_t)a->n_lps * a->n_windows + 1, sizeof *p.marks);
    good = good && (p.marks != NULL || ws_no_memory(&a->failed));
    if (good && a->options->path_file != NULL) {
        a->path_out = analyze_path_out_begin(a);
        good = a->path_out != NULL;
    }
    unsigned read = (a->n_fields > 0 ? ANALYZE_READ_PAYLOADS : 0) |
                    (a->path_out != NULL ? ANALYZE_READ_CAUSES : 0);
    good = good && analyze_trace_walk(&a->trace, read, event_take, &p);
    for (uint32_t i = 0; i < a->n_windows; i++) {
        window_end(&a->windows[i]);
    }
    free(p.marks);
    return good;
}
