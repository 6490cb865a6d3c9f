/*
 * st.h - the public interface of the instrumentation. ross.h includes it.
 *
 * A model registers, for each LP, callbacks that add its own data to what the engine records
 * (st_model_types), and may describe the bytes it writes (st_model_fields), so that the reader can
 * show names and units instead of hex. A model without any registration runs and records as well.
 */
#ifndef WARPSCOPE_ST_H
#define WARPSCOPE_ST_H

#include "ross.h"

/* ROSS_MODEL_TYPES_V7 takes ROSS_MODEL_TYPES_V8 back, where the build sets that for all models. */
#ifdef ROSS_MODEL_TYPES_V7
#undef ROSS_MODEL_TYPES_V8
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called for an event; writes the registered number of bytes to buffer, which holds zeros before
 * and is 8-aligned. More bytes than registered are fatal, here and in all callbacks below.
 * *collect_flag is 1; set to 0 the event is not recorded at all, not even with what the engine
 * knows. ev_trace sees the message and the LP right after the forward handler; when committed
 * events are recorded (--event-trace=3) its bytes wait with the event and count only if that
 * execution commits. rbev_trace is called right before the rollback that the event causes.
 * Neither may send events, draw random numbers or change anything but buffer and flag.
 */
typedef void (*rbev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect_flag);
typedef void (*ev_trace_f)(void *msg, tw_lp *lp, char *buffer, int *collect_flag);
/*
 * Called at each sampling point and once when the run is over; writes mstat_sz bytes of the LP's
 * statistics to buffer (zeros before, 8-aligned). At GVT, and by wall clock, an optimistic LP may
 * have run ahead: state is that of its last executed event, parts of which may still be undone. The
 * last sample is exact.
 *
 * At virtual times (--model-stats=4; not in programs built for ROSS 8) it may be called several
 * times for a point, and for an LP that was idle over several points only for the first and the
 * last: when both give the same bytes these count for all between. So it must not change the state,
 * and tw_now(lp), the time of the point, may make it go in one direction only, not there and back.
 */
typedef void (*model_stat_f)(void *state, tw_lp *lp, char *buffer);
/*
 * For sampling at virtual times (--model-stats=4 with --vt-interval=T), in place of model_stat_fn
 * where it is given. Called once for each sampling point, in order: state is what all events before
 * that time, and no others, have made of it, and tw_now(lp) is that time. Writes sample_struct_sz
 * bytes to sample (zeros before, 8-aligned). It may change the state, say to start a count anew:
 * sample_revent_fn then gets the same bf (zero before) and sample and must undo the change exactly,
 * in LPs that have a reverse handler. NULL: nothing to undo. The same calls happen, in effect, in
 * every scheduler and on any number of ranks. They must not send events, draw random numbers or
 * print.
 */
typedef void (*sample_event_f)(void *state, tw_bf *bf, tw_lp *lp, void *sample);
typedef void (*sample_revent_f)(void *state, tw_bf *bf, tw_lp *lp, void *sample);

/*
 * The callbacks of a kind of LPs. A NULL function or a size of 0 means that the model adds nothing
 * there: events are then recorded with what the engine knows, model statistics not at all.
 *
 * Models name the first six in an initialiser without designators, which leaves the others out on
 * purpose, as st_field may do without its measure: so compilers are told, for the rest of the file
 * that includes this, not to warn of members without initialiser. ROSS_KEEP_FIELD_WARNINGS, defined
 * before, leaves them on.
 */
typedef struct st_model_types {
    rbev_trace_f rbev_trace; /* data about events causing rollbacks */
    size_t rbev_sz;          /* its size in bytes */
    ev_trace_f ev_trace;     /* data about all events of the LP */
    size_t ev_sz;
    model_stat_f model_stat_fn; /* data at sampling points */
    size_t mstat_sz;
    sample_event_f sample_event_fn; /* data at virtual times, if not by model_stat_fn */
    sample_revent_f sample_revent_fn;
    size_t sample_struct_sz;
} st_model_types;

/* The same with the members of ROSS 8, for models that define ROSS_MODEL_TYPES_V8 before they
 * include ross.h, see below. ev_trace is then also called for events that cause rollbacks. */
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

