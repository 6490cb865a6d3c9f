/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold_run.h - finds and runs phold for the tables of benchmarks, and reads the report of the run.
 * After an error, the functions print a message and end the program with status 1.
 */
#ifndef WARPSCOPE_BENCH_SUPPORT_PHOLD_RUN_H
#define WARPSCOPE_BENCH_SUPPORT_PHOLD_RUN_H

#include <limits.h>

#include "support/measure.h"

/* Locations of programs. phold_programs_find() sets the members; options may have set phold,
 * launcher and args before. */
struct phold_programs {
    char folder[PATH_MAX];        /* directory of the calling program */
    char phold[PATH_MAX];         /* path of the program phold */
    char launcher[PATH_MAX];      /* MPI launcher: a path, or a name to search in $PATH */
    char args[PROGRAM_TEXT_SIZE]; /* additional arguments for phold, separated by blanks */
};

/* Rows of an option table: the options with which the user sets phold, launcher and args. */
#define PHOLD_PROGRAM_OPTIONS(programs)                                                            \
    TWOPT_CHAR("args", (programs).args, "<WORDS> more arguments for phold, separated by blanks"),  \
        TWOPT_CHAR("phold", (programs).phold,                                                      \
                   "<FILE> the model (default: the one beside this program)"),                     \
        TWOPT_CHAR("launcher", (programs).launcher,                                                \
                   "<COMMAND> MPI launcher (default: $MPIEXEC, then that of the build directory)")

/* Value of `synch`: the bare loop, bench_phold_limit, runs instead of phold. */
#define PHOLD_LIMIT 0

/* Parameters of a run of phold. */
struct phold_setup {
    const char *name; /* for error messages */
    unsigned synch;
    unsigned ranks;
    unsigned long lps; /* number of LPs on all ranks, a multiple of `ranks` */
    double remote;     /* probability that an event goes to an LP drawn at random */
    double lookahead;
    double mean;                /* mean offset of an event */
    unsigned long start_events; /* number of events of each LP at the start */
    unsigned long hot_lps;      /* value of --hot-lps */
    double end;
    unsigned gvt_interval; /* value of --gvt-interval; 0: the default */
    const char *args;      /* additional arguments, separated by blanks; NULL: none */
};

/* Results of a run, read from its report. All members are of type double. */
struct phold_report {
    double net_events;
    double event_rate;   /* net events per second */
    double kept;         /* net events, as a share of executed events */
    double rounds_per_s; /* number of GVT computations per second */
    double rss_bytes;    /* peak resident memory of the largest rank, in bytes */
    double event_bytes;  /* peak of the event memory, in bytes */
};

struct phold_result {
    enum program_outcome outcome;
    struct phold_report report; /* of one run, or medians of several; zeros after a failure */
};

/* Finds the programs that options have not named. phold is in the directory of this program. The
 * launcher is $MPIEXEC if that is set, otherwise mpirun in the build directory of this program. */
void phold_programs_find(struct phold_programs *programs);

/* Prints a line with the user's arguments for phold, if there are any. */
void phold_print_args(const struct phold_programs *programs);

/* Runs phold, a single rank directly, and several ranks by the launcher. limit_s: maximum time in
 * seconds; 0: unlimited, and if the run fails, this program ends. */
struct phold_result phold_run(const struct phold_programs *programs,
                              const struct phold_setup *setup, unsigned limit_s);

/* Returns the virtual end time for a run of about `seconds` seconds, at least 3. A trial run of about
 * a tenth of that time measures the event rate. setup.end is not used. */
double phold_end(const struct phold_programs *programs, struct phold_setup setup, double seconds);

/* Runs all n setups in turns, so that disturbance by other programs affects all of them, and sets
 * rows[i] to the medians of setup i. A setup that has failed does not run again. All runs must commit
 * the same number of events; otherwise this program ends. limit_s: as for phold_run(). */
void phold_turns(const struct phold_programs *programs, const struct phold_setup *setups, size_t n,
                 unsigned turns, unsigned limit_s, struct phold_result *rows);

/* Adds to args the start of a command line: phold, preceded by the launcher if there are several
 * ranks. */
void phold_add_start(struct program_args *args, const struct phold_programs *programs,
                     unsigned ranks);

/* Adds to args the end of a command line: the user's arguments, and options that print the report
 * as JSON. */
void phold_add_end(struct program_args *args, const struct phold_programs *programs);

#endif
