/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.c - see tree.h.
 */
#include "memtrace/tree.h"

#include <inttypes.h>
#include <string.h>

#include "render/text.h"
#include "text/json.h"

const char *const ws_tree_classes[3] = {"Load", "Store", "Atomic"};

/* Begins a new line in the innermost object. */
void ws_tree_line(struct ws_tree *t, unsigned depth)
{
    if (t->comma) {
        fputc(',', t->out);
    }
    fprintf(t->out, "\n%*s", (int)depth, "");
    t->comma = true;
}

void ws_tree_part(const struct ws_tree *t, const struct ws_tree_part *p)
{
    if (p->kind == WS_PART_KERNEL) {
        const char *label = t->actors->kernels[p->number].label;
        json_print_string(t->out, label);
    } else if (p->kind == WS_PART_CLASS) {
        fprintf(t->out, "\"%s\"", ws_tree_classes[p->number]);
    } else if (p->kind == WS_PART_DECIMAL) {
        fprintf(t->out, "\"%" PRIu64 "\"", p->number);
    } else {
        fprintf(t->out, "\"0x%" PRIx64 "\"", p->number);
    }
}

void ws_tree_end(struct ws_tree *t, unsigned depth, char bracket)
{
    if (t->comma) {
        fprintf(t->out, "\n%*s", (int)depth, "");
    }
    fputc(bracket, t->out);
    t->comma = true;
}

void ws_tree_open(struct ws_tree *t, const char *name)
{
    ws_tree_line(t, t->base);
    fprintf(t->out, "\"%s\": {", name);
    t->comma = false;
    t->base++;
    t->depth = 0;
}

/* Closes objects until the first n parts of the path are left open. */
static void path_close(struct ws_tree *t, size_t n)
{
    for (; t->depth > n; t->depth--) {
        ws_tree_end(t, t->base + (unsigned)t->depth - 1, '}');
    }
}

void ws_tree_close(struct ws_tree *t)
{
    path_close(t, 0);
    t->base--;
    ws_tree_end(t, t->base, '}');
}

void ws_tree_path(struct ws_tree *t, const struct ws_tree_part *path, size_t n)
{
    size_t same = 0;
    while (same < n && same < t->depth && t->path[same].number == path[same].number) {
        same++;
    }
    path_close(t, same);
    for (; t->depth < n; t->depth++) {
        ws_tree_line(t, t->base + (unsigned)t->depth);
        ws_tree_part(t, &path[t->depth]);
        fputs(": {", t->out);
        t->path[t->depth] = path[t->depth];
        t->comma = false;
    }
}

void ws_tree_leaf(struct ws_tree *t, const struct ws_tree_part *name, uint64_t value)
{
    ws_tree_line(t, t->base + (unsigned)t->depth);
    ws_tree_part(t, name);
    fprintf(t->out, ": %" PRIu64, value);
}

void ws_tree_leaf_named(struct ws_tree *t, const char *name, uint64_t value)
{
    ws_tree_line(t, t->base + (unsigned)t->depth);
    fprintf(t->out, "\"%s\": %" PRIu64, name, value);
}
