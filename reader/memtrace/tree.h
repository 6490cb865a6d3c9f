/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - nested objects as JSON, from rows sorted by their path through them. A row
 * closes the objects of the previous row that are not on its path, and opens the rest.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TREE_H
#define WARPSCOPE_READER_MEMTRACE_TREE_H

#include "memtrace/actors.h"
#include "text/json.h"

#define WS_TREE_DEPTH_MAX 8

/* The meaning of the number in a key, which determines how it is written. */
enum ws_part_kind { WS_PART_KERNEL, WS_PART_DECIMAL, WS_PART_HEX, WS_PART_CLASS };
struct ws_tree_part {
    enum ws_part_kind kind;
    uint64_t number;
};

/* State of the output. The caller initialises the first two members. The objects path[0] to
 * path[depth - 1] are open inside the outermost object. */
struct ws_tree {
    struct json_writer json;
    const struct ws_actors *actors;
    size_t depth;
    struct ws_tree_part path[WS_TREE_DEPTH_MAX];
};

/* Names of the classes in JSON: "Load", "Store", "Atomic". */
extern const char *const ws_tree_classes[3];

/* Open an object of this name, and close it with all objects that are open in it. */
void ws_tree_open(struct ws_tree *t, const char *name);
void ws_tree_close(struct ws_tree *t);
/* Opens the objects of a path and closes all others. */
void ws_tree_path(struct ws_tree *t, const struct ws_tree_part *path, size_t n);
/* Writes a member of the innermost object. */
void ws_tree_leaf(struct ws_tree *t, const struct ws_tree_part *name, uint64_t value);

#endif
