/* SPDX-License-Identifier: BSD-3-Clause
 *
 * language.c - programs for calls, loops, predicates, kinds of memory, and sizes of accesses.
 */
#include "programs/expect/expect.h"

static void unroll(void)
{
    enum { N = 1000, BLOCK = 32, BLOCKS = 4, PER_THREAD = 8 };
    EX("fill", N, BLOCK * PER_THREAD, STORE("x", 4));
    ex_launch(1, "sums");
    for (int i = 0; i < N; i++) {
        ex_at(EX_LOAD, "x", i, 4, i % (BLOCK * BLOCKS) / BLOCK);
    }
    ex_each(&(const struct ex_each)STORE("y", 4), BLOCK * BLOCKS, BLOCK);
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
    ex_launch(1, "plant");
    for (int i = 0; i < NODES; i++) {
        ex_at(EX_STORE, "nodes", i, 4, i / 16 % PLANTERS);
    }
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

static void vectors(void)
{
    enum { N = 128, BLOCK = 32 };
    EX("fill", N, BLOCK, STORE("x", 16), STORE("n", 16));
    EX("twice", N, BLOCK, LOAD("x", 16, EX_REVERSE), STORE("y", 16, EX_REVERSE));
    EX("halves", 2 * N, 2 * BLOCK, LOAD("y", 8), STORE("sums", 16, .n = N, .block = BLOCK));
    ex_launch(1, "small");
    for (int i = 0; i < N; i++) {
        ex_at(EX_LOAD, "n", 4 * i, 4, i / BLOCK);
        ex_at(EX_LOAD, "n", 4 * i + 1, 4, i / BLOCK);
        ex_at(EX_LOAD, "n", 4 * i + 3, 4, i / BLOCK);
        ex_at(EX_STORE, "totals", i, 8, i / BLOCK);
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

static void local(void)
{
    enum { THREADS = 64, BLOCK = 32, EACH = 8, N = THREADS * EACH };
    ex_launch(1, "fill");
    for (int i = 0; i < N; i++) {
        ex_at(EX_STORE, "x", i, 4, i % THREADS / BLOCK);
    }
    EX("sort", N, EACH * BLOCK, LOAD("x", 4), STORE("y", 4));
}

/* Enumerates one access per member. The compiler may combine several accesses into one; the results
 * with --match=bytes do not depend on this. */
static void structs(void)
{
    enum { N = 64, BLOCK = 16, SIZE = 40, MASS = 8, KIND = 36 };
    EX("fill", N, BLOCK, STORE("p", SIZE));
    EX("copy", N, BLOCK, LOAD("p", SIZE, EX_REVERSE), STORE("q", SIZE));
    ex_launch(1, "masses");
    for (int i = 0; i < N; i++) {
        uint64_t at = (uint64_t)i * SIZE, cta = ex_cta((uint64_t)(i / BLOCK), 0, 0);
        ex_access(EX_LOAD, "q", at, MASS, cta);
        ex_access(EX_LOAD, "q", at + KIND, 2, cta);
        ex_at(EX_STORE, "sums", i, 8, i / BLOCK);
    }
}

const struct ex_program ex_language[] = {
    {"unroll", unroll},         {"recursion", recursion},   {"calls", calls},
    {"predicated", predicated}, {"divergence", divergence}, {"vectors", vectors},
    {"constants", constants},   {"generic", generic},       {"local", local},
    {"structs", structs},       {"textures", textures},     {NULL, NULL},
};
