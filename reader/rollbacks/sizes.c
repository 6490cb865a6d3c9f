/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - adds up the trees of each size class, and finds the largest ones; see rollbacks.h. */
#include <stdlib.h>

#include "rollbacks/rollbacks.h"

/* A tree with the number of events that it undid, for sorting. tree: index of the tree. */
struct place {
    uint64_t undone;
    uint32_t tree;
};

static int by_size(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->undone != y->undone) {
        return x->undone > y->undone ? -1 : 1;
    }
    return (x->tree > y->tree) - (x->tree < y->tree);
}

static void size_add(struct rollbacks *r, const struct rollbacks_tree *tree)
{
    struct rollbacks_size *size = &r->sizes[31u - (uint32_t)__builtin_clz(tree->rollbacks)];
    size->trees++;
    size->rollbacks += tree->rollbacks;
    size->undone += tree->undone;
}

/* Adds each tree to the sums of its size class. Stores the largest trees, at most `wanted`, in
 * list, which has space for 2 * wanted elements. Returns false after an error. */
static bool places_find(struct rollbacks *r, struct place *list, uint32_t wanted)
{
    uint32_t n = 0;
    uint64_t least = 0; /* a tree that undid fewer events is not among the largest */
    for (uint32_t i = 0; i < r->n_trees; i++) {
        const struct rollbacks_tree *tree = rollbacks_tree_get(r, i);
        if (tree == NULL) {
            return false;
        }
        size_add(r, tree);
        if (tree->undone < least) {
            continue;
        }
        list[n++] = (struct place){tree->undone, i};
        if (n == 2 * wanted) {
            qsort(list, n, sizeof *list, by_size);
            n = wanted;
            least = list[n - 1].undone;
        }
    }
    qsort(list, n, sizeof *list, by_size);
    r->n_largest = n < wanted ? n : wanted;
    return true;
}

bool rollbacks_largest_find(struct rollbacks *r)
{
    const uint32_t wanted = r->options->top;
    struct place *list = calloc(2 * (size_t)wanted + 1, sizeof *list);
    r->largest = calloc((size_t)wanted + 1, sizeof *r->largest);
    bool good = (list != NULL && r->largest != NULL) || ws_no_memory(&r->failed);
    good = good && places_find(r, list, wanted);
    for (uint32_t i = 0; i < r->n_largest && good; i++) {
        r->largest[i].number = list[i].tree;
        r->largest_least = list[i].undone;
    }
    free(list);
    return good;
}
