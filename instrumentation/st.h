/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st.h - the public interface of the instrumentation. ross.h includes it.
 *
 * For each LP, a model registers callbacks that add its own data to the records (st_model_types).
 * It may describe the bytes that they write (st_model_fields), so that readers print names and
 * units instead of hexadecimal bytes. Models without registration are recorded as well.
 */
#ifndef WARPSCOPE_ST_H
#define WARPSCOPE_ST_H

#include "ross.h"

/* ROSS_MODEL_TYPES_V7 undoes ROSS_MODEL_TYPES_V8 if the build defines the latter for all models. */
#ifdef ROSS_MODEL_TYPES_V7
#undef ROSS_MODEL_TYPES_V8
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Callbacks for an event. A callback writes the registered number of bytes to buffer, which is
 * zeroed and 8-aligned. Writing more bytes than registered is fatal, for these and for all
 * callbacks below.
 *
 * *collect_flag is 1. If the callback sets it to 0, the event is not recorded at all.
 *
 * ev_trace reads the message and the LP right after the forward handler. If committed events are
 * recorded (--event-trace=3), the bytes that it wrote are kept with the event, and discarded if
 * that execution is undone. rbev_trace is called right before the rollback that the event causes.
 *
 * Neither callback may send events, draw random numbers or change anything but buffer and flag.
 */
typedef void (*rbev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect_flag);
typedef void (*ev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect_flag);
/*
 * Called at each sampling point and once at the end of the run. It writes mstat_sz bytes of LP
 * statistics to buffer (zeroed, 8-aligned). When sampling at GVT or by wall clock, an optimistic LP
 * may have run ahead: state is that after its last executed event and may still be undone in part.
 * The last sample is exact.
 *
 * When sampling at virtual times (--model-stats=4; not in programs built for ROSS 8), it may be
 * called several times for one sampling point. For an LP that was idle over several points it may
 * be called only for the first and the last: if both calls give the same bytes, these are recorded
 * for all points between them. It must therefore not change the state. tw_now(lp) is the time of
 * the point; statistics that depend on it must be monotonic in it.
 */
typedef void (*model_stat_f)(void *state, tw_lp *lp, char *buffer);
/*
 * Callbacks for sampling at virtual times (--model-stats=4 with --vt-interval=T). sample_event_fn
 * replaces model_stat_fn if it is not NULL. It is called once for each sampling point, in order.
 * tw_now(lp) is the time of the point, and state results from exactly the events before that time.
 * It writes sample_struct_sz bytes to sample (zeroed, 8-aligned).
 *
 * sample_event_fn may change the state, for example to restart a count. In LPs with a reverse
 * handler, sample_revent_fn is then called with the same bf (zeroed for sample_event_fn) and the
 * same sample, and must undo the change exactly. NULL if there is nothing to undo.
 *
 * The committed calls are the same for all schedulers and any number of ranks. Neither callback may
 * send events, draw random numbers or print.
 */
typedef void (*sample_event_f)(void *state, tw_bf *bf, tw_lp *lp, void *sample);
typedef void (*sample_revent_f)(void *state, tw_bf *bf, tw_lp *lp, void *sample);

/*
 * Callbacks of a kind of LPs. A NULL function or a size of 0 means that the model adds nothing
 * there: events are recorded without a payload, and model statistics are not recorded.
 *
 * Models initialise the first six members without designators and omit the rest on purpose.
 * Likewise, st_field may omit its measure and names. This header therefore disables the compiler
 * warning about missing initialisers for the rest of the including file. Define
 * ROSS_KEEP_FIELD_WARNINGS before the inclusion to keep the warning.
 */
typedef struct st_model_types {
    rbev_trace_f rbev_trace; /* data about events that cause rollbacks */
    size_t rbev_sz;          /* size of that data in bytes */
    ev_trace_f ev_trace;     /* data about all events of the LP */
    size_t ev_sz;
    model_stat_f model_stat_fn; /* data at sampling points */
    size_t mstat_sz;
    sample_event_f sample_event_fn; /* data at virtual times, in place of model_stat_fn */
    sample_revent_f sample_revent_fn;
    size_t sample_struct_sz;
} st_model_types;

/* st_model_types with the members of ROSS 8, for models that define ROSS_MODEL_TYPES_V8 before they
 * include ross.h; see below. ev_trace is then also called for events that cause rollbacks. */
typedef struct st_model_types_v8 {
    ev_trace_f ev_trace;
    size_t ev_sz;
    model_stat_f model_stat_fn;
    size_t mstat_sz;
    sample_event_f sample_event_fn;
    sample_revent_f sample_revent_fn;
    size_t sample_struct_sz;
} st_model_types_v8;

#if defined(__GNUC__) && !defined(ROSS_KEEP_FIELD_WARNINGS)
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

/* Registers callbacks for a local LP. Call it after tw_lp_settype(). types must stay valid until
 * tw_end(). If some LPs have callbacks for the event trace, LPs without callbacks are not traced,
 * unless --trace-lps selects the LPs. Not collective. */
void st_model_settype(tw_lpid local_id, st_model_types *types);
/* Callbacks by LP type, in the order of g_tw_lp_types. Set it before tw_lp_setup_types(). It
 * applies to LPs without callbacks of their own; g_tw_lp_typemap gives the type of an LP. tw_end()
 * sets it to NULL. */
extern st_model_types *g_st_model_types;

/* Variants of st_model_settype() and g_st_model_types for callbacks as in ROSS 8. A program may
 * have files of both variants. */
