/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - data of the process other than its PE: the command line, the clock, the settings. */
#ifndef WARPSCOPE_ENGINE_PROCESS_RUN_H
#define WARPSCOPE_ENGINE_PROCESS_RUN_H

#include <pthread.h>
#include <signal.h>

#include "base/options.h"
#include "base/processor_time.h"
#include "base/progress.h"
#include "comm/transport.h"
#include "engine/extension.h"
#include "engine/pe/phases.h"
#include "engine/process/request.h"
#include "engine/words.h"
#include "ross.h"

#define RUN_PATH_MAX 1024
#define RUN_SIGNALS  7 /* number of signals handled during a run */
#define RUN_CRASHES  5 /* number of crash signals that crash.c reports */
/* Value of g_tw_gvt_interval that selects an adaptive interval; the default. */
#define TW_GVT_INTERVAL_DEFAULT 16u
#define RUN_KPS_DEFAULT         16u

/* Values of engine options that are not globals of ROSS. */
struct run_settings {
    unsigned int synch;
    /* This member and the next four are not used. Their options are accepted for compatibility with
     * ROSS. */
    unsigned int extramem;
    unsigned int avl_size;
    unsigned int buddy_size;
    unsigned int read_buffer;
    unsigned int send_buffer;
    /* --max-opt-lookahead: width of the horizon in virtual time; 0: adaptive. */
    double max_opt_lookahead;
    double report_interval; /* fraction of the end time between two progress lines */
    enum transport_kind transport;
    unsigned int rng_seed[4]; /* seeds of --rng-seed1 to 4: either all four are set, or all are 0 */
    unsigned int core_rng_seed[4];
    enum phase_times phase_times;
    unsigned long long max_memory_mib; /* event memory per rank in MiB; 0: automatic */
    unsigned int memory_check;         /* 0: tw_ask_memory() checks nothing */
    unsigned int share_cores;          /* 0: ranks are never packed, see comm/packing.h */
    /* Average number of batches between random rollbacks; 0: none. */
    unsigned long long random_rollbacks;
    /* number of bytes per rank that observers may hold; 0: no limit */
    unsigned long long observer_memory;
    unsigned int fingerprint;
    unsigned int quiet;
    /* Text: number of seconds without progress before a warning, with an optional suffix "s". */
    char stall_warning[32];
    /* Text: number of seconds without progress of GVT until the run ends, with an optional suffix
     * "s"; 0: no limit. */
    char stall_limit[32];
    /* Text: interval of checkpoints in virtual time, or in seconds with suffix "s"; "": none. */
    char checkpoint_every[32];
    char checkpoint_path[RUN_PATH_MAX];
    unsigned int checkpoint_keep;
    /* "term": write a checkpoint before a signal ends the run; "": do not. */
    char checkpoint_on[8];
    unsigned int checkpoint_pointers; /* true if states that seem to hold pointers may be written */
    char restart[RUN_PATH_MAX];
    /* file that places the LPs on ranks and KPs; "": the model decides */
    char lp_map[RUN_PATH_MAX];
    char map[8];   /* "auto": LPs move during the run; "": LPs stay */
    double map_at; /* virtual time at which LPs move; 0: the engine decides */
    char report_json[RUN_PATH_MAX];
    char csv[RUN_PATH_MAX];
    char args_file[RUN_PATH_MAX];
};

/* Selection of the GVTs at which g_tw_gvt_hook is called; see gvt_hook.c. */
enum gvt_hook_when {
    GVT_HOOK_UNUSED = 0, /* the model has selected nothing */
    GVT_HOOK_NEVER,      /* the hook is called only at the end of the run */
    GVT_HOOK_AT,
    GVT_HOOK_EVERY,
    GVT_HOOK_MODEL
};
struct gvt_hook {
    enum gvt_hook_when when;
    double time;    /* GVT_HOOK_AT: virtual time of the call */
    unsigned every; /* GVT_HOOK_EVERY: number of GVT computations between calls */
    /* GVT_HOOK_MODEL: number of requests from LPs, on all ranks, that calls of the hook have
     * answered. */
    uint64_t answered;
};

/* Signals that have arrived. Written by signal handlers, see signals.h. */
struct run_signals {
    uint64_t first_ns; /* monotonic clock in nanoseconds at the first signal that ends the run */
    volatile bool interrupted; /* true if SIGINT has arrived */
    struct request status;     /* requests for the status (SIGUSR1) */
    struct request checkpoint; /* requests for a checkpoint (SIGUSR2) */
};

/* State of the handling of crash signals, see crash.c. */
struct run_crash {
    struct sigaction old_actions[RUN_CRASHES];
    /* True if the program had its own handler for the signal before MPI was initialised. */
    bool is_programs[RUN_CRASHES];
    pthread_t thread; /* thread of the simulation */
    /* stack of the signal handler; NULL: the thread already had a signal stack */
    void *stack;
    uintptr_t stack_end; /* approximate end address of the simulation's stack; 0: unknown */
};

/* Values at the last status report, from which the next report computes rates. */
struct run_status {
    double seconds; /* value of run_seconds() at the last report; 0: no report yet */
    double net_events;
};

struct watchdog;

