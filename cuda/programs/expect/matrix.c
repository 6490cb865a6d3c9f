/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix.c - programs of matrices and clusters.
 */
#include "programs/expect/expect.h"

/* The accesses of a warp to a matrix: each lane one of 32 equal parts, line by line. part: its bytes;
 * lines: in memory, `stride` bytes apart. */
static void matrix(enum ex_type type, const char *array, uint64_t offset, uint32_t part, int lines,
                   uint64_t stride, uint64_t cta)
{
    int each = 32 / lines;
    for (int lane = 0; lane < 32; lane++) {
        ex_access(type, array,
                  offset + (uint64_t)(lane / each) * stride + (uint64_t)(lane % each) * part, part,
                  cta);
    }
}

static void copy(const char *to, const char *from, int n, int block)
{
    EX("fill", n, block, LOAD(from, 4), STORE(to, 4));
}

static void matrices(void)
{
    enum { N = 32, TILE = 16 };
    copy("a", "a_in", N * N / 2, 128);
    copy("b", "b_in", N * N / 2, 128);
    ex_launch(1, "halves");
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t x = i % 2, y = i / 2, cta = ex_cta(x, y, 0);
        for (uint64_t k = 0; k < N; k += TILE) {
            matrix(EX_LOAD, "a", 2 * (y * TILE * N + k), 16, TILE, 2ull * N, cta);
            matrix(EX_LOAD, "b", 2 * (x * TILE * N + k), 16, TILE, 2ull * N, cta);
        }
        matrix(EX_STORE, "c", 4 * (y * TILE * N + x * TILE), 32, TILE, 4ull * N, cta);
    }
    ex_launch(1, "bytes"); /* 8 x 16, by columns; 16 x 32, by rows; 8 x 32 words, by columns */
    matrix(EX_LOAD, "p", 0, 4, 16, 8, ex_cta(0, 0, 0));
    matrix(EX_LOAD, "q", 0, 16, 16, 32, ex_cta(0, 0, 0));
    matrix(EX_STORE, "d", 0, 32, 32, 32, ex_cta(0, 0, 0));
    ex_launch(1, "total");
    for (int i = 0; i < 128; i++) {
        ex_at(EX_LOAD, "c", 8 * i, 4, 0);
        ex_at(EX_LOAD, "d", 2 * i, 4, 0);
        ex_at(EX_ATOMIC, "sum", 0, 4, 0);
    }
}

static void products(void)
{
    static const char *const names[][3] = {{"xhalf", "yhalf", "half"},
                                           {"xbf16", "ybf16", "bf16"},
                                           {"xtf32", "ytf32", "tf32"},
                                           {"xbytes", "ybytes", "bytes"}};
    static const char *const kernels[] = {"of_halves", "of_bf16", "of_tf32", "of_bytes"};
    for (int kind = 0; kind < 4; kind++) {
        copy("a", names[kind][0], 128, 128);
        copy("b", names[kind][1], 64, 64);
        /* each word once */
        EX(kernels[kind], 128, 128, LOAD("a", 4), LOAD("b", 4, .n = 64), STORE(names[kind][2], 4));
    }
    /* ldmatrix, stmatrix and movmatrix access shared memory only, or none */
    EX("turn", 128, 128, LOAD("from", 4), STORE("to", 4));
}

static void clusters(void)
{
    enum { BLOCK = 32, CTAS = 8, CLUSTER = 4, N = BLOCK * CTAS };
    EX("fill", N, BLOCK, STORE("x", 4));
    EX("share", N, BLOCK, LOAD("x", 4), STORE("sums", 4));
    ex_at(EX_STORE, "counts", 0, 4, 0);
    ex_at(EX_STORE, "counts", 1, 4, CLUSTER);
}

const struct ex_program ex_matrix[] = {
    {"matrices", matrices}, {"products", products}, {"clusters", clusters}, {NULL, NULL}};
