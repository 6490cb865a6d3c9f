/*
 * report_csv.h - the report as one row of a table that grows from run to run (--csv=FILE).
 *
 * The first line of the file names the columns. A row is appended in one write, so that rows of
 * runs that end at the same time do not mix, and a write that fails leaves the file as it was.
 * Texts are quoted as in RFC 4180; what is not known is an empty cell.
 *
 * Columns: date (UTC, ISO 8601), program, version, command_line, run_end, scheduler, transport,
 * rng, the numbers of the JSON report under their names there, counters and memory included, and
 * seconds_<phase>.
 */
#ifndef WARPSCOPE_REPORT_CSV_H
#define WARPSCOPE_REPORT_CSV_H

#include "report.h"

/*
 * Can rows be appended to this file? TW_ERR_IO when it cannot be written, TW_ERR_USAGE when it is
 * another table; one clause that says why in error. A file that does not exist is not left behind.
 */
enum tw_status report_csv_check(const char *path, char *error, size_t error_size);

/*
 * Appends a row, and the line of names before it when the file is new or empty. Status and error as
 * above. pipe_fd: what path names is a pipe that has been opened here, and is closed at the end;
 * -1: path is opened.
 */
enum tw_status report_csv_append(const struct report *report, const char *path, int pipe_fd,
                                 char *error, size_t error_size);

#endif
