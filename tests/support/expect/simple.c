/* SPDX-License-Identifier: BSD-3-Clause
 *
 * simple.c - programs whose accesses depend on the index of a thread, also by calls, loops,
 * predicates, and kinds of memory.
 */
#include "support/expect/expect.h"

static void saxpy(void)
{
    enum { N = 1000, BLOCK = 64 };
    EX("fill", N, BLOCK, STORE("x", 4), STORE("y", 4));
    for (int round = 0; round < 2; round++) {
        EX("saxpy", N, BLOCK, LOAD("x", 4), LOAD("y", 4), STORE("y", 4));
    }
}

static void matmul(void)
{
    enum { N = 32, TILE = 8 };
    ex_launch(1, "fill");
    for (int i = 0; i < N * N; i++) {
        uint64_t cta = ex_cta((uint64_t)(i % N / TILE), (uint64_t)(i / N / TILE), 0);
        ex_access(EX_STORE, "a", 4 * (uint64_t)i, 4, cta);
        ex_access(EX_STORE, "b", 4 * (uint64_t)i, 4, cta);
    }
    ex_launch(1, "matmul");
    for (int i = 0; i < N * N; i++) {
        /* One thread computes element i of c. For each k, it loads one element of a tile of a and
         * one element of a tile of b; the other threads of the CTA load the rest of the tiles. */
        int x = i % N / TILE, y = i / N / TILE, row = i / N, column = i % N;
        uint64_t cta = ex_cta((uint64_t)x, (uint64_t)y, 0);
        for (int k = 0; k < N; k += TILE) {
            ex_access(EX_LOAD, "a", 4 * (uint64_t)(row * N + k + column % TILE), 4, cta);
            ex_access(EX_LOAD, "b", 4 * (uint64_t)((k + row % TILE) * N + column), 4, cta);
        }
        ex_access(EX_STORE, "c", 4 * (uint64_t)i, 4, cta);
    }
}

static void transpose(void)
{
    enum { C = 16, ROUNDS = 2 };
    for (int round = 0; round < ROUNDS; round++) {
        EX("fill", C * C, C, STORE("a", 4));
        EX("transpose", C * C, C, LOAD("a", 4, .block = 1, .ctas = C), STORE("b", 4));
        EX("use", C * C, C, LOAD("b", 4));
    }
}

static void stencil(void)
{
    enum { C = 4, E = 4, W = C * E, ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        const char *from = round % 2 == 0 ? "even" : "odd", *to = round % 2 == 0 ? "odd" : "even";
        ex_launch(1, "stencil");
        for (int i = 0; i < W * W; i++) {
            int x = i % W, y = i / W;
            uint64_t cta = ex_cta((uint64_t)(x / E), (uint64_t)(y / E), 0);
            ex_access(EX_LOAD, from, 4 * (uint64_t)i, 4, cta);
            if (x % E == 0 && x > 0) {
                ex_access(EX_LOAD, from, 4 * (uint64_t)(i - 1), 4, cta);
            }
            if (x % E == E - 1 && x < W - 1) {
                ex_access(EX_LOAD, from, 4 * (uint64_t)(i + 1), 4, cta);
            }
            if (y % E == 0 && y > 0) {
                ex_access(EX_LOAD, from, 4 * (uint64_t)(i - W), 4, cta);
            }
            if (y % E == E - 1 && y < W - 1) {
                ex_access(EX_LOAD, from, 4 * (uint64_t)(i + W), 4, cta);
            }
            ex_access(EX_STORE, to, 4 * (uint64_t)i, 4, cta);
        }
    }
}

static void producer(void)
{
    enum { C = 8, E = 32, ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        EX("produce", C * E, E, STORE("x", 4));
        EX("consume", C * E, E, LOAD("x", 4, .shift = E));
    }
}

