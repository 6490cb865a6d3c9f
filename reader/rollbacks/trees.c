/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trees.c - reads the links between rollbacks, and forms trees; see rollbacks.h.
 *
 * Links in a damaged file may be wrong. A node whose link is missing or part of a cycle becomes a
 * root.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "rollbacks/rollbacks.h"

/* Value of the member `tree` of nodes on the path whose root is being searched. */
#define ON_WAY (ROLLBACKS_NONE - 1)

/* ---- Types of LPs ---------------------------------------------------------------------------- */

/* The element of an LP in r->lp_types is 0 until the LP has rolled back. Then it is 1 if the type
 * is unknown, otherwise the index of the type plus 2. */

static uint32_t type_of_desc(struct rollbacks *r, uint64_t id)
{
    const struct fmt_payload_desc *desc = fmt_desc_set_find(&r->file->descs, (uint32_t)id);
    if (id == 0 || desc == NULL || desc->owner[0] == '\0') {
        return 0;
    }
    uint32_t type = ws_intern_add(&r->types, desc->owner, strlen(desc->owner), ROLLBACKS_TYPES_MAX);
    return type == WS_NAMES_NONE ? 0 : type + 1;
}

/* Stores the LP type that payload description `desc` names as the type of LP `lp`, unless a type is
 * already stored. */
static void lp_note(struct rollbacks *r, uint64_t lp, uint64_t desc)
{
    const size_t place = id_set_place(&r->lps, lp);
    const uint16_t *old = place == ID_SET_NONE ? NULL : ws_pages_get(&r->lp_types, place);
    if (old != NULL && *old == 0) {
        uint16_t *type = ws_pages_at(&r->lp_types, place);
        *type = (uint16_t)(type_of_desc(r, desc) + 1);
    }
}

uint32_t rollbacks_lp_type(struct rollbacks *r, uint64_t lp)
{
    const size_t place = id_set_place(&r->lps, lp);
    const uint16_t *type = place == ID_SET_NONE ? NULL : ws_pages_get(&r->lp_types, place);
    return type == NULL || *type == 0 ? 0 : *type - 1u;
}

/* ---- Links ----------------------------------------------------------------------------------- */

static bool part_read(const struct ws_part *part, void *ctx)
{
    struct rollbacks_rows *rows = ctx;
    uint32_t row = 0;
    while (!rows->r->failed && ws_load_next(&rows->load, part, &row)) {
        ws_load_all(&rows->load, rows->table, rows);
        for (uint32_t i = 0; i < rows->load.n && rows->at < rows->r->n_nodes; i++, rows->at++) {
            rows->take(rows, i);
        }
    }
    return !rows->r->failed;
}

bool rollbacks_read(struct rollbacks *r, const struct ws_loaded *table, rollbacks_take_f take)
{
    struct rollbacks_rows *rows = calloc(1, sizeof *rows);
    struct fmt_wanted wanted = {.payload = false};
    if (rows == NULL) {
        return ws_no_memory(&r->failed);
    }
    rows->r = r;
    rows->table = table;
    rows->take = take;
    ws_load_want(table, r->schema, &wanted);
    for (rows->pe = 0; rows->pe < r->n_pes && !r->failed; rows->pe++) {
        r->bases[rows->pe] = rows->at;
        ws_scan_kind(r->file, r->schema, &wanted, rows->pe, part_read, rows);
    }
    r->bases[r->n_pes] = r->n_nodes = rows->at;
    free(rows);
    return !r->failed;
}

static const struct ws_loaded tree_loaded[] = {
    WS_LOADED(rollbacks_rows, number, "number", false),
    WS_LOADED(rollbacks_rows, cause_number, "cause_number", false),
    WS_LOADED(rollbacks_rows, cause_pe, "cause_pe", false),
    WS_LOADED(rollbacks_rows, undone, "events_undone", false),
    WS_LOADED(rollbacks_rows, cause, "cause", false),
    WS_LOADED(rollbacks_rows, dest_lp, "dest_lp", false),
    WS_LOADED(rollbacks_rows, type, "payload_type", false),
    WS_LOADED(rollbacks_rows, undone_time, "undone_time", true),
    {NULL, 0, false}};

