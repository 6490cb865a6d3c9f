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
    ACCESS_NONE,      /* does not access memory, or never global memory */
    ACCESS_ELSEWHERE, /* ld, st, atom or red of another state space */
    ACCESS_TRACED,
    ACCESS_UNTRACED, /* accesses global memory, or may do so, in a way that cannot be recorded */
    ACCESS_UNKNOWN   /* an unknown instruction */
};

/* The numbers are those of the trace file format. */
enum access_type { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

struct access {
    enum access_kind kind;
    /* The rest is valid for ACCESS_TRACED. */
    enum access_type type;
    bool generic;  /* true if the address is generic, so that it may be in another space */
    uint32_t size; /* size of the whole access in bytes */
    const struct ptx_operand *address;
};

struct access access_of(const struct ptx_instruction *instruction);

#endif
