/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng_clcg4_plain.h - the constants of CLCG4, its state as a vector, and the operations of
 * rng_clcg4.h, one lane after the other, for any processor.
 *
 * Every modulus m is 2^31 - d with a small d, so 2^31 = d (mod m). A product therefore reduces
 * without a division: x = hi*2^31 + lo is congruent to lo + hi*d, which is x - hi*m.
 */
#ifndef WARPSCOPE_BASE_RNG_CLCG4_PLAIN_H
#define WARPSCOPE_BASE_RNG_CLCG4_PLAIN_H

#include <assert.h>
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

/* Returns factor * c mod (2^31 - d). factor and c must be less than 2^31 - d. The first reduction
 * yields a number below 2^40, the second one below twice the modulus. */
static inline uint32_t rng_mul(uint32_t c, uint32_t factor, uint32_t d)
{
    const uint64_t mask = 0x7fffffffu;
    const uint32_t modulus = 0x80000000u - d;
    assert(c < modulus && factor < modulus);
    uint64_t x = (uint64_t)factor * c;
    x = (x & mask) + (x >> 31) * d;
    const uint32_t r = (uint32_t)((x & mask) + (x >> 31) * d);
    return r >= modulus ? r - modulus : r;
}

/* Like rng_mul(), for factor < 2^18. A single reduction is then enough: r < 2^31 + 2^27. */
static inline uint32_t rng_mul_short(uint32_t c, uint32_t factor, uint32_t d)
{
    const uint32_t modulus = 0x80000000u - d;
    assert(c < modulus && factor < 1u << 18);
    const uint64_t x = (uint64_t)factor * c;
    const uint32_t r = (uint32_t)x - (uint32_t)(x >> 31) * modulus;
    return r >= modulus ? r - modulus : r;
}

/* Returns the state one step after c. */
static inline rng_lanes rng_plain_step(rng_lanes c)
{
    return (rng_lanes){rng_mul_short(c[0], RNG_A0, RNG_D0), rng_mul_short(c[1], RNG_A1, RNG_D1),
                       rng_mul_short(c[2], RNG_A2, RNG_D2), rng_mul_short(c[3], RNG_A3, RNG_D3)};
}

/* Returns c * f->factor modulo m, lane by lane. */
static inline rng_lanes rng_plain_mul(rng_lanes c, const struct rng_factors *f)
{
    return (rng_lanes){rng_mul(c[0], f->factor[0], RNG_D0), rng_mul(c[1], f->factor[1], RNG_D1),
                       rng_mul(c[2], f->factor[2], RNG_D2), rng_mul(c[3], f->factor[3], RNG_D3)};
}

/* rng_one_if_below() returns 1.0 if u < bound, rng_one_if_reached() returns 1.0 if u >= 1; both
 * otherwise return 0.0. A branch would be mispredicted in every second draw. Compilers turn a
 * scalar comparison into a branch; a vector comparison prevents that. */
typedef double rng_vec_double __attribute__((vector_size(16)));
typedef int64_t rng_vec_mask __attribute__((vector_size(16)));

static inline double rng_one_if_below(double u, double bound)
{
    const rng_vec_double x = {u, u}, y = {bound, bound}, one = {1.0, 1.0};
    const rng_vec_double r = (rng_vec_double)((rng_vec_mask)(x < y) & (rng_vec_mask)one);
    return r[0];
}

static inline double rng_one_if_reached(double u)
{
    const rng_vec_double x = {u, u}, one = {1.0, 1.0};
    const rng_vec_double r = (rng_vec_double)((rng_vec_mask)(x >= one) & (rng_vec_mask)one);
    return r[0];
}

/*
 * Returns the random number that a state yields. The order of these floating-point operations is
 * part of the definition:
 *
 *     u = w0*c0 - w1*c1;  u < 0: u += 1;  u += w2*c2;  u >= 1: u -= 1;  u -= w3*c3;  u < 0: u += 1
 *
 * A difference is negative exactly if its first operand is below the second. The code compares the
 * operands, so that it need not wait for the subtraction.
 */
static inline double rng_plain_value(rng_lanes c)
{
    /* Converting a signed integer to double is cheaper than converting an unsigned one. */
    const double p0 = RNG_W0 * (double)(int32_t)c[0];
    const double p1 = RNG_W1 * (double)(int32_t)c[1];
    const double p3 = RNG_W3 * (double)(int32_t)c[3];
    double u = p0 - p1;
    u += rng_one_if_below(p0, p1);
    u += RNG_W2 * (double)(int32_t)c[2];
    u -= rng_one_if_reached(u);
    const double wrap = rng_one_if_below(u, p3);
    u -= p3;
    return u + wrap;
}

#endif
