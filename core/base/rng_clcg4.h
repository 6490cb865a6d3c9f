/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_clcg4.h - the arithmetic of CLCG4: steps from state to state, and the random number that a
 * state yields.
 *
 * CLCG4 (L'Ecuyer and Andres, "A random number generator based on the combination of four LCGs",
 * Math. Comput. Simul. 44, 1997) combines four linear congruential generators c[j] = a[j]*c[j] mod
 * m[j]. The random number is the weighted sum of their states modulo 1. A step back multiplies by
 * b[j] = 1/a[j] mod m[j].
 *
 * The four generators are the lanes of one vector. There are two versions of the operations:
 * rng_clcg4_plain.h for any processor, rng_clcg4_sse2.h for x86-64. Both use the constants of
 * rng_clcg4_plain.h and yield the same bits. The names rng_lanes_...() stand for the version
 * that was selected at compile time. Draws are inlined: a call through a pointer would cost more
 * than a newer instruction set saves. (AVX offers no more lanes here; the minimum operation of SSE
 * 4.1 saves one operation in thirty.)
 *
 * Invariant: 1 <= c[j] < m[j]. The moduli are prime, so no step leads to 0.
 *
 * Doubles must be rounded after each operation. If the processor has fused multiply-add, build with
 * -ffp-contract=off; otherwise draws differ between machines in the last bit.
 */
#ifndef WARPSCOPE_BASE_RNG_CLCG4_H
#define WARPSCOPE_BASE_RNG_CLCG4_H

#include "base/rng_clcg4_plain.h"
#ifdef __SSE2__
#include "base/rng_clcg4_sse2.h"
#define rng_lanes_step  rng_sse2_step
#define rng_lanes_mul   rng_sse2_mul
#define rng_lanes_value rng_sse2_value
#else
#define rng_lanes_step  rng_plain_step
#define rng_lanes_mul   rng_plain_mul
#define rng_lanes_value rng_plain_value
#endif

/* Returns the state one step before c. */
static inline rng_lanes rng_lanes_step_back(rng_lanes c)
{
    const struct rng_factors back = RNG_FACTORS(RNG_B0, RNG_B1, RNG_B2, RNG_B3);
    return rng_lanes_mul(c, &back);
}

#endif
