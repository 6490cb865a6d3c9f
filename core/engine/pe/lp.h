/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp.h - the logical processes of a PE: their memory, streams and states.
 *
 * Each LP is a block of cache lines: the public head (tw_lp), its core streams, its model streams.
 * The blocks of a PE are contiguous: a multiplication by the local number of an LP yields its
 * address. States are stored apart, in the same order.
 */
#ifndef WARPSCOPE_ENGINE_PE_LP_H
#define WARPSCOPE_ENGINE_PE_LP_H

#include <assert.h>

#include "base/arena.h"
#include "ross.h"

struct lp_table {
    unsigned char *blocks;
    size_t stride;      /* distance from one LP to the next, in bytes */
    tw_lpid count;      /* number of LPs of this PE */
    struct arena arena; /* memory of blocks and states */
    size_t state_bytes; /* size of the states of all LPs, in bytes */
    /* size of the fence behind each state in bytes, see base/fence.h; 0: no fences */
    size_t fence_bytes;
};

#define LP_FENCE_IN_FRONT ((size_t)64) /* size of the fence in front of a state, in bytes */

/* Returns the distance from one LP to the next, in bytes, for LPs with n_streams streams. */
size_t lp_table_stride(unsigned n_streams);
/* Returns the number of bytes that lp_table_make_states() will allocate. */
size_t lp_table_states_bytes(const struct lp_table *t);
/* Creates `count` LPs without type or gid. Each LP has n_streams streams, core and model streams
 * together. */
void lp_table_init(struct lp_table *t, tw_lpid count, unsigned n_streams);
void lp_table_fini(struct lp_table *t);
/* Allocates the zeroed state of each LP, with fences if fence_bytes > 0. All types must be set. */
void lp_table_make_states(struct lp_table *t);
/* Seeds the streams of every LP. All gids must be set. */
void lp_table_seed(struct lp_table *t);

static inline tw_lp *lp_table_at(const struct lp_table *t, tw_lpid local)
{
    assert(local < t->count);
    return (tw_lp *)(void *)(t->blocks + local * t->stride);
}

#endif
