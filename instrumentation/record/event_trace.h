/*
 * event_trace.h - one record per event: executed, straggling or committed (--event-trace).
 */
#ifndef WARPSCOPE_RECORD_EVENT_TRACE_H
#define WARPSCOPE_RECORD_EVENT_TRACE_H

#include "engine/probe.h"
#include "record/lane.h"
#include "record/payload_types.h"

struct event_trace {
    struct record_lane *lane;
    const struct payload_slot *slots; /* by local LP */
    uint32_t pe;
};

/* Largest fmt_row_bytes() of a record whose payload has up to payload_max bytes. */
size_t event_trace_row_bytes(size_t payload_max);

/* Sets the probes that mode (enum record_trace) needs. The objects given must outlive the run. */
void event_trace_attach(struct event_trace *trace, unsigned mode, struct probe_table *table);

#endif
