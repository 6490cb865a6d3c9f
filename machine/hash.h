/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h - hashes used as random numbers. */
#ifndef WARPSCOPE_MACHINE_HASH_H
#define WARPSCOPE_MACHINE_HASH_H

#include <stdint.h>

/* Returns a hash of 64 bits (the finalizer of splitmix64; Steele et al., 2014). */
static inline uint64_t wp_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Returns a number between 0 and 1, both excluded, computed from a hash. */
static inline double wp_unit(uint64_t hash)
{
    return ((double)(hash >> 12) + 0.5) * 0x1p-52;
}

/* Returns a number from 0 to n - 1, computed from the lowest 32 bits of `bits`. */
static inline uint32_t wp_below(uint64_t bits, uint32_t n)
{
    return (uint32_t)((bits & 0xffffffffu) * n >> 32);
}

#endif