static void graphs(void)
{
    enum { N = 128, BLOCK = 32 };
    EX("fill", N, BLOCK, STORE("x", 4));
    for (int round = 0; round < 4; round++) {
        EX("fill", N, BLOCK, STORE("x", 4));
        EX("reverse", N, BLOCK, LOAD("x", 4, EX_REVERSE), STORE("y", 4));
        if (round < 2) {
            EX("add", N, BLOCK, LOAD("x", 4), LOAD("y", 4), LOAD("sums", 4), STORE("sums", 4));
        }
    }
}

static void streams(void)
{
    enum { C = 4, E = 64, ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        EX("produce", C * E, E, STORE("x", 4));
        EX_IN(2, "consume", C * E, E, LOAD("x", 4, EX_REVERSE), LOAD("sums", 4), STORE("sums", 4));
    }
}

static void waves(void)
{
    enum { STREAMS = 8, N = 64, BLOCK = 32, STEPS = 3 };
    static const char *const arrays[STREAMS] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    for (unsigned s = 0; s < STREAMS; s++) {
        EX_IN(s + 1, "fill", N, BLOCK, STORE(arrays[s], 4));
        for (int step = 0; step < STEPS; step++) {
            int from = step % 2 * N, to = N - from;
            ex_launch(s + 1, "reverse");
            for (int i = 0; i < N; i++) {
                ex_at(EX_LOAD, arrays[s], from + N - 1 - i, 4, i / BLOCK);
                ex_at(EX_STORE, arrays[s], to + i, 4, i / BLOCK);
            }
        }
    }
}

static void pool(void)
{
    enum { N = 128, BLOCK = 32, ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        EX("fill", N, BLOCK, STORE("x", 4));
        EX("take", N, BLOCK, LOAD("x", 4, EX_REVERSE), LOAD("sums", 4), STORE("sums", 4));
    }
}

static void grid3d(void)
{
    enum { X = 8, Y = 6, Z = 4, BX = 4, BY = 2, BZ = 2 };
    for (int launch = 0; launch < 2; launch++) {
        ex_launch(1, launch == 0 ? "fill" : "neighbours");
        for (int i = 0; i < X * Y * Z; i++) {
            int x = i % X, y = i / X % Y, z = i / X / Y;
            uint64_t cta = ex_cta((uint64_t)(x / BX), (uint64_t)(y / BY), (uint64_t)(z / BZ));
            uint64_t above = (uint64_t)(((z + BZ) % Z * Y + y) * X + x);
            uint64_t right = (uint64_t)((z * Y + y) * X + (x + BX) % X);
            if (launch == 1) {
                ex_access(EX_LOAD, "a", 4 * above, 4, cta);
                ex_access(EX_LOAD, "a", 4 * right, 4, cta);
            }
            ex_access(EX_STORE, launch == 0 ? "a" : "b", 4 * (uint64_t)i, 4, cta);
        }
    }
}

enum { NODES = 255 };

static void load_tree(int i, int cta)
{
    if (i < NODES) {
        ex_at(EX_LOAD, "nodes", i, 4, cta);
        load_tree(2 * i + 1, cta);
        load_tree(2 * i + 2, cta);
    }
}

static void recursion(void)
{
    enum { ROOTS = 16, BLOCK = 8, PLANTERS = 4 };
    EX("plant", NODES, 16, STORE("nodes", 4, .ctas = PLANTERS));
    ex_launch(1, "harvest");
    for (int t = 0; t < ROOTS; t++) {
        load_tree(ROOTS - 1 + t, t / BLOCK);
        ex_at(EX_STORE, "sums", t, 4, t / BLOCK);
    }
}

static void calls(void)
{
    enum { N = 96, BLOCK = 32 };
    EX("fill", N, BLOCK, STORE("x", 4));
    ex_launch(1, "apply");
    for (int i = 0; i < N; i++) {
        ex_at(EX_LOAD, "table", i / BLOCK, 8, i / BLOCK);
        ex_at(EX_LOAD, "x", i < 2 * BLOCK ? (i + 1) % N : i, 4, i / BLOCK);
        ex_at(EX_STORE, "y", i, 4, i / BLOCK);
    }
}

