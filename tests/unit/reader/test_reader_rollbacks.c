/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cascades of rollbacks against plain arrays and recursion, in unlimited memory and in a few pages;
 * with rollbacks that are missing, and with causes in circles.
 */
/* test: libs=warpscope_reading */
#include "cli/files.h"
#include "rollbacks/rollbacks.h"
#include "support/rollback_trace.h"
#include "support/suite.h"

static uint64_t seed;

/* ---- Plain ----------------------------------------------------------------------------------- */

/* A rollback; number 0: it is not in the trace. */
struct plain_node {
    uint64_t number, undone, ns;
    struct plain_node *parent;
    uint64_t depth; /* 0: not known yet */
    /* Of roots: sums of the tree. */
    uint64_t tree_rollbacks, tree_undone, tree_ns, tree_depth, tree_width;
    uint64_t *levels; /* owned; rollbacks by depth, from 1 */
    uint32_t pe;
};

static struct plain_node *plain_root(struct plain_node *node)
{
    while (node->parent != NULL) {
        node = node->parent;
    }
    return node;
}

static uint64_t plain_depth(struct plain_node *node)
{
    if (node->depth == 0) {
        node->depth = node->parent == NULL ? 1 : plain_depth(node->parent) + 1;
    }
    return node->depth;
}

static void plain_add(struct plain_node *node, uint64_t n)
{
    struct plain_node *root = plain_root(node);
    const uint64_t depth = plain_depth(node);
    if (root->levels == NULL) {
        root->levels = calloc(n + 1, sizeof *root->levels);
    }
    CU_ASSERT_FATAL(root->levels != NULL && depth <= n);
    root->levels[depth]++;
    root->tree_rollbacks++;
    root->tree_undone += node->undone;
    root->tree_ns += node->ns;
    root->tree_depth = depth > root->tree_depth ? depth : root->tree_depth;
    root->tree_width =
        root->levels[depth] > root->tree_width ? root->levels[depth] : root->tree_width;
}

/* Returns the rollbacks of all PEs, o->n each. */
static struct plain_node *plain_make(const struct rollback_options *o)
{
    struct plain_node *nodes = calloc(o->pes * o->n, sizeof *nodes);
    CU_ASSERT_FATAL(nodes != NULL);
    for (uint64_t i = 0; i < o->pes * o->n; i++) {
        struct rollback_row row;
        const uint32_t pe = (uint32_t)(i / o->n);
        if (rollback_make(o, pe, i % o->n + 1, &row)) {
            nodes[i].pe = pe;
            nodes[i].number = row.number;
            nodes[i].undone = row.events_undone;
            nodes[i].ns = (uint64_t)row.undone_time;
        }
    }
    for (uint64_t i = 0; i < o->pes * o->n; i++) {
        struct rollback_row row;
        if (nodes[i].number > 0 && rollback_make(o, nodes[i].pe, nodes[i].number, &row) &&
            row.cause_number > 0) {
            struct plain_node *parent =
                &nodes[(uint64_t)row.cause_pe * o->n + row.cause_number - 1];
            nodes[i].parent = parent->number > 0 ? parent : NULL;
        }
    }
    for (uint64_t i = 0; i < o->pes * o->n; i++) {
        if (nodes[i].number > 0) {
            plain_add(&nodes[i], o->n);
        }
    }
    return nodes;
}

static int by_undone(const void *a, const void *b)
{
    const struct plain_node *const *x = a, *const *y = b;
    return (*x)->tree_undone > (*y)->tree_undone ? -1 : (*x)->tree_undone < (*y)->tree_undone;
}

