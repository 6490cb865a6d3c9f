/*
 * emit.h - rows of cells to CSV or JSON on a stream.
 *
 * CSV (RFC 4180, lines end with a line feed): a header line, empty fields where a column has no
 * value, nan, inf and -inf for such numbers. JSON: one array of objects, a line each; columns
 * without a value are left out, numbers that are none are null. Integers are printed with all
 * digits. Floating-point numbers read back as the same bits.
 */
#ifndef WARPSCOPE_READER_EMIT_H
#define WARPSCOPE_READER_EMIT_H

#include <stdio.h>

#include "table.h"

struct ws_emitter {
    FILE *out;
    bool json;
    uint64_t rows;
};

void ws_emit_begin(struct ws_emitter *emitter, const struct ws_table *table);
void ws_emit_row(struct ws_emitter *emitter, const struct ws_table *table);
void ws_emit_end(struct ws_emitter *emitter);

/* Says that writing to standard output failed with this errno value (0: unknown), unless the reader
 * of a pipe has just had enough. Returns WS_EXIT_OUTPUT. */
int ws_output_failed(int sys_errno);

#endif
