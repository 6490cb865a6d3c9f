/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - a line on the terminal with the progress of a long command. Nothing is printed in
 * the first second, or if stderr is no terminal.
 */
#ifndef WARPSCOPE_READER_CLI_PROGRESS_H
#define WARPSCOPE_READER_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct ws_progress {
    const char *what;     /* borrowed; label of the line */
    uint64_t total, done; /* number of all records, and of the records processed so far */
    /* Times of a monotonic clock in seconds: the beginning, and the last update of the line. */
    double begin, shown;
    bool on, visible;
};

void ws_progress_begin(struct ws_progress *progress, const char *what, uint64_t total);
void ws_progress_add(struct ws_progress *progress, uint64_t records);
/* Removes the line from the terminal. Must be called before other output to stderr. */
void ws_progress_hide(struct ws_progress *progress);

#endif
