/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - writes rows as nested JSON objects. The path of a row is the list of keys that lead to
 * it through the objects. The rows must be sorted by path: for each row, the open objects that are
 * not on its path are closed, then the missing ones are opened.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TREE_H
#define WARPSCOPE_READER_MEMTRACE_TREE_H

#include "memtrace/actors.h"
#include "text/json.h"

#define WS_TREE_DEPTH_MAX 8

/* Kind of an object's key, which determines how the number of the key is written. */
enum ws_part_kind { WS_PART_KERNEL, WS_PART_DECIMAL, WS_PART_HEX, WS_PART_CLASS };
struct ws_tree_part {
    enum ws_part_kind kind;
    uint64_t number;
};

/* State of the output. The caller initialises the first two members. Inside the object that
 * ws_tree_open() has opened, the objects with the keys path[0] to path[depth - 1] are open. */
struct ws_tree {
    struct json_writer json;
    const struct ws_actors *actors;
    size_t depth;
    struct ws_tree_part path[WS_TREE_DEPTH_MAX];
};

/* Names of the classes in JSON: "Load", "Store", "Atomic". */
extern const char *const ws_tree_classes[3];

/* Opens an object with the key `name`. */
void ws_tree_open(struct ws_tree *t, const char *name);
/* Closes the object that ws_tree_open() has opened, and all objects that are open in it. */
void ws_tree_close(struct ws_tree *t);
/* Closes the objects that are not on the path of n keys, then opens those that are missing. */
void ws_tree_path(struct ws_tree *t, const struct ws_tree_part *path, size_t n);
/* Writes a member of the innermost open object. */
void ws_tree_leaf(struct ws_tree *t, const struct ws_tree_part *name, uint64_t value);

#endif
