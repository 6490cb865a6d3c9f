/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partition.h - counts the events of a trace per LP and per pair of LPs, bounds the speed-up of
 * placements, and writes the results of "warpscope partition". Used only in reader/.
 *
 * Memory: 28 bytes per LP. The pairs of LPs take at most 192 MiB while events are counted; the rest
 * of them is in a temporary file (graph/edges.h). They take 40 to 56 bytes per pair while they are
 * sorted, and 24 bytes per pair afterwards.
 */
#ifndef WARPSCOPE_READER_PARTITION_PARTITION_H
#define WARPSCOPE_READER_PARTITION_PARTITION_H

#include <stdio.h>

#include "analyze/trace.h"
#include "cli/out.h"
#include "graph/edges.h"
#include "placement/place.h"

struct partition_counts {
    struct partition_graph graph; /* complete after partition_counts_finish() */
    /* All arrays, and partition_counts_add(), name an LP by its place in trace.lps. */
    struct analyze_trace trace;
    /* Pairs of LPs, one of which sent events to the other, among the events counted so far. In each
     * pair, the LP with the smaller number is stored as the sender. */
    struct ws_edges pairs;
    double
        lookahead; /* LPs with a lesser offset of an event between them are a group; 0: none are */
};

/* Measures of the load of an LP, in the order of the words of --weights. */
enum partition_weights {
    PARTITION_EVENTS,
    PARTITION_TIME, /* the weights of its events (analyze/times.h), if handlers were timed */
    PARTITION_ANY /* PARTITION_TIME if the sum of all LPs is reliable, otherwise PARTITION_EVENTS */
};

/* Reads the events of all parts of a stream into *c. lookahead: see struct partition_counts. Prints an error message on stderr and returns
 * false on failure. The caller must call partition_counts_free() in either case. */
bool partition_counts_read(struct partition_counts *c, struct ws_file *file,
                           enum partition_weights weights, double lookahead);
void partition_counts_free(struct partition_counts *c);

/* Allocates the members of *c that have one element per LP, and takes over the memory of *trace, which
 * must have at least one LP. Returns false if out of memory. */
bool partition_counts_init(struct partition_counts *c, const struct analyze_trace *trace);
/* Counts an event that LP src sent to LP dest. handler_ns: its weight in ns; 0: handlers were not timed.
 * Returns false after an error message. */
bool partition_counts_add(struct partition_counts *c, uint32_t src, uint32_t dest,
                          uint64_t handler_ns);
/* Sorts the pairs into c->graph, and sets its loads. by_time: true to take the weights as loads, false to
 * take the numbers of events. Returns false after an error message. */
bool partition_counts_finish(struct partition_counts *c, bool by_time);

/* Finds bounds on the speed-up of the placements in p, in one more pass over the trace that
 * partition_counts_read() opened. If the trace does not allow that, sets p->bounds_why to the reason. */
void partition_bounds_find(struct partition *p, struct analyze_trace *trace);

/* Writes the placement map to the file at `path`, in the format that the option --lp-map reads. trace:
 * the trace whose events p is for. Returns false after an error message. */
bool partition_map_save(struct ws_outs *outs, const char *path, const struct partition *p,
                        const struct analyze_trace *trace);

/* This function and the next print the prediction. source: the trace, or its path. map: path of the
 * placement map. */
void partition_text(FILE *out, const struct partition *p, const char *source, const char *map);
void partition_json(FILE *out, const struct partition *p, const struct ws_file *source,
                    const char *map);

#endif
