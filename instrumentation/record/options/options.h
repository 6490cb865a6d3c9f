/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - the options of recording.
 *
 * The event trace and the model statistics are selected by g_st_ev_trace and g_st_model_stats
 * (st.h), which a model may also set. record_options_read() collects the values of all options in a
 * struct, which does not change during the run.
 */
#ifndef WARPSCOPE_RECORD_OPTIONS_OPTIONS_H
#define WARPSCOPE_RECORD_OPTIONS_OPTIONS_H

#include "base/status.h"
#include "record/buffer/stream.h"
#include "ross.h"

#define RECORD_PATH_MAX   4096
#define RECORD_PREFIX_MAX 128

#define RECORD_TRACE_LPS_MAX 4096
#define RECORD_TRACERS_MAX   4096
#define RECORD_TRIGGER_MAX   256

#define RECORD_RT_INTERVAL_DEFAULT_MS 1000u
/* Maximum number of sampling points at virtual times. */
#define RECORD_VT_POINTS_MAX 10000000ull

/* Values of --stats-format. */
enum record_format {
    RECORD_FORMAT_WARPSCOPE, /* record files only */
    RECORD_FORMAT_ROSS8,     /* files of ROSS 8 instead of record files */
    RECORD_FORMAT_BOTH       /* files of ROSS 8 and record files */
};

/* Values of --writer-thread. */
enum option_thread {
    OPTION_THREAD_AUTO, /* a thread runs if there are more cores than ranks */
    OPTION_THREAD_ON,
    OPTION_THREAD_OFF
};

/* Values of the options of recording; st_globals.c has the defaults. */
struct record_options {
    unsigned int gvt_stats; /* --enable-gvt-stats: 0 or 1 */
    /* --num-gvt=N: samples are taken at each Nth GVT computation; at least 1. */
    unsigned int num_gvt;
    unsigned int event_trace; /* --event-trace: an enum record_trace */
    unsigned int event_times; /* --event-times=N: one event in N is timed; 0: no event is timed */
    /* Sampling points of model statistics (--model-stats): bitwise OR of enum record_model
     * values. */
    unsigned int model_stats;
    unsigned int pe_data; /* --pe-data: 1 if the PE is recorded, otherwise 0 */
    unsigned int kp_data; /* --kp-data: 1 if the PE's KPs are recorded, otherwise 0 */
    unsigned int lp_data; /* --lp-data: 1 if the PE's LPs are recorded, otherwise 0 */
    /* Members that record_options_read() derives from other options. */
    unsigned int rt_stats;       /* samples of the engine by wall clock: 0 or 1 */
    unsigned int vt_stats;       /* samples of the engine at virtual times: 0 or 1 */
    unsigned int rt_interval_ms; /* milliseconds between samples by wall clock, at least 1 */
    bool vt_has_end;             /* true if the end of the run or --vt-samp-end limits vt_points */
    uint64_t vt_points;          /* maximum number of sampling points at virtual times */
    enum record_format format;   /* --stats-format */
    bool built_for_ross8;        /* true if tw_init_ross8() started the simulation */
    bool has_ross8_meanings;     /* true if options have the meanings of ROSS 8, see settle.c */
    unsigned int model_stats_given; /* value given for --model-stats, for error messages */
    /* True if samples at virtual times are omitted because their interval is missing. */
    bool vt_is_left_out;
    /* True if engine samples at virtual times are omitted: the format has no place for them. */
    bool vt_engine_is_left_out;
    char ross8_prefix[RECORD_PREFIX_MAX]; /* prefix of the files of ROSS 8; "": none */
    /* Values as given on the command line, see settle.c. */
    unsigned int engine_stats;
    unsigned int real_time_samp;
    unsigned int rt_interval;
    unsigned int granularity;
    char prefix_alias[RECORD_PREFIX_MAX];
    char trace_lps[RECORD_TRACE_LPS_MAX]; /* --trace-lps; "": not given */
    /* Window of the event trace (--trace-from, --trace-to). After record_options_read(), -INFINITY
     * or INFINITY stands for a limit that was not given. */
    double trace_from;
    double trace_to;
    double vt_interval; /* virtual time between samples: point k is at k * vt_interval */
    double vt_samp_end; /* latest virtual time of a sample; INFINITY: not given */

    unsigned int task_trace; /* --task-trace: 0 or 1 */
    /* --tracer; "": no tracers; the text is checked when tracers are created. */
    char tracers[RECORD_TRACERS_MAX];

