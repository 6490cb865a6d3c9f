/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck_copy.c - copies of LPs and their comparison, see rcheck.h.
 *
 * A model may define how to store and compare the states of an LP type, for example if they hold
 * pointers. Without save_lp, the bytes of the state are stored. Without check_lps, the state is
 * stored again for the comparison, and both copies must be equal byte by byte.
 */
#include "engine/checks/rcheck_copy.h"

#include <assert.h>

#include "base/fence.h"
#include "engine/lps/lps.h"
#include "store/array.h"

#define COPY_FENCE ((size_t)64)

void crv_add_custom_state_checkpoint(crv_checkpointer *checkpointer)
{
    struct pe *pe = pe_self();
    if (pe == NULL) {
        tw_error(TW_LOC, "crv_add_custom_state_checkpoint() before tw_init() or after tw_end()");
    }
    if (checkpointer == NULL || checkpointer->lptype == NULL) {
        tw_error(TW_LOC, "crv_add_custom_state_checkpoint(): %s is NULL",
                 checkpointer == NULL ? "the checkpointer" : "lptype");
    }
    size_t n = pe->n_checkpointers;
    for (size_t i = 0; i < n; i++) {
        if (pe->checkpointers[i]->lptype == checkpointer->lptype) {
            pe->checkpointers[i] = checkpointer;
            return;
        }
    }
    if (!array_append(&pe->checkpointers, n, sizeof *pe->checkpointers)) {
        tw_error(TW_LOC, "out of memory for %zu checkpointers", n + 1);
    }
    pe->checkpointers[pe->n_checkpointers++] = checkpointer;
}

static const crv_checkpointer *checkpointer_of(const struct pe *pe, const tw_lptype *type)
{
    for (size_t i = 0; i < pe->n_checkpointers; i++) {
        if (pe->checkpointers[i]->lptype == type) {
            return pe->checkpointers[i];
        }
    }
    return NULL;
}

static size_t n_streams(const struct pe *pe)
{
    return g_tw_nRNG_core_per_lp + pe->n_streams;
}

/* Returns the size in bytes of a copy of an LP's state. Without save_lp, the copy is at least as
 * large as the state. */
static size_t checkpoint_size(const crv_checkpointer *how, const tw_lptype *type)
{
    if (how == NULL || how->sz_storage == 0) {
        return type->state_sz;
    }
    bool whole = how->save_lp == NULL && how->sz_storage < type->state_sz;
    return whole ? type->state_sz : how->sz_storage;
}

/* Allocates `size` bytes for a copy of a state, with space for a fence behind them. */
static unsigned char *make_room(size_t size)
{
    return tw_calloc(TW_LOC, "copies of LPs", 1, size + COPY_FENCE);
}

/* Stores the state of lp in `bytes`, a buffer of `size` bytes with space for a fence behind
 * them. */
static void save(const crv_checkpointer *how, unsigned char *bytes, size_t size, const tw_lp *lp)
{
    if (how != NULL && how->save_lp != NULL) {
        fence_fill(bytes + size, COPY_FENCE);
        how->save_lp(bytes, lp->cur_state);
        size_t beyond = fence_look(bytes + size, 0, COPY_FENCE).end;
        if (beyond > 0) {
            tw_error(TW_LOC,
                     "LP %" PRIu64 ": save_lp of its type's crv_checkpointer has written %zu bytes "
                     "beyond the end of a checkpoint, which has %zu; see sz_storage",
                     lp->gid, beyond, size);
        }
    } else if (lp->type->state_sz > 0) {
        memcpy(bytes, lp->cur_state, lp->type->state_sz);
    }
}

/* Lets the model free the memory that it allocated for the copy. */
static void clean(struct rcheck_copy *copy)
{
    if (copy->how != NULL && copy->how->clean_lp != NULL) {
        copy->how->clean_lp(copy->bytes);
    }
    copy->how = NULL;
}

void rcheck_copy_take(const struct pe *pe, struct rcheck_copy *copy, const tw_lp *lp)
{
    clean(copy);
    const crv_checkpointer *how = checkpointer_of(pe, engine_model_type(lp));
    copy->size = checkpoint_size(how, lp->type);
    if (copy->streams == NULL) {
        copy->streams = tw_calloc(TW_LOC, "copies of LPs", sizeof(tw_rng_stream), n_streams(pe));
    }
    if (copy->bytes == NULL || copy->size > copy->room) {
        free(copy->bytes);
        copy->bytes = make_room(copy->size);
        copy->room = copy->size;
    } else if (how != NULL) {
        memset(copy->bytes, 0, copy->size);
    }
    copy->how = how;
    save(how, copy->bytes, copy->size, lp);
    memcpy(copy->streams, lp->core_rng, n_streams(pe) * sizeof(tw_rng_stream));
}

static bool state_is_same(const struct rcheck_copy *copy, const tw_lp *lp)
{
    assert(copy->how != NULL || copy->size == lp->type->state_sz);
    const crv_checkpointer *how = copy->how;
    if (how != NULL && how->check_lps != NULL) {
        return how->check_lps(lp->cur_state, copy->bytes);
    }
    if (how == NULL || how->save_lp == NULL) {
        return lp->type->state_sz == 0 ||
               memcmp(copy->bytes, lp->cur_state, lp->type->state_sz) == 0;
    }
    struct rcheck_copy now = {.how = how, .size = copy->size};
    now.bytes = make_room(copy->size);
    save(how, now.bytes, now.size, lp);
    bool same = memcmp(copy->bytes, now.bytes, copy->size) == 0;
    rcheck_copy_free(&now);
    return same;
}

struct rcheck_difference rcheck_copy_compare(const struct pe *pe, const struct rcheck_copy *copy,
                                             const tw_lp *lp)
{
    assert(copy->streams != NULL);
    if (!state_is_same(copy, lp)) {
        return (struct rcheck_difference){RCHECK_STATE, 0};
    }
    unsigned n_core = g_tw_nRNG_core_per_lp;
    for (unsigned i = 0; i < n_streams(pe); i++) {
        const tw_rng_stream *is = &lp->core_rng[i];
        const tw_rng_stream *was = &copy->streams[i];
        if (memcmp(is->c, was->c, sizeof is->c) != 0 || is->count != was->count ||
            is->reserved != was->reserved) {
            return i < n_core ? (struct rcheck_difference){RCHECK_CORE_STREAM, i}
                              : (struct rcheck_difference){RCHECK_STREAM, i - n_core};
        }
    }
    return (struct rcheck_difference){RCHECK_SAME, 0};
}

bool rcheck_copy_is_state(const struct rcheck_copy *copy)
{
    const crv_checkpointer *how = copy->how;
    return how == NULL || (how->save_lp == NULL && how->check_lps == NULL);
}

void rcheck_copy_free(struct rcheck_copy *copy)
{
    clean(copy);
    free(copy->bytes);
    free(copy->streams);
    *copy = (struct rcheck_copy){0};
}
