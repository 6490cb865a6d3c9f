/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - the graph of the LPs of a run: load of each LP, and events between each pair of LPs.
 *
 * "warpscope partition" reads it from a recording. A run with --map=auto counts its own events.
 *
 * Memory: 28 bytes per LP, 24 per pair.
 */
#ifndef WARPSCOPE_PLACEMENT_GRAPH_H
#define WARPSCOPE_PLACEMENT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PARTITION_LPS_MAX    ((uint64_t)1 << 28)
#define PARTITION_UNKNOWN_PE UINT32_MAX

/* A pair of LPs. */
struct partition_pair {
    uint64_t key;    /* smaller LP << 32 | larger LP */
    uint64_t events; /* number of events in both directions */
};

struct partition_graph {
    uint64_t n_lps;
    /* Ranks of the run whose events were counted; 0: LPs moved between ranks. */
    uint32_t n_pes;
    uint64_t *received;  /* owned; events that each LP received */
    uint64_t *load;      /* owned; cost of the events of each LP: their number, or nanoseconds */
    uint32_t *pe;        /* owned; PE of each LP, or PARTITION_UNKNOWN_PE */
    uint64_t events;     /* all events */
    uint64_t self;       /* events of LPs to themselves */
    uint64_t total_load; /* sum of load */
    bool by_time;        /* true if load is in nanoseconds */
    bool all_executed;   /* true if rolled-back events are counted as well */
    /* Pairs by LP, after partition_graph_link(): the neighbours of LP i are to[begin[i]] to
     * to[begin[i + 1] - 1], in ascending order. */
    uint64_t *begin;  /* owned; n_lps + 1 elements */
    uint32_t *to;     /* owned */
    uint64_t *weight; /* owned; events in both directions */
    size_t n_pairs;
};

/* Allocates the arrays of LPs, zeroed, with unknown PEs. Returns false if memory is exhausted. The
 * graph must be freed in any case. */
bool partition_graph_init(struct partition_graph *g, uint64_t n_lps);
void partition_graph_free(struct partition_graph *g);

/* Builds the lists of neighbours and sums up the load. The keys of pairs must be ascending and
 * distinct. The caller has set load and received. Returns false if memory is exhausted. */
bool partition_graph_link(struct partition_graph *g, const struct partition_pair *pairs, size_t n);

static inline uint64_t partition_pair_key(uint64_t a, uint64_t b)
{
    return a < b ? a << 32 | b : b << 32 | a;
}

/* Returns true if the LP has sent or received an event. */
static inline bool partition_graph_is_active(const struct partition_graph *g, uint64_t lp)
{
    return g->received[lp] > 0 || g->begin[lp + 1] > g->begin[lp];
}

#endif
