/* SPDX-License-Identifier: BSD-3-Clause */
/* find.c - places the LPs for each number of ranks, and lets the machine execute the events; see predict.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "cli/messages.h"
#include "findings/findings.h"
#include "partition/partition.h"
#include "predict/predict.h"

#define EVENT_BYTES 112.0 /* of an event without its message */
/* A bound limits a run whose time is at most this many times as long. */
#define BOUND_NEAR 1.25
/* Smallest part of the ranks' time that is named as the limit of a run. */
#define PART_MUCH 0.15

/* ---- Events as the machine wants them -------------------------------------------------------- */

/* The recorded events with the LPs on some ranks. */
struct placed {
    const struct predict_source *source;
    const uint32_t *rank, *kp; /* borrowed; [LP] */
    uint32_t *starts;          /* owned; the events without a cause, sorted by rank */
    uint32_t *begin;           /* owned; [rank]: first of its start events; n_ranks + 1 elements */
    double event_ns;           /* by which an event takes longer than its handler */
    double undo_ns;
};

static struct wp_event event_of(const struct placed *placed, uint32_t i)
{
    const struct predict_source *s = placed->source;
    return wp_event_make(s->at[i], i, placed->kp[s->lp[i]]);
}

static bool start(const void *ctx, uint32_t rank, uint32_t i, struct wp_event *event)
{
    const struct placed *placed = ctx;
    const uint32_t at = placed->begin[rank] + i;
    if (at >= placed->begin[rank + 1]) {
        return false;
    }
    *event = event_of(placed, placed->starts[at]);
    return true;
}

static uint32_t next(const void *ctx, uint32_t rank, const struct wp_event *event,
                     struct wp_step *out)
{
    const struct placed *placed = ctx;
    const struct predict_source *s = placed->source;
    const uint64_t i = wp_number(event);
    (void)rank;
    for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) {
        *out++ =
            (struct wp_step){event_of(placed, s->effects[k]), placed->rank[s->lp[s->effects[k]]]};
    }
    return s->first[i + 1] - s->first[i];
}

static struct wp_cost cost(const void *ctx, const struct wp_event *event)
{
    const struct placed *placed = ctx;
    const double ns = placed->source->cost[wp_number(event)] + placed->event_ns;
    return (struct wp_cost){(float)ns, (float)placed->undo_ns};
}

/* Sorts the start events by their ranks. Returns false if memory is exhausted. */
static bool starts_sort(struct placed *placed, uint32_t n_ranks)
{
    const struct predict_source *s = placed->source;
    placed->starts = malloc((size_t)s->n * sizeof *placed->starts);
    placed->begin = calloc((size_t)n_ranks + 2, sizeof *placed->begin);
    if (placed->starts == NULL || placed->begin == NULL) {
        return false;
    }
    for (uint32_t k = s->first[s->n]; k < s->n; k++) {
        placed->begin[placed->rank[s->lp[s->effects[k]]] + 2]++;
    }
    for (uint32_t r = 2; r <= n_ranks + 1; r++) {
        placed->begin[r] += placed->begin[r - 1];
    }
    for (uint32_t k = s->first[s->n]; k < s->n; k++) {
        const uint32_t i = s->effects[k];
        placed->starts[placed->begin[placed->rank[s->lp[i]] + 1]++] = i;
    }
    return true;
}

/* ---- Runs of the machine --------------------------------------------------------------------- */

static void limit_find(struct predict_row *row, const struct predict *p)
{
    double most = PART_MUCH;
    row->limit = PREDICT_BY_NOTHING;
    for (int i = PREDICT_BY_UNDONE; i < PREDICT_LIMITS; i++) {
        row->limit = row->parts[i] > most ? (enum predict_limit)i : row->limit;
        most = fmax(most, row->parts[i]);
    }
    if (row->load_seconds * BOUND_NEAR >= row->seconds &&
        row->load_seconds * row->ranks >= BOUND_NEAR * p->alone_seconds) {
        row->limit = PREDICT_BY_LOAD;
    }
    if (row->ranks > 1 && row->path_seconds * BOUND_NEAR >= row->seconds) {
        row->limit = PREDICT_BY_PATH;
    }
}

