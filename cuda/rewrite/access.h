/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The meaning of an instruction for the rewriter: an access to global memory, or not.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_ACCESS_H
#define WARPSCOPE_CUDA_REWRITE_ACCESS_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stdint.h>

enum access_kind {
    ACCESS_NONE,      /* no access to memory, or not to global memory */
    ACCESS_ELSEWHERE, /* ld, st, atom or red of another space */
    ACCESS_TRACED,
    ACCESS_UNTRACED, /* accesses global memory, or may do so, in a way that is not recorded */
    ACCESS_UNKNOWN   /* an unknown instruction */
};

enum access_type { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC }; /* numbers of the trace's format */

struct access {
    enum access_kind kind;
    /* Of ACCESS_TRACED: */
    enum access_type type;
    bool generic;  /* may lie in another space */
    uint32_t size; /* bytes of the whole access */
    const struct ptx_operand *address;
};

struct access access_of(const struct ptx_instruction *instruction);

#endif
