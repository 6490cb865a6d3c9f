/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h - the committed events of an event trace, in an order in which each event follows its
 * cause and the earlier events of its LP.
 *
 * The records of a PE are in event order. The walk merges the PEs by virtual time. An event whose
 * cause has the same time and is on another PE waits until the caller has taken the cause.
 *
 * Memory: one decoded block per PE, and ANALYZE_AHEAD events.
 */
#ifndef WARPSCOPE_READER_ANALYZE_TRACE_H
#define WARPSCOPE_READER_ANALYZE_TRACE_H

#include "access/record_file.h"
#include "access/trace_problem.h"

/* Number of events of a PE that are read from its block at a time. */
#define ANALYZE_AHEAD    256u
#define ANALYZE_PREFETCH 8u           /* distance of prefetches, in events */
#define ANALYZE_LPS_MAX  (1ull << 28) /* greatest number of LPs of a run */

/* A committed event. */
struct analyze_event {
    double ts, send_ts; /* virtual times of receipt and of sending */
    double real_time;   /* wall-clock time in seconds */
    /* Number of the event among all events: that of the first event of its PE, plus its index
     * within the PE. */
    uint64_t number;
    uint64_t handler_time; /* in ns; the mean of its type if it was not measured */
    uint32_t lp, src;      /* LPs that received and sent it; both are less than the trace's n_lps */
    int32_t send_order;    /* ordinal of the cause among the events of src at send_ts; -1: none */
    uint32_t sent;         /* number of events in the trace that it sent */
    uint32_t pe, type;     /* PE of the receiver; id of the description of its payload */
    uint32_t payload_size;
    const uint8_t *payload; /* borrowed until the next event; NULL if it was not requested */
};

/* Numbers of the fields of event records; -1: missing. */
struct analyze_fields {
    int32_t lp, src, ts, send_ts, real_time, send_order, sent, handler_time, type;
};

struct analyze_stream;

struct analyze_trace {
    struct ws_file *file; /* borrowed */
    const struct fmt_schema *schema;
    struct analyze_fields fields;
    bool is_exact; /* true if the records name the cause of each event */
    bool is_timed; /* true if the times of some handlers were measured */
    /* True to give each event the median time of its type, on which interruptions hardly have an
     * influence. */
    bool is_typical;
    bool is_sampled; /* true if the times of some handlers were not measured */
    /* owned; mean or median time of each type in ns; index: description plus 1; 0: no
     * description. */
    double *means;
    uint32_t n_pes;
    /* Number of the greatest LP of the run, plus 1; events with greater LPs are invalid. */
    uint64_t n_lps;
    uint64_t n_events; /* upper bound of the number of events, from the headers */
    uint64_t left_out; /* events without a valid time or LP */
    uint64_t disorder; /* events that are earlier than their predecessor on the PE */
    /* Events that were taken without their causes, because all streams waited. */
    uint64_t overdue;
    struct analyze_stream *streams; /* owned; one per PE */
    uint64_t *bases;                /* owned; number of the first event of each PE */
};

/* An analysis needs a trace of all committed events; see access/trace_problem.h. */
#define ANALYZE_NEEDS (WS_TRACE_COMMITTED | WS_TRACE_ALL_LPS | WS_TRACE_COMPLETE)

/* Finds the event records of an open and readable file. If they do not allow an analysis, returns
 * false after a line on stderr: they are not those of committed events, or not of all LPs, or
 * records are missing. typical: see is_typical. *trace must be freed in any case. */
bool analyze_trace_init(struct analyze_trace *trace, struct ws_file *file, bool typical);
void analyze_trace_free(struct analyze_trace *trace);

/* Reply of a caller to an event. */
enum analyze_taken { ANALYZE_TAKEN, ANALYZE_WAITS, ANALYZE_STOP };

/*
 * Called with each event. Returns ANALYZE_WAITS if the caller has not taken the cause of the event
 * yet. must: true if the event cannot wait. ahead: for prefetching, the event ANALYZE_PREFETCH
 * places later in the same array; NULL: none.
 */
typedef enum analyze_taken (*analyze_take_f)(const struct analyze_event *event, bool must,
                                             const struct analyze_event *ahead, void *ctx);

/* Members of events that a walk reads only on request; otherwise they are 0. */
enum analyze_read {
    ANALYZE_READ_CAUSES = 1,  /* send_order, sent, real_time */
    ANALYZE_READ_PAYLOADS = 2 /* payload, payload_size */
};

/* Calls take for all events. read: sum of enum analyze_read. Damage is counted as a fault of the
 * file. Returns false if take ended the walk, or after a message if memory was exhausted. */
bool analyze_trace_walk(struct analyze_trace *trace, unsigned read, analyze_take_f take, void *ctx);

/* Computes the mean or median time of the handlers of each type, which is used for handlers that
 * were not measured. Reads the whole trace, unless the recording states that it has no times, or
 * one for every event. Returns false if memory is exhausted. */
bool analyze_times_find(struct analyze_trace *trace);

#endif
