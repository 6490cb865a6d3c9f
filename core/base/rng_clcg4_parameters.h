/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_clcg4_parameters.h - the constants of CLCG4 and its state as a vector; see rng_clcg4.h.
 */
#ifndef WARPSCOPE_BASE_RNG_CLCG4_PARAMETERS_H
#define WARPSCOPE_BASE_RNG_CLCG4_PARAMETERS_H

#include <stdint.h>

/* Constants of the four generators: modulus m = 2^31 - d, multiplier a, its inverse b modulo m,
 * weight w. */
#define RNG_D0   1u
#define RNG_D1   105u
#define RNG_D2   225u
#define RNG_D3   325u
#define RNG_M(j) (0x80000000u - RNG_D##j)
#define RNG_A0   45991u
#define RNG_A1   207707u
#define RNG_A2   138556u
#define RNG_A3   49689u
#define RNG_B0   1441196816u
#define RNG_B1   1463744518u
#define RNG_B2   499766181u
#define RNG_B3   660421676u
#define RNG_W0   4.65661287524579692e-10
#define RNG_W1   4.65661310075985993e-10
#define RNG_W2   4.65661336096842131e-10
#define RNG_W3   4.65661357780891134e-10

typedef uint32_t rng_lanes __attribute__((vector_size(16)));

/* One factor per lane, below the lane's modulus m. quotient: floor(factor * 2^32 / m). */
struct rng_factors {
    rng_lanes factor;
    rng_lanes quotient;
};

#define RNG_QUOTIENT(factor, m) ((uint32_t)(((uint64_t)(factor) << 32) / (m)))
#define RNG_FACTORS(f0, f1, f2, f3)                                                                \
    {                                                                                              \
        {f0, f1, f2, f3},                                                                          \
        {                                                                                          \
            RNG_QUOTIENT(f0, RNG_M(0)), RNG_QUOTIENT(f1, RNG_M(1)), RNG_QUOTIENT(f2, RNG_M(2)),    \
                RNG_QUOTIENT(f3, RNG_M(3))                                                         \
        }                                                                                          \
    }

#endif
