/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - nested objects as JSON, from rows sorted by their path through them. A row
 * closes the objects of the previous row that are not on its path, and opens the rest. One member
 * per line, indented by one blank.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TREE_H
#define WARPSCOPE_READER_MEMTRACE_TREE_H

#include <stdio.h>

#include "memtrace/actors.h"

#define WS_TREE_DEPTH_MAX 8

/* The meaning of the number in a key. */
enum ws_part_kind { WS_PART_KERNEL, WS_PART_DECIMAL, WS_PART_HEX, WS_PART_CLASS };
struct ws_tree_part {
    enum ws_part_kind kind;
    uint64_t number;
};

/* State of the output: path[0 .. depth) is open below the outermost object of the tree. */
struct ws_tree {
    FILE *out;
    const struct ws_actors *actors;
    unsigned base; /* depth of the outermost object */
    size_t depth;
    struct ws_tree_part path[WS_TREE_DEPTH_MAX];
    bool comma; /* the innermost object has a member */
};

/* By class: "Load", "Store", "Atomic". */
extern const char *const ws_tree_classes[3];

/* Open an object of this name, and close it with all that is open in it. */
void ws_tree_open(struct ws_tree *t, const char *name);
void ws_tree_close(struct ws_tree *t);
/* Opens the objects of a path and closes others. */
void ws_tree_path(struct ws_tree *t, const struct ws_tree_part *path, size_t n);
/* Write members of the innermost object. */
void ws_tree_leaf(struct ws_tree *t, const struct ws_tree_part *name, uint64_t value);
void ws_tree_leaf_named(struct ws_tree *t, const char *name, uint64_t value);

/* For output outside rows: a new line at this depth, a key, a closing bracket. */
void ws_tree_line(struct ws_tree *t, unsigned depth);
void ws_tree_part(const struct ws_tree *t, const struct ws_tree_part *p);
void ws_tree_end(struct ws_tree *t, unsigned depth, char bracket);

#endif
