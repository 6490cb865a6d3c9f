/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_csv.h - the report as a row of a table to which each run adds a row (--csv=FILE).
 *
 * The first line of the file names the columns. A row is appended by a single write, so that rows
 * of runs that end at the same time do not mix. A failed write leaves the file unchanged. Strings
 * are quoted as in RFC 4180. Unknown values are empty cells.
 *
 * Columns: date (UTC, ISO 8601); the figures of the run and the derived figures in report_fields.h;
 * the counters; the figures of memory in report_fields.h; seconds_PHASE for each phase. Figures
 * have the same names as in the JSON report.
 */
#ifndef WARPSCOPE_RUN_REPORT_CSV_H
#define WARPSCOPE_RUN_REPORT_CSV_H

#include "run/report.h"

/* Checks that a row can be appended to the file at path. Returns TW_ERR_IO if the file cannot be
 * written, TW_ERR_USAGE if it holds a table with other columns, or TW_ERR_MEMORY; then writes the
 * reason to error as a clause. Creates no file. */
enum tw_status report_csv_check(const char *path, char *error, size_t error_size);

/* Appends a row to the file at path, preceded by the line of names if the file is new or empty.
 * Returns statuses and writes errors like report_csv_check(). pipe_fd: descriptor of the open pipe
 * at path, which this function closes; -1: the function opens path. */
enum tw_status report_csv_append(const struct report *report, const char *path, int pipe_fd,
                                 char *error, size_t error_size);

#endif
