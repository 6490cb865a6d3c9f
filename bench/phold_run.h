/*
 * phold_run.h - runs phold and other programs of this build for the tables, and reads what they
 * report. Whatever goes wrong ends the calling program with a message and status 1.
 */
#ifndef WARPSCOPE_BENCH_PHOLD_RUN_H
#define WARPSCOPE_BENCH_PHOLD_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "ross.h"

#define PHOLD_RUN_ARGS_MAX  64
#define PHOLD_RUN_TEXT_SIZE 1024

/* Where things are. Filled by phold_programs_find(); options may set phold, launcher and args
 * before. */
struct phold_programs {
    char folder[PATH_MAX]; /* that of this program */
    char phold[PATH_MAX];
    char launcher[PATH_MAX];
    char args[PHOLD_RUN_TEXT_SIZE]; /* more arguments of phold, separated by blanks */
};

/* Rows of an option table that set them. */
#define PHOLD_PROGRAM_OPTIONS(programs)                                                            \
    TWOPT_CHAR("args", (programs).args, "more arguments for phold, separated by blanks"),          \
        TWOPT_CHAR("phold", (programs).phold, "the model; else the one beside this program"),      \
        TWOPT_CHAR("launcher", (programs).launcher,                                                \
                   "MPI launcher; else $MPIEXEC, else that of the build folder")

/* One configuration of phold. */
struct phold_setup {
    unsigned synch;
    unsigned ranks;
    unsigned long lps; /* of all ranks, a multiple of them */
    double remote;
    double lookahead;
    unsigned long start_events;
    double end;
    unsigned gvt_interval; /* 0: the default */
};

/* What a run reported. */
struct phold_report {
    double net_events;
    double events_processed; /* with those that were rolled back */
    double run_seconds;
    double event_rate;
    double gvt_rounds;
    double rss_bytes; /* peak of the largest rank */
};

/* Looks for phold beside this program, and for the launcher in $MPIEXEC, then in the build folder
 * that this program is in. */
void phold_programs_find(struct phold_programs *programs);

/* Runs phold: on one rank by itself, on more under the launcher. */
void phold_run(const struct phold_programs *programs, const struct phold_setup *setup,
               struct phold_report *report);

/* A command line, built up by program_add(), which formats one argument. Starts as all zero. */
struct program_args {
    size_t n;
    char *arg[PHOLD_RUN_ARGS_MAX + 1];
};

void program_add(struct program_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An argument for each word of the text, which blanks separate. */
void program_add_words(struct program_args *args, const char *text);
/* The start of a command line: phold, on more ranks than one under the launcher. */
void phold_add_start(struct program_args *args, const struct phold_programs *programs,
                     unsigned ranks);

/* Runs the command, frees its arguments, and returns its output, which the caller frees. */
char *program_output(struct program_args *args);

/* The number behind the first "key": in JSON text; ends the program if there is none. */
double program_number(const char *json, const char *key);

#endif
