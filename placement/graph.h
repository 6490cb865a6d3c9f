/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - the graph of the LPs of a run: the load of each LP, and the number of events between
 * each pair of LPs. LPs are numbered from 0 in the order of their gids, also if gids have holes.
 *
 * "warpscope partition" reads these numbers from a recording. A run with --map=auto counts its own
 * events.
 *
 * Memory: 28 bytes per LP, 4 more where LPs are grouped, 24 per pair.
 */
#ifndef WARPSCOPE_PLACEMENT_GRAPH_H
#define WARPSCOPE_PLACEMENT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PARTITION_LPS_MAX    ((uint64_t)1 << 28)
#define PARTITION_UNKNOWN_PE UINT32_MAX

/* A pair of LPs that exchange events. */
struct partition_pair {
    uint64_t key;    /* smaller LP << 32 | larger LP */
    uint64_t events; /* number of events in both directions */
};

struct partition_graph {
    uint64_t n_lps;
    /* Number of ranks of the run whose events were counted; 0: LPs moved between ranks. */
    uint32_t n_pes;
    uint64_t *received; /* owned; [lp]: number of events that the LP received */
    /* Owned; [lp]: number of received events, or their total duration in ns. */
    uint64_t *load;
    uint32_t *pe;        /* owned; [lp]: PE of the LP, or PARTITION_UNKNOWN_PE */
    uint64_t events;     /* number of all events */
    uint64_t self;       /* number of events from an LP to itself */
    uint64_t total_load; /* sum of the elements of load */
    bool by_time;        /* true if load is in nanoseconds */
    bool all_executed;   /* true if rolled-back events are counted as well */
    /* Lists of neighbours, set by partition_graph_link(): LP i exchanges events with the LPs
     * to[begin[i]] to to[begin[i + 1] - 1], in ascending order. */
    uint64_t *begin;  /* owned; n_lps + 1 elements */
    uint32_t *to;     /* owned */
    uint64_t *weight; /* owned; [k]: number of events with LP to[k], in both directions */
    size_t n_pairs;   /* number of pairs of LPs; each is in two lists */
    uint32_t
        *group; /* owned; [lp]: an LP of the same group (groups.c); NULL: LPs are not grouped */
};

/* Allocates the arrays that are indexed by LP. All elements are zero, except that all PEs are
 * unknown. Returns false if memory is exhausted. The caller must free the graph also after a
 * failure. */
bool partition_graph_init(struct partition_graph *g, uint64_t n_lps);
void partition_graph_free(struct partition_graph *g);

/* Builds the lists of neighbours from n pairs, and sums up the load. The keys of the pairs must be
 * ascending and distinct. The caller has set load and received. Returns false if memory is
 * exhausted. */
bool partition_graph_link(struct partition_graph *g, const struct partition_pair *pairs, size_t n);

/* Puts the groups of two LPs together: they must be on one rank. At first, each LP is a group. Returns false
 * if memory is exhausted. */
bool partition_graph_group(struct partition_graph *g, uint32_t a, uint32_t b);

static inline uint64_t partition_pair_key(uint64_t a, uint64_t b)
{
    return a < b ? a << 32 | b : b << 32 | a;
}

/* Returns true if the LP has sent or received at least one event. */
static inline bool partition_graph_is_active(const struct partition_graph *g, uint64_t lp)
{
    return g->received[lp] > 0 || g->begin[lp + 1] > g->begin[lp];
}

#endif
