/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - prints the tables of an analysis as text of at most 80 columns, as CSV, or as JSON.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TEXT_H
#define WARPSCOPE_READER_MEMTRACE_TEXT_H

#include <stdio.h>

#include "memtrace/tables.h"
#include "text/json.h"

/* Prints at most `top` rows of a table as text to `out`, then the number of rows left out.
 * Transfers and flows are sorted by bytes, largest first. Prints an error message and returns false
 * if out of memory. */
bool ws_memtrace_text(struct ws_memtrace *m, enum ws_memtrace_table_id id, uint64_t top, FILE *out);
/* Writes the label of a kernel to `to`, which has `size` bytes, and replaces control characters in
 * it. If the label is longer than `width` characters, writes the kernel's number before it, since
 * many long names begin alike, and returns true; the caller then sets kernel->is_cut. */
bool ws_memtrace_kernel_text(char *to, size_t size, const struct ws_kernel *kernel, uint64_t number,
                             size_t width);
/* Prints the number and the full name of each kernel whose is_cut is true. */
void ws_memtrace_text_kernels(const struct ws_memtrace *m, FILE *out);

/* Prints a header line and all rows of a table as CSV to `out`. A column NAME of CTAs becomes three
 * columns: NAME_x, NAME_y, NAME_z. Prints an error message and returns false if out of memory. */
bool ws_memtrace_csv(struct ws_memtrace *m, enum ws_memtrace_table_id id, FILE *out);

/* Prints a JSON object with one array per table in ids; each row is an object on a line of its own.
 * Prints an error message and returns false if out of memory. */
bool ws_memtrace_json_tables(struct ws_memtrace *m, const enum ws_memtrace_table_id *ids, size_t n,
                             FILE *out);

/* Writes a table as a member of the open JSON object: an array of rows, with the name of the table.
 * Returns false if out of memory. */
bool ws_memtrace_json_rows(struct json_writer *json, struct ws_memtrace *m,
                           enum ws_memtrace_table_id id);

/* Writes the packed coordinates `cta` to `to` as three decimal numbers with commas between them. */
#define WS_CTA_TEXT_MAX 32
void ws_memtrace_cta_text(char to[WS_CTA_TEXT_MAX], uint64_t cta);

#endif
