/* SPDX-License-Identifier: BSD-3-Clause */
/* study.c - takes facts that other rooms find in the event trace; see advise.h. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "advise/advise.h"
#include "analyze/analyze.h"
#include "cli/out.h"
#include "figures/over_time.h"
#include "partition/partition.h"
#include "predict/predict.h"
#include "report/report.h"
#include "rollbacks/rollbacks.h"

#define RANKS_MOST 65536u
/* Longer traces are not predicted: advice is not to take more than some seconds. */
#define PREDICTED_EVENTS_MAX 10000000u
#define ENGINE_NS            500.0 /* approximate time in ns that the engine spends on an event */

static void facts_begin(struct advise_facts *facts, struct ws_figures *run, const char *map)
{
    const double unknown = (double)NAN;
    struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    const struct ws_file *where;
    uint64_t n;
    *facts = (struct advise_facts){.e = run->evidence,
                                   .s = {.bound = unknown,
                                         .speed_up = unknown,
                                         .lookahead = unknown,
                                         .slow_times = unknown,
                                         .hot_part = unknown,
                                         .map = map,
                                         .placement_why = "record with --event-trace=3",
                                         .speed_up_why = report_allows_absent(run)}};
    facts->e.study = &facts->s;
    if (file != NULL && ws_file_kind(&file->stream, FMT_RECORD_EVENT, &n) != NULL) {
        facts->s.placement_why = NULL;
        (void)ws_trace_problem(&file->stream, WS_TRACE_PLACEMENT, &where, &facts->s.placement_why);
    }
}

/* ---- Placement ------------------------------------------------------------------------------- */

static void prediction_take(struct advise_facts *facts, const struct partition *p)
{
    assert(p->chosen < PARTITION_KINDS);
    const struct partition_sums *now = &p->sums[PARTITION_RECORDED];
    const struct partition_sums *then = &p->sums[p->chosen];
    facts->s.has_placement = now->known && then->known;
    facts->s.placement_why = "the placement of the run is not in the trace";
    facts->s.events = (double)p->graph->events;
    facts->s.is_by_time = p->graph->by_time;
    facts->s.remote_now = now->remote;
    facts->s.remote_new = then->remote;
    facts->s.balance_now = now->balance;
    facts->s.balance_new = then->balance;
    facts->s.offset_new = p->bounds_why == NULL ? then->offset : (double)NAN;
}

/* Divides the load of each LP by the relative cost of an event on its rank, if loads are times of
 * handlers. They are then comparable between ranks. */
static void work_scale(struct partition_graph *g, const struct advise_facts *facts)
{
    if (facts->s.shares == NULL || !g->by_time) {
        return; /* a load that is a number of events does not depend on the speed of ranks */
    }
    g->total_load = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        double cost = g->pe[lp] < g->n_pes ? facts->s.costs[g->pe[lp]] : 1.0;
        g->load[lp] = (uint64_t)rint((double)g->load[lp] / cost);
        g->total_load += g->load[lp];
    }
}

/* Returns false if the map could not be written. */
static bool study_placement(struct advise_facts *facts, struct ws_file *trace, struct ws_outs *outs)
{
    const char *map = facts->s.map;
    struct partition_counts counts;
    struct partition p = {.n_ranks = facts->e.ranks,
                          .n_kps = map != NULL && ws_kps_next(&facts->e) <= RANKS_MOST
                                       ? (uint32_t)ws_kps_next(&facts->e)
                                       : 0,
                          .cut = {1, 0.03, facts->s.shares},
                          .graph = &counts.graph};
    bool good = true;
    if (facts->s.placement_why != NULL || facts->e.ranks < 2 || facts->e.ranks > RANKS_MOST) {
        return true;
    }
    if (partition_cut_missing() != NULL) {
        facts->s.placement_why = partition_cut_missing();
        return true;
    }
    facts->s.placement_why = "the trace does not allow it; see the message of warpscope partition";
    bool is_conservative = ws_is_by_lookahead(&facts->e);
    if (partition_counts_read(&counts, trace, PARTITION_ANY,
                              is_conservative ? fmax(0.0, facts->e.lookahead) : 0.0)) {
        work_scale(&counts.graph, facts);
        if (partition_make(&p)) {
            if (is_conservative) {
                partition_bounds_find(&p, &counts.trace);
            }
            prediction_take(facts, &p);
        } else {
            facts->s.placement_why = p.why;
        }
        good = map == NULL || !ws_placement_helps(&facts->e) ||
               partition_map_save(outs, map, &p, &counts.trace);
    }
    partition_free(&p);
    partition_counts_free(&counts);
    return good;
}

/* ---- Rollbacks ------------------------------------------------------------------------------- */

