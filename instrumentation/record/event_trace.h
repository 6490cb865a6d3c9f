/*
 * event_trace.h - one record per event: executed, causing a rollback, or committed (--event-trace).
 */
#ifndef WARPSCOPE_RECORD_EVENT_TRACE_H
#define WARPSCOPE_RECORD_EVENT_TRACE_H

#include "base/status.h"
#include "engine/probe.h"
#include "record/lane.h"
#include "record/payload_types.h"
#include "record/row_queue.h"

/* What records of an LP's events need. */
struct trace_slot {
    ev_trace_f callback;   /* NULL: the model adds nothing */
    uint32_t payload_size; /* TRACE_NOTHING: the LP is not traced */
    uint32_t payload_type;
};
#define TRACE_NOTHING UINT32_MAX

/* Zero-initialised it traces nothing. */
struct event_trace {
    struct record_lane *lane;
    uint32_t *slot_of;        /* by local LP: place in slots */
    struct trace_slot *slots; /* LPs that are traced alike share one, as a rule */
    uint32_t n_slots;
    struct row_queue *waiting; /* by KP: rows of events that may still be undone */
    struct row_pool pool;      /* of waiting */
    tw_kpid n_kps;             /* entries of waiting */
    double seconds;            /* the last clock reading */
    uint32_t reusable;         /* for so many executions the reading still stands, see T6 */
    uint32_t pe;
    uint32_t rollback_bytes;           /* of the row of the rollback that is going on */
    struct fmt_rollback_row *rollback; /* NULL: none, or it is not recorded */
    bool is_off;                       /* memory has run out, see T5 */
};

/* Largest fmt_row_bytes() of a record whose payload has up to payload_max bytes. */
size_t event_trace_row_bytes(size_t payload_max);
size_t event_trace_rollback_bytes(size_t payload_max);

/*
 * Makes slots for n_lps local LPs: payloads by local LP, traced NULL for all of them. Rows go to
 * lane, of kind FMT_RECORD_ROLLBACK in mode RECORD_TRACE_ROLLBACKS, else FMT_RECORD_EVENT.
 * TW_ERR_MEMORY. Undo with event_trace_fini().
 */
enum tw_status event_trace_init(struct event_trace *trace, unsigned mode, struct record_lane *lane,
                                tw_lpid n_lps, const struct payload_slot *payloads,
                                const bool *traced);

/* Sets the probes that mode (enum record_trace) needs. The trace must outlive the run. */
void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table);

void event_trace_fini(struct event_trace *trace);

#endif
