/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_set.h - a set of numbers in ascending order. The place of a number is its index in this order.
 * Used for numbers of LPs, which may have holes: arrays with an element per LP are then indexed by
 * the places of LPs.
 *
 * A dense set has the numbers 0 to n - 1 and no memory; the place of a number is the number itself.
 *
 * Invariants
 *  S1  The elements of ids are ascending and distinct; ids is NULL in a dense set.
 *  S2  index is empty, or has the places 0 to n - 1.
 * Cost: 8 bytes per number; with an index, 11 to 21 bytes more.
 */
#ifndef WARPSCOPE_STORE_ID_SET_H
#define WARPSCOPE_STORE_ID_SET_H

#include "store/array.h"
#include "store/index.h"
#include "store/search.h"

/* A set of numbers. Zero-initialise it before use, and call id_set_free() even after an error. */
struct id_set {
    uint64_t *ids;      /* owned; the n numbers, NULL: the set is empty or dense */
    size_t n, capacity; /* capacity is 0 in a dense set */
    struct index index; /* made by id_set_index() */
};

#define ID_SET_NONE SIZE_MAX

static inline bool id_set_is_dense(const struct id_set *set)
{
    return set->ids == NULL;
}

/* Returns the number at a place below n. */
static inline uint64_t id_set_at(const struct id_set *set, size_t place)
{
    assert(place < set->n);
    return set->ids == NULL ? place : set->ids[place];
}

/* Returns the place of the smallest number that is at least id; n: there is none. */
static inline size_t id_set_from(const struct id_set *set, uint64_t id)
{
    size_t place;
    if (set->ids == NULL) {
        return id < set->n ? (size_t)id : set->n;
    }
    BINARY_SEARCH(place, 0, set->n, set->ids[place] < id);
    return place;
}

/* Returns the place of id, or ID_SET_NONE if the set does not contain id. *hint: place to try first,
 * which may have any value; the function updates it. Cost: one comparison if the ids are looked up
 * in ascending order, otherwise log n. */
static inline size_t id_set_find(const struct id_set *set, uint64_t id, size_t *hint)
{
    if (*hint < set->n && id_set_at(set, *hint) == id) {
        return (*hint)++;
    }
    size_t place = id_set_from(set, id);
    if (place == set->n || id_set_at(set, place) != id) {
        return ID_SET_NONE;
    }
    *hint = place + 1;
    return place;
}

/* Makes an index, for id_set_place(). The set must not change afterwards. Returns false if out of
 * memory, or if the set has 2^32 - 1 numbers or more. */
static inline bool id_set_index(struct id_set *set)
{
    bool fits = set->ids == NULL || set->n < UINT32_MAX;
    for (size_t i = 0; fits && set->ids != NULL && i < set->n; i++) {
        fits = index_add(&set->index, index_hash(set->ids[i]), (uint32_t)i);
    }
    return fits;
}

/* Returns the place of id, or ID_SET_NONE if the set does not contain id. Unless the set is dense,
 * it must have an index. Cost: about two cache misses, none if the set is dense. */
static inline size_t id_set_place(const struct id_set *set, uint64_t id)
{
    if (set->ids == NULL) {
        return id < set->n ? (size_t)id : ID_SET_NONE;
    }
    assert(set->index.n == set->n);
    const uint32_t hash = index_hash(id);
    for (uint32_t at = hash, i; index_next(&set->index, hash, &at, &i);) {
        if (set->ids[i] == id) {
            return i;
        }
    }
    return ID_SET_NONE;
}

static inline int id_set_compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Sorts n numbers. Takes little time if they are already in order, which is the usual case. */
static inline void id_set_sort(uint64_t *numbers, size_t n)
{
    bool sorted = true;
    for (size_t i = 1; i < n; i++) {
        sorted &= numbers[i - 1] <= numbers[i];
    }
    if (!sorted) {
        qsort(numbers, n, sizeof *numbers, id_set_compare);
    }
}

/* Adds the n elements of `numbers` to the set, which must not be dense unless it is empty. They may
 * be in any order and contain duplicates; the function overwrites the array. Cost: one look-up per
 * number, plus one merge if at least one of them is new. Returns false if out of memory. */
static inline bool id_set_add(struct id_set *set, uint64_t *numbers, size_t n)
{
    assert((n == 0 || numbers != NULL) && (set->ids != NULL || set->n == 0));
    size_t hint = 0, fresh = 0, kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (id_set_find(set, numbers[i], &hint) == ID_SET_NONE) {
            numbers[fresh++] = numbers[i];
        }
    }
    id_set_sort(numbers, fresh);
    for (size_t i = 0; i < fresh; i++) {
        if (kept == 0 || numbers[kept - 1] != numbers[i]) {
            numbers[kept++] = numbers[i];
        }
    }
    if (!array_reserve(&set->ids, &set->capacity, set->n + kept, sizeof *set->ids)) {
        return false;
    }
    /* Merges both arrays, beginning with the largest numbers, so that no element is overwritten
     * before it is moved. */
    size_t old = set->n, to = set->n + kept;
    set->n = to;
    while (kept > 0) {
        bool take_old = old > 0 && set->ids[old - 1] > numbers[kept - 1];
        set->ids[--to] = take_old ? set->ids[--old] : numbers[--kept];
    }
    return true;
}

static inline void id_set_free(struct id_set *set)
{
    free(set->ids);
    index_fini(&set->index);
    *set = (struct id_set){0};
}

/* Returns true if the invariants hold. */
static inline bool id_set_check(const struct id_set *set)
{
    bool good = set->index.n == 0 || (set->index.n == set->n && index_check(&set->index));
    for (size_t i = 1; set->ids != NULL && i < set->n; i++) {
        good = good && set->ids[i - 1] < set->ids[i];
    }
    return good;
}

#endif
