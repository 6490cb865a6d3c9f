/*
 * memtrace_text.h - the tables of an analysis as text of at most 80 columns, as CSV and as JSON.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TEXT_H
#define WARPSCOPE_READER_MEMTRACE_TEXT_H

#include <stdio.h>

#include "memtrace_tables.h"

/* At most top rows, and how many more there are; of transfers and flows those with most bytes.
 * False: no memory; that was said. */
bool ws_memtrace_text(struct ws_memtrace *m, enum ws_memtrace_table_id id, uint64_t top, FILE *out);
/* The name of a kernel, plain, for a column of width characters. A longer one gets its number
 * before it, as many long names begin with the same words; true then, for the caller to set
 * is_cut. */
bool ws_memtrace_kernel_text(char *to, size_t size, const struct ws_kernel *kernel, uint64_t number,
                             size_t width);
/* What the numbers of the kernels with is_cut mean. */
void ws_memtrace_text_kernels(const struct ws_memtrace *m, FILE *out);

/* All rows, with a header line. A CTA is three columns: NAME_x, NAME_y, NAME_z. */
bool ws_memtrace_csv(struct ws_memtrace *m, enum ws_memtrace_table_id id, FILE *out);

/* An object with an array of objects per table, a line per row. */
bool ws_memtrace_json_tables(struct ws_memtrace *m, const enum ws_memtrace_table_id *ids, size_t n,
                             FILE *out);

/* "x,y,z" */
#define WS_CTA_TEXT_MAX 32
void ws_memtrace_cta_text(char to[WS_CTA_TEXT_MAX], uint64_t cta);

#endif
