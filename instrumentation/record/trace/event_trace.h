/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_trace.h - the event trace (--event-trace): one record per executed event (mode 1), per
 * rollback (mode 2) or per committed event (mode 3).
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

/* Properties that the records of an LP's events have in common. Several LPs may share a slot. */
struct trace_slot {
    ev_trace_f callback; /* callback of the model; NULL: no payload */
    /* The fields of a record from `pe` on, in their order; `kp` is set in the record. */
    struct trace_ids {
        uint32_t pe, kp;
        uint32_t payload_type;
        uint32_t payload_size; /* in bytes; TRACE_NOTHING: the LP is not traced */
    } ids;
    uint32_t payload_padded; /* size of the payload with its padding; 0 if the LP is not traced */
};
#define TRACE_NOTHING UINT32_MAX

/* Data of an executed event that may still be undone; used in mode 2 if handlers are timed. */
struct executed_row {
    double ts;          /* receive time */
    int64_t handler_ns; /* as handler_clock_stop() returned it */
};

/* State of the event trace of a PE. A zero-initialised trace records nothing. */
struct event_trace {
    struct record_channel *channel;
    uint32_t *slot_of;        /* [i]: index in slots of the slot of local LP i */
    struct trace_slot *slots; /* owned; LPs with equal properties usually share a slot */
    uint32_t n_slots;
    const struct trace_slot *only; /* the slot of all LPs; NULL: there are several slots */
    struct row_undo_log *waiting;  /* [k]: rows of the events of KP k that may still be undone */
    struct row_pool pool;          /* memory of the waiting rows */
    tw_kpid n_kps;                 /* number of KPs, and thus of entries of `waiting` */
    /* Wall-clock time of the last clock reading, in seconds since the run began. */
    double seconds;
    int32_t reusable; /* number of executions that may still share the last clock reading */
    uint32_t pe;
    struct handler_clock clock;
    struct send_order order; /* numbers of simultaneous events, for modes 1 and 3 */
    struct kp_log executed;  /* mode 2: rows of type struct executed_row */
    bool executed_is_off;    /* true after memory for rows of `executed` was exhausted */
    /* Mode 2: when the current turn began, in seconds since the run began; events that were executed
     * before it; number of long turns that precede it; true if each event gets a stamp. */
    double turn_began;
    uint64_t turn_processed;
    uint32_t long_turns;
    bool stamps_each;
    struct probe_table *table; /* not owned; mode 2: its probes */
    /* Mode 2: wall-clock time, in seconds, of the execution of the event that was undone last. */
    double passed_seconds;
    /* Mode 2: handler time, in ns, of the events that the rollback in progress has undone. */
    int64_t undone_ns;
    uint32_t rollback_bytes; /* size in bytes of the row of the rollback in progress */
    /* Row of the rollback in progress; NULL: none, or not recorded. */
    struct fmt_rollback_row *rollback;
    bool traces_all; /* true if no choice of LPs is given */
    bool waits;      /* true if rows wait for commits: mode 3 in a run that can roll back */
    bool is_off;     /* true after memory was exhausted: later events count as dropped */
    bool has_window; /* true if only events with receive times in [from, to) are recorded */
    double from;
    double to;
};

/*
 * Initialises the trace of n_lps local LPs. payloads[i]: payload of local LP i. traced[i]: true to
 * trace local LP i; traced == NULL: all LPs. Rows go to channel, whose kind is FMT_RECORD_ROLLBACK
 * in mode RECORD_TRACE_ROLLBACKS, otherwise FMT_RECORD_EVENT. event_times=N: one event in N is
 * timed; 0: none. Returns TW_OK or TW_ERR_MEMORY. Release with event_trace_fini().
 */
enum tw_status event_trace_init(struct event_trace *trace, unsigned mode, uint32_t event_times,
                                struct record_channel *channel, tw_lpid n_lps,
                                const struct payload_slot *payloads, const bool *traced);

/* Chooses the LPs again, before the first event; `traced` must be a subset of those chosen before.
 * Returns TW_OK or TW_ERR_MEMORY. */
enum tw_status event_trace_choose(struct event_trace *trace, unsigned mode, tw_lpid n_lps,
                                  const struct payload_slot *payloads, const bool *traced);

/* Restricts the trace to events with receive times in [from, to); -INFINITY and INFINITY: no limit.
 * Call before event_trace_attach(). */
void event_trace_set_window(struct event_trace *trace, double from, double to);

/* Adds to the probes of table the functions that `mode` (enum record_trace) needs; on == false:
 * removes them. The trace must outlive the run. */
void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table,
                        bool on);

/* Tells a trace that begins during the run that all events up to virtual time ts were executed
 * before it began. Call before event_trace_attach(). */
void event_trace_begin_after(struct event_trace *trace, double ts);

void event_trace_fini(struct event_trace *trace);

#endif
