/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun.h - declarations that the two halves of "warpscope rerun" share: rerun.c, which makes the
 * command that repeats a run, and rerun_differs.c, which compares this environment with that of the
 * recorded run.
 */
#ifndef WARPSCOPE_READER_INFO_RERUN_H
#define WARPSCOPE_READER_INFO_RERUN_H

#include <stdbool.h>
#include <stddef.h>

#include "format/format.h"

/* Facts about the start of a run. They are borrowed; NULL if missing. */
struct ws_rerun {
    const struct fmt_superblock *sb;
    const char *program;
    const char *folder;   /* working directory in which the run was started */
    const char *launcher; /* launcher and its arguments, as words for a shell */
    const char *options;  /* options of the run, as words for a shell */
    const char *words;    /* other arguments of the program, as words for a shell */
    unsigned long ranks;
    /* Launcher to use if that of the run is unknown; "": none is needed. */
    char fallback[64];
};

/* Prints each difference between this environment and the recorded one as a line on stderr. Returns
 * the number of lines. Sets *possible to true if the command of the run can still be started. Runs
 * no program except a launcher in PATH, to find out its version. */
unsigned ws_rerun_differences(const struct ws_rerun *run, bool *possible);

#endif
