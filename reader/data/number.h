/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.h - converts numbers in texts that users write, and compares numbers for sorting.
 */
#ifndef WARPSCOPE_READER_DATA_NUMBER_H
#define WARPSCOPE_READER_DATA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Converts the decimal digits at the beginning of text to *value. Returns their end; NULL if there are
 * none, or if the number is too large. */
const char *ws_u64_read(const char *text, uint64_t *value);
/* Converts text, which must consist of decimal digits, to *value. Returns false if text has another
 * form, or if the number is too large. */
bool ws_parse_u64(const char *text, uint64_t *value);
/* Converts the decimal number, or infinity, at the beginning of text to *value. Returns its end; NULL if
 * there is none: also for hexadecimal digits, NaN, and a blank before the number. */
const char *ws_f64_read(const char *text, double *value);
/* Converts all of text to *value. Returns false if text is no such number. */
bool ws_parse_f64(const char *text, double *value);

/* Comparisons for qsort(): of uint64_t and of double, ascending, and of uint64_t, descending. */
int ws_by_u64(const void *a, const void *b);
int ws_by_u64_down(const void *a, const void *b);
int ws_by_f64(const void *a, const void *b);
/* Compares two numbers; returns a number like strcmp(). */
#define WS_ORDER(a, b) (((a) > (b)) - ((a) < (b)))
/* Compares n numbers each, the first ones first; returns a number like strcmp(). */
int ws_order(const uint64_t *a, const uint64_t *b, size_t n);

#endif
