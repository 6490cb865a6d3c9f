/* SPDX-License-Identifier: BSD-3-Clause */
/* edges.c - see edges.h. */
#include "graph/edges.h"

#include <assert.h>
#include <string.h>

#include "cli/messages.h"

#define SLOTS_MIN 16u

void ws_edges_init(struct ws_edges *x, size_t slots_max)
{
    *x = (struct ws_edges){.slots_max = slots_max == 0 ? WS_EDGES_SLOTS : slots_max};
    assert(x->slots_max >= SLOTS_MIN && (x->slots_max & (x->slots_max - 1)) == 0);
}

void ws_edges_free(struct ws_edges *x)
{
    if (x->spilled) {
        ws_sorter_free(&x->sorter);
    }
    ws_memory_free(&x->memory);
    *x = (struct ws_edges){0};
}

static struct ws_edge *slot_find(const struct ws_edges *x, uint64_t key)
{
    size_t mask = x->n_slots - 1, at = ws_edge_hash(key) & mask;
    while (x->slots[at].events > 0 && x->slots[at].key != key) {
        at = (at + 1) & mask;
    }
    return &x->slots[at];
}

static bool pairs_grow(struct ws_edges *x)
{
    struct ws_edges more = *x;
    more.n_slots = x->n_slots == 0 ? SLOTS_MIN : 2 * x->n_slots;
    if (!ws_memory_take(&more.memory, more.n_slots * sizeof *more.slots)) {
        ws_say(&ws_on_stderr, "out of memory");
        return false;
    }
    more.slots = more.memory.at;
    for (size_t i = 0; i < x->n_slots; i++) {
        if (x->slots[i].events > 0) {
            *slot_find(&more, x->slots[i].key) = x->slots[i];
        }
    }
    ws_memory_free(&x->memory);
    *x = more;
    return true;
}

/* Moves all pairs to the sorter. */
static bool pairs_spill(struct ws_edges *x)
{
    if (!x->spilled) {
        ws_sorter_init(&x->sorter, 8, sizeof(uint64_t), WS_EDGES_SORT);
        x->spilled = true;
    }
    for (size_t i = 0; i < x->n_slots; i++) {
        uint8_t key[8];
        if (x->slots[i].events > 0) {
            ws_key_u64(key, x->slots[i].key);
            if (!ws_sorter_add(&x->sorter, key, &x->slots[i].events, sizeof(uint64_t))) {
                return false;
            }
        }
    }
    memset(x->slots, 0, x->n_slots * sizeof *x->slots);
    x->n = 0;
    return true;
}

bool ws_edges_add(struct ws_edges *x, uint32_t src, uint32_t dest)
{
    uint64_t key = ws_edge_key(src, dest);
    if (x->n >= x->n_slots / 4 * 3 &&
        !(x->n_slots < x->slots_max ? pairs_grow(x) : pairs_spill(x))) {
        return false;
    }
    struct ws_edge *slot = slot_find(x, key);
    x->n += slot->events == 0;
    slot->key = key;
    slot->events++;
    return true;
}

/* Counts the values of each byte of the keys, the last byte first. */
static void bytes_count(const struct ws_edge *list, size_t n, size_t counts[8][256])
{
    memset(counts, 0, 8 * sizeof counts[0]);
    for (size_t i = 0; i < n; i++) {
        for (unsigned b = 0; b < 8; b++) {
            counts[b][list[i].key >> 8 * b & 0xff]++;
        }
    }
}

/* Sorts n pairs by key: by one byte after the other, the last one first; bytes that are equal in
 * all keys need no pass. Returns the sorted array, which is list or scratch. */
static struct ws_edge *pairs_deal(struct ws_edge *list, struct ws_edge *scratch, size_t n)
{
    size_t counts[8][256];
    bytes_count(list, n, counts);
    for (unsigned b = 0; b < 8 && n > 0; b++) {
        size_t *places = counts[b], place = 0;
        if (places[list[0].key >> 8 * b & 0xff] == n) {
            continue;
        }
        for (size_t i = 0; i < 256; i++) {
            size_t count = places[i];
            places[i] = place;
            place += count;
        }
        for (size_t i = 0; i < n; i++) {
            scratch[places[list[i].key >> 8 * b & 0xff]++] = list[i];
        }
        struct ws_edge *sorted = scratch;
        scratch = list;
        list = sorted;
    }
    return list;
}

/* Puts the pairs of the table in order. The table cannot be used as one any more. */
static bool pairs_sort(struct ws_edges *x)
{
    size_t n = 0;
    struct ws_memory scratch;
    for (size_t i = 0; i < x->n_slots; i++) {
        if (x->slots[i].events > 0) {
            x->slots[n++] = x->slots[i];
        }
    }
    assert(n == x->n);
    if (!ws_memory_take(&scratch, (n + 1) * sizeof *x->slots)) {
        ws_say(&ws_on_stderr, "out of memory");
        return false;
    }
    struct ws_edge *sorted = pairs_deal(x->slots, scratch.at, n);
    if (sorted == scratch.at) {
        ws_memory_free(&x->memory);
        x->memory = scratch;
        x->slots = sorted;
    } else {
        ws_memory_free(&scratch);
    }
    return true;
}

static bool spilled_each(struct ws_edges *x, ws_edge_f fn, void *ctx)
{
    struct ws_edge pair = {0};
    const uint8_t *key;
    const void *data;
    if (!pairs_spill(x) || !ws_sorter_ready(&x->sorter)) {
        return false;
    }
    while ((data = ws_sorter_next(&x->sorter, &key)) != NULL) {
        uint64_t next = ws_key_get_u64(key), events;
        memcpy(&events, data, sizeof events);
        if (pair.events > 0 && pair.key != next) {
            if (!fn(&pair, ctx)) {
                return false;
            }
            pair.events = 0;
        }
        pair.key = next;
        pair.events += events;
    }
    return !x->sorter.failed && (pair.events == 0 || fn(&pair, ctx));
}

bool ws_edges_each(struct ws_edges *x, ws_edge_f fn, void *ctx)
{
    if (x->spilled) {
        return spilled_each(x, fn, ctx);
    }
    if (!pairs_sort(x)) {
        return false;
    }
    for (size_t i = 0; i < x->n; i++) {
        if (!fn(&x->slots[i], ctx)) {
            return false;
        }
    }
    return true;
}

void ws_edges_check(const struct ws_edges *x)
{
    size_t n = 0;
    assert((x->n_slots & (x->n_slots - 1)) == 0 && x->n_slots <= x->slots_max); /* P1 */
    for (size_t i = 0; i < x->n_slots; i++) {
        n += x->slots[i].events > 0;
        assert(x->slots[i].events == 0 || slot_find(x, x->slots[i].key) == &x->slots[i]); /* P2 */
    }
    assert(n == x->n && n <= x->n_slots / 4 * 3); /* P1 */
    (void)n;
}