static void predicated(void)
{
    enum { N = 128, BLOCK = 32 };
    EX("fill", N, BLOCK, STORE("x", 4));
    ex_launch(1, "pick");
    for (int i = 0; i < N; i++) {
        if (i >= 100) {
            ex_at(EX_LOAD, "x", (i + 4) % N, 4, i / BLOCK);
        }
        if (i % 3 == 0) {
            ex_at(EX_STORE, "y", i, 4, i / BLOCK);
        }
    }
}

static void divergence(void)
{
    enum { N = 200, BLOCK = 64 };
    EX("fill", N, BLOCK, STORE("x", 4));
    ex_launch(1, "wander");
    for (int i = 0; i < N; i++) {
        if (i % 16 == 5) {
            continue;
        }
        for (int k = 0; k < i % 7; k++) {
            ex_at(EX_LOAD, "x", (i + 10 * k) % N, 4, i / BLOCK);
            if (i % 10 == 8) {
                break;
            }
        }
        ex_at(EX_STORE, "y", i, 4, i / BLOCK);
    }
}

static void constants(void)
{
    enum { N = 128, BLOCK = 32, TERMS = 4 };
    EX("change", TERMS, TERMS, LOAD("table", 4), STORE("table", 4));
    ex_launch(1, "apply");
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < TERMS && i / BLOCK % 2 == 1; k++) {
            ex_at(EX_LOAD, "table", k, 4, i / BLOCK);
        }
        ex_at(EX_STORE, "y", i, 4, i / BLOCK);
        if (i % BLOCK == 0) {
            ex_at(EX_ATOMIC, "count", 0, 4, i / BLOCK);
        }
    }
}

/* Texels are loads; blend loads the four around the lower left corner of each, inside of the texture. */
static void textures(void)
{
    enum { N = 128, BLOCK = 32, W = 8 };
    EX("fill", N, BLOCK, STORE("x", 4));
    EX("fetch", N, BLOCK, LOAD("x", 4, EX_REVERSE), STORE("y", 4));
    ex_launch(1, "blend");
    for (int i = 0; i < BLOCK; i++) {
        for (int corner = 0; corner < 4; corner++) {
            int column = i % W - corner % 2, row = i / W - corner / 2;
            ex_at(EX_LOAD, "x", (row < 0 ? 0 : row) * W + (column < 0 ? 0 : column), 4, 0);
        }
    }
    ex_each(&(const struct ex_each)STORE("y", 4), BLOCK, BLOCK);
    for (int round = 0; round < 2; round++) {
        EX("turn", BLOCK, BLOCK, LOAD("array", 4), LOAD("array", 4), STORE("array", 4),
           STORE("y", 4));
    }
}

static void generic(void)
{
    enum { N = 128, BLOCK = 32 };
    EX("fill", N, BLOCK, STORE("x", 4));
    ex_launch(1, "mix");
    for (int i = 0; i < N; i++) {
        if (i % BLOCK % 4 == 0) {
            ex_at(EX_LOAD, "x", (i + BLOCK) % N, 4, i / BLOCK);
        }
        ex_at(EX_STORE, "y", i, 4, i / BLOCK);
    }
}

const struct ex_program ex_simple[] = {
    {"saxpy", saxpy},           {"matmul", matmul},         {"transpose", transpose},
    {"stencil", stencil},       {"producer", producer},     {"streams", streams},
    {"graphs", graphs},         {"waves", waves},           {"pool", pool},
    {"grid3d", grid3d},         {"recursion", recursion},   {"calls", calls},
    {"predicated", predicated}, {"divergence", divergence}, {"constants", constants},
    {"generic", generic},       {"textures", textures},     {NULL, NULL},
};
