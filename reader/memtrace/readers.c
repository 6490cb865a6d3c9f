/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.c - see readers.h. One hash table with open addressing contains all sets, as pairs of a
 * set and an actor. A look-up needs one or two probes in a set, and as many in each parent. Memory:
 * 16 to 32 bytes for each actor in a set, and 4 or more per set.
 *
 * Invariants:
 * 1. A search from the entry that the hash of a pair selects reaches the pair before any empty
 *    entry. The pair is in no other entry.
 * 2. The table is at most half full.
 * 3. A chain of parents is no longer than the number of times that its range was split since the
 *    last write to the range.
 */
#include "memtrace/readers.h"

#include <stdlib.h>
#include <string.h>

#include "store/check.h"

static size_t slot_of(const struct ws_readers *readers, uint64_t pair)
{
    uint64_t h = pair * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(h ^ h >> 32) & (readers->n_slots - 1);
    while (readers->pairs[at] != 0 && readers->pairs[at] != pair) {
        at = (at + 1) & (readers->n_slots - 1);
    }
    return at;
}

uint32_t ws_readers_set(struct ws_readers *readers, uint32_t parent)
{
    uint32_t set = readers->unused;
    if (set != 0) {
        readers->unused = readers->parents[set];
    } else {
        if (readers->n_sets + 1 >= readers->room) {
            uint32_t room = readers->room == 0 ? 1024 : 2 * readers->room;
            uint32_t *parents =
                room == 0 ? NULL : realloc(readers->parents, room * sizeof *parents);
            if (parents == NULL) {
                readers->failed = true;
                return 0;
            }
            readers->parents = parents;
            readers->room = room;
        }
        set = ++readers->n_sets;
    }
    readers->parents[set] = parent;
    return set;
}

bool ws_readers_have(const struct ws_readers *readers, uint32_t set, uint32_t actor)
{
    for (; set != 0 && readers->n > 0; set = readers->parents[set]) {
        if (readers->pairs[slot_of(readers, (uint64_t)set << 32 | actor)] != 0) {
            return true;
        }
    }
    return false;
}

/* Replaces the hash table by one with n_slots entries. Keeps the pairs of the sets in the bit map
 * `live`, or of all sets if `live` is NULL. */
static void rehash(struct ws_readers *readers, size_t n_slots, const uint64_t *live)
{
    struct ws_readers more = {.n_slots = n_slots, .pairs = calloc(n_slots, sizeof *more.pairs)};
    if (more.pairs == NULL) {
        readers->failed = true;
        return;
    }
    for (size_t i = 0; i < readers->n_slots; i++) {
        uint64_t pair = readers->pairs[i], set = pair >> 32;
        if (pair != 0 && (live == NULL || (live[set / 64] >> set % 64 & 1) != 0)) {
            more.pairs[slot_of(&more, pair)] = pair;
            more.n++;
        }
    }
    free(readers->pairs);
    readers->pairs = more.pairs;
    readers->n = more.n;
    readers->n_slots = n_slots;
}

void ws_readers_add(struct ws_readers *readers, uint32_t set, uint32_t actor)
{
    if (2 * readers->n >= readers->n_slots) {
        rehash(readers, readers->n_slots == 0 ? 1024 : 2 * readers->n_slots, NULL);
    }
    if (readers->failed || set == 0) {
        return;
    }
    uint64_t pair = (uint64_t)set << 32 | actor;
    size_t at = slot_of(readers, pair);
    readers->n += readers->pairs[at] == 0;
    readers->pairs[at] = pair;
}

void ws_readers_clear(struct ws_readers *readers)
{
    readers->n_sets = readers->unused = 0;
    if (readers->n_slots > 1024 && readers->n < readers->n_slots / 64) {
        /* The table is freed, because clearing so much unused memory would be slower. */
        free(readers->pairs);
        readers->pairs = NULL;
        readers->n_slots = 0;
    } else if (readers->n > 0) {
        memset(readers->pairs, 0, readers->n_slots * sizeof *readers->pairs);
    }
    readers->n = 0;
}

void ws_readers_free(struct ws_readers *readers)
{
    free(readers->pairs);
    free(readers->parents);
    free(readers->live);
    *readers = (struct ws_readers){0};
}

bool ws_readers_sweep_begin(struct ws_readers *readers)
{
    readers->live = calloc((size_t)readers->n_sets / 64 + 1, sizeof *readers->live);
    return readers->live != NULL;
}

void ws_readers_mark(struct ws_readers *readers, uint32_t set)
{
    while (set != 0 && (readers->live[set / 64] >> set % 64 & 1) == 0) {
        readers->live[set / 64] |= (uint64_t)1 << set % 64;
        set = readers->parents[set];
    }
}

void ws_readers_sweep_end(struct ws_readers *readers)
{
    size_t n_slots = readers->n_slots;
    rehash(readers, n_slots, readers->live);
    if (4 * readers->n > n_slots && !readers->failed) {
        rehash(readers, 2 * n_slots, NULL);
    }
    readers->unused = 0;
    for (uint32_t set = readers->n_sets; set > 0; set--) {
        if ((readers->live[set / 64] >> set % 64 & 1) == 0) {
            readers->parents[set] = readers->unused;
            readers->unused = set;
        }
    }
    free(readers->live);
    readers->live = NULL;
}

bool ws_readers_check(const struct ws_readers *readers)
{
    size_t n = 0;
    for (size_t i = 0; i < readers->n_slots; i++) {
        if (readers->pairs[i] != 0) {
            HOLDS(slot_of(readers, readers->pairs[i]) == i);
            HOLDS(readers->pairs[i] >> 32 <= readers->n_sets);
            n++;
        }
    }
    HOLDS(n == readers->n && 2 * readers->n <= readers->n_slots + 2);
    return true;
}
