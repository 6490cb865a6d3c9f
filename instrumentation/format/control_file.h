/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control_file.h - the two files through which "warpscope ctl" and a running simulation
 * communicate.
 *
 * The file <prefix>-control has requests. The run writes its first line; commands append further
 * lines while they hold a lock. The file <prefix>-control.answers has answers. Only the run writes
 * it, and holds a lock on it until the process ends. Both files belong to the user who started the
 * run and have mode 0600. The run removes them when it ends.
 *
 * A line consists of fields separated by one blank; the last field is "end". A truncated line is
 * thus recognised and ignored. In a field, a percent sign and two hexadecimal digits stand for one
 * byte.
 *
 *     warpscope-control 1 PID HOST DATE PROGRAM end        first line of the requests
 *     request ID USER HOST PID WORD... end
 *     answer ID done|refused GVT SECONDS DATE TEXT end
 *
 * In the first line, PID is the process id of rank 0. A DATE is in seconds since 1970.
 */
#ifndef WARPSCOPE_FORMAT_CONTROL_FILE_H
#define WARPSCOPE_FORMAT_CONTROL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define CONTROL_FILE_END    "-control"
#define CONTROL_ANSWERS_END "-control.answers"
#define CONTROL_VERSION     "1"
#define CONTROL_LINE_MAX    4096u /* maximum length in bytes of a line, with its line feed */
#define CONTROL_FIELDS_MAX  80u
#define CONTROL_ID_MAX      64u

/* Indices of the fields of the first line, of a request, and of an answer. */
enum {
    CONTROL_HEAD_MARK,
    CONTROL_HEAD_VERSION,
    CONTROL_HEAD_PID,
    CONTROL_HEAD_HOST,
    CONTROL_HEAD_DATE,
    CONTROL_HEAD_PROGRAM,
    CONTROL_HEAD_FIELDS
};
enum {
    CONTROL_REQUEST_MARK,
    CONTROL_REQUEST_ID,
    CONTROL_REQUEST_USER,
    CONTROL_REQUEST_HOST,
    CONTROL_REQUEST_PID,
    CONTROL_REQUEST_WORDS
};
enum {
    CONTROL_ANSWER_MARK,
    CONTROL_ANSWER_ID,
    CONTROL_ANSWER_RESULT,
    CONTROL_ANSWER_GVT,
    CONTROL_ANSWER_SECONDS,
    CONTROL_ANSWER_DATE,
    CONTROL_ANSWER_TEXT,
    CONTROL_ANSWER_FIELDS
};
#define CONTROL_MARK_HEAD    "warpscope-control"
#define CONTROL_MARK_REQUEST "request"
#define CONTROL_MARK_ANSWER  "answer"

/* Composes `line` from the n fields, the field "end" and a line feed. Returns its length in bytes;
 * 0 if it would be longer than CONTROL_LINE_MAX. */
size_t control_line_write(char line[CONTROL_LINE_MAX], const char *const *fields, unsigned n);

/* Splits a line, given without its line feed, into fields. Changes the line: the fields point into
 * it. Returns the number of fields, without the field "end"; 0 if the line is invalid. */
unsigned control_line_read(char *line, char *fields[CONTROL_FIELDS_MAX]);

#endif
