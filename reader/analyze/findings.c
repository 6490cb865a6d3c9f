/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - states the results in sentences, the most important ones first; see analyze.h.
 */
#include <math.h>

#include "analyze/analyze.h"
#include "text/utf8.h"

#define NAME_BYTES 128u

/* ---- Doubts about the trace ------------------------------------------------------------------ */

static void doubts_find(struct doc *doc, const struct analyze *a)
{
    if (a->missing > 0) {
        doc_say(doc,
                "The causes of # events are not in the trace: it is not complete, or the model "
                "rejects events in its trace callback. Paths may be longer than shown.",
                doc_count(a->missing));
    }
    if (a->trace.left_out > 0) {
        doc_say(doc, "# records were left out, since their LP or a time is not valid.",
                doc_count(a->trace.left_out));
    }
}

static void times_find(struct doc *doc, const struct analyze *a)
{
    if (!a->trace.times.is_timed) {
        doc_say(doc, "The times of handlers were not recorded: every event weighs the same. "
                     "--event-times=1 records them.");
    } else if (a->path_of == ANALYZE_EVENTS_LP && !a->options->by_events) {
        doc_say(doc,
                "The handlers take # in all, too short a time to weigh by: every event weighs the "
                "same. --weight=time uses the times.",
                doc_seconds((double)a->handler_time * 1e-9));
    } else if (a->trace.times.is_typical) {
        doc_say(doc, "The time of every event is the median of its type of LP and kind.");
    } else if (a->trace.times.is_sampled) {
        doc_say(doc, "Some handlers were not timed: their time counts as the mean of their type of "
                     "LP and kind.");
    }
    if (a->trace.times.interrupted > 0 && !a->trace.times.is_typical) {
        doc_say(doc,
                "# handlers seem to have been interrupted: their time counts as the mean of "
                "their type of LP and kind.",
                doc_count(a->trace.times.interrupted));
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void bound_find(struct doc *doc, const struct analyze *a)
{
    enum analyze_length l = a->path_of;
    const double speed_up = analyze_speed_up(a, l);
    const bool is_faster = speed_up > 1.0005;
    const struct doc_cell limit = doc_name(is_faster ? "at most " : "no faster than on one");
    const struct doc_cell times = doc_if(is_faster, doc_real(speed_up));
    const struct doc_cell faster = doc_name(is_faster ? " times as fast as on one" : "");
    if (analyze_is_time(a, l)) {
        doc_say(doc,
                "On any number of ranks this can run ###: the critical path of # events takes # "
                "of the # that all handlers take.",
                limit, times, faster, doc_count(a->path_events),
                doc_seconds(analyze_length_of(a, l)), doc_seconds(analyze_work_of(a, l)));
    } else {
        doc_say(doc,
                "On any number of ranks this can run ###: the critical path has # of # events.",
                limit, times, faster, doc_count(a->path_events), doc_count(a->events));
    }
}

static void ranks_find(struct doc *doc, const struct analyze *a)
{
    enum analyze_length l = a->path_of, placed = l + 1;
    double busiest = analyze_busiest(a, l), work = analyze_work_of(a, l);
    if (a->n_ranks < 2 || !(busiest > 0.0)) {
        return;
    }
    double bound = fmin(work / busiest, analyze_speed_up(a, l));
    if (bound < 1.0005) {
        return;
    }
    doc_say(doc,
            "With the LPs placed as # on # ranks, it is at most # times: the busiest rank has # of "
            "the work. Ranks that keep to the order of events reach #.",
            doc_name(a->rank_of == NULL ? "they were" : "in the map"), doc_number(a->n_ranks),
            doc_real(bound), doc_share(busiest, fmax(work, 1e-300)),
            doc_real(analyze_speed_up(a, placed)));
}

static void moves_find(struct doc *doc, const struct analyze *a)
{
    if (a->moves > 0) {
        doc_say(doc, "During the run, # LP# moved to # (--map=auto)#.", doc_count(a->moves),
                doc_name(a->moves == 1 ? "" : "s"),
                doc_name(a->moves == 1 ? "another rank" : "other ranks"),
                doc_name(a->rank_of == NULL ? ": each event counts on its rank at that time" : ""));
    }
}

static void latency_find(struct doc *doc, const struct analyze *a)
{
    if (a->options->has_latency) {
        bool is_time = analyze_is_time(a, ANALYZE_LATENCY_LP);
        doc_say(doc,
                "If a message to another rank costs ##, the bound is #, and # for ranks that keep "
                "to the order of events.",
                doc_measure(is_time ? DOC_SECONDS : DOC_REAL, a->options->latency),
                doc_name(is_time ? "" : " events"),
                doc_real(analyze_speed_up(a, ANALYZE_LATENCY_LP)),
                doc_real(analyze_speed_up(a, ANALYZE_LATENCY_RANK)));
    }
}

static void path_find(struct doc *doc, const struct analyze *a)
{
    uint64_t best = 0, most = 0, n = 0;
    char type[NAME_BYTES];
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
    utf8_plain(type, sizeof type, analyze_type_name(a, a->lps[best].type), 30);
    doc_say(doc, "The critical path visits # LP#; LP ## carries # of its length.", doc_count(n),
            doc_name(n == 1 ? "" : "s"), analyze_lp_cell(a, best),
            a->lps[best].type > 0 ? doc_text(doc, " (%s)", type) : doc_none(),
            doc_measure(DOC_SHARE,
                        analyze_path_part(a, a->more[best].path_events, a->more[best].path_time)));
}

/* Adds a finding if a single call of a handler takes a large part of the critical path. The
 * operating system possibly interrupted that call, which makes the path too long. */
static void longest_find(struct doc *doc, const struct analyze *a)
{
    double part = (double)a->path_longest / fmax(1.0, (double)a->path_time);
    if (a->path_of == ANALYZE_TIME_LP && part > 0.2 && a->path_events > 10) {
        doc_say(doc,
                "One handler call, of LP #, took #: # of the critical path. If the system "
                "interrupted it, --weight=typical shows the bound without interruptions.",
                analyze_lp_cell(a, a->path_longest_lp), doc_seconds((double)a->path_longest * 1e-9),
                doc_measure(DOC_SHARE, part));
    }
}

/* ---- Parallelism ----------------------------------------------------------------------------- */

static void parallelism_find(struct doc *doc, const struct analyze *a)
{
    const struct analyze_levels *l = &a->levels;
    uint64_t few = 0;
    double mean = analyze_speed_up(a, ANALYZE_EVENTS_LP);
    uint64_t limit = mean >= 4.0 ? (uint64_t)(mean / 4.0) : 1;
    for (size_t i = 0; i < l->n; i++) {
        few += (l->list[i].events >> l->shift) <= limit;
    }
    doc_say(doc,
            "The number of events that could run at once is # on average, and ## in # of the "
            "cycles.",
            doc_real(mean), doc_count(limit), doc_name(limit == 1 ? "" : " or less"),
            doc_share((double)few, (double)l->n));
}

static void windows_find(struct doc *doc, const struct analyze *a)
{
    double least = analyze_lookahead(a);
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
                "The least offset between LPs is #. Conservative windows of that length hold # "
                "events of # LPs on average; # of them hold just 1.",
                doc_real(least), doc_real((double)w->events / n), doc_real((double)w->lps / n),
                doc_share((double)w->ones, n));
        return;
    }
    doc_say(doc, "The least offset between LPs is #.", doc_real(least));
}

/* ---- Structure ------------------------------------------------------------------------------- */

static void graph_find(struct doc *doc, const struct analyze *a)
{
    const struct analyze_graph *g = &a->graph;
    if (g->events == 0) {
        return;
    }
    doc_say(doc, "# of the events are from an LP to itself; the others go along # pairs of LPs.",
            doc_share((double)g->self, (double)g->events), doc_count(g->edges));
    if (g->communities > 0) {
        doc_say(doc,
                "The LPs form # communities (modularity #): # of the events between LPs stay in "
                "their community.",
                doc_count(g->communities), doc_text(doc, "%.2f", g->modularity),
                doc_share((double)g->community_events, (double)g->between_events));
    } else if (g->why != NULL) {
        doc_say(doc, "Communities of LPs are not shown: #.", doc_name(g->why));
    }
}

static void skew_find(struct doc *doc, const struct analyze *a)
{
    double mean = ws_histogram_mean(&a->skew);
    if (a->skew.n > 1 && a->skew.max > 4.0 * mean) {
        doc_say(doc, "Work is uneven: the busiest LP has # events, the mean is #.",
                doc_real(a->skew.max), doc_real(mean));
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
