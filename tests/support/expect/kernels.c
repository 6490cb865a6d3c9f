/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels.c - programs whose accesses follow from an algorithm: trees, sorting, graphs, locks,
 * matrices, clusters.
 */
#include "programs/src/graph.h"
#include "support/expect/expect.h"

static void reduction(void)
{
    enum { C = 16, E = 8, FAN_IN = 4 };
    static const char *const levels[] = {"level0", "level1", "level2", "level3"};
    int inputs = E, level = 0;
    for (int ctas = C;; ctas = (ctas + FAN_IN - 1) / FAN_IN, level++) {
        ex_launch(1, "reduce");
        for (int c = 0; c < ctas; c++) {
            for (int i = 0; i < inputs; i++) {
                ex_at(EX_LOAD, levels[level], c * inputs + i, 4, c);
            }
            if (ctas == 1) {
                ex_at(EX_STORE, levels[level + 1], 0, 4, c);
            } else {
                ex_at(EX_ATOMIC, levels[level + 1], c / FAN_IN, 4, c);
            }
        }
        if (ctas == 1) {
            return;
        }
        inputs = 1;
    }
}

static void scan(void)
{
    enum { N = 1024, BLOCK = 128, BLOCKS = N / BLOCK };
    EX("scan_blocks", N, BLOCK, LOAD("x", 4), STORE("y", 4),
       STORE("sums", 4, .n = BLOCKS, .block = 1));
    EX("scan_sums", BLOCKS, BLOCKS, LOAD("sums", 4), STORE("sums", 4));
    ex_launch(1, "add_sums");
    for (int i = BLOCK; i < N; i++) {
        ex_at(EX_LOAD, "sums", i / BLOCK - 1, 4, i / BLOCK);
        ex_at(EX_LOAD, "y", i, 4, i / BLOCK);
        ex_at(EX_STORE, "y", i, 4, i / BLOCK);
    }
}

static void bitonic(void)
{
    enum { N = 256, BLOCK = 32 };
    for (int size = 2; size <= N; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            ex_launch(1, "compare");
            for (int t = 0; t < N / 2; t++) {
                int i = t / distance * 2 * distance + t % distance;
                ex_at(EX_LOAD, "x", i, 4, t / BLOCK);
                ex_at(EX_LOAD, "x", i + distance, 4, t / BLOCK);
                ex_at(EX_STORE, "x", i, 4, t / BLOCK);
                ex_at(EX_STORE, "x", i + distance, 4, t / BLOCK);
            }
        }
    }
}

enum { V = GRAPH_VERTICES, D = GRAPH_DEGREE, VERTICES_OF_CTA = 16 };

struct search {
    bool frontier[V], visited[V], next[V];
};

static void expand(struct search *s)
{
    ex_launch(1, "expand");
    for (int v = 0; v < V; v++) {
        int cta = v / VERTICES_OF_CTA;
        ex_at(EX_LOAD, "frontier", v, 1, cta);
        if (!s->frontier[v]) {
            continue;
        }
        s->frontier[v] = false;
        ex_at(EX_STORE, "frontier", v, 1, cta);
        ex_at(EX_LOAD, "first", v, 4, cta);
        ex_at(EX_LOAD, "first", v + 1, 4, cta);
        for (int e = 0; e < D; e++) {
            int n = graph_edge(v, e);
            ex_at(EX_LOAD, "edges", v * D + e, 4, cta);
            ex_at(EX_LOAD, "visited", n, 1, cta);
            if (!s->visited[n]) {
                s->next[n] = true;
                ex_at(EX_STORE, "level", n, 4, cta);
                ex_at(EX_STORE, "next", n, 1, cta);
            }
        }
    }
}

