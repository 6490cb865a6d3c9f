/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_trace.h - the event trace (--event-trace): one record per executed event, per rollback, or
 * per committed event.
 */
#ifndef WARPSCOPE_RECORD_TRACE_EVENT_TRACE_H
#define WARPSCOPE_RECORD_TRACE_EVENT_TRACE_H

#include "base/status.h"
#include "engine/probe.h"
#include "record/buffer/channel.h"
#include "record/describe/payload_types.h"
#include "record/trace/handler_clock.h"
#include "record/trace/row_undo_log.h"
#include "record/trace/send_order.h"

/* Properties shared by the records of one or more LPs' events. */
struct trace_slot {
    ev_trace_f callback;   /* callback of the model; NULL: no payload */
    uint32_t payload_size; /* size of the payload in bytes; TRACE_NOTHING: the LP is not traced */
    uint32_t payload_type;
};
#define TRACE_NOTHING UINT32_MAX

/* An executed event that may still be undone; used in mode 2. */
struct executed_row {
    double ts;          /* receive time */
    double seconds;     /* real time of the execution */
    int64_t handler_ns; /* time of its handler, or HANDLER_NOT_TIMED */
};

/* State of the event trace of a PE. A zero-initialised trace records nothing. */
struct event_trace {
    struct record_channel *channel;
    uint32_t *slot_of;        /* for each local LP, the index of its entry in slots */
    struct trace_slot *slots; /* slots; LPs with equal properties usually share one */
    uint32_t n_slots;
    struct row_undo_log *waiting; /* for each KP: rows of events that may still be undone */
    struct row_pool pool;         /* memory of the waiting rows */
    tw_kpid n_kps;                /* number of entries of waiting */
    double seconds;               /* seconds of wall-clock time at the last clock reading */
    uint32_t reusable; /* number of executions that may still share the last clock reading */
    uint32_t pe;
    struct handler_clock clock;
    struct send_order order; /* modes 1 and 3 */
    struct kp_log executed;  /* mode 2: rows of type executed_row */
    bool executed_is_off;    /* memory for these rows was exhausted */
    double passed_seconds;   /* mode 2: real time of the execution that was undone last */
    int64_t undone_ns;       /* mode 2: handler time of events that the rollback has undone */
    uint32_t rollback_bytes; /* size in bytes of the row of the rollback in progress */
    /* Row of the rollback in progress; NULL: none, or not recorded. */
    struct fmt_rollback_row *rollback;
    bool is_off;     /* true after memory was exhausted: later events count as dropped */
    bool has_window; /* true if only events with receive times in [from, to) are recorded */
    double from;
    double to;
};

/* Return the size in bytes of the largest record with a payload of at most payload_max bytes, as
 * fmt_row_bytes() computes it. */
size_t event_trace_row_bytes(size_t payload_max);
size_t event_trace_rollback_bytes(size_t payload_max);

/*
 * Creates slots for n_lps local LPs. payloads: for each local LP, its payload. traced: for each
 * local LP, true to trace it; NULL: all LPs. Rows go to channel, of kind FMT_RECORD_ROLLBACK in
 * mode RECORD_TRACE_ROLLBACKS, otherwise FMT_RECORD_EVENT. event_times: one event in this number
 * is timed; 0: none. Returns TW_OK or TW_ERR_MEMORY. Release with event_trace_fini().
 */
enum tw_status event_trace_init(struct event_trace *trace, unsigned mode, uint32_t event_times,
                                struct record_channel *channel, tw_lpid n_lps,
                                const struct payload_slot *payloads, const bool *traced);

/* Restricts the trace to events with receive times in [from, to); -INFINITY and INFINITY: no limit.
 * Call before event_trace_attach(). */
void event_trace_set_window(struct event_trace *trace, double from, double to);

/* Adds functions to the probes that mode (enum record_trace) needs. The trace must outlive the
 * run. */
void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table);

/* For a trace that begins during the run: states that events up to time ts were executed before.
 * Call before event_trace_attach(). */
void event_trace_begin_after(struct event_trace *trace, double ts);

/* Removes the functions of event_trace_attach() from the probes. */
void event_trace_detach(struct event_trace *trace, unsigned mode, struct probe_table *table);

void event_trace_fini(struct event_trace *trace);

#endif
