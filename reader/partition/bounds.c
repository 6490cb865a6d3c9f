/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds.c - finds, in one pass over a trace, upper bounds on the speed-up that placements of the
 * LPs allow; see partition.h. Paths are found as in analyze/forward.c.
 *
 * A placement has two bounds on its speed-up over a run with one rank. First, a run takes at least
 * the time of the critical path, and at least the time of the work of the busiest rank. Second, a
 * run in which each rank executes its events in event order takes at least the time of a longer
 * path. On that path, consecutive events of a rank also depend on each other. analyze/analyze.h
 * defines dependencies and paths.
 *
 * Memory: 8 bytes per LP, 16 per rank of each placement, and that of analyze_causes_walk().
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/open_events.h"
#include "cli/messages.h"
#include "partition/partition.h"

_Static_assert(PARTITION_KINDS < ANALYZE_LENGTHS, "an open event has a length per placement");

/* A rank of a placement. length: length of the longest path that ends with the last event of the
 * rank; work: sum of the weights of its events. */
struct bound_rank {
    uint64_t length, work;
};

/* A placement with bounds. */
struct placement {
    const uint32_t *rank_of;  /* borrowed; [lp]: its rank; NULL: as recorded */
    struct bound_rank *ranks; /* owned */
    uint32_t n;               /* number of ranks */
    double offset; /* least offset of an event between its ranks so far; not as recorded */
    struct partition_sums *sums;
};

struct pass {
    const struct analyze_trace *trace;
    /* Owned; [lp]: length of the longest path that ends with its last event, without a placement. */
    uint64_t *lps;
    struct placement placements[PARTITION_KINDS];
    uint32_t n; /* number of placements */
    /* Lengths of the critical path: [0] without a placement, [1 + k] with placement k. */
    uint64_t lengths[ANALYZE_LENGTHS];
    uint64_t work;
};

/* Computes the lengths of the longest paths that end with event e, and stores them in *now, for its LP,
 * and in the rank of the event in each placement. */
static void lengths_add(const struct analyze_event *e, const struct analyze_open *cause,
                        struct analyze_open *now, void *ctx)
{
    struct pass *p = ctx;
    uint64_t *lp = &p->lps[e->lp];
    uint64_t weight = p->trace->times.is_timed ? e->handler_time : 1;
    uint64_t from = cause == NULL ? *lp : analyze_larger(*lp, cause->lengths[0]);
    now->lengths[0] = *lp = analyze_add(from, weight);
    p->lengths[0] = analyze_larger(p->lengths[0], *lp);
    p->work = analyze_add(p->work, weight);
    for (uint32_t k = 0; k < p->n; k++) {
        const uint32_t *rank_of = p->placements[k].rank_of;
        struct bound_rank *rank = &p->placements[k].ranks[rank_of == NULL ? e->pe : rank_of[e->lp]];
        /* The difference may be less than the offset by a rounding error. First events do not count. */
        double offset = e->ts - e->send_ts + DBL_EPSILON * e->ts;
        if (rank_of != NULL && rank_of[e->src] != rank_of[e->lp] && e->send_order >= 0 &&
            offset < p->placements[k].offset) {
            p->placements[k].offset = offset;
        }
        from = cause == NULL ? rank->length : analyze_larger(rank->length, cause->lengths[k + 1]);
        now->lengths[k + 1] = rank->length = analyze_add(from, weight);
        rank->work = analyze_add(rank->work, weight);
        p->lengths[k + 1] = analyze_larger(p->lengths[k + 1], rank->length);
    }
}

static double ratio(uint64_t work, uint64_t length)
{
    return length > 0 ? (double)work / (double)length : 0.0;
}

static void results_take(const struct pass *p, struct partition *partition)
{
    partition->any = ratio(p->work, p->lengths[0]);
    for (uint32_t k = 0; k < p->n; k++) {
        const struct placement *placement = &p->placements[k];
        uint64_t most = 0;
        for (uint32_t r = 0; r < placement->n; r++) {
            most = analyze_larger(most, placement->ranks[r].work);
        }
        placement->sums->at_most = ratio(p->work, analyze_larger(most, p->lengths[0]));
        placement->sums->in_order = ratio(p->work, p->lengths[k + 1]);
        placement->sums->offset = placement->offset;
    }
}

/* Returns false if out of memory. */
static bool pass_init(struct pass *p, struct partition *partition)
{
    bool good = (p->lps = calloc(p->trace->lps.n, sizeof *p->lps)) != NULL;
    for (int kind = 0; kind < PARTITION_KINDS; kind++) {
        if (partition->sums[kind].known && partition->ranks[kind] != NULL) {
            bool recorded = kind == PARTITION_RECORDED;
            struct placement *to = &p->placements[p->n++];
            *to = (struct placement){.rank_of = recorded ? NULL : partition->ranks[kind],
                                     .n = recorded ? p->trace->n_pes : partition->n_ranks,
                                     .offset = HUGE_VAL,
                                     .sums = &partition->sums[kind]};
            to->ranks = calloc(to->n, sizeof *to->ranks);
            good = good && to->ranks != NULL;
        }
    }
    return good || ws_no_memory(NULL);
}

void partition_bounds_find(struct partition *partition, struct analyze_trace *trace)
{
    assert(partition->graph != NULL && partition->n_ranks > 0);
    const struct ws_file *where;
    partition->any = 0.0;
    if (ws_trace_problem(trace->file, ANALYZE_NEEDS, &where, &partition->bounds_why) != NULL) {
        return;
    }
    if (!trace->is_exact) {
        partition->bounds_why = "record with this version of Warpscope";
        return;
    }
    struct pass p = {.trace = trace};
    partition->bounds_why = "out of memory";
    if (pass_init(&p, partition) &&
        analyze_causes_walk(trace, lengths_add, &p, &partition->causes_missing)) {
        partition->bounds_why = NULL;
        results_take(&p, partition);
    }
    for (uint32_t k = 0; k < p.n; k++) {
        free(p.placements[k].ranks);
    }
    free(p.lps);
}
