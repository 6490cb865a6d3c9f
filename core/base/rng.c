/*
 * rng.c - placement of random streams, rewinding, and the plain calls of ross.h.
 *
 * Stream k of a family starts k * 2^72 draws behind the family's seed:
 * c[j] = (a[j]^(2^72))^k * seed[j] mod m[j]. The factors a[j]^(2^72) are constants, so placing any
 * stream takes at most 64 squarings per generator, and going on to the next one a multiplication.
 * The period is the least common multiple of the m[j]-1, about 2^115, room for 2^43 such streams.
 *
 * Draws, undoing and the parameters are in rng.h.
 */
#include "base/rng.h"

#include <assert.h>

/* What follows relies on doubles that are rounded to 53 bits after each operation. */
_Static_assert(FLT_EVAL_METHOD == 0, "excess precision changes the random numbers");

static const uint32_t rng_deficit[4] = {RNG_D0, RNG_D1, RNG_D2, RNG_D3};
static const uint32_t rng_inverse[4] = {RNG_B0, RNG_B1, RNG_B2, RNG_B3};
/* a[j]^(2^72) mod m[j] */
static const uint32_t rng_spacing[4] = {584425330u, 1351201844u, 1323813018u, 28067816u};

/* base^exponent mod (2^31 - d), by squaring. */
static uint32_t rng_power(uint32_t base, uint64_t exponent, uint32_t d)
{
    uint32_t result = 1;

    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) {
            result = rng_mul(result, base, d);
        }
        base = rng_mul(base, base, d);
    }
    return result;
}

static uint32_t rng_seed_clamp(uint32_t seed, uint32_t d)
{
    const uint32_t last = 0x80000000u - d - 1;

    if (seed == 0) {
        return 1;
    }
    return seed > last ? last : seed;
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
    return rng;
}

struct tw_rng rng_core_family(void)
{
    struct tw_rng rng = {RNG_CORE_SEEDS};

    if (g_tw_core_rng_seed != NULL) {
        memcpy(rng.seed, g_tw_core_rng_seed, sizeof rng.seed);
    }
    return rng;
}

void rng_stream_place(tw_rng_stream *g, const struct tw_rng *rng, uint64_t number)
{
    for (int j = 0; j < 4; j++) {
        const uint32_t d = rng_deficit[j];
        const uint32_t seed = rng_seed_clamp(rng->seed[j], d);
        g->c[j] = rng_mul(seed, rng_power(rng_spacing[j], number, d), d);
        assert(g->c[j] >= 1 && g->c[j] < 0x80000000u - d);
    }
    g->count = 0;
    g->reserved = 0;
}

void rng_stream_rewind(tw_rng_stream *g, uint64_t n)
{
    for (int j = 0; j < 4 && n != 0; j++) {
        const uint32_t d = rng_deficit[j];
        g->c[j] = rng_mul(g->c[j], rng_power(rng_inverse[j], n, d), d);
    }
    g->count -= (unsigned long)n;
    g->reserved = g->reserved > g->count ? 0 : g->reserved;
}

void rng_jumper_init(struct rng_stream_jumper *jumper, const struct tw_rng *rng, uint64_t first,
                     uint64_t stride)
{
    tw_rng_stream start;

    rng_stream_place(&start, rng, first);
    memcpy(jumper->next, start.c, sizeof(jumper->next));
    for (int j = 0; j < 4; j++) {
        jumper->jump[j] = rng_power(rng_spacing[j], stride, rng_deficit[j]);
    }
}

double tw_rand_unif(tw_rng_stream *g)
{
    return rng_draw(g);
}

void tw_rand_reverse_unif(tw_rng_stream *g)
{
    rng_undo(g);
}

void tw_rand_initial_seed(tw_rng_stream *g, tw_lpid id, tw_rng *rng)
{
    const struct tw_rng chosen = rng != NULL ? *rng : rng_model_family();

    rng_stream_place(g, &chosen, id);
}

void rng_get_state(tw_rng_stream *g, uint32_t state[4])
{
    memcpy(state, g->c, sizeof(g->c));
}

void rng_write_state(tw_rng_stream *g, FILE *f)
{
    fprintf(f, "State = %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", g->c[0], g->c[1],
            g->c[2], g->c[3]);
}
