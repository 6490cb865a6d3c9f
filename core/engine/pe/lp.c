/* SPDX-License-Identifier: BSD-3-Clause */
/* lp.c - see lp.h. */
#include "engine/pe/lp.h"

#include <assert.h>

#include "base/fence.h"
#include "base/rng.h"

size_t lp_table_stride(unsigned n_streams)
{
    return (sizeof(tw_lp) + n_streams * sizeof(tw_rng_stream) + 63) & ~(size_t)63;
}

size_t lp_table_states_bytes(const struct lp_table *t)
{
    size_t bytes = 0;
    size_t more = 15 + (t->fence_bytes > 0 ? LP_FENCE_IN_FRONT + t->fence_bytes : 0);
    for (tw_lpid i = 0; i < t->count; i++) {
        size_t state = lp_table_at(t, i)->type->state_sz;
        if (state > SIZE_MAX - more - bytes) {
            return SIZE_MAX;
        }
        bytes += state > 0 || more > 15 ? (state + more) & ~(size_t)15 : 0;
    }
    return bytes;
}

void lp_table_init(struct lp_table *t, tw_lpid count, unsigned n_streams)
{
    *t = (struct lp_table){.stride = lp_table_stride(n_streams), .count = count};
    arena_init(&t->arena, SIZE_MAX / 2);
    if (count == 0) {
        return;
    }
    if (count <= SIZE_MAX / 4 / t->stride) {
        t->blocks = arena_alloc(&t->arena, count * t->stride, 64);
    }
    if (t->blocks == NULL) {
        tw_error(TW_LOC, "out of memory for %" PRIu64 " LPs of %zu bytes on this rank", count,
                 t->stride);
    }
}

void lp_table_fini(struct lp_table *t)
{
    arena_fini(&t->arena);
    *t = (struct lp_table){0};
}

static void *fenced_state(struct lp_table *t, size_t size)
{
    unsigned char *front =
        arena_alloc(&t->arena, LP_FENCE_IN_FRONT + size + t->fence_bytes, LP_FENCE_IN_FRONT);
    if (front == NULL) {
        return NULL;
    }
    fence_fill(front, LP_FENCE_IN_FRONT);
    fence_fill(front + LP_FENCE_IN_FRONT + size, t->fence_bytes);
    return front + LP_FENCE_IN_FRONT;
}

void lp_table_make_states(struct lp_table *t)
{
    assert(t->state_bytes == 0);
    for (tw_lpid i = 0; i < t->count; i++) {
        tw_lp *lp = lp_table_at(t, i);
        size_t size = lp->type->state_sz;
        lp->cur_state =
            t->fence_bytes > 0 ? fenced_state(t, size) : arena_alloc(&t->arena, size, 16);
        if (lp->cur_state == NULL) {
            tw_error(TW_LOC, "out of memory for the states of %" PRIu64 " LPs", t->count);
        }
        t->state_bytes += size;
    }
}

/* Seeds stream i of each LP as stream number base + gid * per_lp + i of the family rng. core: true
 * for stream i of the core streams, false for the model streams. Each seed costs only a few
 * multiplications if gids rise in equal steps, as they do with LINEAR and ROUND_ROBIN mapping. */
static void seed_streams(struct lp_table *t, const struct tw_rng *rng, tw_lpid base,
                         unsigned per_lp, unsigned i, bool core)
{
    assert(t->count > 0);
    tw_lpid first = lp_table_at(t, 0)->gid;
    tw_lpid second = t->count > 1 ? lp_table_at(t, 1)->gid : first + 1;
    bool upwards = second > first; /* the random generator can only jump forwards */
    tw_lpid step = upwards ? second - first : 0;
    tw_lpid expected = first, last = base + first * per_lp + i;
    struct rng_stream_jumper jumper;
    rng_jumper_init(&jumper, rng, last, step * per_lp);
    for (tw_lpid n = 0; n < t->count; n++) {
        tw_lp *lp = lp_table_at(t, n);
        tw_rng_stream *stream = core ? &lp->core_rng[i] : &lp->rng[i];
        tw_lpid number = base + lp->gid * per_lp + i;
        upwards = upwards && number >= last; /* numbers of streams are taken modulo 2^64 */
        last = number;
        if (upwards && lp->gid == expected) {
            rng_jumper_next(&jumper, stream);
            expected += step;
        } else {
            rng_stream_place(stream, rng, number);
        }
    }
}

void lp_table_seed(struct lp_table *t)
{
    struct tw_rng model = rng_model_family();
    struct tw_rng core = rng_core_family();
    if (t->count == 0) {
        return;
    }
    for (unsigned i = 0; i < g_tw_nRNG_per_lp; i++) {
        seed_streams(t, &model, 0, g_tw_nRNG_per_lp, i, false);
    }
    tw_lpid base = g_tw_total_lps * g_tw_nRNG_per_lp;
    for (unsigned i = 0; i < g_tw_nRNG_core_per_lp; i++) {
        seed_streams(t, &core, base, g_tw_nRNG_core_per_lp, i, true);
    }
}

void tw_rand_init_streams(tw_lp *lp, unsigned n, unsigned n_core)
{
    struct tw_rng model = rng_model_family();
    struct tw_rng core = rng_core_family();
    if (n > g_tw_nRNG_per_lp || n_core > g_tw_nRNG_core_per_lp) {
        tw_error(TW_LOC,
                 "LP %" PRIu64 " asks for %u model and %u core streams but has %u and %u; set "
                 "g_tw_nRNG_per_lp before tw_define_lps()",
                 lp->gid, n, n_core, g_tw_nRNG_per_lp, g_tw_nRNG_core_per_lp);
    }
    for (unsigned i = 0; i < n; i++) {
        rng_stream_place(&lp->rng[i], &model, lp->gid * g_tw_nRNG_per_lp + i);
    }
    tw_lpid base = g_tw_total_lps * g_tw_nRNG_per_lp + lp->gid * g_tw_nRNG_core_per_lp;
    for (unsigned i = 0; i < n_core; i++) {
        rng_stream_place(&lp->core_rng[i], &core, base + i);
    }
}
