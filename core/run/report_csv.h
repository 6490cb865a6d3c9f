/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_csv.h - the report as a row of a table that grows with each run (--csv=FILE).
 *
 * The first line of the file names the columns. One write appends a row, so that rows of runs that
 * end at the same time do not mix; a failed write leaves the file unchanged. Strings are quoted as
 * in RFC 4180. Unknown values are empty cells.
 *
 * Columns: date (UTC, ISO 8601), program, version, command_line, run_end, scheduler, transport,
 * rng, the numbers of the JSON report under the same names, including counters and memory, and
 * seconds_<phase>.
 */
#ifndef WARPSCOPE_RUN_REPORT_CSV_H
#define WARPSCOPE_RUN_REPORT_CSV_H

#include "run/report.h"

/* Checks that rows can be appended to this file. Returns TW_ERR_IO if it cannot be written,
 * TW_ERR_USAGE if it holds another table; error then has one clause with the reason. Does not leave
 * a new file behind. */
enum tw_status report_csv_check(const char *path, char *error, size_t error_size);

/* Appends a row, preceded by the line of names if the file is new or empty. Status and error as for
 * report_csv_check(). pipe_fd: the open pipe that path names, closed by this function; -1: the
 * function opens path. */
enum tw_status report_csv_append(const struct report *report, const char *path, int pipe_fd,
                                 char *error, size_t error_size);

#endif
