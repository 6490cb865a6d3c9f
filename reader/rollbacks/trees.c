/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trees.c - reads the links between rollbacks and forms trees; see rollbacks.h.
 *
 * Links are not trusted: one that is missing or part of a circle ends the way to the root.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "rollbacks/rollbacks.h"

/* Value of `tree` in nodes on the way whose root is being searched for. */
#define ON_WAY (ROLLBACKS_NONE - 1)

struct reading {
    struct rollbacks *r;
    /* Index of the PE's next node, and of the first node after the PE's last one. */
    uint32_t at, end;
    int32_t number, cause_number, cause_pe, undone, time, cause;
    struct ws_load load;
    uint64_t numbers[WS_LOAD_MAX], causes[WS_LOAD_MAX], pes[WS_LOAD_MAX], undones[WS_LOAD_MAX],
        kinds[WS_LOAD_MAX];
};

static void nodes_add(struct reading *d)
{
    struct rollbacks *r = d->r;
    const uint64_t *pe = d->pes, *undone = d->undones, *kind = d->kinds;
    ws_load_u64(&d->load, d->number, d->numbers);
    ws_load_u64(&d->load, d->cause_number, d->causes);
    ws_load_u64(&d->load, d->cause_pe, d->pes);
    ws_load_u64(&d->load, d->undone, d->undones);
    ws_load_u64(&d->load, d->cause, d->kinds);
    for (uint32_t i = 0; i < d->load.n && d->at < d->end; i++) {
        const struct fmt_value time =
            fmt_columns_value(d->load.part->columns, (uint32_t)d->time, d->load.rows[i]);
        const bool is_timed = time.type == FMT_I64 && time.as.i >= 0;
        struct rollbacks_node *node = &r->nodes[d->at++];
        *node = (struct rollbacks_node){.number = d->numbers[i],
                                        .cause = pe[i] < r->n_pes ? d->causes[i] : 0,
                                        .parent = pe[i] < r->n_pes ? (uint32_t)pe[i] : 0,
                                        .undone = undone[i] < UINT32_MAX ? (uint32_t)undone[i]
                                                                         : UINT32_MAX,
                                        .ns = is_timed ? (uint64_t)time.as.i : 0,
                                        .depth = kind[i] == 2 ? 2 : 1};
        r->is_timed |= is_timed;
        r->primary += kind[i] != 2;
        r->secondary += kind[i] == 2;
        r->undone += undone[i];
        r->ns += node->ns;
    }
}

static bool part_read(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct reading *d = ctx;
    uint32_t row = 0;
    (void)file;
    if (part->columns->schema == d->r->schema) {
        while (ws_load_next(&d->load, part, &row)) {
            nodes_add(d);
        }
    }
    return true;
}

static bool links_read(struct rollbacks *r)
{
    struct ws_select all = {.sb = NULL};
    struct reading *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return rollbacks_no_memory(r);
    }
    *d = (struct reading){.r = r,
                          .number = ws_field_find(r->schema, "number"),
                          .cause_number = ws_field_find(r->schema, "cause_number"),
                          .cause_pe = ws_field_find(r->schema, "cause_pe"),
                          .undone = ws_field_find(r->schema, "events_undone"),
                          .time = ws_field_find(r->schema, "undone_time"),
                          .cause = ws_field_find(r->schema, "cause")};
    ws_select_file(&all, r->file->sb, &r->file->descs);
    uint32_t n = 0;
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        r->bases[pe] = d->at = n;
        const uint64_t records = r->file->pes[pe].records;
        d->end = records < r->n_nodes - n ? n + (uint32_t)records : r->n_nodes;
        ws_scan_pe(r->file, &all, NULL, pe, part_read, d);
        for (uint32_t i = n + 1; i < d->at; i++) {
            r->disorder += r->nodes[i].number <= r->nodes[i - 1].number;
        }
        n = d->at;
    }
    r->bases[r->n_pes] = r->n_nodes = n;
    free(d);
    return true;
}

