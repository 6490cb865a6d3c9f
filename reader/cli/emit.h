/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - writes rows of cells as CSV, TSV, JSON or JSON lines to a FILE.
 *
 * CSV (RFC 4180, lines end with a line feed): a header line, then a line per row. A field is empty
 * if the column has no value. Numbers that are not finite are nan, inf and -inf. TSV: like CSV, but
 * with tabs between columns; in strings, backslash, tab, line feed and carriage return become \\,
 * \t, \n and \r. JSON: an array of objects, one per line, without members for columns that have no
 * value; numbers that are not finite are null. JSON lines: the objects alone, one per line. In all
 * forms, integers have all their digits, and floating-point numbers can be read back with the
 * identical bits.
 */
#ifndef WARPSCOPE_READER_CLI_EMIT_H
#define WARPSCOPE_READER_CLI_EMIT_H

#include <stdio.h>

#include "access/table.h"
#include "cli/out.h"
#include "render/sink.h"

/* State of the output. The caller sets `out` or `file_out`, and the format, and zeroes the other
 * members. The output is complete only after ws_emit_end(). */
struct ws_emitter {
    FILE *out;
    struct ws_out *file_out; /* used if out is NULL */
    bool json;
    bool lines; /* true: JSON lines; requires json */
    bool tabs;  /* true: TSV; requires json to be false */
    /* Value of the member "file" that begins each JSON object; NULL: no such member. */
    const char *file;
    uint64_t rows;
    size_t record_room; /* maximum size of the fields of a record in bytes, without strings */
    struct ws_sink sink;
    char buffer[1 << 16];
};

void ws_emit_begin(struct ws_emitter *emitter, const struct ws_table *table);
/* Writes the current row of the table. */
void ws_emit_row(struct ws_emitter *emitter, const struct ws_table *table);
/* Writes record number `row` of a decoded block. Takes the values from the table's cells or,
 * if possible, directly from the block, which is faster. Returns the error in the
 * record's payload, or NULL. */
const char *ws_emit_record(struct ws_emitter *emitter, struct ws_table *table,
                           const struct fmt_columns *columns, uint32_t row);
/* Begins output without a header, for values that do not belong to a table. */
void ws_emit_start(struct ws_emitter *emitter);
/* Writes one number. */
void ws_emit_value(struct ws_emitter *emitter, const struct fmt_value *value);
void ws_emit_end(struct ws_emitter *emitter);

/* Prints an error message that writing to standard output failed. sys_errno: the errno value; 0:
 * unknown. Prints nothing if standard output is a pipe that its reader has closed. Returns
 * WS_EXIT_OUTPUT. */
int ws_output_failed(int sys_errno);
/* Flushes stdout before the caller prints to stderr. If this fails and *sys_errno is 0, sets
 * *sys_errno to the errno value, for ws_output_failed(). */
void ws_output_flush(int *sys_errno);

#endif
