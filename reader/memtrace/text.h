/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - the tables of an analysis as text of at most 80 columns, as CSV and as JSON.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TEXT_H
#define WARPSCOPE_READER_MEMTRACE_TEXT_H

#include <stdio.h>

#include "memtrace/tables.h"

/* Prints at most top rows and the number of further ones; transfers and flows by descending bytes.
 * Returns false, after a message, if out of memory. */
bool ws_memtrace_text(struct ws_memtrace *m, enum ws_memtrace_table_id id, uint64_t top, FILE *out);
/* Prints the name of a kernel, with control characters replaced, into a column of `width`
 * characters. A longer name is preceded by its number, since many long names begin with the same
 * words. The function then returns true, and the caller sets is_cut. */
bool ws_memtrace_kernel_text(char *to, size_t size, const struct ws_kernel *kernel, uint64_t number,
                             size_t width);
/* Prints the list of the kernels whose is_cut is set: their numbers and full names. */
void ws_memtrace_text_kernels(const struct ws_memtrace *m, FILE *out);

/* Prints all rows, after a header line. A CTA is three columns: NAME_x, NAME_y, NAME_z. */
bool ws_memtrace_csv(struct ws_memtrace *m, enum ws_memtrace_table_id id, FILE *out);

/* Prints an object with an array of objects per table, a line per row. */
bool ws_memtrace_json_tables(struct ws_memtrace *m, const enum ws_memtrace_table_id *ids, size_t n,
                             FILE *out);

/* Prints a CTA as "x,y,z". */
#define WS_CTA_TEXT_MAX 32
void ws_memtrace_cta_text(char to[WS_CTA_TEXT_MAX], uint64_t cta);

#endif
