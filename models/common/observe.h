/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - the payloads that models add to the records of the instrumentation: of events (the
 * same for the trace of all events and for the trace of those that cause rollbacks), and of samples.
 *
 * A model lists the fields of each payload once, in a macro FIELDS(X, r) of elements
 *
 *     X(r, TYPE, name, unit, MEASURE, names)
 *
 * TYPE, MEASURE: as in st_field_type and st_measure, without "ST_"; names: names of the values, or
 * NULL. MODEL_PAYLOAD() makes the struct from this list, and the description of its fields. Then
 * MODEL_EVENT(), MODEL_PURE_SAMPLE() or MODEL_SAMPLE() precedes the body of the function that returns such a struct:
 *
 *     MODEL_PAYLOAD(visit, VISIT_FIELDS)
 *     MODEL_EVENT(visit, const struct message *message)
 *     {
 *         return (struct visit){message->agent, message->energy};
 *     }
 *
 * Finally, MODEL_OBSERVERS() initialises a struct model_observers from the names of two payloads.
 */
#ifndef MODELS_COMMON_OBSERVE_H
#define MODELS_COMMON_OBSERVE_H

#include <stdbool.h>

#include "ross.h"

#define MODEL_TYPE_U16 uint16_t
#define MODEL_TYPE_U32 uint32_t
#define MODEL_TYPE_U64 uint64_t
#define MODEL_TYPE_I64 int64_t
#define MODEL_TYPE_F64 double

#define MODEL_MEMBER(r, type, name, unit, measure, names) MODEL_TYPE_##type name;
#define MODEL_BYTES(r, type, name, unit, measure, names)  +sizeof(MODEL_TYPE_##type)
#define MODEL_FIELD(r, type, name, unit, measure, names)                                           \
    {#name, ST_##type, offsetof(struct r, name), unit, 1, ST_##measure, names},

/* Defines struct r and the table r_fields[]. */
#define MODEL_PAYLOAD(r, FIELDS)                                                                   \
    struct r {                                                                                     \
        FIELDS(MODEL_MEMBER, r)                                                                    \
    };                                                                                             \
    _Static_assert(sizeof(struct r) == 0 FIELDS(MODEL_BYTES, r), "no padding");                    \
    static const st_field r##_fields[] = {FIELDS(MODEL_FIELD, r){.name = NULL}};

/* Defines the callback r_event(), which calls the function that follows with the event's message. */
#define MODEL_EVENT(r, message)                                                                    \
    static struct r r##_of(message);                                                               \
    static void r##_event(void *bytes, tw_lp *lp, char *buffer, int *collect_flag)                 \
    {                                                                                              \
        (void)lp, (void)collect_flag;                                                              \
        struct r payload = r##_of(bytes);                                                          \
        memcpy(buffer, &payload, sizeof payload);                                                  \
    }                                                                                              \
    static struct r r##_of(message)

/* Defines the callback r_sample(), which calls the function that follows with the LP's state and
 * with the LP, whose parameter is named `lp`. MODEL_PURE_SAMPLE() is for a pure function of the state,
 * see st_model_pure(). */
#define MODEL_SAMPLE(r, state)      MODEL_SAMPLE_OF(r, state, 0)
#define MODEL_PURE_SAMPLE(r, state) MODEL_SAMPLE_OF(r, state, 1)
#define MODEL_SAMPLE_OF(r, state, pure)                                                            \
    enum { r##_is_pure = pure };                                                                   \
    static struct r r##_of(state, __attribute__((unused)) tw_lp *lp);                              \
    static void r##_sample(void *bytes, tw_lp *lp, char *buffer)                                   \
    {                                                                                              \
        struct r payload = r##_of(bytes, lp);                                                      \
        memcpy(buffer, &payload, sizeof payload);                                                  \
    }                                                                                              \
    static struct r r##_of(state, __attribute__((unused)) tw_lp *lp)

/* Observers of one LP type. */
struct model_observers {
    st_model_types types; /* for st_model_settype() */
    const st_field *of_events, *of_state;
    bool is_pure; /* true if samples are pure functions of the state */
};

#define MODEL_OBSERVERS(event, state)                                                              \
    {                                                                                              \
        .types = {.rbev_trace = event##_event,                                                     \
                  .rbev_sz = sizeof(struct event),                                                 \
                  .ev_trace = event##_event,                                                       \
                  .ev_sz = sizeof(struct event),                                                   \
                  .model_stat_fn = state##_sample,                                                 \
                  .mstat_sz = sizeof(struct state)},                                               \
        .of_events = event##_fields, .of_state = state##_fields, .is_pure = state##_is_pure        \
    }

/* Registers the descriptions of the fields. Must be called before tw_run(). Not collective. */
static inline void model_observers_describe(const struct model_observers *observers)
{
    st_model_fields(&observers->types, ST_PAYLOAD_RBEV, observers->of_events);
    st_model_fields(&observers->types, ST_PAYLOAD_EV, observers->of_events);
    st_model_fields(&observers->types, ST_PAYLOAD_MODEL, observers->of_state);
    if (observers->is_pure) {
        st_model_pure(&observers->types);
    }
}

#endif
