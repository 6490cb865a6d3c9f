/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_pipe.h - writes reports to named pipes. A reader may open the pipe late without losing
 * data, and a reader that closes it early affects only its own report.
 */
#ifndef WARPSCOPE_RUN_REPORT_PIPE_H
#define WARPSCOPE_RUN_REPORT_PIPE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* A report being written to a file, which may be a pipe. */
struct report_pipe {
    int fd; /* descriptor of the open pipe; -1: no pipe */
    struct sigaction on_sigpipe;
};

/* Returns true if path is a pipe. Does not open it, since closing it would signal the end of the
 * data to its reader. */
bool report_is_pipe(const char *path);

/*
 * Opens a pipe and waits until it has a reader, with a notice if there is none yet. On failure
 * returns false and sets errno. Returns true if path is not a pipe.
 *
 * A signal that ends runs (signals.h) ends the wait with EINTR within 50 ms, even if it came
 * earlier, in the run or in the wait for another reader. One signal thus ends all waits. A reader
 * that is already present gets its report nevertheless.
 */
bool report_pipe_hold(struct report_pipe *pipe, const char *path);
/* Returns the open pipe, or -1 if there is none. The caller writes to it and closes it before
 * report_pipe_release(). Do not open the pipe by name again: if the reader has left, that would
 * wait for another one. Writes then fail with EPIPE. */
int report_pipe_take(struct report_pipe *pipe);
/* Like report_pipe_take(), but returns a stream; if path is not a pipe, opens it for writing.
 * Returns NULL, with errno, on failure. */
FILE *report_pipe_open(struct report_pipe *pipe, const char *path);
/* Releases the pipe; must follow each call of report_pipe_hold(), whatever it returned. Preserves
 * errno. */
void report_pipe_release(struct report_pipe *pipe);

#endif
