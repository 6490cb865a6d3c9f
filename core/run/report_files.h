/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_files.h - the report on stdout and in files: --report-json, and --csv, a table to which each
 * run adds a row. Reports are also written to named pipes: a reader may open the pipe late without
 * losing data, and a reader that closes the pipe early affects only the report in this pipe.
 *
 * The first line of the table names the columns. A row is appended by a single write, so that rows
 * of runs that end at the same time do not mix. A failed write leaves the file unchanged. Strings
 * are quoted as in RFC 4180. Unknown values are empty cells.
 *
 * Columns: date (UTC, ISO 8601); the figures of the run and the derived figures in report_fields.h;
 * the counters; the figures of memory in report_fields.h; seconds_PHASE for each phase. Figures
 * have the same names as in the JSON report.
 */
#ifndef WARPSCOPE_RUN_REPORT_FILES_H
#define WARPSCOPE_RUN_REPORT_FILES_H

#include <signal.h>

#include "engine/pe/pe.h"
#include "files/trust.h"
#include "run/report.h"

/* Gathers the report. On rank 0, prints it on stdout and writes it to the files of --report-json
 * and --csv. Collective. */
void run_report(struct pe *pe);

/* Returns true if all output to stdout has been written. Otherwise prints an error message on
 * stderr and returns false. */
bool run_stdout_is_complete(void);
/* Opens /dev/null as a placeholder for each standard file that is closed. Otherwise the next file
 * or socket to be opened would receive the descriptor of the closed file, and printed text would go
 * there. Call it before any file is opened. */
void run_hold_standard_files(void);

/* Ends the program with status 2 if rank 0 cannot write the files of --report-json or --csv. Call
 * it before the run, so that the report of a long run is not lost. Collective. */
void run_check_report_files(struct pe *pe);
/* Writes the report to the files of --report-json and --csv. A failure causes a warning and affects
 * the exit status. Called on rank 0. */
void run_write_report_files(const struct report *report);

/* Checks that a row can be appended to the file at path: that it can be written, and holds no table
 * with other columns. Creates no file. Otherwise writes the reason to error as a clause, and returns
 * false. */
bool report_csv_check(const char *path, char *error, size_t error_size);

/* Appends a row to the file at path, preceded by the line of names if the file is new or empty.
 * Returns false after an error, like report_csv_check(). pipe_fd: descriptor of the open pipe at
 * path, which this function closes; -1: the function opens path. */
bool report_csv_append(const struct report *report, const char *path, int pipe_fd, char *error,
                       size_t error_size);

/* A report that is being written to a file, which may be a pipe. */
struct report_pipe {
    int fd;                      /* descriptor of the open pipe; -1: the file is no pipe */
    struct sigaction on_sigpipe; /* action for SIGPIPE, to be restored */
};

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
