/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_pipe.h - writes reports to named pipes. A reader may open the pipe late without losing
 * data. A reader that closes the pipe early affects only the report in this pipe.
 */
#ifndef WARPSCOPE_RUN_REPORT_PIPE_H
#define WARPSCOPE_RUN_REPORT_PIPE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "files/trust.h"

/* A report that is being written to a file, which may be a pipe. */
struct report_pipe {
    int fd;                      /* descriptor of the open pipe; -1: the file is no pipe */
    struct sigaction on_sigpipe; /* action for SIGPIPE, to be restored */
};

/* Returns true if path names a pipe. Does not open the pipe, since closing it would signal the end
 * of the data to its reader. */
bool report_is_pipe(const char *path);

/*
 * If path names a pipe, opens the pipe and waits until it has a reader; prints a warning if there
 * is none yet. Ignores SIGPIPE until report_pipe_release(). Returns false on failure, and writes
 * the reason to why. If path names no pipe, returns true.
 *
 * A signal that ends runs (signals.h) ends the wait with EINTR within 50 ms. This also holds for a
 * signal that came earlier, in the run or in the wait for another reader: one signal thus ends all
 * waits. A reader that is already present receives its report nevertheless.
 */
bool report_pipe_hold(struct report_pipe *pipe, const char *path, char why[TRUST_WHY_MAX]);
/* Returns the descriptor of the open pipe; -1: there is none. The caller writes to the descriptor,
 * and closes it before report_pipe_release(). If the reader has left, writes fail with EPIPE. Do
 * not open the pipe by name again, since that would then wait for another reader. */
int report_pipe_take(struct report_pipe *pipe);
/* Like report_pipe_take(), but returns a stream. If path names no pipe, opens the file for writing.
 * Returns NULL on failure, and writes the reason to why. */
FILE *report_pipe_open(struct report_pipe *pipe, const char *path, char why[TRUST_WHY_MAX]);
/* Closes the pipe, unless it was taken, and restores the action for SIGPIPE. Call it after each
 * report_pipe_hold(), whatever that function returned. */
void report_pipe_release(struct report_pipe *pipe);

#endif
