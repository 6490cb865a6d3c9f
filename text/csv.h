/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.h - writes fields of CSV (RFC 4180). A field is in quotes if its text contains a comma, a
 * quote or a line end. U+FFFD replaces bytes that are not UTF-8.
 */
#ifndef WARPSCOPE_TEXT_CSV_H
#define WARPSCOPE_TEXT_CSV_H

#include <stddef.h>
#include <stdio.h>

/* Returns the maximum length in bytes of a field whose text has size bytes. */
static inline size_t csv_max(size_t size)
{
    return 3 * size + 2;
}

/* Writes text (size bytes) as a field to `to`, without a terminating zero. Returns the end of the
 * field. */
char *csv_write(char *to, const void *text, size_t size);
void csv_print(FILE *out, const void *text, size_t size);

#endif