/* Returns the index of the node with this number on a PE, or ROLLBACKS_NONE. */
static uint32_t node_find(const struct rollbacks *r, uint32_t pe, uint64_t number)
{
    uint32_t from = r->bases[pe], to = r->bases[pe + 1];
    if (number - 1 < to - from && r->nodes[from + number - 1].number == number) {
        return from + (uint32_t)(number - 1); /* fast path: the numbers of the trace have no gaps */
    }
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (r->nodes[middle].number < number) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < r->bases[pe + 1] && r->nodes[from].number == number ? from : ROLLBACKS_NONE;
}

/* Sets `parent` of each node to the index of the causing node, in place of its PE and number. */
static void links_resolve(struct rollbacks *r)
{
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        struct rollbacks_node *node = &r->nodes[i];
        node->parent = node->cause == 0 ? ROLLBACKS_NONE : node_find(r, node->parent, node->cause);
        node->tree = ROLLBACKS_NONE;
    }
}

static void tree_begin(struct rollbacks *r, uint32_t root)
{
    struct rollbacks_node *node = &r->nodes[root];
    node->tree = r->n_trees++;
    r->trees[node->tree] = (struct rollbacks_tree){.root = root, .is_whole = node->depth == 1};
    node->parent = ROLLBACKS_NONE;
    node->depth = 1;
}

/* Finds the tree of a node and of all nodes on the way to its root. Walks up to the root, reversing
 * the links, and back down, restoring the links. */
static void tree_find(struct rollbacks *r, uint32_t node)
{
    uint32_t below = ROLLBACKS_NONE, at = node;
    while (r->nodes[at].tree == ROLLBACKS_NONE) {
        uint32_t parent = r->nodes[at].parent;
        if (parent == ROLLBACKS_NONE || r->nodes[parent].tree == ON_WAY || parent == at) {
            tree_begin(r, at);
            break;
        }
        r->nodes[at].tree = ON_WAY;
        r->nodes[at].parent = below;
        below = at;
        at = parent;
    }
    while (below != ROLLBACKS_NONE) {
        struct rollbacks_node *child = &r->nodes[below];
        uint32_t next = child->parent;
        child->parent = at;
        child->tree = r->nodes[at].tree;
        child->depth = r->nodes[at].depth + 1;
        at = below;
        below = next;
    }
}

static void trees_sum(struct rollbacks *r)
{
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        const struct rollbacks_node *node = &r->nodes[i];
        struct rollbacks_tree *tree = &r->trees[node->tree];
        tree->rollbacks++;
        tree->undone += node->undone;
        tree->ns += node->ns;
        tree->depth = node->depth > tree->depth ? node->depth : tree->depth;
    }
}

static bool widths_find(struct rollbacks *r)
{
    uint32_t *first = calloc((size_t)r->n_trees + 1, sizeof *first);
    uint32_t *counts = calloc((size_t)r->n_nodes + 1, sizeof *counts);
    bool good = first != NULL && counts != NULL;
    for (uint32_t t = 0; good && t < r->n_trees; t++) {
        first[t + 1] = first[t] + r->trees[t].depth; /* the sum is at most n_nodes */
    }
    for (uint32_t i = 0; good && i < r->n_nodes; i++) {
        const struct rollbacks_node *node = &r->nodes[i];
        struct rollbacks_tree *tree = &r->trees[node->tree];
        uint32_t width = ++counts[first[node->tree] + node->depth - 1];
        tree->width = width > tree->width ? width : tree->width;
    }
    free(first);
    free(counts);
    return good;
}

bool rollbacks_trees(struct rollbacks *r)
{
    if (!links_read(r)) {
        return false;
    }
    links_resolve(r);
    r->trees = calloc((size_t)r->n_nodes + 1, sizeof *r->trees);
    if (r->trees == NULL) {
        return rollbacks_no_memory(r);
    }
    for (uint32_t i = 0; i < r->n_nodes; i++) {
        tree_find(r, i);
    }
    trees_sum(r);
    return widths_find(r) || rollbacks_no_memory(r);
}
