/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle.h - converts values to byte planes: the first bytes of all values, then their second
 * bytes, and so on (internal to format/).
 *
 * Values of one kind differ mostly in their low bytes. In the planes, their high bytes form long
 * runs of equal bytes, which compress well.
 */
#ifndef WARPSCOPE_FORMAT_SHUFFLE_H
#define WARPSCOPE_FORMAT_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

/* Converts values to planes: planes[b * n + i] = values[i * width + b] for i < n and b < width. The
 * buffers do not overlap. */
void fmt_shuffle(uint8_t *planes, const uint8_t *values, size_t width, size_t n);

/* Converts planes to values: values[i * width + b] = planes[b * n + i] for i < n and b < width. The
 * buffers do not overlap. */
void fmt_unshuffle(uint8_t *values, const uint8_t *planes, size_t width, size_t n);

#endif
