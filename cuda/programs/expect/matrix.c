/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix.c - programs of matrices, clusters, barriers with copies, and wide words.
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
    ex_launch(1, "fill");
    ex_each(EX_LOAD, from, n, 4, block);
    ex_each(EX_STORE, to, n, 4, block);
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
        ex_launch(1, kernels[kind]); /* each word once */
        ex_each(EX_LOAD, "a", 128, 4, 128);
        ex_each(EX_LOAD, "b", 64, 4, 64);
        ex_each(EX_STORE, names[kind][2], 128, 4, 128);
    }
    ex_launch(1, "turn"); /* ldmatrix, stmatrix and movmatrix access shared memory only, or none */
    ex_each(EX_LOAD, "from", 128, 4, 128);
    ex_each(EX_STORE, "to", 128, 4, 128);
}

static void clusters(void)
{
    enum { BLOCK = 32, CTAS = 8, CLUSTER = 4, N = BLOCK * CTAS };
    ex_fill("x", N, BLOCK);
    ex_launch(1, "share");
    ex_each(EX_LOAD, "x", N, 4, BLOCK);
    ex_each(EX_STORE, "sums", N, 4, BLOCK);
    ex_at(EX_STORE, "counts", 0, 4, 0);
    ex_at(EX_STORE, "counts", 1, 4, CLUSTER);
}

static void arrivals(void)
{
    enum { BLOCK = 64, CTAS = 4, N = BLOCK * CTAS };
    ex_fill("x", N, BLOCK);
    ex_launch(1, "add");
    for (int c = 0; c < CTAS; c++) {
        ex_at(EX_LOAD, "x", c, 4 * BLOCK, c);
        ex_at(EX_ATOMIC, "sums", 0, 4 * BLOCK, c);
    }
    ex_each(EX_STORE, "y", N, 4, BLOCK);
    ex_launch(1, "look");
    ex_each(EX_LOAD, "sums", BLOCK, 4, BLOCK);
    ex_each(EX_STORE, "copy", BLOCK, 4, BLOCK);
}

static void wide(void)
{
    enum { BLOCK = 32, CTAS = 4, N = BLOCK * CTAS };
    ex_launch(1, "fill");
    ex_each(EX_STORE, "x", N, 16, BLOCK);
    ex_launch(1, "swap");
    for (int i = 0; i < N; i++) {
        ex_at(EX_ATOMIC, "x", i, 16, i / BLOCK);
        ex_at(EX_STORE, "olds", i, 16, i / BLOCK);
        ex_at(EX_ATOMIC, "x", i, 16, i / BLOCK);
        ex_at(EX_LOAD, "x", i, 16, i / BLOCK);
    }
    ex_launch(1, "add");
    for (int i = 0; i < N; i++) {
        ex_at(EX_ATOMIC, "sums", i % 8, 16, i / BLOCK);
        ex_at(EX_ATOMIC, "halves", i % 4, 8, i / BLOCK);
    }
    ex_launch(1, "look");
    ex_each(EX_LOAD, "sums", 8, 16, BLOCK);
    ex_each(EX_STORE, "copy", 8, 16, BLOCK);
}

const struct ex_program ex_matrix[] = {{"matrices", matrices}, {"products", products},
                                       {"clusters", clusters}, {"arrivals", arrivals},
                                       {"wide", wide},         {NULL, NULL}};
