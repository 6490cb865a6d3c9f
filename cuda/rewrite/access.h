/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classification of instructions for the rewriter: traced accesses to global memory, and others.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_ACCESS_H
#define WARPSCOPE_CUDA_REWRITE_ACCESS_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stdint.h>

enum access_kind {
    ACCESS_NONE,      /* does not access global memory, and is not ld, ldu, st, atom or red */
    ACCESS_ELSEWHERE, /* ld, ldu, st, atom or red of another state space */
    ACCESS_TRACED,
    /* accesses global memory, or possibly does so, in a way that cannot be recorded */
    ACCESS_UNTRACED,
    ACCESS_UNKNOWN /* an unknown instruction */
};

/* Maximum size in bytes of an access: records have 28 bits for it. */
enum { ACCESS_SIZE_MAX = (1 << 28) - 1 };

/* Types of traced accesses. Their values are those in trace files. */
enum access_type { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

struct access {
    enum access_kind kind;
    /* The members below are valid only for ACCESS_TRACED. */
    enum access_type type;
    bool generic; /* true for a generic address, which possibly lies outside global memory */
    /* Size in bytes of the whole access, with all elements of a vector; if `bytes` is set: the
     * maximum size. */
    uint32_t size;
    const struct ptx_operand *address;
    struct ptx_matrix matrix;         /* its lines are 0: no matrix; size: of the part of a lane */
    const struct ptx_operand *stride; /* elements from line to line; NULL: as many as a line has */
    /* register with the size in bytes of a copy, which may be 0; NULL: the size is constant */
    const struct ptx_operand *bytes;
    /* predicate of a copy; if it is true, the copy does not access global memory; NULL: none */
    const struct ptx_operand *ignored;
};

/* Returns true if an instruction writes registers only, from registers or as a load, so that records of
 * loads before it may also be written after it. */
bool access_is_quiet(const struct ptx_instruction *instruction);

/* Classifies an instruction. */
struct access access_of(const struct ptx_instruction *instruction);

#endif
