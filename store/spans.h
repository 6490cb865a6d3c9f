/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spans.h - disjoint ranges of addresses, each with a number. A range that is added replaces those
 * that it overlaps. A set whose bytes are all zero is empty.
 *
 * Cost: a search is binary; to add or remove a range moves those behind it.
 */
#ifndef WARPSCOPE_STORE_SPANS_H
#define WARPSCOPE_STORE_SPANS_H

#include "store/array.h"

struct span {
    uint64_t from, bytes; /* from + bytes does not exceed 2^64 - 1 */
    uint64_t number;
};

struct spans {
    struct span *list; /* owned; in the order of addresses */
    size_t n, room;
};

/* Returns the index of the first range that ends after the address. */
static inline size_t spans_after(const struct spans *s, uint64_t address)
{
    size_t from = 0, to = s->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        bool ends = s->list[middle].from + s->list[middle].bytes <= address;
        from = ends ? middle + 1 : from;
        to = ends ? to : middle;
    }
    return from;
}

/* Returns the range with the address, or NULL. */
static inline const struct span *spans_find(const struct spans *s, uint64_t address)
{
    size_t i = spans_after(s, address);
    return i < s->n && s->list[i].from <= address ? &s->list[i] : NULL;
}

/* Replaces the ranges with the indices from `at` to `to` - 1 by n others, 0 or 1. */
static inline bool spans_replace(struct spans *s, size_t at, size_t to, const struct span *new,
                                 size_t n)
{
    if (!array_reserve(&s->list, &s->room, s->n + n, sizeof *s->list)) {
        return false;
    }
    memmove(s->list + at + n, s->list + to, (s->n - to) * sizeof *s->list);
    s->n = s->n + n - (to - at);
    if (n > 0) {
        s->list[at] = *new;
    }
    return true;
}

/* Returns false if memory is exhausted. */
static inline bool spans_add(struct spans *s, struct span new)
{
    size_t at = spans_after(s, new.from), to = at;
    while (to < s->n && s->list[to].from < new.from + new.bytes) {
        to++;
    }
    return spans_replace(s, at, to, &new, 1);
}

/* Removes the range that begins at the address. Returns false if there is none. */
static inline bool spans_remove(struct spans *s, uint64_t from)
{
    const struct span *span = spans_find(s, from);
    return span != NULL && span->from == from &&
           spans_replace(s, (size_t)(span - s->list), (size_t)(span - s->list) + 1, NULL, 0);
}

#endif
