/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - data of the process around the PE: the command line, the clock, the chosen settings. */
#ifndef WARPSCOPE_ENGINE_PROCESS_RUN_H
#define WARPSCOPE_ENGINE_PROCESS_RUN_H

#include <pthread.h>
#include <signal.h>

#include "base/options.h"
#include "base/progress.h"
#include "comm/transport.h"
#include "engine/pe/phases.h"
#include "engine/process/request.h"
#include "engine/words.h"
#include "ross.h"

#define RUN_PATH_MAX            1024
#define RUN_SIGNALS             7   /* handled during a run */
#define RUN_CRASHES             5   /* signals that crash.c reports */
#define TW_GVT_INTERVAL_DEFAULT 16u /* default of g_tw_gvt_interval: adaptive */

/* Kernel options that are not ROSS globals. */
struct run_settings {
    unsigned int synch;
    unsigned int lz4_knob; /* acceleration of LZ4, see snapshot.c */
    unsigned int extramem; /* ignored, like the next four */
    unsigned int avl_size;
    unsigned int buddy_size;
    unsigned int read_buffer;
    unsigned int send_buffer;
    double max_opt_lookahead; /* 0: adapts to the measured efficiency */
    double report_interval;   /* share of the end time between progress lines */
    enum transport_kind transport;
    unsigned int rng_seed[4]; /* all set, or all zero */
    unsigned int core_rng_seed[4];
    enum phase_times phase_times;
    unsigned long long max_memory_mib; /* per rank; 0: automatic */
    unsigned int memory_check;         /* 1 on, 0 off: see tw_ask_memory() */
    unsigned long long
        random_rollbacks; /* one random rollback per this number of batches; 0: none */
    unsigned long long observer_memory; /* bytes per rank; 0: no limit */
    unsigned int fingerprint;
    unsigned int quiet;
    char stall_warning[32];    /* seconds, with an optional suffix "s" */
    char checkpoint_every[32]; /* virtual time, or seconds with the suffix "s"; "": none */
    char checkpoint_path[RUN_PATH_MAX];
    unsigned int checkpoint_keep;
    char checkpoint_on[8];            /* "term": also before a signal ends the run; "": never */
    unsigned int checkpoint_pointers; /* write states that appear to hold pointers */
    char restart[RUN_PATH_MAX];
    char report_json[RUN_PATH_MAX];
    char csv[RUN_PATH_MAX];
    char args_file[RUN_PATH_MAX];
};

/* Selection of calls of g_tw_gvt_hook; see gvt_hook.c. */
enum gvt_hook_when {
    GVT_HOOK_UNUSED = 0, /* nothing selected */
    GVT_HOOK_NEVER,      /* only at the end */
    GVT_HOOK_AT,
    GVT_HOOK_EVERY,
    GVT_HOOK_MODEL
};
struct gvt_hook {
    enum gvt_hook_when when;
    double time;       /* AT */
    unsigned every;    /* EVERY: number of GVTs between calls */
    uint64_t answered; /* MODEL: requests on all ranks already answered by a call */
};

/* Signals so far; see signals.h. Written by signal handlers. */
struct run_signals {
    uint64_t first_ns;         /* monotonic clock at the first signal that ends the run */
    volatile bool interrupted; /* SIGINT arrived */
    struct request status;     /* SIGUSR1 */
    struct request checkpoint; /* SIGUSR2 */
};

/* See crash.c. */
struct run_crash {
    struct sigaction old_actions[RUN_CRASHES];
    bool is_programs[RUN_CRASHES]; /* the program had a handler before MPI was initialised */
    pthread_t thread;              /* of the simulation */
    void *stack;                   /* of the handler; NULL: provided elsewhere */
    uintptr_t stack_end;           /* approximate end of the simulation's stack; 0: unknown */
};

/* Values of the last status report, for the rate since then. */
struct run_status {
    double seconds; /* of the run; 0: no report yet */
    double net_events;
};

struct run {
    MPI_Comm parent; /* argument of tw_comm_set(), or MPI_COMM_NULL */
    struct options options;
    struct gvt_hook hook;
    struct run_settings settings;
    char *program; /* last part of argv[0] */
    char *command_line;
    struct run_words words;
    double ticks_per_second;
    double seconds_per_tick;
    uint64_t start_ticks; /* zero of run_seconds() */
    uint64_t init_ns;     /* monotonic clock at tw_init() */
    double init_seconds;
    double run_seconds;
    uint64_t run_ticks; /* duration of the run in ticks */
    struct progress progress;
    struct sigaction old_actions[RUN_SIGNALS]; /* see signals.c */
    struct run_signals signals;
    struct run_crash crash;
    struct run_status last_status;
    bool failing;                      /* true inside tw_error() */
    bool as_for_ross8;                 /* see run_as_for_ross8() */
    char unread[OPTIONS_ECHO_MAX + 1]; /* "-v": argument that the model may not read, see
                                          tw_opt_words_max() */
    bool results_lost;                 /* see run_results_are_lost() */
};

#define RUN_INITIAL                                                                                \
    {                                                                                              \
        .parent = MPI_COMM_NULL, .settings = {                                                     \
            .lz4_knob = 17,                                                                        \
            .report_interval = 0.01,                                                               \
            .phase_times = PHASE_TIMES_SAMPLED,                                                    \
            .memory_check = 1,                                                                     \
            .observer_memory = 64ull << 20,                                                        \
            .stall_warning = "60s",                                                                \
            .checkpoint_keep = 2                                                                   \
        }                                                                                          \
    }

extern struct run g_run;

struct pe;
/* Returns the PE of this process. Ends the run if tw_init() was not called; caller is the name of a
 * function of ross.h. */
struct pe *engine_self(const char *caller);

/* ask_memory.c: Returns the default of --max-memory: bytes of event memory for this rank, as a
 * share of the memory available after to_come more bytes are allocated. Leaves space for the pending
 * queue. */
size_t engine_default_memory(const struct pe *pe, size_t to_come);

/* Adds the option tables of the engine. */
void run_add_options(struct options *set);
/* Visits the options of the model, which belong to neither engine nor extension; see
 * options_visit(). */
void run_visit_model_options(options_visit_f visit, void *ctx);
extern const struct options_choice run_most_used_options; /* for the short help */
/* Returns true if the table belongs to the model. */
bool run_is_model_table(const tw_optdef *table);
/* At the end of the run: resets the globals that models and options set, and drops all pointers to
 * model data. */
void run_forget(void);
/* Checks the engine options against each other and copies them to the globals. On failure writes
 * one line to error. */
enum tw_status run_apply_settings(char *error, size_t error_size);
/* Rank 0 prints "program: message" on stderr; all ranks end with status 2. Collective. */
_Noreturn void run_refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
