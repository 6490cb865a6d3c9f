/*
 * shuffle_sse2.h - the inner steps of shuffle.c with SSE2, which every x86-64 processor has (inside
 * shuffle.c only).
 *
 * The bytes of sixteen values of width 2^w have places with the bits v3 v2 v1 v0 b[w-1] .. b0
 * (value, byte). Interleaving the first half of all bytes with the second rotates these bits to the
 * left; as planes they have the places b[w-1] .. b0 v3 v2 v1 v0, which is four rotations. About 0.2
 * ns per 8-byte value.
 */
#ifndef WARPSCOPE_FORMAT_SHUFFLE_SSE2_H
#define WARPSCOPE_FORMAT_SHUFFLE_SSE2_H

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

static inline __m128i shuffle_load_8(const uint8_t *p)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)p);
}

/* Sixteen values in n_parts parts to as many planes. */
static inline void shuffle_16(__m128i *x, size_t n_parts)
{
    __m128i y[8];
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < n_parts / 2; i++) {
            y[2 * i] = _mm_unpacklo_epi8(x[i], x[i + n_parts / 2]);
            y[2 * i + 1] = _mm_unpackhi_epi8(x[i], x[i + n_parts / 2]);
        }
        for (size_t i = 0; i < n_parts; i++) {
            x[i] = y[i];
        }
    }
}

/* Sixteen values of 8 bytes, each at width bytes from the one before; plane b goes to planes + b n.
 */
static inline void shuffle_16x8(uint8_t *planes, size_t n, const uint8_t *values, size_t width)
{
    __m128i x[8];
    for (size_t i = 0; i < 8; i++) {
        const uint8_t *from = values + 2 * i * width;
        x[i] = _mm_unpacklo_epi64(shuffle_load_8(from), shuffle_load_8(from + width));
    }
    shuffle_16(x, 8);
    for (size_t b = 0; b < 8; b++) {
        _mm_storeu_si128((__m128i *)(void *)(planes + b * n), x[b]);
    }
}

/* Sixteen values of 4 bytes, one after another. */
static inline void shuffle_16x4(uint8_t *planes, size_t n, const uint8_t *values)
{
    __m128i x[4];
    for (size_t i = 0; i < 4; i++) {
        x[i] = _mm_loadu_si128((const __m128i *)(const void *)(values + 16 * i));
    }
    shuffle_16(x, 4);
    for (size_t b = 0; b < 4; b++) {
        _mm_storeu_si128((__m128i *)(void *)(planes + b * n), x[b]);
    }
}

#endif