/* Registers callbacks for a local LP, after tw_lp_settype(). types must stay valid until tw_end().
 * Events of LPs without any are not traced where others have callbacks for the trace, unless
 * --trace-lps says which LPs are. */
void st_model_settype(tw_lpid local_id, st_model_types *types);
/* For tw_lp_setup_types(): callbacks by LP type, in the order of g_tw_lp_types; set before it. For
 * LPs that have none of their own; g_tw_lp_typemap says the type. tw_end() sets it to NULL. */
extern st_model_types *g_st_model_types;

/* Both for callbacks as in ROSS 8. Files of both kinds can be parts of one program. */
void st_model_settype_v8(tw_lpid local_id, st_model_types_v8 *types);
extern st_model_types_v8 *g_st_model_types_v8; /* counts where g_st_model_types is NULL */

/* Which of the byte blocks of a st_model_types a description is for. */
typedef enum st_payload_kind {
    ST_PAYLOAD_RBEV = 0,
    ST_PAYLOAD_EV = 1,
    ST_PAYLOAD_MODEL = 2, /* of model_stat_fn */
    ST_PAYLOAD_SAMPLE = 3 /* of sample_event_fn */
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
 * What the values of a field are. Readers choose by it what to show: of levels mean, least and
 * largest; of counters the last value and the rate; of changes sum and rate; of identities how many
 * different ones there are.
 */
typedef enum st_measure {
    ST_UNSTATED, /* shown as a level */
    ST_LEVEL,    /* how something is at that time: a length, a share, a mean, a maximum */
    ST_COUNTER,  /* counted since the run began: the LPs' counters are added up */
    ST_CHANGE,   /* counted since the LP's record before, or by the event: records are added up */
    ST_IDENTITY  /* a number or code that names something */
} st_measure;

/* One field of a model's bytes; a table ends with a NULL name. */
typedef struct st_field {
    const char *name; /* [A-Za-z0-9_]+ */
    st_field_type type;
    size_t offset;      /* bytes from the start of the block; no alignment needed */
    const char *unit;   /* "s", "bytes", "packets"; "" for none */
    unsigned count;     /* array length, 1 for a single value */
    st_measure measure; /* may be left out: ST_UNSTATED */
} st_field;

/*
 * Describes the bytes that one of the callbacks of types writes. Before tw_run(); the table must
 * stay valid until tw_end(). A field outside the registered size is an error at tw_run().
 */
void st_model_fields(const st_model_types *types, st_payload_kind kind, const st_field *fields);
void st_model_fields_v8(const st_model_types_v8 *types, st_payload_kind kind,
                        const st_field *fields);

/*
 * The same as tw_init(), for programs built as for ROSS 8: the files of ROSS 8 are made beside ours
 * unless --stats-format says otherwise; options have ROSS 8's meanings; model_stat_fn is not called
 * at virtual times. The file that calls tw_init() decides for the program.
 */
void tw_init_ross8(int *argc, char ***argv);

/* The names that models use stand for the layout that they want. */
#ifdef ROSS_MODEL_TYPES_V8
#define tw_init          tw_init_ross8
#define st_model_types   st_model_types_v8
#define st_model_settype st_model_settype_v8
#define g_st_model_types g_st_model_types_v8
#define st_model_fields  st_model_fields_v8
#endif

/*
 * Names a type of LPs: for --trace-lps, and for readers of the records, which see it as the owner
 * of what describes them. Before tw_run(); the name is copied. Letters, digits, "_", ".", ":" and
 * "-", at most 63, the first a letter or "_". Several types may have the same name. Another name is
 * the model's mistake and fatal.
 */
void st_lptype_name(const tw_lptype *type, const char *name);

/* Instrumentation options as set by the command line; read them, or set them before tw_run(). */
extern unsigned int g_st_model_stats; /* --model-stats */
extern unsigned int g_st_ev_trace;    /* --event-trace */
/* Not 0 if samples at virtual times are taken. Set by tw_run(), and for programs built as for ROSS
 * 8 by tw_init(). Setting it has no effect. */
extern unsigned int g_st_use_analysis_lps;

#ifdef __cplusplus
}
#endif

#include "st_bus.h"
#include "st_hook.h"
#include "st_task.h"
#include "st_tracer.h"

#endif