    unsigned int no_control; /* --no-control: 0 or 1 */
    unsigned int disable_output;
    unsigned int crash_safe;  /* --crash-safe: 0 or 1 */
    unsigned int buffer_free; /* --buffer-free: percentage, 0 to 100 */
    /* --stats-limit: maximum size of all record files of all ranks together, in bytes; 0: no
     * limit. */
    unsigned long long stats_limit;
    unsigned long long buffer_overwrite; /* --buffer-overwrite: bytes per PE and stream; 0: off */
    char flight_trigger[RECORD_TRIGGER_MAX]; /* --flight-trigger; "": none */
    unsigned long long buffer_size; /* --buffer-size: bytes per PE and stream, at least 1 */
    enum stream_full buffer_full;
    enum option_thread writer_thread;
    char prefix[RECORD_PREFIX_MAX]; /* prefix of the record files */
    char path[RECORD_PATH_MAX];     /* path of the directory to create */
};

/* Values of --event-trace. */
enum record_trace {
    RECORD_TRACE_OFF = 0,
    RECORD_TRACE_EXECUTED = 1,  /* every execution, including those undone later */
    RECORD_TRACE_ROLLBACKS = 2, /* each event that caused a rollback */
    RECORD_TRACE_COMMITTED = 3  /* every committed event, exactly once */
};

/* Kinds of sampling points of model statistics, as bits. The values of --model-stats are bitwise
 * ORs of them, except in programs with ROSS 8 meanings. */
enum record_model {
    RECORD_MODEL_OFF = 0,
    RECORD_MODEL_GVT = 1,
    RECORD_MODEL_RT = 2,
    RECORD_MODEL_VT = 4,
    RECORD_MODEL_ALL = 7
};

static inline bool record_options_model_at_gvt(const struct record_options *o)
{
    return (o->model_stats & RECORD_MODEL_GVT) != 0;
}

static inline bool record_options_model_at_rt(const struct record_options *o)
{
    return (o->model_stats & RECORD_MODEL_RT) != 0;
}

static inline bool record_options_model_at_vt(const struct record_options *o)
{
    return (o->model_stats & RECORD_MODEL_VT) != 0;
}

/* Returns true if the engine or the model is sampled at virtual times. */
static inline bool record_options_at_vt(const struct record_options *o)
{
    return o->vt_stats != 0 || record_options_model_at_vt(o);
}

/* Returns true if model_stat_fn is called for samples. As in ROSS 8, it is not called at virtual
 * times in programs built for ROSS 8. */
static inline bool record_options_call_stat_fn(const struct record_options *o)
{
    return (o->model_stats & (RECORD_MODEL_GVT | RECORD_MODEL_RT)) != 0 ||
           (record_options_model_at_vt(o) && !o->built_for_ross8);
}

/* Command-line options of samples, model data, events, tasks, buffers and files. */
extern const tw_optdef record_option_table[];

/*
 * Copies the values from the command line to out, derives the other members, and checks the values.
 * Returns TW_OK, or TW_ERR_USAGE with one line in error (error_size bytes) that names the option
 * and a remedy. Not collective.
 */
enum tw_status record_options_read(struct record_options *out, char *error, size_t error_size);

/* Steps of record_options_read(): the first determines the meanings of options that depend on each
 * other, the second the prefixes of record files and of the files of ROSS 8. If those are written,
 * --stats-prefix names them, and record files are called warpscope, or warpscope-records if the
 * files of ROSS 8 are called warpscope. */
enum tw_status record_options_settle(struct record_options *options, char *error, size_t size);
void record_options_settle_names(struct record_options *options);

/* Returns the name of an option that was given but has no effect, because the run records nothing
 * to which it applies; NULL if there is none. */
const char *record_options_idle(const struct record_options *options);
/* Returns the prefix of the files of ROSS 8 according to the command line. */
const char *record_options_ross8_prefix(const struct record_options *options);
/* Returns true if the command line requests samples of the engine or the model at virtual times.
 * model_stats: value of --model-stats. */
bool record_options_want_virtual_times(const struct record_options *options, unsigned model_stats);

/* Returns true if the run records anything. */
bool record_options_any(const struct record_options *options);
/* Returns true if a request can start recording during the run: --stats-path was given, and the run
 * takes requests. */
bool record_options_later(const struct record_options *options);

/* Values of the options in a run without a command line. */
#define RECORD_OPTIONS_DEFAULT                                                                     \
    {                                                                                              \
        .num_gvt = 1, .pe_data = 1, .buffer_free = 15, .buffer_size = 8u << 20, .crash_safe = 1,   \
        .prefix = "warpscope", .path = "stats-output"                                              \
    }

/* Values from the command line, defined in st_globals.c. Those of --event-trace and --model-stats
 * are in g_st_ev_trace and g_st_model_stats (st.h). */
extern struct record_options g_st_options;

#endif
