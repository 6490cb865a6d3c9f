/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.c - see sums.h. The sums are in a hash table with open addressing, which is at most half
 * full until it is packed and sorted. With many transfers, the table is far larger than the caches,
 * and the entries for consecutive additions are far apart. The queue gives their prefetches time to
 * complete.
 *
 * Invariant: unless the table is packed, a search from the entry that the hash of a key selects
 * reaches the key before any empty entry. The key is in no other entry.
 */
#define _GNU_SOURCE /* required for qsort_r() */
#include "memtrace/sums.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "store/check.h"

/* Returns the index of the entry at which the search for a key begins. */
static size_t slot_first(const struct ws_sums *sums, const uint32_t key[4])
{
    assert(sums->n_slots > 0 && (sums->n_slots & (sums->n_slots - 1)) == 0);
    uint64_t h = ((uint64_t)key[0] << 32 | key[1]) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ ((uint64_t)key[2] << 32 | key[3])) * 0xbf58476d1ce4e5b9u;
    return (size_t)(h ^ h >> 32) & (sums->n_slots - 1);
}

static size_t slot_of(const struct ws_sums *sums, const uint32_t key[4])
{
    size_t at = slot_first(sums, key);
    while (sums->slots[at].values[0] != 0 &&
           memcmp(sums->slots[at].key, key, sizeof sums->slots[at].key) != 0) {
        at = (at + 1) & (sums->n_slots - 1);
    }
    return at;
}

static bool grow(struct ws_sums *sums)
{
    struct ws_sums more = {.n = sums->n, .n_slots = sums->n_slots == 0 ? 64 : 2 * sums->n_slots};
    if (!ws_memory_take(&more.memory, more.n_slots * sizeof *more.slots)) {
        sums->failed = true;
        return false;
    }
    more.slots = more.memory.at;
    for (size_t i = 0; i < sums->n_slots; i++) {
        if (sums->slots[i].values[0] != 0) {
            more.slots[slot_of(&more, sums->slots[i].key)] = sums->slots[i];
        }
    }
    ws_memory_free(&sums->memory);
    sums->memory = more.memory;
    sums->slots = more.slots;
    sums->n_slots = more.n_slots;
    return true;
}

void ws_sums_settle(struct ws_sums *sums)
{
    for (uint32_t i = 0; i < sums->n_queued; i++) {
        const struct ws_sum *more = &sums->queue[i];
        if (2 * sums->n >= sums->n_slots && (sums->failed || !grow(sums))) {
            break;
        }
        struct ws_sum *s = &sums->slots[slot_of(sums, more->key)];
        if (s->values[0] == 0) {
            *s = *more;
            sums->n++;
        } else {
            s->values[0] += more->values[0];
            s->values[1] += more->values[1];
        }
    }
    sums->n_queued = 0;
}

void ws_sums_add(struct ws_sums *sums, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
                 uint64_t a, uint64_t b)
{
    assert(!sums->packed);
    const struct ws_sum more = {.key = {k0, k1, k2, k3}, .values = {a, b}};
    struct ws_sum *last = &sums->queue[(sums->n_queued - 1) % WS_SUMS_QUEUE];
    if (sums->n_queued > 0 && memcmp(last->key, more.key, sizeof more.key) == 0) {
        last->values[0] += a;
        last->values[1] += b;
        return;
    }
    if (sums->n_queued == WS_SUMS_QUEUE) {
        ws_sums_settle(sums);
    }
    sums->queue[sums->n_queued++] = more;
    if (sums->slots != NULL) {
        __builtin_prefetch(&sums->slots[slot_first(sums, more.key)], 1);
    }
}

void ws_sums_free(struct ws_sums *sums)
{
    ws_memory_free(&sums->memory);
    *sums = (struct ws_sums){0};
}

void ws_sums_sort(struct ws_sums *sums, ws_sums_compare compare, void *ctx)
{
    size_t n = 0;
    ws_sums_settle(sums);
    for (size_t i = 0; i < sums->n_slots && !sums->packed; i++) {
        if (sums->slots[i].values[0] != 0) {
            sums->slots[n++] = sums->slots[i];
        }
    }
    sums->packed = true;
    if (sums->n > 1) {
        qsort_r(sums->slots, sums->n, sizeof *sums->slots, compare, ctx);
    }
}

int ws_sums_by_key(const void *a, const void *b, void *ctx)
{
    const uint32_t *x = ((const struct ws_sum *)a)->key, *y = ((const struct ws_sum *)b)->key;
    int i = 0;
    (void)ctx;
    while (i < 3 && x[i] == y[i]) {
        i++;
    }
    return WS_ORDER(x[i], y[i]);
}

bool ws_sums_check(const struct ws_sums *sums)
{
    size_t n = 0;
    for (size_t i = 0; i < sums->n_slots && !sums->packed; i++) {
        if (sums->slots[i].values[0] != 0) {
            HOLDS(slot_of(sums, sums->slots[i].key) == i);
            n++;
        }
    }
    HOLDS(sums->n_queued == 0 && (sums->packed || n == sums->n));
    return true;
}
