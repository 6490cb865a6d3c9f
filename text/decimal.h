/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.h - the decimal form of numbers: few digits, exact, fast, and the same in every locale.
 *
 * No function allocates or locks: signal handlers may call them. Each returns the length.
 */
#ifndef WARPSCOPE_TEXT_DECIMAL_H
#define WARPSCOPE_TEXT_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define DECIMAL_MAX 40 /* bytes that any number may overwrite, with the terminator; fewer count */

size_t decimal_u64(char *to, uint64_t v);
size_t decimal_i64(char *to, int64_t v);
/* Writes v as printf("%.*g") does with the fewest digits of 15, 16 and 17 that read back as the same
 * number; or "nan", "inf", "-inf". */
size_t decimal_f64(char *to, double v);
/* Like decimal_f64(), for a float: 6 to 9 digits. */
size_t decimal_f32(char *to, float v);

#endif