void st_model_settype_v8(tw_lpid local_id, st_model_types_v8 *types);
/* Callbacks by LP type; used if g_st_model_types is NULL. */
extern st_model_types_v8 *g_st_model_types_v8;

/* Selects the callback of a st_model_types whose bytes a description concerns. */
typedef enum st_payload_kind {
    ST_PAYLOAD_RBEV = 0,
    ST_PAYLOAD_EV = 1,
    ST_PAYLOAD_MODEL = 2, /* bytes of model_stat_fn */
    ST_PAYLOAD_SAMPLE = 3 /* bytes of sample_event_fn */
} st_payload_kind;

typedef enum st_field_type {
    ST_U8,
    ST_U16,
    ST_U32,
    ST_U64,
    ST_I8,
    ST_I16,
    ST_I32,
    ST_I64,
    ST_F32,
    ST_F64,
    ST_CHAR /* text of count bytes, zero-padded */
} st_field_type;

/*
 * Meaning of the values of a field. Readers choose by it which statistics they print: mean, minimum
 * and maximum of levels; last value and rate of counters; sum and rate of changes; number of
 * distinct values of identities.
 */
typedef enum st_measure {
    ST_UNSTATED, /* treated as a level */
    ST_LEVEL,    /* value of the moment: a length, a share, a mean, a maximum */
    ST_COUNTER,  /* total since the start of the run; readers add up the counters of LPs */
    ST_CHANGE,   /* total since the previous record of the LP, or of one event; readers add up the
                  * records */
    ST_IDENTITY  /* number or code that names something */
} st_measure;

/*
 * One field of a model's payload. A NULL name ends a table of fields.
 *
 * Names of values are for codes: a single value (count 1) of an integer type. names[0] is the name
 * of the value 0, and so on; "" for a value without a name; NULL ends the list. Readers show the
 * name of a value in a further column FIELD_name, beside its number. A name is printable UTF-8 of
 * at most ST_VALUE_NAME_MAX bytes. A field has at most ST_VALUE_NAMES_MAX names, and a table at
 * most ST_VALUE_NAMES_BYTES_MAX bytes of names with their terminating zeros.
 */
typedef struct st_field {
    const char *name; /* name of the field, characters [A-Za-z0-9_] */
    st_field_type type;
    size_t offset;      /* offset from the start of the payload in bytes; need not be aligned */
    const char *unit;   /* unit: "s", "bytes", "packets"; "" for none */
    unsigned count;     /* array length; 1 for a single value */
    st_measure measure; /* optional; default ST_UNSTATED */
    const char *const *names; /* optional; names of the values 0, 1, 2 ..., NULL at the end */
} st_field;
#define ST_VALUE_NAMES_MAX       1024
#define ST_VALUE_NAME_MAX        63
#define ST_VALUE_NAMES_BYTES_MAX 16384

/*
 * Describes the bytes that one callback of types writes. Call it before tw_run(). The table and its
 * texts must stay valid until tw_end(). A field outside the registered size, or with invalid names
 * of values, is an error at tw_run(). Not collective.
 */
void st_model_fields(const st_model_types *types, st_payload_kind kind, const st_field *fields);
void st_model_fields_v8(const st_model_types_v8 *types, st_payload_kind kind,
                        const st_field *fields);

/*
 * tw_init() for programs built as for ROSS 8. It changes three things:
 * - The files of ROSS 8 are written beside the record files, unless --stats-format selects another
 *   format.
 * - Options have their ROSS 8 meanings.
 * - model_stat_fn is not called at virtual times.
 * The file that calls tw_init() decides for the whole program. Collective.
 */
void tw_init_ross8(int *argc, char ***argv);

/* Maps the names that models use to the variants for the layout that they select. */
#ifdef ROSS_MODEL_TYPES_V8
#define tw_init          tw_init_ross8
#define st_model_types   st_model_types_v8
#define st_model_settype st_model_settype_v8
#define g_st_model_types g_st_model_types_v8
#define st_model_fields  st_model_fields_v8
#endif

/*
 * Names an LP type, for --trace-lps and for readers, where the name is the owner of the fields that
 * describe the payload. Call it before tw_run(). The name is copied. It has at most 63 characters
 * of letters, digits, "_", ".", ":" and "-", and starts with a letter or "_". Several types may
 * share a name. An invalid name is fatal. Not collective.
 */
void st_lptype_name(const tw_lptype *type, const char *name);

/*
 * Writes what the flight recorder has (--buffer-overwrite), on all ranks at the same GVT, soon after
 * this call. why: a reason for the files and messages, such as "queue full"; at most 95 bytes are
 * used, and copied. In a handler of events the call takes effect when its event is committed: a call
 * that is undone has no effect. Elsewhere it takes effect at once. Several calls before that GVT save
 * once, with the first reason of the lowest rank. Without a flight recorder it does nothing, at the
 * cost of a test. Not collective. The simulation does not change.
 */
void st_flight_save(const char *why);

/* Instrumentation options as set by the command line. A model may read them, or set them before
 * tw_run(). */
extern unsigned int g_st_model_stats; /* value of --model-stats */
extern unsigned int g_st_ev_trace;    /* value of --event-trace */
/* Not 0 if samples at virtual times are taken. Set by tw_run(), or by tw_init() in programs built
 * as for ROSS 8. Setting it has no effect. */
extern unsigned int g_st_use_analysis_lps;

#ifdef __cplusplus
}
#endif

#include "st_bus.h"
#include "st_hook.h"
#include "st_task.h"
#include "st_tracer.h"

#endif
