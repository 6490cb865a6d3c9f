/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.h - the decimal form of numbers: few digits, exact, fast.
 */
#ifndef WARPSCOPE_LOG_DECIMAL_H
#define WARPSCOPE_LOG_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define WS_DECIMAL_MAX 40 /* bytes that any number may overwrite; fewer count */

/* Writes v with all its digits. Returns the length. */
size_t ws_decimal_u64(char *to, uint64_t v);

/*
 * Writes v, which must be finite, as printf("%.*g") does with the fewest digits of 15, 16 and 17
 * that read back as the same number. Returns the length.
 */
size_t ws_decimal_f64(char *to, double v);
/* ws_decimal_f64() with 15 digits, otherwise 17. */
size_t ws_decimal_f64_15_17(char *to, double v);
/* ws_decimal_f64() for a float: 6 to 9 digits. */
size_t ws_decimal_f32(char *to, float v);

#endif