/* Stores row i as the next node. */
static void node_add(struct rollbacks_rows *rows, uint32_t i)
{
    struct rollbacks *r = rows->r;
    const uint64_t pe = rows->cause_pe[i], undone = rows->undone[i];
    const bool is_timed = rows->undone_time[i] >= 0;
    const bool is_secondary = rows->cause[i] == 2;
    struct rollbacks_node *node = ws_pages_at(&r->nodes, rows->at);
    *node = (struct rollbacks_node){
        .number = rows->number[i],
        .cause = pe < r->n_pes ? rows->cause_number[i] : 0,
        .ns = is_timed ? (uint64_t)rows->undone_time[i] : 0,
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
    r->disorder += rows->at > r->bases[rows->pe] && node->number <= rows->last;
    rows->last = node->number;
    lp_note(r, rows->dest_lp[i], rows->type[i]);
}

/* Returns the index of the node with this number on a PE; ROLLBACKS_NONE if there is none. Numbers
 * ascend with the index: the indices of two nodes differ by at most as much as their numbers, and by
 * exactly as much if no number between them is missing. The search begins where the node then is. */
static uint32_t node_find(struct rollbacks *r, uint32_t pe, uint64_t number)
{
    assert(pe < r->n_pes);
    uint32_t from = r->bases[pe], to = r->bases[pe + 1];
    assert(from <= to && to <= r->n_nodes);
    const struct rollbacks_node *node = from < to ? ws_pages_get(&r->nodes, from) : NULL;
    if (node == NULL || node->number > number) {
        return ROLLBACKS_NONE;
    }
    to = number - node->number < to - from ? from + (uint32_t)(number - node->number) + 1 : to;
    for (uint32_t at = to - 1; from < to; at = from + (to - from) / 2) {
        node = ws_pages_get(&r->nodes, at);
        if (node->number == number) {
            return at;
        }
        if (node->number < number) {
            from = at + 1;
        } else {
            to = at;
        }
    }
    return ROLLBACKS_NONE;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

/* Adds a node to the sums of tree `number`. */
static void tree_add(struct rollbacks *r, uint32_t number, const struct rollbacks_node *node)
{
    assert(number < r->n_trees);
    struct rollbacks_tree *tree = ws_pages_at(&r->trees, number);
    tree->rollbacks++;
    tree->undone += node->undone;
    tree->ns += node->ns;
    tree->depth = node->depth > tree->depth ? node->depth : tree->depth;
    r->deepest = tree->depth > r->deepest ? tree->depth : r->deepest;
}

static void tree_begin(struct rollbacks *r, uint32_t root)
{
    assert(root < r->n_nodes && r->n_trees < r->n_nodes);
    struct rollbacks_node *node = ws_pages_at(&r->nodes, root);
    struct rollbacks_tree *tree = ws_pages_at(&r->trees, r->n_trees);
    *tree = (struct rollbacks_tree){.root = root, .is_whole = node->depth == 1};
    r->broken += !tree->is_whole;
    r->own += node->undone;
    node->tree = r->n_trees++;
    node->depth = 1;
    tree_add(r, node->tree, node);
}

/* Returns true if the node with index `at` is a root: it has no parent in the trace, or its parent
 * is on the path that led to the node. Otherwise stores the index of the parent in *parent. The
 * tree of the node must not be known yet. */
static bool is_root(struct rollbacks *r, uint32_t at, uint32_t *parent)
{
    const struct rollbacks_node *node = ws_pages_get(&r->nodes, at);
    if (node->cause == 0) {
        return true;
    }
    *parent = node_find(r, node->parent, node->cause);
    if (*parent == ROLLBACKS_NONE || *parent == at) {
        return true;
    }
    node = ws_pages_get(&r->nodes, *parent);
    return node->tree == ON_WAY;
}

/* Finds the tree of the node with index `at`, and of all nodes on the path to its root. Walks up
 * this path, and stores in the member `parent` of each node the index of the node below. Then walks
 * back down by these indices, and stores tree and depth in each node. */
static void tree_find(struct rollbacks *r, uint32_t at)
{
    assert(at < r->n_nodes);
    uint32_t below = ROLLBACKS_NONE, parent = ROLLBACKS_NONE;
    const struct rollbacks_node *top;
    while ((top = ws_pages_get(&r->nodes, at))->tree == ROLLBACKS_NONE && !r->failed) {
        if (is_root(r, at, &parent)) {
            tree_begin(r, at);
            continue;
        }
        struct rollbacks_node *node = ws_pages_at(&r->nodes, at);
        node->tree = ON_WAY;
        node->parent = below;
        below = at;
        at = parent;
    }
    const uint32_t tree = top->tree;
    for (uint32_t depth = top->depth + 1; below != ROLLBACKS_NONE && !r->failed; depth++) {
        struct rollbacks_node *child = ws_pages_at(&r->nodes, below);
        below = child->parent;
        child->tree = tree;
        child->depth = depth;
        tree_add(r, tree, child);
    }
}

/* Sets the member `first` of each tree: the index at which the elements of the tree begin in an
 * array with one element per tree and depth. Then finds the widths of the trees. counts: such an
 * array. */
static void widths_find(struct rollbacks *r, struct ws_pages *counts)
{
    uint32_t first = 0; /* sum of the depths of the trees so far, at most n_nodes */
    for (uint32_t t = 0; t < r->n_trees && !r->failed; t++) {
        struct rollbacks_tree *tree = ws_pages_at(&r->trees, t);
        tree->first = first;
        first += tree->depth;
    }
    for (uint32_t i = 0; i < r->n_nodes && !r->failed; i++) {
        const struct rollbacks_node *node = ws_pages_get(&r->nodes, i);
        struct rollbacks_tree *tree = ws_pages_at(&r->trees, node->tree);
        if (r->failed) {
            return;
        }
        uint32_t *width = ws_pages_at(counts, (uint64_t)tree->first + node->depth - 1);
        ++*width;
        tree->width = *width > tree->width ? *width : tree->width;
    }
}

bool rollbacks_trees(struct rollbacks *r)
{
    const size_t memory = r->options->memory == 0 ? ROLLBACKS_MEMORY : r->options->memory;
    struct ws_pages counts = {.file.fd = -1};
    r->lps.n = UINT32_MAX;
    if (ws_lps_have_holes(r->file->sb) && !ws_lps_read(&r->lps, r->file)) {
        return ws_no_memory(&r->failed);
    }
    if (!ws_pages_init(&r->nodes, sizeof(struct rollbacks_node), r->n_nodes, memory / 2,
                       &r->failed) ||
        !ws_pages_init(&r->lp_types, sizeof(uint16_t), r->lps.n, memory / 8, &r->failed) ||
        !rollbacks_read(r, tree_loaded, node_add) ||
        !ws_pages_init(&r->trees, sizeof(struct rollbacks_tree), r->n_nodes, memory / 4,
                       &r->failed)) {
        return false;
    }
    for (uint32_t i = 0; i < r->n_nodes && !r->failed; i++) {
        tree_find(r, i);
    }
    if (ws_pages_init(&counts, sizeof(uint32_t), r->n_nodes, memory / 8, &r->failed)) {
        widths_find(r, &counts);
    }
    ws_pages_free(&counts);
    return !r->failed;
}
