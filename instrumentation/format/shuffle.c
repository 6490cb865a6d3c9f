/*
 * shuffle.c - byte planes, see shuffle.h.
 *
 * Lanes of eight bytes of neighbouring values are transposed together, sixteen values at a time
 * where the processor has SSE2 (shuffle_sse2.h), then eight (shuffle_plain.h). What is left over
 * goes byte by byte.
 */
#include "format/shuffle.h"

#include <string.h>

#include "format/shuffle_plain.h"

#ifdef __SSE2__
#include "format/shuffle_sse2.h"
#define SHUFFLE_STEP      16u /* values that go together */
#define shuffle_many_of_8 shuffle_16x8
#define shuffle_many_of_4 shuffle_16x4
#else
#define SHUFFLE_STEP      8u
#define shuffle_many_of_8 shuffle_8x8
#define shuffle_many_of_4 shuffle_8x4
#endif

/* n rounded down to a multiple of unit, a power of two. */
static size_t whole(size_t n, size_t unit)
{
    return n & ~(unit - 1);
}

/* Eight values of 8 bytes, each at width bytes from the one before; plane b goes to planes + b n.
 */
static inline void shuffle_8x8(uint8_t *planes, size_t n, const uint8_t *values, size_t width)
{
    uint64_t m[8];
    for (size_t r = 0; r < 8; r++) {
        m[r] = fmt_get_u64(values + r * width);
    }
    shuffle_transpose_8x8(m);
    for (size_t r = 0; r < 8; r++) {
        fmt_put_u64(planes + r * n, m[r]);
    }
}

#ifndef __SSE2__
/* Eight values of 4 bytes, one after another. */
static inline void shuffle_8x4(uint8_t *planes, size_t n, const uint8_t *values)
{
    for (size_t b = 0; b < 4; b++) {
        for (size_t i = 0; i < 8; i++) {
            planes[b * n + i] = values[i * 4 + b];
        }
    }
}
#endif

/* Byte by byte, values from first on. */
static void shuffle_rest(uint8_t *planes, const uint8_t *values, size_t width, size_t n, size_t b,
                         size_t first)
{
    for (size_t i = first; i < n; i++) {
        planes[b * n + i] = values[i * width + b];
    }
}

void fmt_shuffle(uint8_t *planes, const uint8_t *values, size_t width, size_t n)
{
    size_t lanes = whole(width, 8), many = whole(n, SHUFFLE_STEP), rows = whole(n, 8);
    for (size_t b = 0; b < lanes; b += 8) {
        for (size_t i = 0; i < many; i += SHUFFLE_STEP) {
            shuffle_many_of_8(planes + b * n + i, n, values + i * width + b, width);
        }
        for (size_t i = many; i < rows; i += 8) {
            shuffle_8x8(planes + b * n + i, n, values + i * width + b, width);
        }
    }
    for (size_t i = 0; width == 4 && i < many; i += SHUFFLE_STEP) {
        shuffle_many_of_4(planes + i, n, values + i * 4);
    }
    for (size_t b = 0; b < width; b++) {
        shuffle_rest(planes, values, width, n, b, b < lanes ? rows : width == 4 ? many : 0);
    }
}

void fmt_unshuffle(uint8_t *values, const uint8_t *planes, size_t width, size_t n)
{
    size_t lanes = whole(width, 8), rows = whole(n, 8);
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
