/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_fast.h - the arithmetic of the fast generator (--rng=fast): a counter and a mixing function.
 *
 * After G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014. A stream has 64 bits of state and a constant odd gamma. A step adds gamma to the
 * state, and mixing the state yields the random number. The period is thus 2^64, undoing a step
 * subtracts gamma, and going back n steps subtracts n * gamma. The mixing function is D. Stafford's
 * variant 13 of MurmurHash3's (2011), as in the paper.
 *
 * Each family has two numbers, one for starts and one for gammas, each mixed from all bits of the
 * four seeds. For stream k, each of these numbers is increased by k times the odd number
 * RNG_FAST_SPACING, derived from the golden ratio, and then mixed. Two streams of a family
 * therefore have distinct starts. There are 2^62 possible gammas, so that streams share a sequence
 * only by chance. A gamma with few changes between neighbouring bits changes few bits of the state
 * per step; it is replaced, as in the paper.
 *
 * In a tw_rng_stream, gamma is in c[0] (low half) and c[1] (high half), the state in c[2] (low
 * half) and c[3] (high half). The highest bit of gamma is always set, and the highest bit of
 * CLCG4's c[1] never is; this bit marks the generator of a stream. It also prevents two streams
 * from running through one sequence in opposite directions.
 */
#ifndef WARPSCOPE_BASE_RNG_FAST_H
#define WARPSCOPE_BASE_RNG_FAST_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define RNG_FAST_FLAG        0x80000000u /* bit of c[1] that marks a stream of the fast generator */
#define RNG_FAST_SPACING     0x9e3779b97f4a7c15u
#define RNG_FAST_MIN_CHANGES 24

/* Values from which the start and the gamma of a stream are computed. The values of the next stream
 * are larger by RNG_FAST_SPACING. */
struct rng_fast_source {
    uint64_t start;
    uint64_t gamma;
};

/* Mixes the 64 bits of z. The function is a bijection. */
static inline uint64_t rng_fast_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Returns the random number of a state: (k + 1/2) / 2^52 with an integer k, 0 <= k < 2^52. It is
 * thus neither 0 nor 1. */
static inline double rng_fast_value(uint64_t state)
{
    /* These are the bits of the double 1 + k / 2^52. */
    const uint64_t bits = rng_fast_mix(state) >> 12 | 0x3ff0000000000000u;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x - (1.0 - 0x1p-53);
}

static inline uint64_t rng_fast_gamma(const uint32_t c[4])
{
    assert((c[1] & RNG_FAST_FLAG) != 0);
    return (uint64_t)c[1] << 32 | c[0];
}

static inline uint64_t rng_fast_state(const uint32_t c[4])
{
    return (uint64_t)c[3] << 32 | c[2];
}

static inline void rng_fast_set_state(uint32_t c[4], uint64_t state)
{
    c[2] = (uint32_t)state;
    c[3] = (uint32_t)(state >> 32);
}

/* Sets c to gamma and to the state before the first step of the stream with this source. */
static inline void rng_fast_begin(uint32_t c[4], const struct rng_fast_source *source)
{
    uint64_t gamma = rng_fast_mix(source->gamma) | (uint64_t)RNG_FAST_FLAG << 32 | 1;
    if (__builtin_popcountll(gamma ^ gamma >> 1) < RNG_FAST_MIN_CHANGES) {
        /* Flips every second bit, so that more neighbouring bits differ. */
        gamma ^= 0x2aaaaaaaaaaaaaaau;
    }
    c[0] = (uint32_t)gamma;
    c[1] = (uint32_t)(gamma >> 32);
    rng_fast_set_state(c, rng_fast_mix(source->start));
}

/* Returns the source of stream `number` of the family with these seeds. */
static inline struct rng_fast_source rng_fast_place(const uint32_t seed[4], uint64_t number)
{
    uint64_t key = 0;
    for (int j = 0; j < 4; j++) {
        key = rng_fast_mix(key + RNG_FAST_SPACING + seed[j]);
    }
    return (struct rng_fast_source){
        .start = rng_fast_mix(key + RNG_FAST_SPACING) + number * RNG_FAST_SPACING,
        .gamma = rng_fast_mix(key + 2 * RNG_FAST_SPACING) + number * RNG_FAST_SPACING};
}

#endif
