/*
 * run.h - what surrounds the PE in one process: the command line, the clock, the chosen settings.
 */
#ifndef WARPSCOPE_ENGINE_RUN_H
#define WARPSCOPE_ENGINE_RUN_H

#include <pthread.h>
#include <signal.h>

#include "base/options.h"
#include "base/progress.h"
#include "engine/request.h"
#include "engine/words.h"
#include "ross.h"

#define RUN_PATH_MAX            1024
#define RUN_SIGNALS             7   /* that a run watches */
#define RUN_CRASHES             5   /* signals that crash.c reports */
#define TW_GVT_INTERVAL_DEFAULT 16u /* of g_tw_gvt_interval: nobody has chosen one */

/* Kernel options that are not ROSS globals. */
struct run_settings {
    unsigned int synch;
    unsigned int lz4_knob; /* acceleration of LZ4, see snapshot.c */
    unsigned int extramem; /* accepted, no effect; as are the next four */
    unsigned int avl_size;
    unsigned int buddy_size;
    unsigned int read_buffer;
    unsigned int send_buffer;
    double max_opt_lookahead; /* 0: chosen by measured efficiency */
    double report_interval;   /* share of the end time between progress lines */
    char transport[16];       /* name of an enum transport_kind */
    unsigned int rng_seed[4]; /* all or none */
    unsigned int core_rng_seed[4];
    char rng[16];                        /* name of an enum rng_kind */
    char phase_times[16];                /* name of an enum phase_times */
    unsigned long long max_memory_mib;   /* per rank; 0: chosen */
    char memory_check[8];                /* "on", "off": see tw_ask_memory() */
    unsigned long long random_rollbacks; /* after one of so many batches; 0: none */
    unsigned long long observer_memory;  /* bytes per rank; 0: no limit */
    unsigned int fingerprint;
    unsigned int quiet;
    char stall_warning[32];    /* seconds, perhaps with an "s" behind */
    char checkpoint_every[32]; /* virtual time, or seconds with an "s" behind; "": none */
    char checkpoint_path[RUN_PATH_MAX];
    unsigned int checkpoint_keep;
    char checkpoint_on[8];            /* "term": also before a signal ends the run; "": not */
    unsigned int checkpoint_pointers; /* write states though they seem to hold pointers */
    char restart[RUN_PATH_MAX];
    char report_json[RUN_PATH_MAX];
    char csv[RUN_PATH_MAX];
    char args_file[RUN_PATH_MAX];
};

/* When g_tw_gvt_hook is called; see gvt_hook.c. */
enum gvt_hook_when {
    GVT_HOOK_UNUSED = 0, /* nobody has said */
    GVT_HOOK_NEVER,      /* no more, but at the end */
    GVT_HOOK_AT,
    GVT_HOOK_EVERY,
    GVT_HOOK_MODEL
};
struct gvt_hook {
    enum gvt_hook_when when;
    double time;       /* AT */
    unsigned every;    /* EVERY: so many GVTs */
    uint64_t answered; /* MODEL: requests on all ranks that there has been a call for */
};

/* What signals have said so far; see signals.h. Written by handlers. */
struct run_signals {
    uint64_t first_ns;         /* monotonic clock when the first came that ends the run */
    volatile bool interrupted; /* by a SIGINT */
    struct request status;     /* SIGUSR1 */
    struct request checkpoint; /* SIGUSR2 */
};

/* See crash.c. */
struct run_crash {
    struct sigaction old_actions[RUN_CRASHES];
    bool is_programs[RUN_CRASHES]; /* the program had a handler before MPI was started */
    pthread_t thread;              /* the simulation's */
    void *stack;                   /* of the handler; NULL: not ours */
    uintptr_t stack_end;           /* of the simulation, about; 0: not known */
};

/* What the status said last, for the rate since then. */
struct run_status {
    double seconds; /* of the run; 0: there was none */
    double net_events;
};

struct run {
    MPI_Comm parent; /* of tw_comm_set(), or MPI_COMM_NULL */
    struct options options;
    struct gvt_hook hook;
    struct run_settings settings;
    char *program; /* last part of argv[0] */
    char *command_line;
    struct run_words words;
    double ticks_per_second;
    double seconds_per_tick;
    uint64_t start_ticks; /* run_seconds() == 0 */
    uint64_t init_ns;     /* monotonic clock at tw_init() */
    double init_seconds;
    double run_seconds;
    uint64_t run_ticks; /* the same, by the clock of start_ticks */
    struct progress progress;
    struct sigaction old_actions[RUN_SIGNALS]; /* see signals.c */
    struct run_signals signals;
    struct run_crash crash;
    struct run_status last_status;
    bool failing;                      /* in tw_error() */
    bool as_for_ross8;                 /* see run_as_for_ross8() */
    char unread[OPTIONS_ECHO_MAX + 1]; /* "-v": see tw_opt_words_max() */
    bool results_lost;                 /* see run_results_are_lost() */
};

#define RUN_INITIAL                                                                                \
    {                                                                                              \
        .parent = MPI_COMM_NULL, .settings = {                                                     \
            .lz4_knob = 17,                                                                        \
            .report_interval = 0.01,                                                               \
            .transport = "auto",                                                                   \
            .rng = "clcg4",                                                                        \
            .phase_times = "sampled",                                                              \
            .memory_check = "on",                                                                  \
            .observer_memory = 64ull << 20,                                                        \
            .stall_warning = "60s",                                                                \
            .checkpoint_keep = 2                                                                   \
        }                                                                                          \
    }

extern struct run g_run;

/* Adds the kernel's option tables. */
void run_add_options(struct options *set);
/* Visits the options that neither the engine nor its extension has, see options_visit(). */
void run_visit_model_options(options_visit_f visit, void *ctx);
/* Is it a table of the model? */
extern const struct options_choice run_most_used_options; /* for short help */
bool run_is_model_table(const tw_optdef *table);
/* The run is over: the globals that models and options set get their first values back, and nothing
 * points to its storage any more. */
void run_forget(void);
/* Checks the kernel options against each other and moves them to the globals; one line of error. */
enum tw_status run_apply_settings(char *error, size_t error_size);
/* Collective: rank 0 prints "program: message" on stderr; all ranks end with status 2. */
_Noreturn void run_refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
