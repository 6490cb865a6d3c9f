/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - bytes sent from kernel to kernel, or from SM to SM, as a square matrix that is shown
 * as text or as a picture. If there are too many SMs, neighbouring SMs share a line. If there are
 * too many kernels, those that send and receive the fewest bytes share a line.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_MATRIX_H
#define WARPSCOPE_READER_MEMTRACE_MATRIX_H

#include <stdio.h>

#include "memtrace/analysis.h"

#define WS_MATRIX_MAX   64
#define WS_MATRIX_LABEL 256

struct ws_matrix {
    bool by_sm;
    bool binned; /* true if a line stands for several kernels or SMs */
    uint32_t n;
    char labels[WS_MATRIX_MAX][WS_MATRIX_LABEL];
    /* [i][j]: number of bytes that the kernels or SMs of line i sent to those of line j. */
    uint64_t bytes[WS_MATRIX_MAX][WS_MATRIX_MAX];
    uint64_t most, total; /* maximum and sum of the elements of `bytes` */
};

#define WS_MATRIX_TEXT_LINES 9 /* maximum number of lines in the text */
/* Maximum number of characters of a kernel's name: first in the text, then in the picture. */
#define WS_MATRIX_TEXT_WIDTH    13
#define WS_MATRIX_PICTURE_WIDTH 24

/* Makes the matrix *x from the results m, for the text if is_text is true, otherwise for the
 * picture. If a kernel's name is too long, the kernel's number precedes it. Returns false if out of
 * memory. */
bool ws_matrix_make(struct ws_matrix *x, struct ws_memtrace *m, bool by_sm, bool is_text);
void ws_matrix_text(const struct ws_matrix *x, FILE *out);

#endif
