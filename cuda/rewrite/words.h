/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classes of all instruction words of PTX up to ISA 9.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_WORDS_H
#define WARPSCOPE_CUDA_REWRITE_WORDS_H

#include "ptx/ptx.h"

enum word_class {
    WORD_UNKNOWN,
    WORD_PLAIN, /* never accesses the contents of global memory */
    WORD_LOAD,
    WORD_STORE,
    WORD_ATOM,
    WORD_RED,
    WORD_COPY,   /* cp: some forms access global memory */
    WORD_MATRIX, /* wmma: .load and .store access memory */
    WORD_MAP,    /* tensormap: accesses global memory unless its operand is in shared memory */
    /* Accesses global memory in a way that is not traced: textures, surfaces, multimem. */
    WORD_UNTRACED,
    WORD_CALL
};

/* Returns the class of an instruction word. */
enum word_class word_class(struct ptx_text word);

#endif
