/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - states the results in sentences, the most important ones first; see output.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/output.h"
#include "render/plot.h"
#include "text/utf8.h"

#define NAME_BYTES 128u

/* Writes v, the length of a path or a cost, with its unit to `to`, and returns `to`. */
static const char *length_text(char to[WS_COUNT_MAX], const struct analyze *a,
                               enum analyze_length length, double v)
{
    assert(length < ANALYZE_LENGTHS);
    char number[WS_COUNT_MAX];
    if (analyze_is_time(a, length)) {
        return ws_seconds_text(to, v);
    }
    snprintf(to, WS_COUNT_MAX, "%.20s events", ws_number_text(number, v));
    return to;
}

/* ---- Doubts about the trace ------------------------------------------------------------------ */

static void doubts_find(struct doc *doc, const struct analyze *a)
{
    char n[WS_COUNT_MAX], all[WS_COUNT_MAX];
    if (!a->trace.is_exact) {
        doc_say(doc,
                "The trace does not name the cause of each event, so causes were found by LP and "
                "time: %s of %s events have a sender with several events at that time. Record with "
                "this version of Warpscope for exact results.",
                ws_count_text(n, a->ambiguous), ws_count_text(all, a->events));
    }
    if (a->missing > 0) {
        doc_say(doc,
                "The causes of %s events are not in the trace: it is not complete, or the model "
                "rejects events in its trace callback. Paths may be longer than shown.",
                ws_count_text(n, a->missing));
    }
    if (a->trace.left_out > 0) {
        doc_say(doc, "%s records were left out, since their LP or a time is not valid.",
                ws_count_text(n, a->trace.left_out));
    }
}