struct run {
    MPI_Comm parent; /* communicator given to tw_comm_set(), or MPI_COMM_NULL */
    struct options options;
    struct gvt_hook hook;
    struct run_settings settings;
    double lookahead; /* value of g_tw_lookahead right after the options were read */
    tw_kpid n_kps;    /* the same of g_tw_nkp and nkp_per_pe */
    unsigned long long max_opt_lookahead; /* the same of g_tw_max_opt_lookahead */
    char *program;                        /* last part of argv[0] */
    char *command_line;
    struct run_words words;
    double ticks_per_second;
    double seconds_per_tick;
    /* Clock ticks at which run_seconds() is 0; in a restarted run a time before its start. */
    uint64_t start_ticks;
    struct run_samples samples_before; /* of the run that a restart continues; else 0 */
    uint64_t init_ns;                  /* monotonic clock in nanoseconds at tw_init() */
    double init_seconds;
    double run_seconds;
    double end_seconds; /* from the end of run_seconds until the watchdog has ended */
    uint64_t run_ticks; /* duration of the run in ticks */
    struct processor_clock
        processor_clock;             /* of the simulation's thread, from the run's beginning */
    struct processor_time processor; /* figures at the end of the run */
    struct progress progress;
    struct sigaction old_actions[RUN_SIGNALS]; /* signal actions before the run, see signals.c */
    struct run_signals signals;
    struct run_crash crash;
    struct run_status last_status;
    bool failing; /* true while tw_error() is running */
    /* True if --stall-limit has passed. The watchdog's thread sets it, and the simulation's thread
     * then ends the run. */
    _Atomic bool gives_up;
    bool as_for_ross8; /* true if the program called run_as_for_ross8() */
    /* First argument that looks like an option, but is none, such as "-v"; tw_run() warns of it,
     * see tw_opt_words_max(). "": none. */
    char unread[OPTIONS_ECHO_MAX + 1];
    /* For --lp-map and --map=auto. map_allowed: true if the model has called tw_lp_map_allow().
     * types_by_local_id: true if the model has called tw_lp_settype(), and not tw_lp_setup_types()
     * afterwards. moves: functions of the model for moves of LPs; NULL: none. */
    bool map_allowed, types_by_local_id;
    const tw_lp_moves *moves;
    bool results_lost;   /* true if run_results_are_lost() was called */
    bool stop_requested; /* true if control_stop(), not a signal, requested the end of the run */
    /* watchdog that observes the execution of events; NULL: no events are being executed */
    struct watchdog *watchdog;
};

#define RUN_INITIAL                                                                                \
    {                                                                                              \
        .parent = MPI_COMM_NULL, .settings = {                                                     \
            .report_interval = 0.01,                                                               \
            .phase_times = PHASE_TIMES_SAMPLED,                                                    \
            .memory_check = 1,                                                                     \
            .share_cores = 1,                                                                      \
            .observer_memory = 64ull << 20,                                                        \
            .stall_warning = "60s",                                                                \
            .stall_limit = "0",                                                                    \
            .checkpoint_keep = 2                                                                   \
        }                                                                                          \
    }

extern struct run g_run;
extern unsigned g_tw_n_ranks;   /* number of ranks of this simulation or the last one; at first 1 */
extern unsigned int nkp_per_pe; /* models declare this variable themselves, see ross_rest.h */

struct pe;
/* Returns the PE of this process. Ends the run if tw_init() was not called. caller: name of the
 * calling function of ross.h, for the error message. */
struct pe *engine_self(const char *caller);

/* Defined in ask_memory.c. Returns the default of --max-memory for this rank in bytes: a share of
 * the memory that will be left when to_come more bytes have been allocated. This share leaves space
 * for the pending queue. */
size_t engine_default_memory(const struct pe *pe, size_t to_come);

/* Adds the option tables of the engine to a set. */
void run_add_options(struct options *set);
/* Calls visit for each option of the model: each option that belongs to neither engine nor
 * extension. See options_visit(). */
void run_visit_model_options(options_visit_f visit, void *ctx);
/* options of the engine that the short help lists */
extern const struct options_choice run_most_used_options;
/* Returns true if the table belongs to the model. */
bool run_is_model_table(const tw_optdef *table);
/* At the end of the run: resets the globals that models and options set, and drops all pointers to
 * model data. */
void run_forget(void);
/* Checks the values of the engine's options and their combinations, and copies them to the globals.
 * If a value is invalid, writes one line to error and returns a status other than TW_OK. */
enum tw_status run_apply_settings(char *error, size_t error_size);
/* Checks the value of --stall-warning, and reports errors like run_apply_settings(). */
enum tw_status run_check_stall_warning(char *error, size_t size);
/* Writes to `out` the name of the setting that determines the lookahead of the run, for advice in
 * messages, and returns `out`. The name is normally "g_tw_lookahead (--cons-lookahead)". If the
 * model has changed the lookahead since the options were read, writes the names of those options of
 * the model that are called "lookahead" or whose help contains "the lookahead of --synch=2". If
 * there are none, writes that the model sets g_tw_lookahead. */
#define RUN_LOOKAHEAD_MAX 160u
const char *run_lookahead_setter(char out[RUN_LOOKAHEAD_MAX]);
/* Prints "program: message" on stderr of rank 0, and ends all ranks with status 2. Collective. */
_Noreturn void run_refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
