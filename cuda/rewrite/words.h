/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The words of all instructions of PTX up to ISA 9.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_WORDS_H
#define WARPSCOPE_CUDA_REWRITE_WORDS_H

#include "ptx/ptx.h"

enum word_class {
    WORD_UNKNOWN,
    WORD_PLAIN, /* never accesses global memory's contents */
    WORD_LOAD,
    WORD_STORE,
    WORD_ATOM,
    WORD_RED,
    WORD_COPY,     /* cp: some forms access global memory */
    WORD_MATRIX,   /* wmma: .load and .store access memory */
    WORD_MAP,      /* tensormap: accesses a tensor map unless it is in shared memory */
    WORD_UNTRACED, /* accesses global memory: textures, surfaces, multimem */
    WORD_CALL
};

enum word_class word_class(struct ptx_text word);

#endif
