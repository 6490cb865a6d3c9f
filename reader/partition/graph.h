/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - the graph of the LPs of a trace: load of each LP, and events between each pair of LPs
 * (inside partition only).
 *
 * Memory: 33 bytes per LP. For pairs of LPs at most 192 MiB while events are counted, the rest is in
 * a temporary file (graph/edges.h); then 40 to 56 bytes per pair while they are sorted, 24 after it.
 */
#ifndef WARPSCOPE_READER_PARTITION_GRAPH_H
#define WARPSCOPE_READER_PARTITION_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/edges.h"

struct ws_file;

#define PARTITION_LPS_MAX    ((uint64_t)1 << 28)
#define PARTITION_UNKNOWN_PE UINT32_MAX

struct partition_graph {
    uint64_t n_lps;
    uint32_t n_pes;      /* ranks of the run that was recorded */
    uint64_t *received;  /* owned; events that each LP received */
    uint64_t *load;      /* owned; what its events cost: their number, or nanoseconds */
    uint32_t *pe;        /* owned; PE that had the LP, or PARTITION_UNKNOWN_PE */
    uint64_t events;     /* all events */
    uint64_t self;       /* events of LPs to themselves */
    uint64_t total_load; /* sum of load */
    bool by_time;        /* true if load is in nanoseconds */
    bool all_executed;   /* true if the trace has events that were rolled back as well */
    uint64_t n_timed;    /* events whose handler was timed */
    double time;         /* sum of these times in ns */
    /* Pairs by LP, after partition_graph_finish(): the neighbours of LP i are to[begin[i]] to
     * to[begin[i + 1] - 1], in ascending order. */
    uint64_t *begin;  /* owned; n_lps + 1 elements */
    uint32_t *to;     /* owned */
    uint64_t *weight; /* owned; events in both directions */
    size_t n_pairs;
    struct ws_edges pairs; /* the pairs before that; the smaller LP counts as the sender */
    uint64_t *timed;       /* owned; by LP, number of events with a time */
};

/* Measures for the load of an LP. */
enum partition_weights {
    PARTITION_EVENTS,
    PARTITION_TIMES, /* times of handlers, if the file has them */
    PARTITION_STEADY /* the same without handlers that seem to have been interrupted */
};

/* Reads the events of a stream, all parts. Returns false after a message. Must be freed in any
 * case. */
bool partition_graph_read(struct partition_graph *g, struct ws_file *file,
                          enum partition_weights weights);
void partition_graph_free(struct partition_graph *g);

/* Allocates the arrays of LPs. Returns false if out of memory. */
bool partition_graph_init(struct partition_graph *g, uint64_t n_lps);
/* Counts an event. handler_ns: time of its handler; negative: not measured. Returns false after a
 * message. */
bool partition_graph_add(struct partition_graph *g, uint32_t src, uint32_t dest,
                         int64_t handler_ns);
/* Returns the time of a handler, or -1, not measured, if it is a millisecond or more and a hundred
 * times the mean so far: the system probably ran something else meanwhile. */
int64_t partition_graph_steady(const struct partition_graph *g, int64_t handler_ns);
/* Sorts the pairs, and sets load. Returns false after a message. */
bool partition_graph_finish(struct partition_graph *g, bool by_time);

/* Returns true if the LP has sent or received an event. */
static inline bool partition_graph_is_active(const struct partition_graph *g, uint64_t lp)
{
    return g->received[lp] > 0 || g->begin[lp + 1] > g->begin[lp];
}

#endif
