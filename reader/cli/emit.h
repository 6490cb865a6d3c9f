/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - writes records as CSV, TSV, JSON or JSON lines.
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

#include "access/table_schema.h"
#include "cli/out.h"

/* A shown column: its index in the table, and in JSON the text "NAME": at this offset. */
struct ws_emit_key {
    uint32_t column, length;
    size_t at;
};

/* State of the output. The caller sets `out` and the format, and zeroes the other members. Failures
 * are those of `out`. */
struct ws_emitter {
    struct ws_out *out; /* borrowed */
    bool json;
    bool lines; /* true: JSON lines; requires json */
    bool tabs;  /* true: TSV; requires json to be false */
    /* Value of the member "file" that begins each JSON object; NULL: no such member. */
    const char *file;
    uint64_t rows;
    char between;             /* separator of the columns */
    struct ws_emit_key *keys; /* owned; the n_keys shown columns, in their order */
    uint32_t n_keys;
    uint32_t times;  /* largest number of times for which --fields names a column, at least 1 */
    char *key_texts; /* owned */
    size_t row_max;  /* maximum size of a row in bytes, without the payload */
    struct ws_emit_cell *cells; /* owned; cells of records that are being written */
};

/* Begins the output of a table: writes the header. Frees what the emitter had for another one. */
void ws_emit_begin(struct ws_emitter *emitter, const struct ws_table *table);
/* Writes records. If rows->plans is NULL, finds the treatment of their payloads itself. Returns false
 * on failure. */
bool ws_emit_rows(struct ws_emitter *emitter, const struct ws_table *table,
                  const struct ws_rows *rows);
/* Ends the output of a table. */
void ws_emit_end(struct ws_emitter *emitter);
void ws_emit_free(struct ws_emitter *emitter);

/* Prints an error message that writing to standard output failed. sys_errno: the errno value; 0:
 * unknown. Prints nothing if standard output is a pipe that its reader has closed. Returns
 * WS_EXIT_OUTPUT. */
int ws_output_failed(int sys_errno);

#endif
