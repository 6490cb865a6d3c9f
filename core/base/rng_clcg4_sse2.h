/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_clcg4_sse2.h - the operations of rng_clcg4.h with SSE2, which every x86-64 processor has.
 *
 * One multiplication processes two lanes: lanes 0 and 2 in place, lanes 1 and 3 after a shift to
 * the places of 0 and 2.
 */
#ifndef WARPSCOPE_BASE_RNG_CLCG4_SSE2_H
#define WARPSCOPE_BASE_RNG_CLCG4_SSE2_H

#include <emmintrin.h>

#include "base/rng_clcg4_plain.h"

/* Combines the even and the odd lanes, each with a number r < 2m in 64 bits, and reduces each r to
 * less than m. The method relies on m > 2^30. */
static inline rng_lanes rng_sse2_reduce(__m128i even, __m128i odd)
{
    const __m128i m = (__m128i)(rng_lanes){RNG_M(0), RNG_M(1), RNG_M(2), RNG_M(3)};
    const __m128i r = _mm_or_si128(even, _mm_slli_epi64(odd, 32));
    const __m128i less = _mm_sub_epi32(r, m); /* between -m and m; negative if r < m */
    return (rng_lanes)_mm_add_epi32(less, _mm_and_si128(_mm_srai_epi32(less, 31), m));
}

/* Returns the state one step after c: the product x = a*c, minus floor(x / 2^31) times the modulus,
 * then reduced. */
static inline rng_lanes rng_sse2_step(rng_lanes c)
{
    const __m128i a02 = (__m128i)(rng_lanes){RNG_A0, 0, RNG_A2, 0};
    const __m128i a13 = (__m128i)(rng_lanes){RNG_A1, 0, RNG_A3, 0};
    const __m128i m02 = (__m128i)(rng_lanes){RNG_M(0), 0, RNG_M(2), 0};
    const __m128i m13 = (__m128i)(rng_lanes){RNG_M(1), 0, RNG_M(3), 0};
    const __m128i x02 = _mm_mul_epu32((__m128i)c, a02);
    const __m128i x13 = _mm_mul_epu32(_mm_srli_epi64((__m128i)c, 32), a13);
    const __m128i k02 = _mm_mul_epu32(_mm_srli_epi64(x02, 31), m02);
    const __m128i k13 = _mm_mul_epu32(_mm_srli_epi64(x13, 31), m13);
    return rng_sse2_reduce(_mm_sub_epi64(x02, k02), _mm_sub_epi64(x13, k13));
}

/* Returns c * f->factor modulo m, lane by lane: the product minus k times m, then reduced. k =
 * floor(c * quotient / 2^32) is floor(product / m) or one less. (V. Shoup's multiplication by a
 * constant, as in NTL.) */
static inline rng_lanes rng_sse2_mul(rng_lanes c, const struct rng_factors *f)
{
    const __m128i m02 = (__m128i)(rng_lanes){RNG_M(0), 0, RNG_M(2), 0};
    const __m128i m13 = (__m128i)(rng_lanes){RNG_M(1), 0, RNG_M(3), 0};
    const __m128i c02 = (__m128i)c, c13 = _mm_srli_epi64(c02, 32);
    const __m128i f02 = (__m128i)f->factor, f13 = _mm_srli_epi64(f02, 32);
    const __m128i q02 = (__m128i)f->quotient, q13 = _mm_srli_epi64(q02, 32);
    const __m128i k02 = _mm_srli_epi64(_mm_mul_epu32(c02, q02), 32);
    const __m128i k13 = _mm_srli_epi64(_mm_mul_epu32(c13, q13), 32);
    return rng_sse2_reduce(_mm_sub_epi64(_mm_mul_epu32(c02, f02), _mm_mul_epu32(k02, m02)),
                           _mm_sub_epi64(_mm_mul_epu32(c13, f13), _mm_mul_epu32(k13, m13)));
}

/* Returns the random number that a state yields, as rng_plain_value() defines it. */
static inline double rng_sse2_value(rng_lanes c)
{
    const __m128i high = _mm_unpackhi_epi64((__m128i)c, (__m128i)c);
    const __m128d one = _mm_set_sd(1.0);
    const __m128d p0 = _mm_mul_pd(_mm_cvtepi32_pd((__m128i)c), _mm_setr_pd(RNG_W0, RNG_W1));
    const __m128d p2 = _mm_mul_pd(_mm_cvtepi32_pd(high), _mm_setr_pd(RNG_W2, RNG_W3));
    const __m128d p1 = _mm_unpackhi_pd(p0, p0);
    const __m128d p3 = _mm_unpackhi_pd(p2, p2);
    __m128d u = _mm_sub_sd(p0, p1);
    u = _mm_add_sd(u, _mm_and_pd(_mm_cmplt_sd(p0, p1), one));
    u = _mm_add_sd(u, p2);
    u = _mm_sub_sd(u, _mm_and_pd(_mm_cmple_sd(one, u), one));
    const __m128d wrap = _mm_and_pd(_mm_cmplt_sd(u, p3), one);
    return _mm_cvtsd_f64(_mm_add_sd(_mm_sub_sd(u, p3), wrap));
}

#endif
