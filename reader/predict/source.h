/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.h - the committed events of a trace with the events that each caused, in memory, and the longest
 * paths through them. Used only in reader/.
 *
 * Events are numbered from 0 in the order of the walk over the trace (analyze/trace.h): causes, and earlier
 * events of an LP, come first. The events that event i caused are effects[first[i]] to
 * effects[first[i + 1] - 1], in this order. Those from effects[first[n]] on have no cause in the trace.
 *
 * Memory: 24 bytes per event; 12 more while a path is looked for. Up to PREDICT_EVENTS_MAX events are read.
 */
#ifndef WARPSCOPE_READER_PREDICT_SOURCE_H
#define WARPSCOPE_READER_PREDICT_SOURCE_H

#include "analyze/trace.h"

#define PREDICT_EVENTS_MAX ((uint64_t)1 << 27)

struct predict_source {
    struct analyze_trace trace;
    uint32_t n;
    double *at;                /* owned; [event]: virtual time */
    uint32_t *lp;              /* owned; [event]: place of its LP in trace.lps */
    float *cost;               /* owned; [event]: time of its handler in ns; 0: not timed */
    uint32_t *first, *effects; /* owned; n + 1 and n elements */
    uint32_t missing;          /* number of those of them that have one outside of the trace */
    uint32_t most_effects;     /* largest number of events that one event caused */
    double handlers_ns;        /* sum of the times of handlers */
    double lookahead;          /* least offset of an event between two LPs; infinite: none */
};

/* Reads the committed events of an open trace. Returns false after an error message. The caller must call
 * predict_source_free() in either case. */
bool predict_source_read(struct predict_source *s, struct ws_file *file);
void predict_source_free(struct predict_source *s);

/* The longest chain of events that follow one another on an LP or by cause, each of which takes the time of
 * its handler and `engine_ns`, and `remote_ns` more to reach another rank. */
struct predict_path {
    double ns;    /* its length */
    uint32_t lp;  /* place of the LP that has the greatest part of it */
    double share; /* that part */
};
/* Finds it for a placement; rank_of: [place of an LP]; NULL: all are on one rank. Returns false if memory is
 * exhausted. */
bool predict_path_find(struct predict_path *path, const struct predict_source *s, double engine_ns,
                       const uint32_t *rank_of, double remote_ns);

#endif
