/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle.c - converts values to byte planes and back, see shuffle.h.
 *
 * 8-byte pieces of eight successive values are transposed together (shuffle_plain.h). The remaining
 * bytes are transposed one by one.
 */
#include "format/column/shuffle.h"

#include <assert.h>
#include <string.h>

#include "format/column/shuffle_plain.h"

/* Returns n rounded down to a multiple of unit, which is a power of two. */
static size_t whole(size_t n, size_t unit)
{
    return n & ~(unit - 1);
}

void fmt_shuffle(uint8_t *planes, const uint8_t *values, size_t width, size_t n)
{
    assert(width > 0);
    size_t lanes = whole(width, 8), rows = whole(n, 8);
    for (size_t b = 0; b < lanes; b += 8) {
        for (size_t i = 0; i < rows; i += 8) {
            uint64_t m[8];
            for (size_t r = 0; r < 8; r++) {
                m[r] = fmt_get_u64(values + (i + r) * width + b);
            }
            shuffle_transpose_8x8(m);
            for (size_t r = 0; r < 8; r++) {
                fmt_put_u64(planes + (b + r) * n + i, m[r]);
            }
        }
    }
    for (size_t b = 0; b < width; b++) {
        for (size_t i = b < lanes ? rows : 0; i < n; i++) {
            planes[b * n + i] = values[i * width + b];
        }
    }
}

void fmt_unshuffle(uint8_t *values, const uint8_t *planes, size_t width, size_t n)
{
    assert(width > 0);
    size_t lanes = whole(width, 8), rows = whole(n, 8);
    if (width == 1) {
        memcpy(values, planes, n);
        return;
    }
    for (size_t b = 0; b < lanes; b += 8) {
        for (size_t i = 0; i < rows; i += 8) {
            uint64_t m[8];
            for (size_t r = 0; r < 8; r++) {
                m[r] = fmt_get_u64(planes + (b + r) * n + i);
            }
            shuffle_transpose_8x8(m);
            for (size_t r = 0; r < 8; r++) {
                fmt_put_u64(values + (i + r) * width + b, m[r]);
            }
        }
    }
    for (size_t b = 0; b < width; b++) {
        for (size_t i = b < lanes ? rows : 0; i < n; i++) {
            values[i * width + b] = planes[b * n + i];
        }
    }
}
