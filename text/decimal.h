/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.h - writes numbers in decimal form: exact, with few digits, fast, and equal in every
 * locale.
 *
 * No function allocates or locks: signal handlers may call them. Each function returns the length
 * of the text.
 */
#ifndef WARPSCOPE_TEXT_DECIMAL_H
#define WARPSCOPE_TEXT_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define DECIMAL_MAX 40 /* most bytes that a number may overwrite, with the terminating zero */

size_t decimal_u64(char *to, uint64_t v);
size_t decimal_i64(char *to, int64_t v);
/* Writes v as printf("%.*g") does, with 15, 16 or 17 digits, the fewest that read back as the same
 * number; or "nan", "inf", "-inf". */
size_t decimal_f64(char *to, double v);
/* Like decimal_f64(), for a float, with 6 to 9 digits. */
size_t decimal_f32(char *to, float v);

#endif
