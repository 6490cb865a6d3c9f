/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trees.c - reads the links between rollbacks, and forms trees; see rollbacks.h.
 *
 * Links in a damaged file may be wrong. A node whose link is missing or part of a cycle becomes a
 * root.
 */
#include <assert.h>
#include <stdlib.h>

#include "access/facts.h"
#include "rollbacks/rollbacks.h"

/* Value of the member `tree` of nodes on the path whose root is being searched. */
#define ON_WAY (ROLLBACKS_NONE - 1)

/* ---- Links ----------------------------------------------------------------------------------- */

struct reading {
    struct rollbacks *r;
    /* at: index of the next node of the PE; end: index before which the PE's nodes must end. */
    uint32_t at, end;
    uint64_t last; /* number of the rollback that was stored last; 0: none */
    struct ws_load load;
    uint64_t number[WS_LOAD_MAX], cause_number[WS_LOAD_MAX], cause_pe[WS_LOAD_MAX],
        cause[WS_LOAD_MAX], undone[WS_LOAD_MAX], lp[WS_LOAD_MAX], type[WS_LOAD_MAX];
    double time[WS_LOAD_MAX]; /* in ns; negative: not measured */
};

#define LOADED(name, array, is_real)                                                               \
    {                                                                                              \
        name, offsetof(struct reading, array), is_real                                             \
    }
static const struct ws_loaded loaded[] = {LOADED("number", number, false),
                                          LOADED("cause_number", cause_number, false),
                                          LOADED("cause_pe", cause_pe, false),
                                          LOADED("events_undone", undone, false),
                                          LOADED("cause", cause, false),
                                          LOADED("dest_lp", lp, false),
                                          LOADED("payload_type", type, false),
                                          LOADED("undone_time", time, true),
                                          {NULL, 0, false}};

/* Stores loaded row i as the next node. Returns false after an error. */
static bool node_add(struct reading *d, uint32_t i)
{
    struct rollbacks *r = d->r;
    const uint64_t pe = d->cause_pe[i], undone = d->undone[i];
    const bool is_timed = d->time[i] >= 0;
    const bool is_secondary = d->cause[i] == 2;
    struct rollbacks_node *node = rollbacks_node_at(r, d->at);
    if (node == NULL) {
        return false;
    }
    *node = (struct rollbacks_node){
        .number = d->number[i],
        .cause = pe < r->n_pes ? d->cause_number[i] : 0,
        .ns = is_timed ? (uint64_t)d->time[i] : 0,
        .parent = pe < r->n_pes ? (uint32_t)pe : 0,
        .tree = ROLLBACKS_NONE,
        .undone = undone < UINT32_MAX ? (uint32_t)undone : UINT32_MAX,
        .depth = is_secondary ? 2 : 1,
    };
    r->is_timed |= is_timed;
    r->primary += !is_secondary;
    r->secondary += is_secondary;
    r->undone += undone;
    r->ns += node->ns;
    r->disorder += d->at > r->bases[d->load.part->block->pe] && node->number <= d->last;
    d->last = node->number;
    d->at++;
    return rollbacks_lp_note(r, d->lp[i], d->type[i]);
}

static bool part_read(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct reading *d = ctx;
    uint32_t row = 0;
    (void)file;
    while (ws_load_next(&d->load, part, &row)) {
        ws_load_all(&d->load, loaded, d);
        for (uint32_t i = 0; i < d->load.n && d->at < d->end; i++) {
            if (!node_add(d, i)) {
                return false;
            }
        }
    }
    return true;
}

static bool links_read(struct rollbacks *r)
{
    struct reading *d = calloc(1, sizeof *d);
    struct fmt_wanted wanted = {.payload = false};
    uint32_t n = 0;
    if (d == NULL) {
        return ws_no_memory(&r->failed);
    }
    d->r = r;
    ws_load_want(loaded, r->schema, &wanted);
    for (uint32_t pe = 0; pe < r->n_pes && !r->failed; pe++) {
        const uint64_t records = r->file->pes[pe].records;
        r->bases[pe] = r->hints[pe] = d->at = n;
        d->end = records < r->n_nodes - n ? n + (uint32_t)records : r->n_nodes;
        ws_scan_kind(r->file, r->schema, &wanted, pe, part_read, d);
        n = d->at;
    }
    r->bases[r->n_pes] = r->n_nodes = n;
    free(d);
    return !r->failed;
}

