/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h - reads the committed events of a trace. An event comes after its cause and after the
 * earlier events of its LP.
 *
 * The records of a PE are in event order. The walk merges the PEs by virtual time. An event whose
 * cause has the same time and is on another PE waits until the caller has taken the cause.
 *
 * Memory: one decoded block and ANALYZE_AHEAD events per PE.
 */
#ifndef WARPSCOPE_READER_ANALYZE_TRACE_H
#define WARPSCOPE_READER_ANALYZE_TRACE_H

#include "access/covers.h"
#include "access/record_file.h"
#include "analyze/times.h"
#include "store/id_set.h"

/* Number of events of a PE that are taken from a decoded block at a time. */
#define ANALYZE_AHEAD 256u
/* Number of events by which a prefetch is ahead of the current event. */
#define ANALYZE_PREFETCH 8u
#define ANALYZE_LPS_MAX  (1ull << 28) /* maximum number of LPs of a run */

/* A committed event. */
struct analyze_event {
    double ts, send_ts; /* virtual times of receipt and of sending */
    /* Wall-clock time at which it was recorded, in seconds since the run began. */
    double real_time;
    /* Number of the event: the number of the first event of its PE, plus its index among the
     * records of that PE. */
    uint64_t number;
    uint64_t handler_time; /* time of the handler, in ns, as analyze_event_time() returns it */
    /* lp: place, in lps of the trace, of the LP that received the event; src: of its sender. */
    uint32_t lp, src;
    int32_t send_order; /* ordinal of the cause among the events of src at send_ts; -1: none */
    uint32_t sent;      /* number of events that it sent and that are in the trace */
    uint32_t pe, type;  /* pe: PE of the receiver; type: id of the payload description */
    uint32_t payload_size;
    const uint8_t *payload; /* borrowed until the next event; NULL if it was not requested */
};

/* Indices of the fields in the schema of events; -1: missing. */
struct analyze_fields {
    int32_t lp, src, ts, send_ts, real_time, send_order, sent, handler_time, type;
};

struct analyze_trace {
    struct ws_file *file; /* borrowed */
    const struct fmt_schema *schema;
    struct analyze_fields fields;
    bool is_exact; /* true if the records name the cause of each event */
    struct analyze_times times;
    uint32_t n_pes;
    /* The numbers of the LPs; those with events, if the numbers of the run have holes. Events of other
     * LPs are invalid. All other structs name an LP by its place in this set. */
    struct id_set lps;
    uint64_t n_events; /* upper bound of the number of events, from the headers of blocks */
    uint64_t left_out; /* number of events without a valid time or LP */
    /* Owned; [pe]: number of the first event of the PE; [n_pes]: number of all records. */
    uint64_t *bases;
};

/* An analysis needs a trace of all committed events; see access/covers.h. */
#define ANALYZE_NEEDS                                                                              \
    (WS_TRACE_COMMITTED | WS_TRACE_ALL_LPS | WS_TRACE_COMPLETE | WS_TRACE_ALL_TIMES)

/* Finds the event records of an open and readable file. needs: properties that the trace must have, a
 * bitwise OR of enum ws_trace_needs; a trace of committed events must also name their causes. Prints
 * one line on stderr and returns false if one is missing. typical, pe_costs: arguments of
 * analyze_times_find(). The caller must call analyze_trace_free() in either case. */
bool analyze_trace_init(struct analyze_trace *trace, struct ws_file *file, unsigned needs,
                        bool typical, bool pe_costs);
void analyze_trace_free(struct analyze_trace *trace);

/* Reply to an event: the result of the function that analyze_trace_walk() calls. */
enum analyze_taken { ANALYZE_TAKEN, ANALYZE_WAITS, ANALYZE_STOP };

/*
 * Called by analyze_trace_walk() with each event. Returns ANALYZE_WAITS if the caller has not taken
 * the cause of the event yet. must: true if ANALYZE_WAITS is not allowed. ahead: for prefetching,
 * the event ANALYZE_PREFETCH places later in the same array; NULL: none.
 */
typedef enum analyze_taken (*analyze_take_f)(const struct analyze_event *event, bool must,
                                             const struct analyze_event *ahead, void *ctx);

/* Members of struct analyze_event that a walk sets only on request; otherwise they are 0. */
enum analyze_read {
    ANALYZE_READ_TIMES = 1,   /* ts, send_ts */
    ANALYZE_READ_CAUSES = 2,  /* send_order, sent, real_time */
    ANALYZE_READ_PAYLOADS = 4 /* payload, payload_size */
};

/* Calls `take` for each event, without ANALYZE_READ_TIMES PE by PE in the order of the records. read:
 * bitwise OR of enum analyze_read. Damage is counted as a fault
 * of the file. Returns false if `take` ended the walk, or after an error message if memory is
 * exhausted. */
bool analyze_trace_walk(struct analyze_trace *trace, unsigned read, analyze_take_f take, void *ctx);

#endif
