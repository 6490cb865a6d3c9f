/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - tables of instrumentation callbacks, for models that use the same function for both
 * event traces: the trace of all events, and the trace of the events that cause rollbacks.
 */
#ifndef MODELS_COMMON_OBSERVE_H
#define MODELS_COMMON_OBSERVE_H

#include "ross.h"

/* Initialises the members of an st_model_types for both event traces. The callback `trace` writes
 * one struct of type `record`. */
#define MODEL_OBSERVE_EVENTS(trace, record)                                                        \
    .rbev_trace = (trace), .rbev_sz = sizeof(record), .ev_trace = (trace), .ev_sz = sizeof(record)

/* Initialises the members of an st_model_types for samples. The callback `sample` writes one struct
 * of type `record`. */
#define MODEL_OBSERVE_STATE(sample, record) .model_stat_fn = (sample), .mstat_sz = sizeof(record)

/* Registers the descriptions of the payload fields that the callbacks in `types` write. of_events:
 * fields for events; of_state: fields for samples. Must be called before tw_run(). */
static inline void model_observers_describe(const st_model_types *types, const st_field *of_events,
                                            const st_field *of_state)
{
    st_model_fields(types, ST_PAYLOAD_RBEV, of_events);
    st_model_fields(types, ST_PAYLOAD_EV, of_events);
    st_model_fields(types, ST_PAYLOAD_MODEL, of_state);
}

#endif
