/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - bytes sent from kernel to kernel, or from SM to SM, as a square matrix for text or a
 * picture. If there are more kernels or SMs than fit, neighbouring SMs share a line, and so do the
 * kernels that send and receive least.
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
    /* Bytes sent: [line of the sender][line of the receiver]. */
    uint64_t bytes[WS_MATRIX_MAX][WS_MATRIX_MAX];
    uint64_t most, total;
};

/* Limits of the text and of the picture: most lines of the matrix, and most characters of a
 * kernel's name. */
#define WS_MATRIX_TEXT_LINES    9
#define WS_MATRIX_TEXT_WIDTH    13
#define WS_MATRIX_PICTURE_WIDTH 24

/* Makes the matrix for a text or a picture. Names of kernels that do not fit are preceded by the
 * kernel's number. Returns false if out of memory. */
bool ws_matrix_make(struct ws_matrix *x, struct ws_memtrace *m, bool by_sm, bool is_text);
void ws_matrix_text(const struct ws_matrix *x, FILE *out);
void ws_matrix_svg(const struct ws_matrix *x, FILE *out);

#endif
