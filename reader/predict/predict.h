/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.h - what a recorded run would need on other numbers of ranks, with each scheduler: the machine of
 * machine/ executes the recorded events, with the placements of "warpscope partition". Used only in reader/.
 *
 * The time of an event is the median of its type of LP and kind, and what one rank needs for the queue
 * (ws_seconds_alone()). Costs of everything else are those of struct predict_costs.
 *
 * Memory: 24 bytes per event and 12 more while bounds are looked for; 28 bytes per LP and 24 per pair of LPs
 * for placements; and the machine's 40 per event that is pending or may be undone.
 */
#ifndef WARPSCOPE_READER_PREDICT_PREDICT_H
#define WARPSCOPE_READER_PREDICT_PREDICT_H

#include "analyze/trace.h"
#include "cli/out.h"
#include "document/document.h"
#include "figures/evidence.h"
#include "machine/processor.h"

#define PREDICT_EVENTS_MAX ((uint64_t)1 << 27) /* that are read */

/*
 * The committed events of a trace with the events that each caused. They are numbered from 0 in the order of the
 * walk over the trace (analyze/trace.h): causes, and earlier events of an LP, come first. The events that event i
 * caused are effects[first[i]] to effects[first[i + 1] - 1], in this order. Those from effects[first[n]] on have
 * no cause in the trace.
 */
struct predict_source {
    struct analyze_trace trace;
    uint32_t n;
    double *at;                /* owned; [event]: virtual time */
    uint32_t *lp;              /* owned; [event]: place of its LP in trace.lps */
    float *cost;               /* owned; [event]: time of its handler in ns; 0: not timed */
    uint32_t *first, *effects; /* owned; n + 1 and n elements */
    uint64_t missing;          /* number of those of them that have one outside of the trace */
    uint32_t most_effects;     /* largest number of events that one event caused */
    double handlers_ns;        /* sum of the times of handlers */
    double lookahead;          /* least offset of an event between two LPs; infinite: none */
};

/* Reads the committed events of an open trace. Returns false after an error message. The caller must call
 * predict_source_free() in either case. */
bool predict_source_read(struct predict_source *s, struct ws_file *file);
void predict_source_free(struct predict_source *s);

#define PREDICT_RANKS_MAX 16u
#define PREDICT_RUNS      5u /* number of runs of the machine by which a range is found */

/* Costs of the engine and of the machine; costs.c has their names, defaults and units. */
struct predict_costs {
    struct wp_machine machine;
    double keep_ns;          /* by which an event takes longer if it may be undone */
    double undo_ns;          /* to undo an event */
    double bytes, bandwidth; /* size of a message; GB/s */
    double cores;            /* that all ranks share; 0: one for each rank */
    double per_host;         /* ranks of a host; 0: all are on one */
    bool is_measured; /* true if a run or a file gave some of them, false if all are defaults */
};

/* Sets the costs to their defaults, and to what the recorded run tells. */
void predict_costs_init(struct predict_costs *costs, const struct ws_evidence *e);
/* Reads costs from a file of lines "name = value". Returns false after an error message. */
bool predict_costs_read(struct predict_costs *costs, const char *path);
/* Writes all costs as such a file. Returns false after an error message. */
bool predict_costs_write(const struct predict_costs *costs, struct ws_outs *outs, const char *path);
/* Takes what the phases of an optimistic run on several ranks tell of costs. Returns false if they tell
 * nothing. */
bool predict_costs_take(struct predict_costs *costs, const struct ws_evidence *e);
/* Adds a table of all costs. */
void predict_costs_table(struct doc *doc, const struct predict_costs *costs);

enum predict_limit {
    PREDICT_BY_NOTHING, /* events themselves */
    PREDICT_BY_PATH,    /* the critical path */
    PREDICT_BY_LOAD,    /* the work of the busiest rank */
    PREDICT_BY_UNDONE,
    PREDICT_BY_MESSAGES,
    PREDICT_BY_GVT,
    PREDICT_BY_WAITING,
    PREDICT_LIMITS
};

enum predict_scheduler { PREDICT_SEQUENTIAL, PREDICT_CONSERVATIVE, PREDICT_OPTIMISTIC };

/* A prediction for a number of ranks and a scheduler. */
struct predict_row {
    uint32_t ranks;
    enum predict_scheduler scheduler;
    double seconds, least, most; /* median, least and most of the runs of the machine */
    double speed_up;             /* beside one rank */
    uint64_t remote;             /* committed events between ranks */
    struct wp_result run;        /* that with the median number of undone events */
    uint64_t undone_least, undone_most;
    double parts[PREDICT_LIMITS]; /* share of the ranks' time by what took it; of two limits, 0 */
    double path_seconds;          /* length of the critical path with its messages between ranks */
    double load_seconds;          /* work of the busiest rank */
    uint32_t path_lp, load_lp;    /* places of the LPs that have most of the path, of that work */
    double path_part, load_part;  /* their parts of it */
    enum predict_limit limit;
};

struct predict {
    struct predict_costs costs;
    uint32_t ranks[PREDICT_RANKS_MAX], n_ranks;
    bool optimistic, conservative; /* schedulers to predict */
    double lookahead; /* 0: that of the recorded run, or the least offset between LPs */
    bool is_grouped;  /* true: conservative ranks keep LPs with lesser offsets together */
    struct predict_source source;
    double event_ns;        /* by which an event takes longer than its handler */
    double alone_seconds;   /* time of one rank */
    double event_bytes;     /* memory of an event */
    const char *no_windows; /* why no conservative run is predicted; NULL: it is */
    struct predict_row rows[1 + 2 * PREDICT_RANKS_MAX];
    uint32_t n;
};

/* Predicts runs. The caller sets costs, ranks, n_ranks, optimistic, conservative and lookahead, and zeroes the
 * rest. e: evidence of the recorded run. Returns false after an error message. The caller must call
 * predict_source_free(&p->source) in either case. */
bool predict_find(struct predict *p, struct ws_file *trace, const struct ws_evidence *e);

/* Sets what no run on row->ranks ranks needs less than, and its remote events. A message takes remote_ns. Returns
 * false if memory is exhausted. */
bool predict_bounds_find(struct predict_row *row, const struct predict *p, const uint32_t *rank_of,
                         double remote_ns);

/* Adds findings and tables. */
void predict_document(struct doc *doc, const struct predict *p);

#endif
