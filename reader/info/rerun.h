/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rerun.h - the two halves of "warpscope rerun": the command that repeats a run, and the
 * differences from the recorded environment.
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
    const char *folder;   /* working directory at the start */
    const char *launcher; /* launcher and its arguments, as words for a shell */
    const char *options;
    const char *words;
    unsigned long ranks;
    char fallback[64]; /* launcher to use if that of the run is unknown; "": none is needed */
};

/* Prints each difference from the recorded environment as a line on stderr. Returns the number of
 * lines. Sets *possible to true if the command can still be started. Starts no program except a
 * launcher that is found in PATH, to query its version. */
unsigned ws_rerun_differences(const struct ws_rerun *run, bool *possible);

#endif