static bool advance(struct search *s)
{
    bool more = false;
    ex_launch(1, "advance");
    for (int v = 0; v < V; v++) {
        int cta = v / VERTICES_OF_CTA;
        ex_at(EX_LOAD, "next", v, 1, cta);
        if (s->next[v]) {
            s->next[v] = false;
            s->frontier[v] = s->visited[v] = more = true;
            ex_at(EX_STORE, "next", v, 1, cta);
            ex_at(EX_STORE, "frontier", v, 1, cta);
            ex_at(EX_STORE, "visited", v, 1, cta);
            ex_at(EX_STORE, "more", 0, 4, cta);
        }
    }
    return more;
}

static void bfs(void)
{
    struct search s = {.frontier = {true}, .visited = {true}};
    do {
        expand(&s);
    } while (advance(&s));
}

/* Enumerates only the accesses that the lock protects. The accesses that acquire and release the
 * lock depend on the order of the blocks. */
static void lock(void)
{
    enum { BLOCKS = 4, ROUNDS = 5 };
    ex_launch(1, "locked");
    for (int i = 0; i < BLOCKS * ROUNDS; i++) {
        ex_at(EX_LOAD, "counter", 0, 4, i / ROUNDS);
        ex_at(EX_STORE, "counter", 0, 4, i / ROUNDS);
        ex_at(EX_STORE, "last", i, 4, i / ROUNDS);
    }
}

/* Does not enumerate accesses to flags, since blocks repeat their loads while they wait. */
static void chain(void)
{
    enum { BLOCKS = 8 };
    ex_launch(1, "chain");
    for (int b = 0; b < BLOCKS; b++) {
        if (b > 0) {
            ex_at(EX_LOAD, "values", b - 1, 4, b);
        }
        ex_at(EX_STORE, "values", b, 4, b);
    }
}

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
    EX("total", 128, 128, LOAD("c", 4, .stride = 32), LOAD("d", 4, .stride = 8),
       ATOMIC("sum", 4, .modulus = 1));
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

enum { TENSOR_W = 28, TENSOR_H = 20 };

/* The rows of a box of a tensor of words: of each, what is inside. */
static void box(enum ex_type type, const char *array, int left, int top, int width, int height,
                uint64_t cta)
{
    int first = left < 0 ? 0 : left, end = left + width < TENSOR_W ? left + width : TENSOR_W;
    for (int y = top < 0 ? 0 : top; y < top + height && y < TENSOR_H; y++) {
        ex_access(type, array, (uint64_t)(4 * (y * TENSOR_W + first)),
                  (uint32_t)(4 * (end - first)), cta);
    }
}

static void tensors(void)
{
    enum { W = TENSOR_W, H = TENSOR_H, TILE = 8 };
    EX("fill", W * H, W, STORE("x", 4));
    ex_launch(1, "blur");
    for (int i = 0; i < 12; i++) {
        int x = i % 4, y = i / 4;
        uint64_t cta = ex_cta((uint64_t)x, (uint64_t)y, 0);
        box(EX_LOAD, "x", x * TILE - 1, y * TILE - 1, TILE + 4, TILE + 2, cta);
        box(EX_STORE, "y", x * TILE, y * TILE, TILE, TILE, cta);
    }
    ex_launch(1, "turn");
    for (int y = 0; y < H; y++) {
        box(EX_LOAD, "y", 0, y, W, 1, ex_cta((uint64_t)(y / TILE), 0, 0));
        for (int x = 0; x < W; x++) {
            ex_at(EX_STORE, "z", x * H + y, 4, y / TILE);
        }
    }
    ex_each(&(const struct ex_each)ATOMIC("totals", 4 * W, .modulus = 1), 3, 1);
    EX("look", W, W, LOAD("totals", 4), STORE("copy", 4));
}

const struct ex_program ex_kernels[] = {
    {"reduction", reduction}, {"scan", scan},       {"bitonic", bitonic},   {"bfs", bfs},
    {"lock", lock},           {"chain", chain},     {"matrices", matrices}, {"products", products},
    {"clusters", clusters},   {"tensors", tensors}, {NULL, NULL},
};