/* Returns the index of the first node in [from, to) whose number is at least `number`; `to` if
 * there is none, or after an error. */
static uint32_t lower_bound(struct rollbacks *r, uint32_t from, uint32_t to, uint64_t number)
{
    assert(from <= to && to <= r->n_nodes);
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const struct rollbacks_node *node = rollbacks_node_get(r, middle);
        if (node == NULL) {
            return to;
        }
        if (node->number < number) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Returns the index of the node with this number on a PE; ROLLBACKS_NONE if there is none, or after
 * an error. Numbers ascend with the index: the indices of two nodes differ by at most as much as
 * their numbers, and by exactly as much if no number between them is missing. */
static uint32_t node_find(struct rollbacks *r, uint32_t pe, uint64_t number)
{
    assert(pe < r->n_pes);
    const uint32_t first = r->bases[pe], end = r->bases[pe + 1], hint = r->hints[pe];
    assert(first <= hint && hint <= end && end <= r->n_nodes);
    const struct rollbacks_node *node = hint < end ? rollbacks_node_get(r, hint) : NULL;
    if (node == NULL) {
        return ROLLBACKS_NONE;
    }
    const uint64_t old = node->number;
    uint32_t from = first, to = end, guess = hint;
    if (number > old) {
        from = hint;
        to = number - old < end - hint ? hint + (uint32_t)(number - old) + 1 : end;
        guess = to - 1;
    } else if (number < old) {
        from = old - number <= hint - first ? hint - (uint32_t)(old - number) : first;
        to = hint;
        guess = from;
    }
    if ((node = rollbacks_node_get(r, guess)) != NULL && node->number != number) {
        guess = lower_bound(r, from, to, number);
        guess = guess < end ? guess : end - 1;
        node = rollbacks_node_get(r, guess);
    }
    r->hints[pe] = guess;
    return node != NULL && node->number == number ? guess : ROLLBACKS_NONE;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

/* Adds a node to the sums of tree `number`. Returns false after an error. */
static bool tree_add(struct rollbacks *r, uint32_t number, struct rollbacks_node *node)
{
    assert(number < r->n_trees);
    struct rollbacks_tree *tree = rollbacks_tree_at(r, number);
    if (tree != NULL) {
        tree->rollbacks++;
        tree->undone += node->undone;
        tree->ns += node->ns;
        tree->depth = node->depth > tree->depth ? node->depth : tree->depth;
        r->deepest = tree->depth > r->deepest ? tree->depth : r->deepest;
    }
    return tree != NULL;
}

static bool tree_begin(struct rollbacks *r, uint32_t root)
{
    assert(root < r->n_nodes && r->n_trees < r->n_nodes);
    struct rollbacks_node *node = rollbacks_node_at(r, root);
    struct rollbacks_tree *tree = rollbacks_tree_at(r, r->n_trees);
    if (node == NULL || tree == NULL) {
        return false;
    }
    *tree = (struct rollbacks_tree){.root = root, .is_whole = node->depth == 1};
    r->broken += !tree->is_whole;
    r->own += node->undone;
    node->tree = r->n_trees++;
    node->depth = 1;
    return tree_add(r, node->tree, node);
}

/* Returns true if the node with index `at` is a root: it has no parent in the trace, or its parent
 * is on the path that led to the node. Otherwise stores the index of the parent in *parent. The
 * tree of the node must not be known yet. Also returns true after an error. */
static bool is_root(struct rollbacks *r, uint32_t at, uint32_t *parent)
{
    const struct rollbacks_node *node = rollbacks_node_get(r, at);
    if (node == NULL || node->cause == 0) {
        return true;
    }
    *parent = node_find(r, node->parent, node->cause);
    if (*parent == ROLLBACKS_NONE || *parent == at) {
        return true;
    }
    node = rollbacks_node_get(r, *parent);
    return node == NULL || node->tree == ON_WAY;
}

/* Finds the tree of the node with index `at`, and of all nodes on the path to its root. Walks up
 * this path, and stores in the member `parent` of each node the index of the node below. Then walks
 * back down by these indices, and stores tree and depth in each node. Returns false after an
 * error. */
static bool tree_find(struct rollbacks *r, uint32_t at)
{
    assert(at < r->n_nodes);
    uint32_t below = ROLLBACKS_NONE, parent = ROLLBACKS_NONE;
    const struct rollbacks_node *top;
    while ((top = rollbacks_node_get(r, at)) != NULL && top->tree == ROLLBACKS_NONE) {
        if (is_root(r, at, &parent)) {
            if (r->failed || !tree_begin(r, at)) {
                return false;
            }
            continue;
        }
        struct rollbacks_node *node = rollbacks_node_at(r, at);
        if (node == NULL) {
            return false;
        }
        node->tree = ON_WAY;
        node->parent = below;
        below = at;
        at = parent;
    }
    if (top == NULL) {
        return false;
    }
    const uint32_t tree = top->tree;
    for (uint32_t depth = top->depth + 1; below != ROLLBACKS_NONE; depth++) {
        struct rollbacks_node *child = rollbacks_node_at(r, below);
        if (child == NULL) {
            return false;
        }
        below = child->parent;
        child->tree = tree;
        child->depth = depth;
        if (!tree_add(r, tree, child)) {
            return false;
        }
    }
    return true;
}

/* Sets the member `first` of each tree: the index at which the elements of the tree begin in an
 * array with one element per tree and depth. Returns false after an error. */
static bool places_find(struct rollbacks *r)
{
    uint32_t first = 0; /* sum of the depths of the trees so far, at most n_nodes */
    for (uint32_t t = 0; t < r->n_trees; t++) {
        struct rollbacks_tree *tree = rollbacks_tree_at(r, t);
        if (tree == NULL) {
            return false;
        }
        tree->first = first;
        first += tree->depth;
    }
    return true;
}

static bool widths_find(struct rollbacks *r, struct ws_pages *counts)
{
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        const struct rollbacks_node *node = rollbacks_node_get(r, i);
        struct rollbacks_tree *tree = node == NULL ? NULL : rollbacks_tree_at(r, node->tree);
        uint32_t *width =
            tree == NULL ? NULL : ws_pages_at(counts, (uint64_t)tree->first + node->depth - 1);
        if (width == NULL) {
            r->failed = true;
            return false;
        }
        ++*width;
        tree->width = *width > tree->width ? *width : tree->width;
    }
    return true;
}

bool rollbacks_trees(struct rollbacks *r)
{
    const size_t memory = r->options->memory == 0 ? ROLLBACKS_MEMORY : r->options->memory;
    struct ws_pages counts = {.fd = -1};
    r->lps.n = UINT32_MAX;
    if (ws_lps_have_holes(r->file->sb) && !ws_lps_read(&r->lps, r->file)) {
        return ws_no_memory(&r->failed);
    }
    if (!ws_pages_init(&r->nodes, sizeof(struct rollbacks_node), r->n_nodes, memory / 2) ||
        !ws_pages_init(&r->lp_types, sizeof(uint16_t), r->lps.n, memory / 8)) {
        return ws_no_memory(&r->failed);
    }
    if (!links_read(r)) {
        return false;
    }
    if (!ws_pages_init(&r->trees, sizeof(struct rollbacks_tree), r->n_nodes, memory / 4)) {
        return ws_no_memory(&r->failed);
    }
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        if (!tree_find(r, i)) {
            return false;
        }
    }
    bool good = ws_pages_init(&counts, sizeof(uint32_t), r->n_nodes, memory / 8) ||
                ws_no_memory(&r->failed);
    good = good && places_find(r) && widths_find(r, &counts);
    ws_pages_free(&counts);
    return good;
}
