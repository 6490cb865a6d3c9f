/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.h - writes numbers in decimal form: exactly, with few digits, fast, and independently of
 * the locale.
 *
 * The functions neither allocate nor lock, so signal handlers may call them. Each function writes
 * to `to` a text with a terminating zero, and returns the length of the text.
 */
#ifndef WARPSCOPE_TEXT_DECIMAL_H
#define WARPSCOPE_TEXT_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define DECIMAL_MAX 40 /* size of the buffer `to` that suffices for any number, in bytes */

size_t decimal_u64(char *to, uint64_t v);
size_t decimal_i64(char *to, int64_t v);
/* Writes v like printf("%.*g") with 15, 16 or 17 digits: the smallest of these numbers of digits
 * with which the text reads back as v. Writes "nan", "inf" or "-inf" if v is not finite. */
size_t decimal_f64(char *to, double v);
/* Like decimal_f64(), for a float, with 6 to 9 digits. */
size_t decimal_f32(char *to, float v);

#endif
