/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun.h - the two halves of "warpscope rerun": the command that repeats a run, and what is not as
 * it was.
 */
#ifndef WARPSCOPE_READER_INFO_RERUN_H
#define WARPSCOPE_READER_INFO_RERUN_H

#include <stdbool.h>
#include <stddef.h>

#include "format/format.h"

/* What the facts of a run say about its start; borrowed, NULL where they say nothing. */
struct ws_rerun {
    const struct fmt_superblock *sb;
    const char *program;
    const char *folder;   /* in which it was started */
    const char *launcher; /* words for a shell */
    const char *options;
    const char *words;
    unsigned long ranks;
    char fallback[64]; /* launcher where that of the run is not known; "": none is needed */
};

/* Says on stderr, a line each, what is missing here or is not as it was. Returns how many lines;
 * *possible: whether the command can be started all the same. Starts no program but a launcher
 * that is found in PATH, to ask for its version. */
unsigned ws_rerun_differences(const struct ws_rerun *run, bool *possible);

#endif
