/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold_run.h - finds and runs phold for the tables of benchmarks, and reads the report of the run.
 * After an error, the functions print a message and end the program with status 1.
 */
#ifndef WARPSCOPE_BENCH_SUPPORT_PHOLD_RUN_H
#define WARPSCOPE_BENCH_SUPPORT_PHOLD_RUN_H

#include <limits.h>

#include "ross.h"
#include "support/program.h"

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

/* Parameters of a run of phold. */
struct phold_setup {
    unsigned synch;
    unsigned ranks;
    unsigned long lps; /* number of LPs on all ranks, a multiple of `ranks` */
    double remote;     /* probability that an event goes to an LP drawn at random */
    double lookahead;
    double mean;                /* mean offset of an event; 0: the default */
    unsigned long start_events; /* number of events of each LP at the start; 0: the default */
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

/* Finds the programs that options have not named. phold is in the directory of this program. The
 * launcher is $MPIEXEC if that is set, otherwise mpirun in the build directory of this program. */
void phold_programs_find(struct phold_programs *programs);

/* Prints a line with the user's arguments for phold, if there are any. */
void phold_print_args(const struct phold_programs *programs);

/* Runs phold and sets *report from its report. Starts a single rank directly, and several ranks by
 * the launcher. */
void phold_run(const struct phold_programs *programs, const struct phold_setup *setup,
               struct phold_report *report);
/* Like phold_run(), for at most limit_s seconds. Returns the outcome of the run; after a failure,
 * the members of *report are 0. */
enum program_outcome phold_try(const struct phold_programs *programs,
                               const struct phold_setup *setup, unsigned limit_s,
                               struct phold_report *report);

/* Returns the medians of each figure over the n runs, at least 1. */
struct phold_report phold_medians(const struct phold_report *runs, size_t n);

/* Adds to args the start of a command line: phold, preceded by the launcher if there are several
 * ranks. */
void phold_add_start(struct program_args *args, const struct phold_programs *programs,
                     unsigned ranks);

/* Adds to args the end of a command line: the user's arguments, and options that print the report
 * as JSON. */
void phold_add_end(struct program_args *args, const struct phold_programs *programs);

#endif