static void study_rollbacks(struct advise_facts *facts, struct ws_file *trace)
{
    static const struct rollbacks_options options = {.top = 1};
    uint64_t n;
    if (ws_file_kind(trace, FMT_RECORD_ROLLBACK, &n) == NULL ||
        ws_evidence_wasted(&facts->e) < WS_UNDONE_MANY) {
        return;
    }
    struct rollbacks r;
    if (rollbacks_run(&r, trace, &options)) {
        facts->s.has_bound = true;
        facts->s.bound = rollbacks_bound(&r, 0.5);
    }
    rollbacks_free(&r);
}

/* ---- Bounds that the model sets -------------------------------------------------------------- */

/* Finds the LP with the most work, and the LPs that have the greatest parts of the critical path: by the
 * times of handlers or, if these are not reliable, by numbers of events. */
static void hot_take(struct advise_facts *facts, const struct analyze *a)
{
    assert(a->n_lps > 0);
    const bool by_time = a->path_of == ANALYZE_TIME_LP;
    uint64_t most = 0, longest = 0, sum = 0, path[WS_PATH_LPS_FEW] = {0}, all = 0, half = 0;
    uint32_t n = 0;
    for (uint64_t lp = 0; lp < a->n_lps; lp++) {
        uint64_t work = by_time ? a->lps[lp].handler_time : a->lps[lp].events;
        uint64_t part = by_time ? a->more[lp].path_time : a->more[lp].path_events;
        sum += work;
        all += part;
        if (work > most || lp == 0) {
            most = work;
            facts->s.hot_lp = analyze_lp_number(a, lp);
        }
        longest = part > path[0] ? lp : longest;
        for (uint32_t i = 0; i < WS_PATH_LPS_FEW; i++) { /* keeps `path` in descending order */
            uint64_t lesser = part < path[i] ? part : path[i];
            path[i] = part < path[i] ? path[i] : part;
            part = lesser;
        }
    }
    facts->s.hot_by_time = by_time;
    facts->s.hot_part = sum > 0 ? (double)most / (double)sum : (double)NAN;
    uint32_t type = a->lps[longest].type;
    snprintf(facts->s.path_type, sizeof facts->s.path_type, "%.*s", (int)WS_STUDY_NAME - 1,
             type == 0 ? "" : analyze_type_name(a, type));
    facts->s.path_lp = analyze_lp_number(a, longest);
    for (n = 0; n < WS_PATH_LPS_FEW && half < all - all / 2; n++) {
        half += path[n];
    }
    facts->s.path_lps = half < all - all / 2 || all == 0 ? 0 : n;
}

/* Sets facts->s.shares[r] to the share of the work that suits the speed of rank r, and facts->s.costs[r] to
 * costs[r]. If memory is exhausted, leaves facts->s.shares NULL. */
static void shares_set(struct advise_facts *facts, const struct analyze *a, const double *costs)
{
    assert(a->n_ranks == facts->e.ranks && facts->s.shares == NULL);
    size_t n = a->n_ranks;
    double engine = ENGINE_NS * (double)a->events / fmax(1.0, (double)a->handler_time);
    double speeds = 0.0;
    facts->s.shares = malloc(n * sizeof *facts->s.shares);
    facts->s.costs = malloc(n * sizeof *facts->s.costs);
    if (facts->s.shares == NULL || facts->s.costs == NULL) {
        free(facts->s.shares);
        facts->s.shares = NULL;
        return;
    }
    for (size_t r = 0; r < n; r++) {
        facts->s.costs[r] = costs[r];
        facts->s.shares[r] = 1.0 / (costs[r] + engine);
        speeds += facts->s.shares[r];
    }
    for (size_t r = 0; r < n; r++) {
        facts->s.shares[r] /= speeds;
    }
}

/* Returns true if the trace has types of LPs: otherwise LPs that do different things have the same one. */
static bool has_types(const struct analyze *a)
{
    bool has = false;
    for (uint64_t lp = 0; lp < a->n_lps && !has; lp++) {
        has = a->lps[lp].type != 0;
    }
    return has;
}

/* Finds the rank whose events take longest. If they take at least WS_SLOW_TIMES as long as the events
 * of the other ranks, sets the share of the work that each rank should get. costs[r]: the
 * relative time of an event on rank r; 0: not known. */
static void speeds_take(struct advise_facts *facts, const struct analyze *a, const double *costs)
{
    double all = 0.0, most = 0.0;
    for (uint32_t r = 0; r < a->n_ranks; r++) {
        if (!(costs[r] > 0.0)) {
            return;
        }
        all += costs[r];
        if (costs[r] > most) {
            most = costs[r];
            facts->s.slow_rank = r;
        }
    }
    facts->s.slow_times = most * (a->n_ranks - 1) / (all - most);
    if (facts->s.slow_times >= WS_SLOW_TIMES && a->n_ranks == facts->e.ranks) {
        shares_set(facts, a, costs);
    }
}

