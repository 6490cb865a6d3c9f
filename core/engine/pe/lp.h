/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp.h - the logical processes of a PE: their memory, streams and states.
 *
 * Each LP is a block of cache lines: the public head (tw_lp), its core streams, its model streams.
 * The blocks of a PE are contiguous: a multiplication leads from a local number to its LP. States
 * are stored apart, in the same order.
 */
#ifndef WARPSCOPE_ENGINE_PE_LP_H
#define WARPSCOPE_ENGINE_PE_LP_H

#include <assert.h>

#include "base/arena.h"
#include "ross.h"

struct lp_table {
    unsigned char *blocks;
    size_t stride;      /* bytes from one LP to the next */
    tw_lpid count;      /* LPs of this PE */
    struct arena arena; /* memory of blocks and states */
    size_t state_bytes; /* size of the states of all LPs, in bytes */
    size_t fence_bytes; /* size of the fence behind each state, see base/fence.h; 0: no fences */
};

#define LP_FENCE_IN_FRONT ((size_t)64) /* size of the fence in front of a state, in bytes */

/* Returns the bytes from one LP to the next. */
size_t lp_table_stride(unsigned n_streams);
/* Returns the bytes that lp_table_make_states() will allocate. */
size_t lp_table_states_bytes(const struct lp_table *t);
/* Creates count LPs without type or gid. */
void lp_table_init(struct lp_table *t, tw_lpid count, unsigned n_streams);
void lp_table_fini(struct lp_table *t);
/* Gives each LP its zeroed state, with fences if fence_bytes > 0. All types must be set. */
void lp_table_make_states(struct lp_table *t);
/* Seeds the streams of every LP. All gids must be set. */
void lp_table_seed(struct lp_table *t);

static inline tw_lp *lp_table_at(const struct lp_table *t, tw_lpid local)
{
    assert(local < t->count);
    return (tw_lp *)(void *)(t->blocks + local * t->stride);
}

#endif
