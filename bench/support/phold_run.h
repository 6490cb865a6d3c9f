/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phold_run.h - finds and runs phold for the benchmark tables, and reads its report. An error ends
 * the calling program with a message and status 1.
 */
#ifndef WARPSCOPE_BENCH_SUPPORT_PHOLD_RUN_H
#define WARPSCOPE_BENCH_SUPPORT_PHOLD_RUN_H

#include <limits.h>

#include "ross.h"
#include "support/program.h"

/* Locations of programs. Filled by phold_programs_find(); options may set phold, launcher and args
 * before. */
struct phold_programs {
    char folder[PATH_MAX]; /* directory of the calling program */
    char phold[PATH_MAX];
    char launcher[PATH_MAX];
    char args[PROGRAM_TEXT_SIZE]; /* additional arguments of phold, separated by blanks */
};

/* Rows of an option table that set these locations and arguments. */
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
    unsigned long lps; /* number of LPs of all ranks, a multiple of the number of ranks */
    double remote;
    double lookahead;
    unsigned long start_events;
    double end;
    unsigned gvt_interval; /* GVT interval; 0: the default */
};

/* Results of a run, read from its report. */
struct phold_report {
    double net_events;
    double events_processed; /* number of executed events, including those that were rolled back */
    double run_seconds;
    double event_rate;
    double gvt_rounds;
    double rss_bytes; /* peak resident memory of the largest rank, in bytes */
};

/* Searches for phold in the directory of this program. Takes the launcher (mpirun) from $MPIEXEC,
 * otherwise from the build directory of this program. */
void phold_programs_find(struct phold_programs *programs);

/* Prints a line with the user's arguments, if there are any. */
void phold_print_args(const struct phold_programs *programs);

/* Runs phold and reads its report. On one rank it starts phold directly, on more ranks under the
 * launcher. */
void phold_run(const struct phold_programs *programs, const struct phold_setup *setup,
               struct phold_report *report);

/* Starts a command line: phold, preceded by the launcher on more than one rank. */
void phold_add_start(struct program_args *args, const struct phold_programs *programs,
                     unsigned ranks);

/* Ends a command line: adds the user's arguments, and options that print the report. */
void phold_add_end(struct program_args *args, const struct phold_programs *programs);

#endif
