/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rng.c - places random streams, rewinds them, and implements the functions of ross.h on streams.
 *
 * Stream k of a CLCG4 family starts k * 2^72 draws after the family's seed: c[j] = (a[j]^(2^72))^k
 * * seed[j] mod m[j]. The factors a[j]^(2^72) are constants. Placing any stream therefore takes at
 * most 64 squarings per generator, and moving on to the next stream takes one multiplication. The
 * period is the least common multiple of the m[j]-1, about 2^115, enough for 2^43 such streams.
 * rng_fast.h defines the starts of streams of the fast generator; rng.h implements draws and undos.
 */
#include "base/rng.h"

#include <assert.h>

/* This file requires doubles that are rounded to 53 bits after each operation. */
_Static_assert(FLT_EVAL_METHOD == 0, "excess precision changes the random numbers");

static const uint32_t rng_deficit[4] = {RNG_D0, RNG_D1, RNG_D2, RNG_D3};
static const uint32_t rng_inverse[4] = {RNG_B0, RNG_B1, RNG_B2, RNG_B3};

/* Maximum number of draws that are undone in single steps. For more draws, a power of the factors
 * is faster. */
#define RNG_REWIND_STEPS 4

/* Factors that lead from one stream to the next: a[j]^(2^72) mod m[j]. */
static const uint32_t rng_spacing[4] = {584425330u, 1351201844u, 1323813018u, 28067816u};

/* Multiplies c[j] by base[j]^exponent modulo m[j] for each generator, by repeated squaring.
 * Processing the four generators together hides the latency of multiplications. */
static void rng_scale(uint32_t c[4], const uint32_t base[4], uint64_t exponent)
{
    uint32_t square[4] = {base[0], base[1], base[2], base[3]};

    for (; exponent != 0; exponent >>= 1) {
        for (int j = 0; j < 4 && (exponent & 1) != 0; j++) {
            c[j] = rng_mul(c[j], square[j], rng_deficit[j]);
        }
        for (int j = 0; j < 4; j++) {
            square[j] = rng_mul(square[j], square[j], rng_deficit[j]);
        }
    }
}

static uint32_t rng_seed_clamp(uint32_t seed, uint32_t d)
{
    const uint32_t last = 0x80000000u - d - 1;

    if (seed == 0) {
        return 1;
    }
    return seed > last ? last : seed;
}

/* Makes seeds valid, and moves them to the start of stream `number` of their family. */
static void rng_seeds_move(uint32_t seed[4], uint64_t number)
{
    for (int j = 0; j < 4; j++) {
        seed[j] = rng_seed_clamp(seed[j], rng_deficit[j]);
    }
    rng_scale(seed, rng_spacing, number);
}

static struct tw_rng rng_replicated(struct tw_rng rng)
{
    rng.kind = g_tw_rng_kind;
    if (rng.kind == RNG_FAST) {
        rng.seed[3] += g_tw_replication; /* the key is a bijection of the last seed */
    } else if (g_tw_replication > 0) {
        rng_seeds_move(rng.seed, g_tw_replication * RNG_REPLICATION_STREAMS);
    }
    return rng;
}

const char *rng_kind_name(enum rng_kind kind)
{
    return kind == RNG_FAST ? "fast" : "clcg4";
}

struct tw_rng rng_model_family(void)
{
    struct tw_rng rng = {RNG_MODEL_SEEDS};

    if (g_tw_rng_default != NULL) {
        rng = *g_tw_rng_default;
    }
    if (g_tw_rng_seed != NULL) {
        memcpy(rng.seed, g_tw_rng_seed, sizeof rng.seed);
    }
    return rng_replicated(rng);
}

struct tw_rng rng_core_family(void)
{
    struct tw_rng rng = {RNG_CORE_SEEDS};

    if (g_tw_core_rng_seed != NULL) {
        memcpy(rng.seed, g_tw_core_rng_seed, sizeof rng.seed);
    }
    return rng_replicated(rng);
}

/* Prepares the first draw of a stream. On entry, g->c holds the state before that draw; the other
 * members are not set. */
