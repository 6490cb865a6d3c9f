/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - rows of cells to CSV, TSV, JSON or JSON lines on a stream.
 *
 * CSV (RFC 4180, lines end with a line feed): a header line, empty fields where a column has no
 * value, nan, inf and -inf for such numbers. JSON: one array of objects, a line each; columns
 * without a value are left out, numbers that are none are null. JSON lines: the objects alone, one
 * per line. TSV: as CSV, but with tabs between columns, and backslash, tab, line feed and carriage
 * return in texts as \\, \t, \n and \r. Integers are printed with all digits. Floating-point
 * numbers read back as the same bits.
 */
#ifndef WARPSCOPE_READER_ACCESS_EMIT_H
#define WARPSCOPE_READER_ACCESS_EMIT_H

#include <stdio.h>

#include "access/table.h"
#include "text/sink.h"

/* Set out and the form, the rest zero. What was emitted is in out after ws_emit_end(). */
struct ws_emitter {
    FILE *out;
    bool json;
    bool lines;       /* with json: JSON lines */
    bool tabs;        /* TSV, without json */
    const char *file; /* not NULL: the first member of each object of JSON lines */
    uint64_t rows;
    struct ws_sink sink;
    char buffer[1 << 16];
};

void ws_emit_begin(struct ws_emitter *emitter, const struct ws_table *table);
/* The table's current row. */
void ws_emit_row(struct ws_emitter *emitter, const struct ws_table *table);
/* Record number row of a decoded block, by way of the table's cells or, in CSV, faster. What is
 * wrong with its payload, or NULL. */
const char *ws_emit_record(struct ws_emitter *emitter, struct ws_table *table,
                           const struct fmt_columns *columns, uint32_t row);
/* For rows that are no table's: begins without a header, writes one number. */
void ws_emit_start(struct ws_emitter *emitter);
void ws_emit_value(struct ws_emitter *emitter, const struct fmt_value *value);
void ws_emit_end(struct ws_emitter *emitter);

/* Says that writing to standard output failed with this errno value (0: unknown), unless the reader
 * of a pipe has just had enough. Returns WS_EXIT_OUTPUT. */
int ws_output_failed(int sys_errno);
/* Writes out what is on its way to stdout, in front of what is to be said on stderr. Keeps in
 * *sys_errno, 0 before, why that failed first, for ws_output_failed(). */
void ws_output_flush(int *sys_errno);

#endif
