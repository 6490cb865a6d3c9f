/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - writes rows of cells as CSV, TSV, JSON or JSON lines to a stream.
 *
 * CSV (RFC 4180, lines end with a line feed): a header line, empty fields where a column has no
 * value, and nan, inf and -inf for such numbers. JSON: one array of objects, one per line. Columns
 * without a value are left out, and numbers that are not finite are null. JSON lines: the objects
 * alone, one per line. TSV: like CSV, but with tabs between columns, and backslash, tab, line feed
 * and carriage return in strings as \\, \t, \n and \r. Integers are printed with all digits.
 * Floating-point numbers read back as the identical bits.
 */
#ifndef WARPSCOPE_READER_CLI_EMIT_H
#define WARPSCOPE_READER_CLI_EMIT_H

#include <stdio.h>

#include "access/table.h"
#include "render/sink.h"

/* State of the output. Set `out` and the format, and zero the other members. The output is complete
 * in out after ws_emit_end(). */
struct ws_emitter {
    FILE *out;
    bool json;
    bool lines;       /* true: JSON lines; requires json */
    bool tabs;        /* true: TSV; requires json to be false */
    const char *file; /* if not NULL, the value of the first member of each object of JSON lines */
    uint64_t rows;
    struct ws_sink sink;
    char buffer[1 << 16];
};

void ws_emit_begin(struct ws_emitter *emitter, const struct ws_table *table);
/* Emits the current row of the table. */
void ws_emit_row(struct ws_emitter *emitter, const struct ws_table *table);
/* Emits record number row of a decoded block: through the table's cells or, in CSV, directly, which
 * is faster. Returns the error in its payload, or NULL. */
const char *ws_emit_record(struct ws_emitter *emitter, struct ws_table *table,
                           const struct fmt_columns *columns, uint32_t row);
/* Functions for rows that do not belong to a table: begin without a header, and write one
 * number. */
void ws_emit_start(struct ws_emitter *emitter);
void ws_emit_value(struct ws_emitter *emitter, const struct fmt_value *value);
void ws_emit_end(struct ws_emitter *emitter);

/* Reports that writing to standard output failed with this errno value (0: unknown). Prints nothing
 * if standard output is a pipe that its reader has closed. Returns WS_EXIT_OUTPUT. */
int ws_output_failed(int sys_errno);
/* Flushes stdout before a message on stderr. Stores the errno value of the first failure in
 * *sys_errno (initially 0), for ws_output_failed(). */
void ws_output_flush(int *sys_errno);

#endif
