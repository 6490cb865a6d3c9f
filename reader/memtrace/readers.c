/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.c - see readers.h. All sets are pairs of a set and an actor in one array, in no order, and
 * an index finds them. A look-up needs one search in a set, and one in each parent. Memory: 19 to 29
 * bytes for each actor in a set, and 4 or more per set.
 *
 * Invariants:
 * 1. The index has the positions of all pairs in the array.
 * 2. A chain of parents is no longer than the number of times that its range was split since the
 *    last write to the range.
 */
#include "memtrace/readers.h"

#include "store/check.h"

/* Returns true if a pair is there. */
static bool find(const struct ws_readers *readers, uint64_t pair)
{
    uint32_t hash = index_hash(pair), i;
    for (uint32_t at = hash; index_next(&readers->index, hash, &at, &i);) {
        if (readers->pairs[i] == pair) {
            return true;
        }
    }
    return false;
}

uint32_t ws_readers_set(struct ws_readers *readers, uint32_t parent)
{
    uint32_t set = readers->unused;
    if (set != 0) {
        readers->unused = readers->parents[set];
    } else {
        set = ws_number_new(&readers->parents, &readers->parents_room, &readers->n_sets,
                            sizeof *readers->parents);
    }
    if (set == 0) {
        readers->failed = true;
    } else {
        readers->parents[set] = parent;
    }
    return set;
}

bool ws_readers_have(const struct ws_readers *readers, uint32_t set, uint32_t actor)
{
    for (; set != 0 && readers->index.n > 0; set = readers->parents[set]) {
        if (find(readers, (uint64_t)set << 32 | actor)) {
            return true;
        }
    }
    return false;
}

void ws_readers_add(struct ws_readers *readers, uint32_t set, uint32_t actor)
{
    uint64_t pair = (uint64_t)set << 32 | actor;
    uint32_t n = readers->index.n;
    if (readers->failed || set == 0 || find(readers, pair)) {
        return;
    }
    if (!array_reserve(&readers->pairs, &readers->room, (size_t)n + 1, sizeof pair) ||
        !index_add(&readers->index, index_hash(pair), n)) {
        readers->failed = true;
        return;
    }
    readers->pairs[n] = pair;
}

void ws_readers_clear(struct ws_readers *readers)
{
    readers->n_sets = readers->unused = 0;
    if (readers->index.n_slots > 1024 && readers->index.n < readers->index.n_slots / 64) {
        /* The index is freed, because clearing so much unused memory would be slower. */
        index_fini(&readers->index);
    }
    index_clear(&readers->index);
}

void ws_readers_free(struct ws_readers *readers)
{
    index_fini(&readers->index);
    free(readers->pairs);
    free(readers->parents);
    free(readers->live);
    *readers = (struct ws_readers){0};
}

static bool is_live(const struct ws_readers *readers, uint64_t set)
{
    return (readers->live[set / 64] >> set % 64 & 1) != 0;
}

bool ws_readers_sweep_begin(struct ws_readers *readers)
{
    readers->live = calloc((size_t)readers->n_sets / 64 + 1, sizeof *readers->live);
    return readers->live != NULL;
}

void ws_readers_mark(struct ws_readers *readers, uint32_t set)
{
    while (set != 0 && !is_live(readers, set)) {
        readers->live[set / 64] |= (uint64_t)1 << set % 64;
        set = readers->parents[set];
    }
}

void ws_readers_sweep_end(struct ws_readers *readers)
{
    uint32_t n = readers->index.n;
    index_clear(&readers->index);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t pair = readers->pairs[i];
        if (is_live(readers, pair >> 32)) {
            readers->pairs[readers->index.n] = pair;
            (void)index_add(&readers->index, index_hash(pair), readers->index.n); /* has space */
        }
    }
    if (readers->index.n > readers->index.n_slots / 4) { /* the next sweep would be too soon */
        readers->failed |= !index_grow(&readers->index);
    }
    readers->unused = 0;
    for (uint32_t set = readers->n_sets; set > 0; set--) {
        if (!is_live(readers, set)) {
            readers->parents[set] = readers->unused;
            readers->unused = set;
        }
    }
    free(readers->live);
    readers->live = NULL;
}

bool ws_readers_check(const struct ws_readers *readers)
{
    for (uint32_t i = 0; i < readers->index.n; i++) {
        HOLDS(find(readers, readers->pairs[i]) && readers->pairs[i] >> 32 <= readers->n_sets);
    }
    HOLDS(index_check(&readers->index));
    return true;
}
