/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.c - see tree.h.
 */
#include "memtrace/tree.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

const char *const ws_tree_classes[3] = {"Load", "Store", "Atomic"};

/* Returns the key of a part of the path as text. The text of a number is written to `room`, which
 * has 24 bytes. */
static const char *key_of(const struct ws_tree *t, const struct ws_tree_part *p, char room[24])
{
    if (p->kind == WS_PART_KERNEL) {
        return t->actors->kernels[p->number].label;
    }
    if (p->kind == WS_PART_CLASS) {
        return ws_tree_classes[p->number];
    }
    snprintf(room, 24, p->kind == WS_PART_DECIMAL ? "%" PRIu64 : "0x%" PRIx64, p->number);
    return room;
}

void ws_tree_open(struct ws_tree *t, const char *name)
{
    json_object_open(&t->json, name);
    t->depth = 0;
}

/* Closes all open objects except those of the first n parts of the path. */
static void path_close(struct ws_tree *t, size_t n)
{
    for (; t->depth > n; t->depth--) {
        json_object_close(&t->json);
    }
}

void ws_tree_close(struct ws_tree *t)
{
    path_close(t, 0);
    json_object_close(&t->json);
}

void ws_tree_path(struct ws_tree *t, const struct ws_tree_part *path, size_t n)
{
    assert(n <= WS_TREE_DEPTH_MAX);
    char room[24];
    size_t same = 0;
    while (same < n && same < t->depth && t->path[same].number == path[same].number) {
        same++;
    }
    path_close(t, same);
    for (; t->depth < n; t->depth++) {
        json_object_open(&t->json, key_of(t, &path[t->depth], room));
        t->path[t->depth] = path[t->depth];
    }
}

void ws_tree_leaf(struct ws_tree *t, const struct ws_tree_part *name, uint64_t value)
{
    char room[24];
    json_put_u64(&t->json, key_of(t, name, room), value);
}
