/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st.h - the public interface of the instrumentation. ross.h includes it.
 *
 * For each LP, a model can register callbacks that add the model's own data to the records of that
 * LP (st_model_types). If the model also describes the bytes that the callbacks write
 * (st_model_fields()), readers print names and units instead of hexadecimal bytes. A model that
 * registers nothing is recorded as well.
 */
#ifndef WARPSCOPE_ST_H
#define WARPSCOPE_ST_H

#include "ross.h"

/* A model defines ROSS_MODEL_TYPES_V7 to cancel a ROSS_MODEL_TYPES_V8 that the build defines for
 * all models. */
#ifdef ROSS_MODEL_TYPES_V7
#undef ROSS_MODEL_TYPES_V8
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Callbacks that add data to the record of an event. A callback writes its data to buffer, which
 * has the registered size (rbev_sz or ev_sz bytes), is zeroed and 8-aligned. A write beyond the
 * registered size is fatal; this also holds for all callbacks below.
 *
 * *collect_flag is 1 when the callback is called. If the callback sets *collect_flag to 0, the
 * event is not recorded at all.
 *
 * ev_trace is called right after the forward handler; it may read msg and lp. If committed events
 * are recorded (--event-trace=3), the bytes in buffer are kept until the event commits, and
 * discarded if this execution of the event is undone. rbev_trace is called for an event that causes
 * a rollback, right before the rollback.
 *
 * Neither callback may send events, draw random numbers, or change anything but buffer and
 * *collect_flag.
 */
typedef void (*rbev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect_flag);
typedef void (*ev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect_flag);
/*
 * Callback for samples of an LP. It writes mstat_sz bytes of LP statistics to buffer (zeroed,
 * 8-aligned). It is called at each sampling point and once at the end of the run. At a sampling
 * point at GVT or at a wall-clock time, an optimistic LP is possibly ahead of GVT: `state` is then
 * the state after the last event that the LP has executed, and some of its events may still be
 * undone. The sample at the end of the run is exact.
 *
 * For a sampling point at a virtual time (--model-stats=4; not in programs built for ROSS 8), the
 * callback may be called several times. For an LP that was idle over several points, it may be
 * called only for the first and the last of these points: if both calls write the same bytes, these
 * bytes are recorded for all points in between. The callback must therefore not change `state`.
 * tw_now(lp) is the virtual time of the point; statistics that depend on tw_now(lp) must be
 * monotonic functions of this time.
 */
typedef void (*model_stat_f)(void *state, tw_lp *lp, char *buffer);
/*
 * Callbacks for sampling at virtual times (--model-stats=4 with --vt-interval=T). If
 * sample_event_fn is not NULL, it replaces model_stat_fn. It is called once for each sampling
 * point, in order of time. tw_now(lp) is the virtual time of the point, and state results from
 * exactly the events before that time. sample_event_fn writes sample_struct_sz bytes to sample
 * (zeroed, 8-aligned).
 *
 * sample_event_fn may change state, for example to restart a count. For LPs with a reverse handler,
 * a rollback then calls sample_revent_fn, which must undo the change exactly. sample_revent_fn
 * receives the `sample` and the `bf` of the call that it undoes; bf was zeroed before that call.
 * sample_revent_fn is NULL if there is nothing to undo.
 *
 * The calls for committed samples are the same under all schedulers and on any number of ranks.
 * Neither callback may send events, draw random numbers or print.
 */
typedef void (*sample_event_f)(void *state, tw_bf *bf, tw_lp *lp, void *sample);
typedef void (*sample_revent_f)(void *state, tw_bf *bf, tw_lp *lp, void *sample);

/*
 * Callbacks of an LP, each with the size of the data that it writes. A NULL function or a size of 0
 * means that the model adds no data there: events are then recorded without a payload, and model
 * statistics are not recorded.
 *
 * Models initialise the first six members by position and omit the rest on purpose. In a st_field,
 * they may likewise omit measure and names. This header therefore disables the compiler warning
 * about missing initialisers for the rest of the including file. To keep the warning, define
 * ROSS_KEEP_FIELD_WARNINGS before the inclusion.
 */
typedef struct st_model_types {
    rbev_trace_f rbev_trace; /* writes data about an event that causes a rollback */
    size_t rbev_sz;          /* size in bytes of the data that rbev_trace writes */
    ev_trace_f ev_trace;     /* writes data about each traced event of the LP */
    size_t ev_sz;
    model_stat_f model_stat_fn; /* writes statistics of the LP at a sampling point */
    size_t mstat_sz;
    sample_event_f sample_event_fn; /* replaces model_stat_fn at virtual times */
    sample_revent_f sample_revent_fn;
    size_t sample_struct_sz;
} st_model_types;

/* Variant of st_model_types with the members of ROSS 8. Models get it under the name st_model_types
 * if they define ROSS_MODEL_TYPES_V8 before they include ross.h. Its ev_trace is also called for
 * events that cause rollbacks. */
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