/* Sets what the machine needs to know beside its source. */
static void model_set(struct wp_model *m, const struct predict *p, const struct wp_source *source,
                      const struct predict_row *row, uint32_t kps)
{
    const struct predict_costs *c = &p->costs;
    const uint32_t ranks = row->ranks;
    const bool is_one_host = c->per_host < 1 || ranks <= c->per_host;
    *m = (struct wp_model){.source = source,
                           .ranks = ranks,
                           .kps = kps,
                           .batch = 16,
                           .fanout = is_one_host && ranks > 1 ? ranks - 1 : 4,
                           .per_host = is_one_host ? ranks : (uint32_t)c->per_host,
                           .event_bytes = (uint32_t)p->event_bytes,
                           .end = INFINITY,
                           .windows = row->scheduler == PREDICT_CONSERVATIVE,
                           .prepares = !is_one_host,
                           .machine = c->machine};
    m->machine.byte_ns = c->bytes / c->bandwidth;
    m->machine.hop_ns = is_one_host ? m->machine.near_ns
                                    : m->machine.latency_ns + m->machine.send_ns +
                                          m->machine.receive_ns + m->machine.turn_ns;
    if (m->windows) {
        m->bound = p->lookahead;
        m->machine.turn_ns = 0; /* a window is executed in a loop of its own */
    }
    wp_model_complete(m, c->cores >= 1 && c->cores < ranks ? (uint32_t)c->cores : 0, 0);
}

/* Sets what follows from row->run. */
static void run_take(struct predict_row *row)
{
    const struct wp_times *t = &row->run.times;
    const double all = fmax(1.0, row->run.time_ns * row->ranks);
    const double redone =
        t->execute_ns * (double)row->run.sums.undone / fmax(1, (double)row->run.sums.executed);
    row->seconds = 1e-9 * row->run.time_ns;
    row->parts[PREDICT_BY_NOTHING] = (t->execute_ns - redone) / all;
    row->parts[PREDICT_BY_UNDONE] = (t->undo_ns + redone) / all;
    row->parts[PREDICT_BY_MESSAGES] = (t->receive_ns + t->send_ns) / all;
    row->parts[PREDICT_BY_GVT] = t->gvt_ns / all;
    row->parts[PREDICT_BY_WAITING] =
        1 - (t->execute_ns + t->undo_ns + t->receive_ns + t->send_ns + t->gvt_ns) / all;
}

