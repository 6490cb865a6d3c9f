/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.h - finds the items of an array by hashes of their keys: open addressing, linear probing.
 * The caller holds the items and compares their keys:
 *
 *     for (uint32_t at = hash, i; index_next(&index, hash, &at, &i);)
 *         if (list[i].key == key)
 *             return i;
 *
 * A slot holds the hash beside the number of its item. A search therefore reads an item only if the
 * hashes agree, and growing reads none.
 *
 * Invariants
 *  I1  n_slots is 0 or a power of two; at most three quarters of the slots are in use.
 *  I2  Between the home of a hash and its slot no slot is free.
 * Cost: 8 bytes per slot, 11 to 21 per item; about one cache miss per search.
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
    uint32_t item; /* number of the item plus 1; 0: the slot is free */
};

/* The index. All zero: empty. */
struct index {
    struct index_slot *slots; /* owned; hash table */
    uint32_t n_slots, n;
};

/* Returns a hash of a number. The bits of the number may be distributed unevenly. */
static inline uint32_t index_hash(uint64_t number)
{
    return (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32);
}

/* Steps to the next item with this hash. *at is the hash at the start of a search. Returns false if
 * there is none. */
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

/* Adds item number `item`, less than UINT32_MAX, which must not be in the index. Returns false,
 * with the index unchanged, if memory is exhausted. */
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

/* Removes an item, which must be in the index with this hash. */
static inline void index_remove(struct index *x, uint32_t hash, uint32_t item)
{
    assert(x->n > 0);
    uint32_t mask = x->n_slots - 1, gap = hash & mask;
    while (x->slots[gap].item != item + 1) {
        gap = (gap + 1) & mask;
    }
    for (uint32_t at = (gap + 1) & mask; x->slots[at].item != 0; at = (at + 1) & mask) {
        /* A slot may move to the gap unless its home lies behind the gap. */
        if (((at - x->slots[at].hash) & mask) >= ((at - gap) & mask)) {
            x->slots[gap] = x->slots[at];
            gap = at;
        }
    }
    x->slots[gap] = (struct index_slot){0, 0};
    x->n--;
}

/* Removes all items and keeps the memory. */
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

/* Returns true if the invariants hold and the slots have the items 0 to n - 1, each once. */
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
