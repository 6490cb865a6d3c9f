/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.h - numbers in texts that users write.
 */
#ifndef WARPSCOPE_READER_DATA_NUMBER_H
#define WARPSCOPE_READER_DATA_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Convert all of text to a number. Return false if text is no number. */
bool ws_parse_u64(const char *text, uint64_t *value);
bool ws_parse_f64(const char *text, double *value); /* NaN is refused */

#endif