/* Registers callbacks for a local LP. Call st_model_settype() after tw_lp_settype(). The struct
 * `types` must stay valid until tw_end(). If at least one LP has callbacks for the event trace, LPs
 * without any callbacks are not traced, unless --trace-lps selects the LPs or the program is built
 * as for ROSS 8. An LP whose members are all NULL has no callbacks. Not collective. */
void st_model_settype(tw_lpid local_id, st_model_types *types);
/* Array of the callbacks of each LP type, in the order of g_tw_lp_types; NULL: none. Used for LPs
 * for which st_model_settype() was not called; g_tw_lp_typemap gives the type of an LP. Set
 * g_st_model_types before tw_lp_setup_types(). tw_end() sets it to NULL. */
extern st_model_types *g_st_model_types;

/* Variant of st_model_settype() for callbacks in the layout of ROSS 8. In one program, some files
 * may use this layout and others that of st_model_types. */
void st_model_settype_v8(tw_lpid local_id, st_model_types_v8 *types);
/* Variant of g_st_model_types for callbacks in the layout of ROSS 8. Used if g_st_model_types is
 * NULL. */
extern st_model_types_v8 *g_st_model_types_v8;

/* A callback of st_model_types. st_model_fields() describes the bytes that this callback writes. */
typedef enum st_payload_kind {
    ST_PAYLOAD_RBEV = 0,
    ST_PAYLOAD_EV = 1,
    ST_PAYLOAD_MODEL = 2, /* the callback model_stat_fn */
    ST_PAYLOAD_SAMPLE = 3 /* the callback sample_event_fn */
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
    ST_CHAR /* text of `count` bytes, zero-padded */
} st_field_type;

/*
 * Meaning of the values of a field. It determines which statistics readers print:
 * - levels: mean, minimum and maximum;
 * - counters: last value and rate;
 * - changes: sum and rate;
 * - identities: number of distinct values.
 */
typedef enum st_measure {
    ST_UNSTATED, /* treated as a level */
    ST_LEVEL,    /* value of the moment: a length, a share, a mean, a maximum */
    ST_COUNTER,  /* total since the start of the run; readers add up the counters of LPs */
    /* Total since the previous record of the LP, or total of one event; readers add up the totals
     * of all records. */
    ST_CHANGE,
    ST_IDENTITY /* number or code that identifies something */
} st_measure;

/*
 * One field of a payload that a callback of the model writes. A NULL name ends a table of fields.
 *
 * A field that holds a code (an integer type with count 1) may have names for its values. names[0]
 * is the name of the value 0, names[1] that of the value 1, and so on. The name "" means that the
 * value has no name; NULL ends the list. Readers show the name of a value in a further column
 * FIELD_name, beside the value. A name is printable UTF-8 of at most ST_VALUE_NAME_MAX bytes. A
 * field has at most ST_VALUE_NAMES_MAX names. All names in a table of fields, with their
 * terminating zeros, take at most ST_VALUE_NAMES_BYTES_MAX bytes.
 */
typedef struct st_field {
    const char *name; /* name of the field; characters [A-Za-z0-9_] */
    st_field_type type;
    size_t offset;      /* offset in bytes from the start of the payload; need not be aligned */
    const char *unit;   /* unit, such as "s", "bytes" or "packets"; "" for none */
    unsigned count;     /* number of elements; 1 for a single value */
    st_measure measure; /* meaning of the values; optional, default ST_UNSTATED */
    const char *const *names; /* names of the values 0, 1, 2 ..., with NULL at the end; optional */
} st_field;
#define ST_VALUE_NAMES_MAX       1024
#define ST_VALUE_NAME_MAX        63
#define ST_VALUE_NAMES_BYTES_MAX 16384

/*
 * Describes the bytes that one callback of types writes; kind selects the callback. Call this
 * function before tw_run(). The table `fields` and all texts in it must stay valid until tw_end().
 * If a field lies outside the registered size or has invalid names of values, tw_run() reports an
 * error. Not collective.
 */
void st_model_fields(const st_model_types *types, st_payload_kind kind, const st_field *fields);
void st_model_fields_v8(const st_model_types_v8 *types, st_payload_kind kind,
                        const st_field *fields);

/*
 * Declares that model_stat_fn of `types` writes a pure function of the LP's state: the bytes depend on
 * the state, and on nothing else that changes during the run, such as tw_now(lp) or data of other LPs;
 * and only the handlers of events change the state.
 *
 * Samples then call model_stat_fn only for LPs that have executed or undone events since their last
 * record, and files have no other records: readers fill them in with the values of the record before.
 * Without this declaration, all LPs are asked at each sampling point. It has no effect if g_tw_gvt_hook
 * is set, which may change states, with --buffer-overwrite, with --buffer-full=drop, and if files of
 * ROSS 8 are written.
 *
 * Call it before tw_run(). Not collective.
 */
