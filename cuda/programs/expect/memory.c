/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.c - programs for kinds of memory, sizes of accesses, and parameters.
 */
#include "programs/expect/expect.h"

static void vectors(void)
{
    enum { N = 128, BLOCK = 32 };
    ex_launch(1, "fill");
    ex_each(EX_STORE, "x", N, 16, BLOCK);
    ex_each(EX_STORE, "n", N, 16, BLOCK);
    ex_launch(1, "twice");
    ex_reverse(EX_LOAD, "x", N, 16, BLOCK);
    ex_reverse(EX_STORE, "y", N, 16, BLOCK);
    ex_launch(1, "halves");
    ex_each(EX_LOAD, "y", 2 * N, 8, 2 * BLOCK);
    ex_each(EX_STORE, "sums", N, 16, BLOCK);
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
    ex_launch(1, "change");
    ex_each(EX_LOAD, "table", TERMS, 4, TERMS);
    ex_each(EX_STORE, "table", TERMS, 4, TERMS);
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

static void numbers(void)
{
    enum { N = 128, BLOCK = 32 };
    ex_launch(1, "fill");
    ex_each(EX_STORE, "d", N, 8, BLOCK);
    ex_each(EX_STORE, "f", N, 4, BLOCK);
    ex_each(EX_STORE, "h", N, 2, BLOCK);
    ex_launch(1, "doubles");
    ex_reverse(EX_LOAD, "d", N, 8, BLOCK);
    ex_reverse(EX_LOAD, "f", N, 4, BLOCK);
    ex_each(EX_STORE, "result", N, 8, BLOCK);
    ex_launch(1, "halves");
    ex_reverse(EX_LOAD, "h", N / 2, 4, BLOCK);
    ex_each(EX_STORE, "h2", N / 2, 4, BLOCK);
}

static void registered(void)
{
    enum { N = 128, BLOCK = 32 };
    ex_fill("x", N, BLOCK);
    ex_launch(1, "add");
    ex_reverse(EX_LOAD, "x", N, 4, BLOCK);
    ex_each(EX_LOAD, "rows", N, 4, BLOCK);
    ex_each(EX_STORE, "sums", N, 4, BLOCK);
}

/* Texels are loads; blend loads the four around the lower left corner of each, inside of the texture. */
static void textures(void)
{
    enum { N = 128, BLOCK = 32, W = 8 };
    ex_fill("x", N, BLOCK);
    ex_launch(1, "fetch");
    ex_reverse(EX_LOAD, "x", N, 4, BLOCK);
    ex_each(EX_STORE, "y", N, 4, BLOCK);
    ex_launch(1, "blend");
    for (int i = 0; i < BLOCK; i++) {
        for (int corner = 0; corner < 4; corner++) {
            int column = i % W - corner % 2, row = i / W - corner / 2;
            ex_at(EX_LOAD, "x", (row < 0 ? 0 : row) * W + (column < 0 ? 0 : column), 4, 0);
        }
    }
    ex_each(EX_STORE, "y", BLOCK, 4, BLOCK);
    for (int round = 0; round < 2; round++) {
        ex_launch(1, "turn");
        ex_each(EX_LOAD, "array", BLOCK, 4, BLOCK);
        ex_each(EX_LOAD, "array", BLOCK, 4, BLOCK);
        ex_each(EX_STORE, "array", BLOCK, 4, BLOCK);
        ex_each(EX_STORE, "y", BLOCK, 4, BLOCK);
    }
}

static void dynamic(void)
{
    enum { N = 256, BLOCK = 64 };
    for (int round = 0; round < 2; round++) {
        ex_launch(1, "rotate");
        ex_each(EX_LOAD, round == 0 ? "x" : "y", N, 4, BLOCK);
        ex_each(EX_STORE, round == 0 ? "y" : "x", N, 4, BLOCK);
    }
}

static void generic(void)
{
    enum { N = 128, BLOCK = 32 };
    ex_fill("x", N, BLOCK);
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
    ex_launch(1, "sort");
    ex_each(EX_LOAD, "x", N, 4, EACH * BLOCK);
    ex_each(EX_STORE, "y", N, 4, EACH * BLOCK);
}

static void printing(void)
{
    enum { BLOCK = 32, N = 2 * BLOCK };
    ex_fill("x", N, BLOCK);
    ex_launch(1, "show");
    for (int i = 0; i < BLOCK; i++) {
        ex_at(EX_LOAD, "x", BLOCK + i, 4, 0);
        ex_at(EX_ATOMIC, "sum", 0, 4, 0);
    }
    ex_at(EX_LOAD, "sum", 0, 4, 0);
}

/* Enumerates one access per member. The compiler may combine several accesses into one; the results
 * with --match=bytes do not depend on this. */
static void structs(void)
{
    enum { N = 64, BLOCK = 16, SIZE = 40, MASS = 8, KIND = 36 };
    ex_launch(1, "fill");
    ex_each(EX_STORE, "p", N, SIZE, BLOCK);
    ex_launch(1, "copy");
    ex_reverse(EX_LOAD, "p", N, SIZE, BLOCK);
    ex_each(EX_STORE, "q", N, SIZE, BLOCK);
    ex_launch(1, "masses");
    for (int i = 0; i < N; i++) {
        uint64_t at = (uint64_t)i * SIZE, cta = ex_cta((uint64_t)(i / BLOCK), 0, 0);
        ex_access(EX_LOAD, "q", at, MASS, cta);
        ex_access(EX_LOAD, "q", at + KIND, 2, cta);
        ex_at(EX_STORE, "sums", i, 8, i / BLOCK);
    }
}

static void atomics(void)
{
    enum { BLOCK = 32, N = 128, WORDS = 10, UNSIGNEDS = 6 };
    ex_launch(1, "change");
    for (int i = 0; i < N; i++) {
        int cta = i / BLOCK;
        for (int k = 0; k < WORDS; k++) {
            ex_at(EX_ATOMIC, "w", k, 4, cta);
        }
        for (int k = 0; k < UNSIGNEDS; k++) {
            ex_at(EX_ATOMIC, "u", k, 4, cta);
        }
        ex_at(EX_ATOMIC, "l", 0, 8, cta);
        ex_at(EX_ATOMIC, "l", 1, 8, cta);
        ex_at(EX_ATOMIC, "f", 0, 4, cta);
        ex_at(EX_ATOMIC, "d", 0, 8, cta);
        ex_at(EX_ATOMIC, "old", i, 4, cta);
    }
    ex_launch(1, "look");
    ex_each(EX_LOAD, "w", WORDS, 4, WORDS);
    ex_each(EX_STORE, "copy", WORDS, 4, WORDS);
}

static void parameters(void)
{
    enum { N = 64 };
    ex_launch(1, "nothing");
    ex_launch(1, "store");
    ex_each(EX_STORE, "x", N, 4, N);
    ex_launch(1, "load");
    ex_each(EX_LOAD, "x", N, 4, N);
    ex_each(EX_STORE, "y", N, 4, N);
    ex_launch(1, "nothing");
}

const struct ex_program ex_memory[] = {
    {"vectors", vectors},
    {"constants", constants},
    {"numbers", numbers},
    {"dynamic", dynamic},
    {"generic", generic},
    {"local", local},
    {"printing", printing},
    {"structs", structs},
    {"atomics", atomics},
    {"parameters", parameters},
    {"registered", registered},
    {"textures", textures},
    {NULL, NULL},
};
