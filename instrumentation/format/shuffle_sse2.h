/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle_sse2.h - inner steps with SSE2, which every x86-64 processor has (internal to gather.c).
 *
 * The bytes of sixteen values of width 2^w have places with the bits v3 v2 v1 v0 b[w-1] .. b0
 * (value, byte). Interleaving the first half of all bytes with the second rotates these bits to the
 * left. As planes they have the places b[w-1] .. b0 v3 v2 v1 v0, which takes four rotations. About
 * 0.2 ns per 8-byte value.
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

/* Transposes sixteen values, given as n_parts vectors, to as many planes. */
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

/*
 * Transposes bytes `at` to `at` + 7 of rows, sixteen rows at a time; plane b goes to planes + b *
 * pitch. Updates *all and *any: the bits set in all rows, and in any row. Returns the number of
 * transposed rows, n rounded down to a multiple of 16.
 */
static inline uint32_t shuffle_lane_sse2(uint8_t *planes, size_t pitch, const uint8_t *const *row,
                                         uint32_t n, size_t at, uint64_t *all, uint64_t *any)
{
    __m128i both = _mm_set1_epi64x((long long)*all), some = _mm_set1_epi64x((long long)*any);
    uint32_t i;
    for (i = 0; n - i >= 16; i += 16) {
        __m128i x[8];
        for (size_t k = 0; k < 8; k++) {
            x[k] = _mm_unpacklo_epi64(shuffle_load_8(row[i + 2 * k] + at),
                                      shuffle_load_8(row[i + 2 * k + 1] + at));
            both = _mm_and_si128(both, x[k]);
            some = _mm_or_si128(some, x[k]);
        }
        shuffle_16(x, 8);
        for (size_t b = 0; b < 8; b++) {
            _mm_storeu_si128((__m128i *)(void *)(planes + b * pitch + i), x[b]);
        }
    }
    both = _mm_and_si128(both, _mm_unpackhi_epi64(both, both));
    some = _mm_or_si128(some, _mm_unpackhi_epi64(some, some));
    _mm_storel_epi64((__m128i *)(void *)all, both);
    _mm_storel_epi64((__m128i *)(void *)any, some);
    return i;
}

#endif
