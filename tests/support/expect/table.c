/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table.c - programs without loops over launches whose threads access elements by their numbers.
 */
#include "support/expect/expect.h"

#define ROW(program, kernel, n, block, ...)                                                        \
    {                                                                                              \
        program, kernel, n, block,                                                                 \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define MAP(kernel, from, to, size, block)                                                         \
    ROW("templates", kernel, 192, block, LOAD(from, size, EX_REVERSE), STORE(to, size))

const struct ex_row ex_table[] = {
    ROW("reduce", "fill", 2048, 128, STORE("x", 4)),
    ROW("reduce", "partial", 2048, 256, LOAD("x", 4), STORE("parts", 4, .n = 8, .block = 1)),
    ROW("reduce", "total", 8, 8, LOAD("parts", 4), STORE("sum", 4, .n = 1)),
    ROW("managed", "fill", 128, 32, STORE("x", 4)),
    ROW("managed", "times", 128, 32, LOAD("factor", 4, .modulus = 1), LOAD("x", 4, EX_REVERSE),
        STORE("x", 4, EX_REVERSE)),
    ROW("histogram", "histogram", 4096, 512, LOAD("x", 1),
        ATOMIC("bins", 4, .n = 512, .block = 64, .modulus = 64)),
    ROW("histogram", "largest", 64, 64, LOAD("bins", 4), ATOMIC("most", 4, .modulus = 1)),
    /* without accesses to the words of the barrier */
    ROW("gridsync", "ring", 128, 32, STORE("even", 8), LOAD("even", 8, .shift = 32),
        STORE("odd", 8), LOAD("odd", 8, .shift = 32), STORE("even", 8),
        LOAD("even", 8, .shift = 32), STORE("odd", 8)),
    ROW("volatiles", "fill", 128, 32, STORE("x", 4), STORE("x", 4), STORE("y", 4)),
    ROW("volatiles", "add", 128, 32, LOAD("x", 4, .shift = 32), LOAD("x", 4, .shift = 32),
        LOAD("y", 4), LOAD("y", 4), LOAD("y", 4), LOAD("y", 4), LOAD("y", 4), LOAD("y", 4),
        STORE("z", 8)),
    ROW("warps", "sums", 256, 64, LOAD("x", 4), STORE("votes", 4),
        STORE("totals", 4, .n = 8, .block = 2)),
    ROW("warps", "last", 8, 8, LOAD("totals", 4), STORE("total", 4, .n = 1)),
    /* a warp makes one access for all threads of the branch */
    ROW("tiles", "tiles", 256, 64, LOAD("x", 4), STORE("sums", 4, .n = 32, .block = 8),
        ATOMIC("taken", 4, .n = 8, .block = 2, .modulus = 1)),
    ROW("tiles", "last", 32, 32, LOAD("sums", 4), STORE("total", 4, .n = 1)),
    MAP("void map<int, 32, square<int> >(int*, int const*, square<int>)", "ia", "ib", 4, 32),
    MAP("void map<int, 64, plus_one<int> >(int*, int const*, plus_one<int>)", "ib", "ia", 4, 64),
    MAP("void map<double, 32, square<double> >(double*, double const*, square<double>)", "da", "db",
        8, 32),
    MAP("void map<double, 64, plus_one<double> >(double*, double const*, plus_one<double>)", "db",
        "da", 8, 64),
    MAP("void map<unsigned char, 32, square<unsigned char> >(unsigned char*, unsigned char const*, "
        "square<unsigned char>)",
        "ca", "cb", 1, 32),
    MAP("void map<unsigned char, 64, plus_one<unsigned char> >(unsigned char*, unsigned char "
        "const*, plus_one<unsigned char>)",
        "cb", "ca", 1, 64),
    ROW("unroll", "fill", 1000, 256, STORE("x", 4)),
    ROW("unroll", "sums", 1000, 32, LOAD("x", 4, .ctas = 4), STORE("y", 4, .n = 128)),
    ROW("vectors", "fill", 128, 32, STORE("x", 16), STORE("n", 16)),
    ROW("vectors", "twice", 128, 32, LOAD("x", 16, EX_REVERSE), STORE("y", 16, EX_REVERSE)),
    ROW("vectors", "halves", 256, 64, LOAD("y", 8), STORE("sums", 16, .n = 128, .block = 32)),
    ROW("vectors", "small", 128, 32, LOAD("n", 4, .stride = 16),
        LOAD("n", 4, .stride = 16, .offset = 4), LOAD("n", 4, .stride = 16, .offset = 12),
        STORE("totals", 8)),
    ROW("local", "fill", 512, 32, STORE("x", 4, .ctas = 2)),
    ROW("local", "sort", 512, 256, LOAD("x", 4), STORE("y", 4)),
    /* one access per member: the compiler may combine several accesses into one, on which the results
     * with --match=bytes do not depend */
    ROW("structs", "fill", 64, 16, STORE("p", 40)),
    ROW("structs", "copy", 64, 16, LOAD("p", 40, EX_REVERSE), STORE("q", 40)),
    ROW("structs", "masses", 64, 16, LOAD("q", 8, .stride = 40),
        LOAD("q", 2, .stride = 40, .offset = 36), STORE("sums", 8)),
    /* any block may serve an item; here, block (i % 4) serves item i */
    ROW("queue", "fill", 24, 8, STORE("items", 4)),
    ROW("queue", "serve", 24, 1, ATOMIC("head", 4, .n = 28, .modulus = 1, .ctas = 4),
        LOAD("items", 4, .ctas = 4), STORE("results", 4, .ctas = 4)),
    ROW("parts", "fill_kernel", 96, 32, STORE("x", 4)),
    ROW("parts", "combine", 96, 32, LOAD("x", 4, .shift = 1), LOAD("states", 4, .modulus = 8),
        STORE("y", 4, .n = 192, .block = 64)),
    ROW("library", "fill", 256, 64, STORE("x", 4)),
    ROW("library", "blocks", 256, 64, LOAD("x", 4, EX_REVERSE), STORE("prefixes", 4, EX_REVERSE),
        STORE("sums", 4, .n = 4, .block = 1)),
    ROW("numbers", "fill", 128, 32, STORE("d", 8), STORE("f", 4), STORE("h", 2)),
    ROW("numbers", "doubles", 128, 32, LOAD("d", 8, EX_REVERSE), LOAD("f", 4, EX_REVERSE),
        STORE("result", 8)),
    ROW("numbers", "halves", 64, 32, LOAD("h", 4, EX_REVERSE), STORE("h2", 4)),
    ROW("registered", "fill", 128, 32, STORE("x", 4)),
    ROW("registered", "add", 128, 32, LOAD("x", 4, EX_REVERSE), LOAD("rows", 4), STORE("sums", 4)),
    ROW("dynamic", "rotate", 256, 64, LOAD("x", 4), STORE("y", 4)),
    ROW("dynamic", "rotate", 256, 64, LOAD("y", 4), STORE("x", 4)),
    ROW("atomics", "change", 128, 32, ATOMIC("w", 4, .n = 1280, .block = 320, .modulus = 10),
        ATOMIC("u", 4, .n = 768, .block = 192, .modulus = 6),
        ATOMIC("l", 8, .n = 256, .block = 64, .modulus = 2), ATOMIC("f", 4, .modulus = 1),
        ATOMIC("d", 8, .modulus = 1), ATOMIC("old", 4)),
    ROW("atomics", "look", 10, 10, LOAD("w", 4), STORE("copy", 4)),
    ROW("printing", "fill", 64, 32, STORE("x", 4)),
    ROW("printing", "show", 32, 32, LOAD("x", 4, .shift = 32, .modulus = 64),
        ATOMIC("sum", 4, .modulus = 1), LOAD("sum", 4, .n = 1)),
    ROW("parameters", "nothing", 1, 1, LOAD(NULL)),
    ROW("parameters", "store", 64, 64, STORE("x", 4)),
    ROW("parameters", "load", 64, 64, LOAD("x", 4), STORE("y", 4)),
    ROW("parameters", "nothing", 64, 64, LOAD(NULL)),
    ROW("arrivals", "fill", 256, 64, STORE("x", 4)),
    ROW("arrivals", "add", 256, 64, LOAD("x", 256, .n = 4, .block = 1),
        ATOMIC("sums", 256, .n = 4, .block = 1, .modulus = 1), STORE("y", 4)),
    ROW("arrivals", "look", 64, 64, LOAD("sums", 4), STORE("copy", 4)),
    ROW("wide", "fill", 128, 32, STORE("x", 16)),
    ROW("wide", "swap", 128, 32, ATOMIC("x", 16), STORE("olds", 16), ATOMIC("x", 16),
        LOAD("x", 16)),
    ROW("wide", "add", 128, 32, ATOMIC("sums", 16, .modulus = 8),
        ATOMIC("halves", 8, .modulus = 4)),
    ROW("wide", "look", 8, 32, LOAD("sums", 16), STORE("copy", 16)),
    {.program = NULL},
};