/* Compares the trees of an analysis with the plain ones. */
static void plain_compare(const struct rollbacks *r, const struct rollback_options *o)
{
    struct plain_node *nodes = plain_make(o);
    struct plain_node **roots = calloc(o->pes * o->n + 1, sizeof *roots);
    struct rollbacks_size sizes[ROLLBACKS_SIZES] = {{0}};
    uint64_t n_roots = 0, n = 0, undone = 0;
    CU_ASSERT_FATAL(roots != NULL);
    for (uint64_t i = 0; i < o->pes * o->n; i++) {
        struct plain_node *node = &nodes[i];
        n += node->number > 0;
        undone += node->undone;
        if (node->number > 0 && node->parent == NULL) {
            uint32_t size = 0;
            while (node->tree_rollbacks >> size > 1) {
                size++;
            }
            sizes[size].trees++;
            sizes[size].rollbacks += node->tree_rollbacks;
            sizes[size].undone += node->tree_undone;
            roots[n_roots++] = node;
        }
    }
    CU_ASSERT_EQUAL(r->n_nodes, n);
    CU_ASSERT_EQUAL(r->n_trees, n_roots);
    CU_ASSERT_EQUAL(r->undone, undone);
    CU_ASSERT(memcmp(r->sizes, sizes, sizeof sizes) == 0);
    qsort(roots, n_roots, sizeof(struct plain_node *), by_undone);
    for (uint32_t i = 0; i < r->n_largest; i++) {
        const struct rollbacks_largest *l = &r->largest[i];
        const struct plain_node *root = &nodes[l->pe * o->n + l->root - 1];
        CU_ASSERT_EQUAL(l->tree.undone, roots[i]->tree_undone); /* equal sizes have any order */
        CU_ASSERT_EQUAL(l->tree.undone, root->tree_undone);
        CU_ASSERT_EQUAL(l->tree.rollbacks, root->tree_rollbacks);
        CU_ASSERT_EQUAL(l->tree.ns, root->tree_ns);
        CU_ASSERT_EQUAL(l->tree.depth, root->tree_depth);
        CU_ASSERT_EQUAL(l->tree.width, root->tree_width);
        CU_ASSERT_EQUAL(r->deepest >= l->tree.depth, true);
    }
    for (uint64_t i = 0; i < o->pes * o->n; i++) {
        free(nodes[i].levels);
    }
    free(roots);
    free(nodes);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void trace_examine(struct rollbacks *r, struct ws_file *file, const char *path,
                          const struct rollbacks_options *options)
{
    memset(file, 0, sizeof *file);
    ws_file_survey(file, path, WS_USUAL, &ws_on_stderr);
    CU_ASSERT_FATAL(file->pes != NULL && rollbacks_run(r, file, options));
    CU_ASSERT(rollbacks_agree(r));
    CU_ASSERT(ws_pages_check(&r->nodes));
    CU_ASSERT(ws_pages_check(&r->trees));
}

static void top_compare(const struct ws_top_k *a, const struct ws_top_k *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n_winners, b->n_winners);
    CU_ASSERT(memcmp(a->winners, b->winners, a->n_winners * sizeof *a->winners) == 0);
}

/* Temporary files change no result, and the trees are those of the plain arrays unless causes are
 * in circles. */
static void trace_compare(const struct rollback_options *o)
{
    static const struct rollbacks_options unlimited = {.top = 40},
                                          limited = {.top = 40, .memory = 1};
    static struct rollbacks all, small;
    struct ws_file files[2];
    char path[64];
    snprintf(path, sizeof path, "test_reader_rollbacks-%ld.bin", (long)getpid());
    CU_ASSERT_FATAL(rollback_write(o, path));
    trace_examine(&all, &files[0], path, &unlimited);
    trace_examine(&small, &files[1], path, &limited);
    CU_ASSERT(all.nodes.file.fd < 0 && all.trees.file.fd < 0);
    CU_ASSERT(small.nodes.file.fd >= 0);
    if (o->circles == 0) {
        plain_compare(&all, o);
    }
    CU_ASSERT(all.n_nodes == small.n_nodes && all.n_trees == small.n_trees);
    CU_ASSERT(all.broken == small.broken && all.own == small.own);
    CU_ASSERT_EQUAL(all.deepest, small.deepest);
    CU_ASSERT_EQUAL(all.ns, small.ns);
    CU_ASSERT(memcmp(all.sizes, small.sizes, sizeof all.sizes) == 0);
    CU_ASSERT(memcmp(all.reasons, small.reasons, sizeof all.reasons) == 0);
    CU_ASSERT(memcmp(all.bound_n, small.bound_n, sizeof all.bound_n) == 0);
    CU_ASSERT_EQUAL_FATAL(all.n_largest, small.n_largest);
    for (uint32_t i = 0; i < all.n_largest; i++) {
        CU_ASSERT_EQUAL(all.largest[i].number, small.largest[i].number);
        CU_ASSERT_EQUAL(all.largest[i].root, small.largest[i].root);
        CU_ASSERT_EQUAL(all.largest[i].tree.width, small.largest[i].tree.width);
    }
    top_compare(&all.pe_pairs, &small.pe_pairs);
    top_compare(&all.kps, &small.kps);
    top_compare(&all.lp_pairs, &small.lp_pairs);
    top_compare(&all.type_pairs, &small.type_pairs);
    rollbacks_free(&all);
    rollbacks_free(&small);
    ws_file_close(&files[0]);
    ws_file_close(&files[1]);
    unlink(path);
}

static void test_trees(void)
{
    struct rollback_options o = {
        .pes = 3, .lps = 100, .n = 8000, .seed = random_bits(&seed), .secondary = 70};
    trace_compare(&o);
    o.secondary = 97; /* deep trees */
    o.back = 3;
    trace_compare(&o);
}

static void test_missing(void)
{
    struct rollback_options o = {.pes = 2,
                                 .lps = 50,
                                 .n = 12000,
                                 .seed = random_bits(&seed),
                                 .secondary = 60,
                                 .missing = 9,
                                 .gap = 2000,
                                 .back = 500};
    trace_compare(&o);
}

static void test_circles(void)
{
    struct rollback_options o = {
        .pes = 3, .lps = 50, .n = 8000, .seed = random_bits(&seed), .secondary = 80, .circles = 20};
    trace_compare(&o);
}

int main(void)
{
    CU_TestInfo tests[] = {{"trees", test_trees},
                           {"missing rollbacks", test_missing},
                           {"causes in circles", test_circles}};
    seed = suite_seed();
    suite_print_seed("reader_rollbacks", seed);
    return suite_run("reader_rollbacks", tests, sizeof tests / sizeof tests[0]);
}
