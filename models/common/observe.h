/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - tables of instrumentation callbacks, for models that use one function to trace both
 * executed and undone events.
 */
#ifndef MODELS_COMMON_OBSERVE_H
#define MODELS_COMMON_OBSERVE_H

#include "ross.h"

/* Initialises the members of an st_model_types for event traces. The function `trace` writes one
 * struct of type `record`. */
#define MODEL_OBSERVE_EVENTS(trace, record)                                                        \
    .rbev_trace = (trace), .rbev_sz = sizeof(record), .ev_trace = (trace), .ev_sz = sizeof(record)

/* Initialises the members of an st_model_types for samples, taken at GVT and by wall clock. The
 * function `sample` writes one struct of type `record`. */
#define MODEL_OBSERVE_STATE(sample, record) .model_stat_fn = (sample), .mstat_sz = sizeof(record)

/* Describes the fields of a model's events and samples. Must be called before tw_run(). */
static inline void model_observers_describe(const st_model_types *types, const st_field *of_events,
                                            const st_field *of_state)
{
    st_model_fields(types, ST_PAYLOAD_RBEV, of_events);
    st_model_fields(types, ST_PAYLOAD_EV, of_events);
    st_model_fields(types, ST_PAYLOAD_MODEL, of_state);
}

#endif
