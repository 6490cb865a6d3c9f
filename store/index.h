/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.h - a hash table that finds the items of an array by their keys: open addressing, linear
 * probing. The caller holds the items and compares their keys:
 *
 *     for (uint32_t at = hash, i; index_next(&index, hash, &at, &i);)
 *         if (list[i].key == key)
 *             return i;
 *
 * An entry of the table (a slot) holds the index of an item in the array and the hash of its key. A
 * search therefore reads an item only if the hashes agree, and growing reads no items. The home of
 * a hash is the slot at which a search for it begins.
 *
 * Invariants
 *  I1  n_slots is 0 or a power of two; at most three quarters of the slots are in use.
 *  I2  No slot between the home of a hash and the slot with this hash is free.
 * Cost: 8 bytes per slot, that is 11 to 21 bytes per item; about one cache miss per search.
 */
#ifndef WARPSCOPE_STORE_INDEX_H
#define WARPSCOPE_STORE_INDEX_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct index_slot {
    uint32_t hash;
    uint32_t item; /* index of the item in the array, plus 1; 0: the slot is free */
};

/* The hash table. It is empty if all members are zero. */
struct index {
    struct index_slot *slots; /* owned */
    uint32_t n_slots, n;      /* number of slots, and number of items */
};

/* Returns a hash of a number. Also suits numbers that differ in few bits. */
static inline uint32_t index_hash(uint64_t number)
{
    return (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32);
}

/* Sets *item to the index of the next item with this hash. Returns false if there are no further
 * items. at: state of the search; *at must equal hash at the start. */
static inline bool index_next(const struct index *x, uint32_t hash, uint32_t *at, uint32_t *item)
{
    while (x->n_slots > 0) {
        const struct index_slot *slot = &x->slots[(*at)++ & (x->n_slots - 1)];
        if (slot->item == 0) {
            return false;
        }
        if (slot->hash == hash) {
            *item = slot->item - 1;
            return true;
        }
    }
    return false;
}

static inline void index_put(struct index *x, struct index_slot new)
{
    assert(x->n_slots > 0 && new.item != 0);
    uint32_t at = new.hash &(x->n_slots - 1);
    while (x->slots[at].item != 0) {
        at = (at + 1) & (x->n_slots - 1);
    }
    x->slots[at] = new;
}

static inline bool index_grow(struct index *x)
{
    struct index more = {.n_slots = x->n_slots == 0 ? 32 : 2 * x->n_slots, .n = x->n};
    more.slots = more.n_slots == 0 ? NULL : calloc(more.n_slots, sizeof *more.slots);
    if (more.slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < x->n_slots; i++) {
        if (x->slots[i].item != 0) {
            index_put(&more, x->slots[i]);
        }
    }
    free(x->slots);
    *x = more;
    return true;
}

/* Adds the item with index `item` (less than UINT32_MAX), which must not be in the hash table. If
 * memory is exhausted, leaves the hash table unchanged and returns false. */
static inline bool index_add(struct index *x, uint32_t hash, uint32_t item)
{
    assert(item < UINT32_MAX);
    if (x->n >= x->n_slots / 4 * 3 && !index_grow(x)) {
        return false;
    }
    index_put(x, (struct index_slot){hash, item + 1});
    x->n++;
    return true;
}

/* Removes the item with index `item`, which must be in the hash table with this hash. */
static inline void index_remove(struct index *x, uint32_t hash, uint32_t item)
{
    assert(x->n > 0);
    uint32_t mask = x->n_slots - 1, gap = hash & mask;
    while (x->slots[gap].item != item + 1) {
        gap = (gap + 1) & mask;
    }
    for (uint32_t at = (gap + 1) & mask; x->slots[at].item != 0; at = (at + 1) & mask) {
        /* The content of a slot may move to the gap unless its home lies behind the gap. */
        if (((at - x->slots[at].hash) & mask) >= ((at - gap) & mask)) {
            x->slots[gap] = x->slots[at];
            gap = at;
        }
    }
    x->slots[gap] = (struct index_slot){0, 0};
    x->n--;
}

/* Removes all items from the hash table, and keeps its memory. */
static inline void index_clear(struct index *x)
{
    if (x->n > 0) {
        memset(x->slots, 0, x->n_slots * sizeof *x->slots);
        x->n = 0;
    }
}

static inline void index_fini(struct index *x)
{
    free(x->slots);
    *x = (struct index){0};
}

/* Returns true if the invariants hold and the slots hold the items 0 to n - 1, each once. */
static inline bool index_check(const struct index *x)
{
    uint64_t used = 0, sum = 0;
    for (uint32_t i = 0; i < x->n_slots; i++) {
        const struct index_slot *slot = &x->slots[i];
        uint32_t at = slot->hash, item = 0;
        while (slot->item != 0 && index_next(x, slot->hash, &at, &item) && item != slot->item - 1) {
        }
        if (slot->item != 0 && item != slot->item - 1) {
            return false;
        }
        used += slot->item != 0;
        sum += slot->item;
    }
    return used == x->n && sum == (uint64_t)x->n * (x->n + 1) / 2 &&
           (x->n_slots & (x->n_slots - 1)) == 0 && x->n <= x->n_slots / 4 * 3;
}

#endif
