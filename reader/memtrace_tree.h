/*
 * memtrace_tree.h - objects in objects as JSON, out of rows that are sorted by their path through
 * them. A row closes what the one before has opened and it has not, and opens the rest. One member
 * per line, indented by one blank.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_TREE_H
#define WARPSCOPE_READER_MEMTRACE_TREE_H

#include <stdio.h>

#include "memtrace_actors.h"

#define WS_TREE_DEPTH_MAX 8

/* What a key is the number of. */
enum ws_part_kind { WS_PART_KERNEL, WS_PART_DECIMAL, WS_PART_HEX, WS_PART_CLASS };
struct ws_tree_part {
    enum ws_part_kind kind;
    uint64_t number;
};

/* Written so far: path[0 .. depth) are open below the object that the tree is in. */
struct ws_tree {
    FILE *out;
    const struct ws_actors *actors;
    unsigned base; /* depth of that object */
    size_t depth;
    struct ws_tree_part path[WS_TREE_DEPTH_MAX];
    bool comma; /* something stands in the innermost object */
};

/* By class: "Load", "Store", "Atomic". */
extern const char *const ws_tree_classes[3];

/* An object of this name, and its end with all that is open in it. */
void ws_tree_open(struct ws_tree *t, const char *name);
void ws_tree_close(struct ws_tree *t);
/* Opens the objects of a path, closing others. */
void ws_tree_path(struct ws_tree *t, const struct ws_tree_part *path, size_t n);
/* Members of the innermost object. */
void ws_tree_leaf(struct ws_tree *t, const struct ws_tree_part *name, uint64_t value);
void ws_tree_leaf_named(struct ws_tree *t, const char *name, uint64_t value);

/* For what is in no row: a new line in something at this depth, a key, the end of something. */
void ws_tree_line(struct ws_tree *t, unsigned depth);
void ws_tree_part(const struct ws_tree *t, const struct ws_tree_part *p);
void ws_tree_end(struct ws_tree *t, unsigned depth, char bracket);

#endif
