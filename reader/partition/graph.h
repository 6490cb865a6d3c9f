/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - counts the events of a trace by LP and by pair of LPs (inside partition only).
 *
 * Memory: 36 bytes per LP. For pairs of LPs at most 192 MiB while events are counted, the rest is in
 * a temporary file (graph/edges.h); then 40 to 56 bytes per pair while they are sorted, 24 after it.
 */
#ifndef WARPSCOPE_READER_PARTITION_GRAPH_H
#define WARPSCOPE_READER_PARTITION_GRAPH_H

#include "graph/edges.h"
#include "placement/graph.h"

struct ws_file;

struct partition_counts {
    struct partition_graph graph; /* complete after partition_counts_finish() */
    /* The pairs so far; the LP with the smaller number is stored as the sender. */
    struct ws_edges pairs;
    uint64_t *timed;  /* owned; by LP, number of events with a time */
    uint64_t n_timed; /* events whose handler was timed */
    double time;      /* sum of these times in ns */
};

/* Measures for the load of an LP. */
enum partition_weights {
    PARTITION_EVENTS,
    PARTITION_TIMES, /* times of handlers, if the file has them */
    /* Like PARTITION_TIMES, but without handlers that seem to have been interrupted. */
    PARTITION_STEADY
};

/* Reads the events of all parts of a stream. Returns false after a message on stderr. *c must be
 * freed in any case. */
bool partition_counts_read(struct partition_counts *c, struct ws_file *file,
                           enum partition_weights weights);
void partition_counts_free(struct partition_counts *c);

/* Allocates the arrays of LPs. Returns false if out of memory. */
bool partition_counts_init(struct partition_counts *c, uint64_t n_lps);
/* Counts an event. handler_ns: time of its handler; negative: not measured. Returns false after a
 * message. */
bool partition_counts_add(struct partition_counts *c, uint32_t src, uint32_t dest,
                          int64_t handler_ns);
/* Returns the time of a handler. If it is at least a millisecond and a hundred times the mean so
 * far, returns -1, not measured: the system probably ran another program in the meantime. */
int64_t partition_counts_steady(const struct partition_counts *c, int64_t handler_ns);
/* Sorts the pairs, and sets load. Returns false after a message. */
bool partition_counts_finish(struct partition_counts *c, bool by_time);

#endif
