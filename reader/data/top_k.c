/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top_k.c - sums per key in bounded memory; see top_k.h.
 *
 * Entries lie one after another in the order of first occurrence. Cost: one or two look-ups in the
 * hash index per call. A full table discards half of its entries, at the cost of sorting their
 * ranking values. This happens once per capacity / 2 new keys.
 *
 * Invariants:
 * 1. Each entry is found by its key; keys are distinct.
 * 2. n <= capacity.
 * 3. Winners are ordered by the ranking value (greater first), then by key.
 */
#include "data/top_k.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "store/array.h"
#include "store/check.h"

void ws_top_k_init(struct ws_top_k *t, uint32_t n_values, uint32_t rank, uint32_t capacity,
                   uint32_t n_wanted)
{
    assert(n_values <= WS_TOP_VALUES_MAX && rank < n_values && capacity >= 2);
    *t = (struct ws_top_k){.n_values = n_values,
                           .rank = rank,
                           .capacity = capacity,
                           .n_wanted = n_wanted,
                           .entry_size = offsetof(struct ws_top_k_entry, values) +
                                         n_values * sizeof(uint64_t)};
    t->winners = calloc((size_t)n_wanted + 1, sizeof *t->winners);
    t->failed = t->winners == NULL;
}

void ws_top_k_free(struct ws_top_k *t)
{
    free(t->entries);
    index_fini(&t->index);
    free(t->winners);
    *t = (struct ws_top_k){0};
}

/* Returns the index of the entry of key; t->n if there is none. */
static uint32_t entry_of(const struct ws_top_k *t, uint64_t key)
{
    uint32_t hash = index_hash(key), entry;
    for (uint32_t at = hash; index_next(&t->index, hash, &at, &entry);) {
        if (ws_top_k_at(t, entry)->key == key) {
            return entry;
        }
    }
    return t->n;
}

static uint64_t most(const struct ws_top_k *t, const struct ws_top_k_entry *e)
{
    return e->values[t->rank] + e->error;
}

/* Discards the half of the entries with the lower ranking values. Returns false if memory is
 * exhausted. */
static bool forget(struct ws_top_k *t)
{
    assert(t->n > 1 && t->n == t->capacity);
    uint64_t *values = malloc(t->n * sizeof *values);
    if (values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        values[i] = most(t, ws_top_k_at(t, i));
    }
    qsort(values, t->n, sizeof *values, ws_by_u64);
    uint64_t limit = values[t->n / 2];
    /* Half of all entries remain: those whose ranking value is above the limit, and the latest of
     * those whose ranking value is equal to it. */
    uint32_t above = 0, equal = 0, kept = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        above += values[i] > limit;
        equal += values[i] == limit;
    }
    free(values);
    assert(above <= t->n / 2 && above + equal >= t->n / 2);
    uint32_t dropped = above + equal - t->n / 2; /* number of equal entries to discard */
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t value = most(t, ws_top_k_at(t, i));
        bool is_dropped = value < limit || (value == limit && dropped > 0);
        dropped -= value == limit && is_dropped;
        if (!is_dropped) {
            memmove(ws_top_k_at(t, kept++), ws_top_k_at(t, i), t->entry_size);
        }
    }
    assert(kept == t->n / 2);
    t->n = kept;
    t->error = limit;
    index_clear(&t->index);
    for (uint32_t i = 0; i < t->n; i++) {
        /* Cannot fail: the index had space for more entries. */
        index_add(&t->index, index_hash(ws_top_k_at(t, i)->key), i);
    }
    return true;
}

uint64_t *ws_top_k_values(struct ws_top_k *t, uint64_t key)
{
    assert(t->n <= t->capacity);
    if (t->failed) {
        return NULL;
    }
    uint32_t entry = entry_of(t, key);
    if (entry < t->n) {
        struct ws_top_k_entry *e = ws_top_k_at(t, entry);
        e->group = e->group > t->place ? e->group : t->place;
        return e->values;
    }
    t->failed = t->n == t->capacity
                    ? !forget(t)
                    : !array_reserve(&t->entries, &t->reserved, t->n + 1u, t->entry_size);
    if (t->failed || !index_add(&t->index, index_hash(key), t->n)) {
        t->failed = true;
        return NULL;
    }
    const struct ws_top_k_entry new = {.key = key, .group = t->place, .error = t->error};
    t->keys++;
    return ((struct ws_top_k_entry *)memcpy(ws_top_k_at(t, t->n++), &new, t->entry_size))->values;
}

void ws_top_k_enter(struct ws_top_k *t, uint32_t era, uint32_t group)
{
    t->joined = true;
    t->place = (uint64_t)era << 32 | group;
}

/* Returns true if a precedes b in the list of winners. */
static bool wins(const struct ws_top_k *t, const struct ws_top_k_entry *a,
                 const struct ws_top_k_entry *b)
{
    uint64_t x = a->values[t->rank], y = b->values[t->rank];
    return x > y || (x == y && (a->key < b->key || (a->key == b->key && a->group < b->group)));
}

void ws_top_k_close(struct ws_top_k *t, uint64_t group)
{
    for (uint32_t i = 0; i < t->n && t->n_wanted > 0 && !t->failed; i++) {
        struct ws_top_k_entry *e = ws_top_k_at(t, i);
        e->group = t->joined ? (uint32_t)e->group : group;
        if (t->n_winners == t->n_wanted && !wins(t, e, &t->winners[t->n_winners - 1])) {
            continue;
        }
        uint32_t at = t->n_winners < t->n_wanted ? t->n_winners++ : t->n_winners - 1;
        for (; at > 0 && wins(t, e, &t->winners[at - 1]); at--) {
            t->winners[at] = t->winners[at - 1];
        }
        memcpy(&t->winners[at], e, t->entry_size);
    }
    t->n = 0;
    t->error_most = t->error > t->error_most ? t->error : t->error_most;
    t->error = 0;
    index_clear(&t->index);
}

bool ws_top_k_check(const struct ws_top_k *t)
{
    HOLDS(t->n <= t->reserved && t->n <= t->capacity);
    HOLDS(index_check(&t->index) && t->index.n == t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        HOLDS(entry_of(t, ws_top_k_at(t, i)->key) == i);
    }
    HOLDS(t->n_winners <= t->n_wanted);
    for (uint32_t i = 1; i < t->n_winners; i++) {
        HOLDS(wins(t, &t->winners[i - 1], &t->winners[i]));
    }
    return true;
}
