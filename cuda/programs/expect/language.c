/* SPDX-License-Identifier: BSD-3-Clause
 *
 * language.c - programs for features of the language: calls, loops, predicates, templates, warps.
 */
#include "programs/expect/expect.h"

static void unroll(void)
{
    enum { N = 1000, BLOCK = 32, BLOCKS = 4, PER_THREAD = 8 };
    ex_fill("x", N, BLOCK * PER_THREAD);
    ex_launch(1, "sums");
    for (int i = 0; i < N; i++) {
        ex_at(EX_LOAD, "x", i, 4, i % (BLOCK * BLOCKS) / BLOCK);
    }
    ex_each(EX_STORE, "y", BLOCK * BLOCKS, 4, BLOCK);
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
    ex_fill("x", N, BLOCK);
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
    ex_fill("x", N, BLOCK);
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

static void volatiles(void)
{
    enum { N = 128, BLOCK = 32 };
    ex_fill("x", N, BLOCK);
    ex_each(EX_STORE, "x", N, 4, BLOCK);
    ex_each(EX_STORE, "y", N, 4, BLOCK);
    ex_launch(1, "add");
    for (int k = 0; k < 2; k++) {
        ex_shifted(EX_LOAD, "x", N, 4, BLOCK, 32);
    }
    for (int k = 0; k < 6; k++) {
        ex_each(EX_LOAD, "y", N, 4, BLOCK);
    }
    ex_each(EX_STORE, "z", N, 8, BLOCK);
}

static void warps(void)
{
    enum { N = 256, BLOCK = 64 };
    ex_launch(1, "sums");
    ex_each(EX_LOAD, "x", N, 4, BLOCK);
    ex_each(EX_STORE, "votes", N, 4, BLOCK);
    ex_each(EX_STORE, "totals", N / 32, 4, BLOCK / 32);
    ex_launch(1, "last");
    ex_each(EX_LOAD, "totals", N / 32, 4, N / 32);
    ex_at(EX_STORE, "total", 0, 4, 0);
}

static void tiles(void)
{
    enum { N = 256, BLOCK = 64, TILE = 8 };
    ex_launch(1, "tiles");
    ex_each(EX_LOAD, "x", N, 4, BLOCK);
    ex_each(EX_STORE, "sums", N / TILE, 4, BLOCK / TILE);
    for (int i = 0; i < N; i += 32) { /* a warp makes one access for all threads of the branch */
        ex_at(EX_ATOMIC, "taken", 0, 4, i / BLOCK);
    }
    ex_launch(1, "last");
    ex_each(EX_LOAD, "sums", N / TILE, 4, N / TILE);
    ex_at(EX_STORE, "total", 0, 4, 0);
}

static void map(const char *kernel, const char *from, const char *to, uint32_t size, int block)
{
    enum { N = 192 };
    ex_launch(1, kernel);
    ex_reverse(EX_LOAD, from, N, size, block);
    ex_each(EX_STORE, to, N, size, block);
}

static void templates(void)
{
    map("void map<int, 32, square<int> >(int*, int const*, square<int>)", "ia", "ib", 4, 32);
    map("void map<int, 64, plus_one<int> >(int*, int const*, plus_one<int>)", "ib", "ia", 4, 64);
    map("void map<double, 32, square<double> >(double*, double const*, square<double>)", "da", "db",
        8, 32);
    map("void map<double, 64, plus_one<double> >(double*, double const*, plus_one<double>)", "db",
        "da", 8, 64);
    map("void map<unsigned char, 32, square<unsigned char> >(unsigned char*, unsigned char "
        "const*, "
        "square<unsigned char>)",
        "ca", "cb", 1, 32);
    map("void map<unsigned char, 64, plus_one<unsigned char> >(unsigned char*, unsigned char "
        "const*, "
        "plus_one<unsigned char>)",
        "cb", "ca", 1, 64);
}

static void divergence(void)
{
    enum { N = 200, BLOCK = 64 };
    ex_fill("x", N, BLOCK);
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

static void parts(void)
{
    enum { N = 96, BLOCK = 32, STATES = 8 };
    ex_launch(1, "fill_kernel");
    ex_each(EX_STORE, "x", N, 4, BLOCK);
    ex_launch(1, "combine");
    for (int i = 0; i < N; i++) {
        ex_at(EX_LOAD, "x", (i + 1) % N, 4, i / BLOCK);
        ex_at(EX_LOAD, "states", i % STATES, 4, i / BLOCK);
        ex_at(EX_STORE, "y", 2 * i, 4, i / BLOCK);
        ex_at(EX_STORE, "y", 2 * i + 1, 4, i / BLOCK);
    }
}

static void library(void)
{
    enum { BLOCK = 64, BLOCKS = 4, N = BLOCK * BLOCKS };
    ex_fill("x", N, BLOCK);
    ex_launch(1, "blocks");
    ex_reverse(EX_LOAD, "x", N, 4, BLOCK);
    ex_reverse(EX_STORE, "prefixes", N, 4, BLOCK);
    ex_each(EX_STORE, "sums", BLOCKS, 4, 1);
}

const struct ex_program ex_language[] = {
    {"unroll", unroll},         {"recursion", recursion}, {"calls", calls},
    {"predicated", predicated}, {"volatiles", volatiles}, {"warps", warps},
    {"tiles", tiles},           {"templates", templates}, {"divergence", divergence},
    {"parts", parts},           {"library", library},     {NULL, NULL},
};