static void times_find(struct doc *doc, const struct analyze *a)
{
    if (!a->trace.is_timed) {
        doc_say(doc, "The times of handlers were not recorded: every event weighs the same. "
                     "--event-times=1 records them.");
    } else if (a->trace.is_typical) {
        doc_say(doc, "The time of every event is the median of its type of LP.");
    } else if (a->trace.is_sampled) {
        doc_say(doc,
                "Some handlers were not timed: their time counts as the mean of their type of LP.");
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void bound_find(struct doc *doc, const struct analyze *a)
{
    enum analyze_length l = a->path_of;
    char up[WS_COUNT_MAX], length[WS_COUNT_MAX], work[WS_COUNT_MAX], n[WS_COUNT_MAX];
    double speed_up = analyze_speed_up(a, l);
    char most[100] = "On any number of ranks this can run no faster than on one";
    if (speed_up > 1.0005) {
        snprintf(most, sizeof most,
                 "On any number of ranks this can run at most %s times as fast as on one",
                 ws_number_text(up, speed_up));
    }
    if (analyze_is_time(a, l)) {
        doc_say(doc,
                "%s: the critical path of %s events takes %s of the %s that all handlers take.",
                most, ws_count_text(n, a->path_events),
                ws_seconds_text(length, analyze_length_of(a, l)),
                ws_seconds_text(work, analyze_work_of(a, l)));
    } else {
        doc_say(doc, "%s: the critical path has %s of %s events.", most,
                ws_count_text(n, a->path_events), ws_count_text(work, a->events));
    }
}

static void ranks_find(struct doc *doc, const struct analyze *a)
{
    enum analyze_length l = a->path_of, placed = l + 1;
    char up[WS_COUNT_MAX], most[WS_COUNT_MAX];
    double busiest = analyze_busiest(a, l), work = analyze_work_of(a, l);
    if (a->n_ranks < 2 || !(busiest > 0.0)) {
        return;
    }
    double bound = fmin(work / busiest, analyze_speed_up(a, l));
    if (bound < 1.0005) {
        return;
    }
    doc_say(
        doc,
        "With the LPs placed as %s on %" PRIu32 " ranks, it is at most %s times: the "
        "busiest rank has %.1f %% of the work. Ranks that keep to the order of events reach %s.",
        a->rank_of == NULL ? "they were" : "in the map", a->n_ranks, ws_number_text(up, bound),
        100.0 * busiest / fmax(work, 1e-300), ws_number_text(most, analyze_speed_up(a, placed)));
}

static void moves_find(struct doc *doc, const struct analyze *a)
{
    char n[WS_COUNT_MAX];
    if (a->moves > 0) {
        doc_say(doc, "During the run, %s LP%s moved to %s (--map=auto)%s.",
                ws_count_text(n, a->moves), a->moves == 1 ? "" : "s",
                a->moves == 1 ? "another rank" : "other ranks",
                a->rank_of == NULL ? ": each event counts on its rank at that time" : "");
    }
}

static void latency_find(struct doc *doc, const struct analyze *a)
{
    char up[WS_COUNT_MAX], placed[WS_COUNT_MAX], cost[WS_COUNT_MAX];
    if (a->options->has_latency) {
        doc_say(
            doc,
            "If a message to another rank costs %s, the bound is %s, and %s for ranks that keep "
            "to the order of events.",
            length_text(cost, a, ANALYZE_LATENCY_LP, a->options->latency),
            ws_number_text(up, analyze_speed_up(a, ANALYZE_LATENCY_LP)),
            ws_number_text(placed, analyze_speed_up(a, ANALYZE_LATENCY_RANK)));
    }
}

static void path_find(struct doc *doc, const struct analyze *a)
{
    uint64_t best = 0, most = 0, n = 0;
    char type[NAME_BYTES], name[NAME_BYTES + 8], count[WS_COUNT_MAX];
    for (uint64_t i = 0; i < a->n_lps; i++) {
        const struct analyze_lp_more *m = &a->more[i];
        uint64_t weight = a->path_of == ANALYZE_TIME_LP ? m->path_time : m->path_events;
        n += m->path_events > 0;
        if (weight > most) {
            most = weight;
            best = i;
        }
    }
    if (n == 0) {
        return;
    }
    name[0] = '\0';
    if (a->lps[best].type > 0) {
        utf8_plain(type, sizeof type, analyze_type_name(a, a->lps[best].type), 30);
        snprintf(name, sizeof name, " (%s)", type);
    }
    doc_say(doc,
            "The critical path visits %s LP%s; LP %" PRIu64 "%s carries %.1f %% of its length.",
            ws_count_text(count, n), n == 1 ? "" : "s", analyze_lp_number(a, best), name,
            100.0 * analyze_path_part(a, a->more[best].path_events, a->more[best].path_time));
}

/* Adds a finding if a single call of a handler takes a large part of the critical path. The
 * operating system possibly interrupted that call, which makes the path too long. */
static void longest_find(struct doc *doc, const struct analyze *a)
{
    char time[WS_COUNT_MAX];
    double part = (double)a->path_longest / fmax(1.0, (double)a->path_time);
    if (a->path_of == ANALYZE_TIME_LP && part > 0.2 && a->path_events > 10) {
        doc_say(doc,
                "One handler call, of LP %" PRIu64
                ", took %s: %.1f %% of the critical path. If the "
                "system interrupted it, --weight=typical shows the bound without interruptions.",
                analyze_lp_number(a, a->path_longest_lp),
                ws_seconds_text(time, (double)a->path_longest * 1e-9), 100.0 * part);
    }
}

/* ---- Parallelism ----------------------------------------------------------------------------- */

static void parallelism_find(struct doc *doc, const struct analyze *a)
{
    const struct analyze_levels *l = &a->levels;
    uint64_t few = 0;
    double mean = analyze_speed_up(a, ANALYZE_EVENTS_LP);
    char words[WS_COUNT_MAX], bound[WS_COUNT_MAX];
    uint64_t limit = mean >= 4.0 ? (uint64_t)(mean / 4.0) : 1;
    for (size_t i = 0; i < l->n; i++) {
        few += (l->counts[i] >> l->shift) <= limit;
    }
    doc_say(
        doc,
        "The number of events that could run at once is %s on average, and %s%s in %.1f %% of the "
        "cycles.",
        ws_number_text(words, mean), ws_count_text(bound, limit), limit == 1 ? "" : " or less",
        100.0 * (double)few / fmax(1.0, (double)l->n));
}

static void windows_find(struct doc *doc, const struct analyze *a)
{
    double least = analyze_lookahead(a);
    char words[WS_COUNT_MAX], mean[WS_COUNT_MAX], lps[WS_COUNT_MAX];
    if (!isfinite(least)) {
        doc_say(doc, "No LP sends events to another one: LPs are independent.");
        return;
    }
    for (uint32_t i = 0; i < a->n_windows; i++) {
        const struct analyze_window *w = &a->windows[i];
        double n = fmax(1.0, (double)w->windows);
        if (fabs(w->lookahead - least) > 0.0) {
            continue;
        }
        doc_say(doc,
                "The least offset between LPs is %s. Conservative windows of that length hold %s "
                "events of %s LPs on average; %.1f %% of them hold just 1.",
                ws_number_text(words, least), ws_number_text(mean, (double)w->events / n),
                ws_number_text(lps, (double)w->lps / n), 100.0 * (double)w->ones / n);
        return;
    }
    doc_say(doc, "The least offset between LPs is %s.", ws_number_text(words, least));
}

/* ---- Structure ------------------------------------------------------------------------------- */

static void graph_find(struct doc *doc, const struct analyze *a)
{
    const struct analyze_graph *g = &a->graph;
    if (g->events == 0) {
        return;
    }
    char edges[WS_COUNT_MAX], n[WS_COUNT_MAX];
    doc_say(doc,
            "%.1f %% of the events are from an LP to itself; the others go along %s pairs of LPs.",
            100.0 * (double)g->self / (double)g->events, ws_count_text(edges, g->edges));
    if (g->communities > 0) {
        doc_say(doc,
                "The LPs form %s communities (modularity %.2f): %.1f %% of the events between LPs "
                "stay in their community.",
                ws_count_text(n, g->communities), g->modularity,
                100.0 * (double)g->community_events / fmax(1.0, (double)g->between_events));
    } else if (g->why[0] != '\0') {
        doc_say(doc, "Communities of LPs are not shown: %s.", g->why);
    }
}

static void skew_find(struct doc *doc, const struct analyze *a)
{
    double mean = ws_histogram_mean(&a->skew);
    char most[WS_COUNT_MAX], words[WS_COUNT_MAX];
    if (a->skew.n > 1 && a->skew.max > 4.0 * mean) {
        doc_say(doc, "Work is uneven: the busiest LP has %s events, the mean is %s.",
                ws_number_text(most, a->skew.max), ws_number_text(words, mean));
    }
}

void analyze_findings_find(struct doc *doc, const struct analyze *a)
{
    doubts_find(doc, a);
    bound_find(doc, a);
    ranks_find(doc, a);
    moves_find(doc, a);
    latency_find(doc, a);
    path_find(doc, a);
    longest_find(doc, a);
    parallelism_find(doc, a);
    windows_find(doc, a);
    skew_find(doc, a);
    graph_find(doc, a);
    times_find(doc, a);
}