static int by_seconds(const void *a, const void *b)
{
    const struct predict_row *x = a, *y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int by_undone(const void *a, const void *b)
{
    const struct predict_row *x = a, *y = b;
    return (x->run.sums.undone > y->run.sums.undone) - (x->run.sums.undone < y->run.sums.undone);
}

/* Executes the events some times on machines that are disturbed in different ways, and adds a row: the
 * median time, and the rest of the run with the median number of undone events. Returns false if memory is
 * exhausted. */
static bool row_add(struct predict *p, struct predict_row row, struct wp_model *m)
{
    struct predict_row runs[PREDICT_RUNS], *to = &p->rows[p->n++];
    const uint32_t n = m->windows ? 1 : PREDICT_RUNS;
    for (uint32_t i = 0; i < n; i++) {
        runs[i] = row;
        m->machine.seed = i;
        if (!wp_run(m, &runs[i].run)) {
            return false;
        }
        run_take(&runs[i]);
    }
    qsort(runs, n, sizeof runs[0], by_seconds);
    const double middle = runs[n / 2].seconds, least = runs[0].seconds, most = runs[n - 1].seconds;
    qsort(runs, n, sizeof runs[0], by_undone);
    *to = runs[n / 2];
    to->seconds = middle;
    to->least = least;
    to->most = most;
    to->undone_least = runs[0].run.sums.undone;
    to->undone_most = runs[n - 1].run.sums.undone;
    to->speed_up = p->alone_seconds / to->seconds;
    limit_find(to, p);
    return true;
}

/* Predicts runs on `ranks` ranks with a placement. Returns false after an error message. */
static bool placement_run(struct predict *p, const struct partition_graph *graph, uint32_t ranks,
                          uint32_t kps, enum predict_scheduler scheduler)
{
    struct partition place = {
        .n_ranks = ranks, .n_kps = kps, .cut = {1, 0.03, NULL}, .graph = graph};
    struct placed placed = {.source = &p->source,
                            .event_ns = p->event_ns +
                                        (scheduler == PREDICT_OPTIMISTIC ? p->costs.keep_ns : 0),
                            .undo_ns = p->costs.undo_ns};
    struct wp_source source = {.ctx = &placed,
                               .most = p->source.most_effects,
                               .n_events = p->source.n,
                               .start = start,
                               .next = next,
                               .cost = cost};
    struct predict_row row = {.ranks = ranks, .scheduler = scheduler};
    struct wp_model m;
    bool good = partition_make(&place);
    if (!good) {
        partition_free(&place);
        return ws_say(&ws_on_stderr, "%s", place.why);
    }
    placed.rank = place.rank;
    placed.kp = place.kp;
    model_set(&m, p, &source, &row, kps);
    good = starts_sort(&placed, ranks) &&
           predict_bounds_find(&row, p, place.rank,
                               m.machine.near_ns + m.machine.send_ns + m.machine.receive_ns) &&
           row_add(p, row, &m);
    free(placed.starts);
    free(placed.begin);
    partition_free(&place);
    return good || ws_no_memory(NULL);
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Sets what one rank needs, and thereby what an event takes. Returns false after an error message. */
static bool alone_set(struct predict *p, const struct ws_file *trace, const struct ws_evidence *e)
{
    struct predict_source *s = &p->source;
    struct ws_evidence typical = *e;
    const bool is_timed = s->trace.times.is_timed;
    if (!is_timed && !ws_alone_is_known(e)) {
        return ws_refuse(trace->path, "what its events took is not known",
                         "record a run with --event-trace=3 --event-times=1");
    }
    if (is_timed) {
        typical.handler_seconds = 1e-9 * s->handlers_ns / s->n;
        typical.sum.committed = s->n;
    }
    p->alone_seconds = ws_seconds_alone(&typical);
    p->event_ns = (1e9 * p->alone_seconds - s->handlers_ns) / s->n;
    if (p->event_ns < 0.0) { /* handlers saved states, which one rank does not */
        const float part = (float)(1e9 * p->alone_seconds / s->handlers_ns);
        for (uint32_t i = 0; i < s->n; i++) {
            s->cost[i] *= part;
        }
        p->event_ns = 0.0;
    }
    p->event_bytes = EVENT_BYTES + ws_fact_number(trace->sb, "message_size", 0.0);
    return true;
}

/* Sets the lookahead of conservative runs, or why there are none. */
static void lookahead_set(struct predict *p, const struct ws_evidence *e)
{
    const double least = p->source.lookahead;
    if (!(p->lookahead > 0.0)) {
        p->lookahead = e->lookahead > 0.0 ? e->lookahead : isfinite(least) ? least : 0.0;
    }
    p->no_windows = p->lookahead > 0.0 ? NULL
                                       : "No conservative run is predicted: the model has no "
                                         "lookahead, and --lookahead gives none.";
}

bool predict_find(struct predict *p, struct ws_file *trace, const struct ws_evidence *e)
{
    struct partition_counts counts = {.lookahead = 0}, groups = {.lookahead = 0};
    const uint32_t kps = (uint32_t)fmin(256, e->kps_per_pe > 0 ? (double)e->kps_per_pe : 16);
    if (partition_cut_missing() != NULL) {
        return ws_say(&ws_on_stderr, "%s", partition_cut_missing());
    }
    if (!predict_source_read(&p->source, trace) || !alone_set(p, trace, e)) {
        return false;
    }
    lookahead_set(p, e);
    p->rows[p->n++] = (struct predict_row){.ranks = 1,
                                           .scheduler = PREDICT_SEQUENTIAL,
                                           .seconds = p->alone_seconds,
                                           .least = p->alone_seconds,
                                           .most = p->alone_seconds,
                                           .speed_up = 1.0,
                                           .parts[PREDICT_BY_NOTHING] = 1.0};
    const bool windows = p->conservative && p->no_windows == NULL;
    p->is_grouped = windows && p->lookahead > p->source.lookahead * (1.0 + 1e-9);
    bool good =
        partition_counts_read(&counts, trace, PARTITION_ANY, 0.0) &&
        (!p->is_grouped || partition_counts_read(&groups, trace, PARTITION_ANY, p->lookahead));
    for (uint32_t i = 0; good && i < p->n_ranks; i++) {
        if (p->ranks[i] > 1) {
            good = (!p->optimistic ||
                    placement_run(p, &counts.graph, p->ranks[i], kps, PREDICT_OPTIMISTIC)) &&
                   (!windows || placement_run(p, p->is_grouped ? &groups.graph : &counts.graph,
                                              p->ranks[i], kps, PREDICT_CONSERVATIVE));
        }
    }
    partition_counts_free(&counts);
    partition_counts_free(&groups);
    return good;
}
