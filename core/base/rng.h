/*
 * rng.h - random streams inside the engine: the draw as inline code, and where streams start.
 *
 * The generator is CLCG4 (L'Ecuyer and Andres, "A random number generator based on the combination
 * of four LCGs", Math. Comput. Simul. 44, 1997): four linear congruential generators
 * c[j] = a[j]*c[j] mod m[j] whose weighted states are summed modulo 1. Models use ross.h instead.
 *
 * Every modulus is 2^31 - d with a small d, so 2^31 = d (mod m), and a product reduces without a
 * division: x = hi*2^31 + lo is congruent to lo + hi*d.
 *
 * Invariants of a stream:
 *   1. 1 <= c[j] < m[j]. The moduli are prime, so no step leads to 0.
 *   2. A draw followed by its undoing leaves the stream as it was, but for `reserved` (see below).
 *
 * Doubles must be rounded after each operation: build with -ffp-contract=off where the processor
 * has fused multiply-add, else draws differ between machines in the last bit.
 *
 * Cost: a draw about 4 ns, an undo about 5 ns, a consecutive stream below 20 ns in fresh memory.
 */
#ifndef WARPSCOPE_BASE_RNG_H
#define WARPSCOPE_BASE_RNG_H

#include "ross.h"

/* The generators: modulus 2^31 - d, multiplier a, its inverse b, weight w. */
#define RNG_D0 1u
#define RNG_D1 105u
#define RNG_D2 225u
#define RNG_D3 325u
#define RNG_A0 45991u
#define RNG_A1 207707u
#define RNG_A2 138556u
#define RNG_A3 49689u
#define RNG_B0 1441196816u
#define RNG_B1 1463744518u
#define RNG_B2 499766181u
#define RNG_B3 660421676u
#define RNG_W0 4.65661287524579692e-10
#define RNG_W1 4.65661310075985993e-10
#define RNG_W2 4.65661336096842131e-10
#define RNG_W3 4.65661357780891134e-10

/* Initialisers of tw_rng.seed: the models' streams and the engine's own (tie breaking). */
#define RNG_MODEL_SEEDS                                                                            \
    {                                                                                              \
        11111111u, 22222222u, 33333333u, 44444444u                                                 \
    }
#define RNG_CORE_SEEDS                                                                             \
    {                                                                                              \
        55555555u, 66666666u, 77777777u, 88888888u                                                 \
    }

/* What tells one family of streams from another. Any values are valid: they are clamped in use. */
struct tw_rng {
    uint32_t seed[4];
};

/* The two families of this run: the parameters above, or the seeds that options or the model gave.
 */
struct tw_rng rng_model_family(void);
struct tw_rng rng_core_family(void);

/* Sets g to the start of stream `number`, 2^72 draws behind stream number-1. O(log number). */
void rng_stream_place(tw_rng_stream *g, const struct tw_rng *rng, uint64_t number);

/* Undoes n draws at once, as n calls of rng_undo(). O(log n). */
void rng_stream_rewind(tw_rng_stream *g, uint64_t n);

/* Yields the starts of streams first, first + stride, first + 2*stride, ... */
struct rng_stream_jumper {
    uint32_t next[4]; /* start of the next stream */
    uint32_t jump[4]; /* factor from one stream to the next */
};

void rng_jumper_init(struct rng_stream_jumper *jumper, const struct tw_rng *rng, uint64_t first,
                     uint64_t stride);

/* factor * c mod (2^31 - d), for factor, c < 2^31 - d. The first sum is below 2^40, so the second
 * is below 2 moduli. */
static inline uint32_t rng_mul(uint32_t c, uint32_t factor, uint32_t d)
{
    const uint64_t mask = 0x7fffffffu;
    const uint32_t modulus = 0x80000000u - d;
    uint64_t x = (uint64_t)factor * c;
    x = (x & mask) + (x >> 31) * d;
    const uint32_t r = (uint32_t)((x & mask) + (x >> 31) * d);
    return r >= modulus ? r - modulus : r;
}

/* The same for factor < 2^18, where one fold is enough. */
static inline uint32_t rng_mul_short(uint32_t c, uint32_t factor, uint32_t d)
{
    const uint32_t modulus = 0x80000000u - d;
    const uint64_t x = (uint64_t)factor * c;
    const uint32_t r = (uint32_t)(x & 0x7fffffffu) + (uint32_t)(x >> 31) * d;
    return r >= modulus ? r - modulus : r;
}