static void study_model(struct advise_facts *facts, struct ws_file *trace)
{
    const bool pe_costs = facts->e.ranks > 1 && facts->e.ranks <= 1024;
    const struct analyze_options options = {.top = 1, .pe_costs = pe_costs};
    struct analyze *a = facts->s.speed_up_why == NULL ? calloc(1, sizeof *a) : NULL;
    if (a == NULL) {
        return;
    }
    if (analyze_run(a, trace, &options)) {
        facts->s.speed_up = analyze_speed_up(a, a->path_of);
        if (a->trace.times.is_timed && !(facts->e.handler_seconds > 0.0)) { /* no end states it */
            facts->e.handler_seconds =
                1e-9 * (double)a->handler_time / fmax(1e3, (double)a->events);
        }
        hot_take(facts, a);
        if (facts->s.hot_by_time && a->trace.times.pe_costs != NULL && has_types(a)) {
            speeds_take(facts, a, a->trace.times.pe_costs);
        }
        double lookahead = analyze_lookahead(a);
        if (lookahead > 0.0 && isfinite(lookahead) && a->n_windows > 0 && a->missing == 0) {
            const struct analyze_window *w = &a->windows[0];
            facts->s.lookahead = lookahead;
            facts->s.window_events = (double)w->events / fmax(1.0, (double)w->windows);
        }
    } else {
        facts->s.speed_up_why = "The trace cannot be analysed.";
    }
    analyze_free(a);
    free(a);
}

/* ---- More ranks ------------------------------------------------------------------------------ */

/* Predicts the placement that METIS finds on n_ranks ranks. */
static struct ws_more more_find(struct partition_counts *counts, uint32_t n_ranks)
{
    struct partition p = {.n_ranks = n_ranks, .cut = {1, 0.03, NULL}, .graph = &counts->graph};
    struct ws_more more = {.in_order = 0.0};
    if (partition_make(&p)) {
        const struct partition_sums *sums = &p.sums[p.chosen];
        partition_bounds_find(&p, &counts->trace);
        more = (struct ws_more){.remote = sums->remote / fmax(1.0, (double)counts->graph.events),
                                .offset = sums->offset,
                                .in_order = sums->in_order,
                                .balance = sums->balance};
    }
    partition_free(&p);
    return more;
}

/* Predicts placements on ws_ranks_more() ranks. */
static void study_more(struct advise_facts *facts, struct ws_file *trace)
{
    struct partition_counts counts;
    const uint32_t n = ws_ranks_more(&facts->e);
    if (n == 0 || partition_cut_missing() != NULL) {
        return;
    }
    assert(n > facts->e.ranks);
    if (partition_counts_read(&counts, trace, PARTITION_ANY, fmax(0.0, facts->e.lookahead))) {
        facts->s.more_ranks = n;
        if (counts.graph.group != NULL) {
            facts->s.more[1] = more_find(&counts, n);
            free(counts.graph.group);
            counts.graph.group = NULL;
        }
        facts->s.more[0] = more_find(&counts, n);
    }
    partition_counts_free(&counts);
}

/* Takes what the machine predicts for ws_ranks_more() ranks and for those of the run, where handlers were
 * timed. What an event takes is then the median of its type of LP and kind, as in "warpscope predict". */
static void study_predicted(struct advise_facts *facts, struct ws_file *trace)
{
    struct predict p = {.optimistic = true, .conservative = true};
    const uint32_t more = facts->s.more_ranks, now = facts->e.ranks;
    if (!facts->e.handlers_timed || partition_cut_missing() != NULL ||
        facts->s.speed_up_why != NULL || trace->records > PREDICTED_EVENTS_MAX) {
        return;
    }
    p.ranks[p.n_ranks++] = now;
    if (more > now) {
        p.ranks[p.n_ranks++] = more;
    }
    predict_costs_init(&p.costs, &facts->e);
    if (predict_find(&p, trace, &facts->e)) {
        facts->e.handler_seconds = 1e-9 * p.source.handlers_ns / p.source.n;
        for (uint32_t i = 1; i < p.n; i++) {
            const struct predict_row *row = &p.rows[i];
            const bool is_optimistic = row->scheduler == PREDICT_OPTIMISTIC;
            double *to = row->ranks != now
                             ? is_optimistic ? &facts->s.more_optimistic : &facts->s.more_windows
                         : is_optimistic || ws_placement_helps(&facts->e) ? NULL
                                                                          : &facts->s.windows;
            if (to != NULL) {
                *to = row->seconds;
            }
            facts->s.n_windows = is_optimistic ? facts->s.n_windows : (double)row->run.rounds;
        }
    }
    predict_source_free(&p.source);
}

bool advise_study(struct advise_facts *facts, struct ws_figures *run, const char *map,
                  struct ws_outs *outs)
{
    struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_EVTRACE);
    facts_begin(facts, run, map);
    if (ws_evidence_lacks(&facts->e) != NULL) {
        facts->e.study = NULL; /* a part of a trace does not tell what the whole one does */
    } else if (file != NULL) {
        study_model(facts, &file->stream);
        study_rollbacks(facts, &file->stream);
        if (!study_placement(facts, &file->stream, outs)) {
            return false;
        }
        study_more(facts, &file->stream); /* takes what the others found */
        study_predicted(facts, &file->stream);
    }
    return true;
}