static void rng_stream_begin(tw_rng_stream *g)
{
    g->count = 0;
    g->reserved = rng_to_bits(rng_step(g));
}

void rng_stream_resume(tw_rng_stream *g, const uint32_t state[4])
{
    memcpy(g->c, state, sizeof g->c);
    rng_stream_begin(g);
}

void rng_stream_place(tw_rng_stream *g, const struct tw_rng *rng, uint64_t number)
{
    if (rng->kind == RNG_FAST) {
        const struct rng_fast_source source = rng_fast_place(rng->seed, number);
        rng_fast_begin(g->c, &source);
        rng_stream_begin(g);
        return;
    }
    memcpy(g->c, rng->seed, sizeof g->c);
    rng_seeds_move(g->c, number);
    assert(g->c[0] >= 1 && g->c[0] < RNG_M(0) && g->c[1] >= 1 && g->c[1] < RNG_M(1));
    assert(g->c[2] >= 1 && g->c[2] < RNG_M(2) && g->c[3] >= 1 && g->c[3] < RNG_M(3));
    rng_stream_begin(g);
}

void rng_stream_rewind(tw_rng_stream *g, uint64_t n)
{
    if (n <= RNG_REWIND_STEPS) {
        for (; n > 0; n--) {
            rng_undo(g);
        }
        return;
    }
    /* Rewinds n - 1 draws; rng_undo() then undoes the n-th one with all its effects. */
    g->count -= (unsigned long)(n - 1);
    if (rng_is_fast(g)) {
        rng_fast_set_state(g->c, rng_fast_state(g->c) - (n - 1) * rng_fast_gamma(g->c));
    } else {
        rng_scale(g->c, rng_inverse, n - 1);
    }
    rng_undo(g);
}

void rng_jumper_init(struct rng_stream_jumper *jumper, const struct tw_rng *rng, uint64_t first,
                     uint64_t stride)
{
    uint32_t jump[4] = {1, 1, 1, 1};
    tw_rng_stream start;

    *jumper = (struct rng_stream_jumper){.kind = rng->kind};
    if (rng->kind == RNG_FAST) {
        jumper->source = rng_fast_place(rng->seed, first);
        jumper->spacing = stride * RNG_FAST_SPACING;
        return;
    }
    rng_stream_place(&start, rng, first);
    jumper->next = rng_load(start.c);
    rng_scale(jump, rng_spacing, stride);
    jumper->jump = (struct rng_factors)RNG_FACTORS(jump[0], jump[1], jump[2], jump[3]);
}

double rng_peek(const tw_rng_stream *g)
{
    if ((g->reserved & RNG_PAIR_DUE) == 0) {
        return rng_from_bits(g->reserved);
    }
    return rng_is_fast(g) ? rng_fast_value(rng_fast_state(g->c)) : rng_lanes_value(rng_load(g->c));
}

double rng_draw_in_pair(tw_rng_stream *g)
{
    const double u = rng_peek(g);

    rng_step(g);
    g->count++;
    return u;
}

double tw_rand_unif(tw_rng_stream *g)
{
    return rng_draw(g);
}

double tw_rand_reverse_unif(tw_rng_stream *g)
{
    return rng_undo(g);
}

double rng_gen_val(tw_rng_stream *g)
{
    return rng_draw(g);
}

double rng_gen_reverse_val(tw_rng_stream *g)
{
    return rng_undo(g);
}

void tw_rand_initial_seed(tw_rng_stream *g, tw_lpid id, tw_rng *rng)
{
    const struct tw_rng chosen = rng != NULL ? *rng : rng_model_family();

    rng_stream_place(g, &chosen, id);
}

/* Computes the state after the last draw by one step back, since g holds the state for the next
 * draw. */
void rng_get_state(tw_rng_stream *g, uint32_t state[4])
{
    tw_rng_stream last = *g;

    rng_step_back(&last);
    memcpy(state, last.c, sizeof last.c);
}

void rng_write_state(tw_rng_stream *g, FILE *f)
{
    uint32_t c[4];

    rng_get_state(g, c);
    fprintf(f, "State = %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", c[0], c[1], c[2], c[3]);
}
