/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck_copy.h - copies of LPs, for a later comparison with the LPs.
 *
 * A copy holds an LP's random streams and its state: all bytes of the state, unless the model
 * defines the comparison (crv_add_custom_state_checkpoint()).
 */
#ifndef WARPSCOPE_ENGINE_CHECKS_RCHECK_COPY_H
#define WARPSCOPE_ENGINE_CHECKS_RCHECK_COPY_H

#include "engine/pe/pe.h"

struct rcheck_copy {
    /* Functions of the model that store and compare states; NULL: all bytes of the state are
     * compared. */
    const crv_checkpointer *how;
    unsigned char *bytes;   /* the bytes of the state, or the output of the model's save_lp */
    size_t size;            /* number of bytes stored in `bytes` */
    size_t room;            /* capacity of the array `bytes`, in bytes */
    tw_rng_stream *streams; /* copies of the core streams, then of the model streams */
};

/* The part of an LP that differs from its copy. */
enum rcheck_part { RCHECK_SAME, RCHECK_STATE, RCHECK_STREAM, RCHECK_CORE_STREAM };
struct rcheck_difference {
    enum rcheck_part part;
    /* Index of the stream that differs, among the core streams or among the model streams. */
    unsigned stream;
};

/* Copies lp to *copy, whose memory grows as needed. *copy must be zeroed before its first use and
 * may be reused. Lack of memory ends the run. */
void rcheck_copy_take(const struct pe *pe, struct rcheck_copy *copy, const tw_lp *lp);
struct rcheck_difference rcheck_copy_compare(const struct pe *pe, const struct rcheck_copy *copy,
                                             const tw_lp *lp);
/* Returns true if the copy holds the bytes of the state; false if functions of the model wrote the
 * copy and compare it. */
bool rcheck_copy_is_state(const struct rcheck_copy *copy);
void rcheck_copy_free(struct rcheck_copy *copy);

#endif
