/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_bits.h - random numbers for tests: the same for the same seed on every machine.
 */
#ifndef WARPSCOPE_TESTS_RANDOM_BITS_H
#define WARPSCOPE_TESTS_RANDOM_BITS_H

#include <stdint.h>

/* Returns the next 64 bits of splitmix64 (Steele, Lea & Flood, OOPSLA 2014). */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Returns a number below n. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
    return random_bits(state) % n;
}

/* Returns a number in [0, 1). */
static inline double random_unit(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

#endif