/*
 * 1.0 where the condition holds, else 0.0, without a branch: it would be mispredicted in every
 * second draw. Compilers turn the scalar form into one; a vector comparison leaves no choice.
 */
typedef double rng_vec_double __attribute__((vector_size(16)));
typedef int64_t rng_vec_mask __attribute__((vector_size(16)));

static inline double rng_one_if_negative(double u)
{
    const rng_vec_double x = {u, u}, zero = {0.0, 0.0}, one = {1.0, 1.0};
    const rng_vec_double r = (rng_vec_double)((rng_vec_mask)(x < zero) & (rng_vec_mask)one);
    return r[0];
}

static inline double rng_one_if_reached(double u)
{
    const rng_vec_double x = {u, u}, one = {1.0, 1.0};
    const rng_vec_double r = (rng_vec_double)((rng_vec_mask)(x >= one) & (rng_vec_mask)one);
    return r[0];
}

/* The number that belongs to state c. The order of operations is part of its definition. */
static inline double rng_value(const uint32_t c[4])
{
    double u = RNG_W0 * (double)(int32_t)c[0]; /* signed: the cheaper conversion, and c < 2^31 */
    u -= RNG_W1 * (double)(int32_t)c[1];
    u += rng_one_if_negative(u);
    u += RNG_W2 * (double)(int32_t)c[2];
    u -= rng_one_if_reached(u);
    u -= RNG_W3 * (double)(int32_t)c[3];
    return u + rng_one_if_negative(u);
}

/* One draw. In (0, 1); rounding makes it exactly 0 or 1 about once in 10^16 draws. */
static inline double rng_draw(tw_rng_stream *g)
{
    const uint32_t c[4] = {
        rng_mul_short(g->c[0], RNG_A0, RNG_D0), rng_mul_short(g->c[1], RNG_A1, RNG_D1),
        rng_mul_short(g->c[2], RNG_A2, RNG_D2), rng_mul_short(g->c[3], RNG_A3, RNG_D3)};
    g->c[0] = c[0];
    g->c[1] = c[1];
    g->c[2] = c[2];
    g->c[3] = c[3];
    g->count++;
    return rng_value(c);
}

/*
 * tw_rand_normal01() makes numbers in pairs. While the second one is due, `reserved` holds the
 * value that count had right after the two draws of the pair, else 0. Undoing one of the pair's
 * draws withdraws the pair.
 *
 * Taking the second number draws nothing, so no reverse handler can undo it. Whoever rolls back an
 * event restores the mark it had before the event, after the draws were undone. Only a mark that is
 * not 0 need be kept: from 0 the undone draws lead back to 0 by themselves.
 */
static inline uint64_t rng_pair_mark(const tw_rng_stream *g)
{
    return g->reserved;
}

static inline void rng_pair_restore(tw_rng_stream *g, uint64_t mark)
{
    g->reserved = mark;
}

/* Undoes one draw. */
static inline void rng_undo(tw_rng_stream *g)
{
    g->c[0] = rng_mul(g->c[0], RNG_B0, RNG_D0);
    g->c[1] = rng_mul(g->c[1], RNG_B1, RNG_D1);
    g->c[2] = rng_mul(g->c[2], RNG_B2, RNG_D2);
    g->c[3] = rng_mul(g->c[3], RNG_B3, RNG_D3);
    g->count--;
    g->reserved = g->reserved > g->count ? 0 : g->reserved;
}

/* Sets g to the start of the jumper's next stream. */
static inline void rng_jumper_next(struct rng_stream_jumper *jumper, tw_rng_stream *g)
{
    memcpy(g->c, jumper->next, sizeof(g->c));
    g->count = 0;
    g->reserved = 0;
    jumper->next[0] = rng_mul(jumper->next[0], jumper->jump[0], RNG_D0);
    jumper->next[1] = rng_mul(jumper->next[1], jumper->jump[1], RNG_D1);
    jumper->next[2] = rng_mul(jumper->next[2], jumper->jump[2], RNG_D2);
    jumper->next[3] = rng_mul(jumper->next[3], jumper->jump[3], RNG_D3);
}

#endif
