/*
 * observe.h - tables of callbacks for models whose events are recorded by one function, whether the
 * engine traces them or undoes them.
 */
#ifndef MODELS_COMMON_OBSERVE_H
#define MODELS_COMMON_OBSERVE_H

#include "ross.h"

/* Members of an st_model_types, in its initialiser: trace writes one struct of type record. */
#define MODEL_OBSERVE_EVENTS(trace, record)                                                        \
    .rbev_trace = (trace), .rbev_sz = sizeof(record), .ev_trace = (trace), .ev_sz = sizeof(record)

/* The same for samples by GVT and wall clock. */
#define MODEL_OBSERVE_STATE(sample, record) .model_stat_fn = (sample), .mstat_sz = sizeof(record)

/* Names the fields of both. Before tw_run(). */
static inline void model_observers_describe(const st_model_types *types, const st_field *of_events,
                                            const st_field *of_state)
{
    st_model_fields(types, ST_PAYLOAD_RBEV, of_events);
    st_model_fields(types, ST_PAYLOAD_EV, of_events);
    st_model_fields(types, ST_PAYLOAD_MODEL, of_state);
}

#endif