void st_model_pure(const st_model_types *types);
void st_model_pure_v8(const st_model_types_v8 *types);

/*
 * Variant of tw_init() for programs built as for ROSS 8. It changes three things:
 * - The files of ROSS 8 are written beside the record files, unless --stats-format selects another
 *   format.
 * - Options have their ROSS 8 meanings.
 * - model_stat_fn is not called at virtual times.
 * The source file that calls tw_init() determines the variant for the whole program. Collective.
 */
void tw_init_ross8(int *argc, char ***argv);

/* In files that define ROSS_MODEL_TYPES_V8, these macros turn the names that models use into the
 * names of the variants for ROSS 8. */
#ifdef ROSS_MODEL_TYPES_V8
#define tw_init          tw_init_ross8
#define st_model_types   st_model_types_v8
#define st_model_settype st_model_settype_v8
#define g_st_model_types g_st_model_types_v8
#define st_model_fields  st_model_fields_v8
#define st_model_pure    st_model_pure_v8
#endif

/*
 * Names an LP type. --trace-lps accepts the name, and readers show it as the owner of the fields
 * that describe a payload. The name has at most 63 characters: letters, digits, "_", ".", ":" and
 * "-". Its first character is a letter or "_". An invalid name is fatal. Several types may share a
 * name. The name is copied. Call st_lptype_name() before tw_run(). Not collective.
 */
void st_lptype_name(const tw_lptype *type, const char *name);

/*
 * Names a local LP, for readers: tables, charts and timelines show the name, and --lp, --where and
 * --trace-lps accept it in place of the number. An LP without a name appears as its type and number.
 *
 * Call it after tw_define_lps() and before the first event is executed: before tw_run(), in the
 * function that maps LPs to ranks after it has created the LP, or in pre_lp_init, init or pre_run;
 * not collective. A restarted run does not call init; its checkpoint has the names.
 *
 * gid: number of an LP of this rank. name: UTF-8 of 1 to ST_LP_NAME_MAX bytes without control
 * characters, that is not made of digits, "-" and "," alone; it is copied. Several LPs may share a
 * name, but then it cannot stand for a number. Returns 0 (ST_OK), also if the LP already has the same
 * name, or one of these (st_result.h), in which case nothing has changed:
 * - ST_INVALID: the name is not of this form, or NULL;
 * - ST_NOT_FOUND: this rank has no LP with this number, or none at all yet;
 * - ST_DUPLICATE: the LP already has another name;
 * - ST_WRONG_STATE: events are being executed already;
 * - ST_NO_MEMORY.
 *
 * Memory: 5 bytes and the name for each LP. Names cost nothing per event.
 */
int st_lp_name(tw_lpid gid, const char *name);
#define ST_LP_NAME_MAX 63

/*
 * Makes all ranks write the contents of the flight recorder (--buffer-overwrite) to files. All
 * ranks write at the same GVT, soon after this call. why: the reason, such as "queue full", which
 * appears in messages and files; copied, but only its first 95 bytes.
 *
 * In an event handler, the call takes effect when the event commits; a call that is undone has no
 * effect. Elsewhere the call takes effect at once. If several calls take effect before that GVT,
 * the ranks write once; the reason is that of the first call on the lowest rank that made one.
 * Without a flight recorder, the call does nothing and costs one test. The call does not change the
 * simulation. Not collective.
 */
void st_flight_save(const char *why);

/* Instrumentation options as the command line sets them. A model may read these variables, or set
 * them before tw_run(). */
extern unsigned int g_st_model_stats; /* value of --model-stats */
extern unsigned int g_st_ev_trace;    /* value of --event-trace */
/* Not 0 if samples are taken at virtual times. Set by tw_run(), or by tw_init() in programs built
 * as for ROSS 8. A value that a model sets has no effect. */
extern unsigned int g_st_use_analysis_lps;

/* Values of further options in programs built as for ROSS 8, from tw_init() on: --engine-stats,
 * --pe-data, --kp-data, --lp-data, --num-gvt, --buffer-size, --buffer-free, --disable-output,
 * --vt-interval, --vt-samp-end, --rt-interval (in ms), --stats-prefix and --stats-path. In other
 * programs they are 0. A value that a model sets has no effect. */
extern int g_st_engine_stats, g_st_pe_data, g_st_kp_data, g_st_lp_data, g_st_num_gvt;
extern int g_st_buffer_size, g_st_buffer_free_percent, g_st_disable_out;
extern double g_st_vt_interval, g_st_sampling_end;
extern tw_clock g_st_rt_interval;
extern char g_st_stats_out[128], g_st_stats_path[4096];
/* Always 0: the engine needs no LPs of its own for samples. */
extern int g_st_sample_count;
extern tw_lpid g_st_analysis_nlp;

#ifdef __cplusplus
}
#endif

#include "st_bus.h"
#include "st_hook.h"
#include "st_task.h"
#include "st_tracer.h"

#endif
