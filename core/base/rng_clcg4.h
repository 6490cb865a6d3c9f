/*
 * rng_clcg4.h - the arithmetic of CLCG4: steps of its state, and the number that belongs to one.
 *
 * CLCG4 (L'Ecuyer and Andres, "A random number generator based on the combination of four LCGs",
 * Math. Comput. Simul. 44, 1997) is four linear congruential generators c[j] = a[j]*c[j] mod m[j]
 * whose weighted states are summed modulo 1. Going back is the same step with b[j] = 1/a[j] mod
 * m[j].
 *
 * Here the four are the lanes of one vector. There are two versions of the same operations on the
 * constants of rng_clcg4_parameters.h: rng_clcg4_plain.h for any processor, rng_clcg4_sse2.h for
 * every x86-64 one; rng_lanes_...() are those of the version at hand. They give the same bits.
 * Chosen when compiled: draws are inlined, and a call through a pointer would cost more than a
 * newer instruction set saves (AVX has no more lanes to offer here; minima of SSE 4.1 save one
 * operation in thirty).
 *
 * Invariant: 1 <= c[j] < m[j]. The moduli are prime, so no step leads to 0.
 *
 * Doubles must be rounded after each operation: build with -ffp-contract=off where the processor
 * has fused multiply-add, else draws differ between machines in the last bit.
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

/* One step back. */
static inline rng_lanes rng_lanes_step_back(rng_lanes c)
{
    const struct rng_factors back = RNG_FACTORS(RNG_B0, RNG_B1, RNG_B2, RNG_B3);
    return rng_lanes_mul(c, &back);
}

#endif
