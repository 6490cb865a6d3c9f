/* SPDX-License-Identifier: BSD-3-Clause */
/* edges.c - see edges.h. */
#include "graph/edges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "store/array.h"
#include "store/check.h"

#define ROOM_MIN ((size_t)1024)

void ws_edges_init(struct ws_edges *x, size_t max)
{
    *x = (struct ws_edges){.max = max == 0 ? WS_EDGES_MAX : max};
}

void ws_edges_free(struct ws_edges *x)
{
    if (x->spilled) {
        ws_sorter_free(&x->sorter);
    }
    ws_memory_free(&x->keys_memory);
    ws_memory_free(&x->scratch);
    free(x->list);
    *x = (struct ws_edges){0};
}

/* Moves all pairs of the list to the sorter. Returns false after an error message. */
static bool list_spill(struct ws_edges *x)
{
    if (!x->spilled) {
        ws_sorter_init(&x->sorter, 8, sizeof(uint64_t), WS_EDGES_SORT);
        x->spilled = true;
    }
    for (size_t i = 0; i < x->n; i++) {
        uint8_t key[8];
        ws_key_u64(key, x->list[i].key);
        if (!ws_sorter_add(&x->sorter, key, &x->list[i].events, sizeof(uint64_t))) {
            return false;
        }
    }
    x->n = 0;
    return true;
}

/* Sets counts[b][v] to the number of keys whose byte b is v. Byte 0 is the least significant
 * one. */
static void bytes_count(const uint64_t *keys, size_t n, size_t counts[8][256])
{
    memset(counts, 0, 8 * sizeof counts[0]);
    for (size_t i = 0; i < n; i++) {
        for (unsigned b = 0; b < 8; b++) {
            counts[b][keys[i] >> 8 * b & 0xff]++;
        }
    }
}

/* Sorts n keys by one byte after another, the least significant one first (radix sort). Bytes that
 * are equal in all keys need no pass. Returns the sorted array, which is keys or scratch. */
static uint64_t *keys_deal(uint64_t *keys, uint64_t *scratch, size_t n)
{
    size_t counts[8][256];
    bytes_count(keys, n, counts);
    for (unsigned b = 0; b < 8 && n > 0; b++) {
        size_t *places = counts[b], place = 0;
        if (places[keys[0] >> 8 * b & 0xff] == n) {
            continue;
        }
        for (size_t i = 0; i < 256; i++) {
            size_t count = places[i];
            places[i] = place;
            place += count;
        }
        for (size_t i = 0; i < n; i++) {
            scratch[places[keys[i] >> 8 * b & 0xff]++] = keys[i];
        }
        uint64_t *sorted = scratch;
        scratch = keys;
        keys = sorted;
    }
    return keys;
}

/* Sorts the keys in the buffer. Returns false after an error message. */
static bool keys_sort(struct ws_edges *x)
{
    if (x->scratch.at == NULL && !ws_memory_take(&x->scratch, x->room * sizeof *x->keys)) {
        return ws_no_memory(NULL);
    }
    uint64_t *sorted = keys_deal(x->keys, x->scratch.at, x->n_keys);
    if (sorted != x->keys) {
        struct ws_memory old = x->keys_memory;
        x->keys_memory = x->scratch;
        x->scratch = old;
        x->keys = sorted;
    }
    return true;
}

/* Returns the number of distinct keys in the sorted buffer that the list does not contain. */
static size_t new_count(const struct ws_edges *x)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < x->n_keys; i++) {
        if (i > 0 && x->keys[i] == x->keys[i - 1]) {
            continue;
        }
        while (at < x->n && x->list[at].key < x->keys[i]) {
            at++;
        }
        n += at == x->n || x->list[at].key != x->keys[i];
    }
    return n;
}

/* Merges the keys of the sorted buffer into the list, the largest first, so that no pair is
 * overwritten before it is read. n: number of pairs in the list after the merge. */
static void keys_merge(struct ws_edges *x, size_t n)
{
    size_t from = x->n, to = n;
    for (size_t i = x->n_keys; i > 0;) {
        const uint64_t key = x->keys[i - 1];
        uint64_t events = 0;
        for (; i > 0 && x->keys[i - 1] == key; i--) {
            events++;
        }
        while (from > 0 && x->list[from - 1].key > key) {
            x->list[--to] = x->list[--from];
        }
        if (from > 0 && x->list[from - 1].key == key) {
            events += x->list[--from].events;
        }
        x->list[--to] = (struct ws_edge){key, events};
    }
    assert(from == to);
    x->n = n;
}

/* Counts the events in the buffer, merges the counts into the list, and empties the buffer. Returns
 * false after an error message. */
static bool keys_count(struct ws_edges *x)
{
    if (x->n_keys == 0) {
        return true;
    }
    if (!keys_sort(x)) {
        return false;
    }
    size_t more = new_count(x);
    if (x->n > 0 && x->n + more > x->max) {
        if (!list_spill(x)) {
            return false;
        }
        more = new_count(x);
    }
    if (!array_reserve(&x->list, &x->list_room, x->n + more, sizeof *x->list)) {
        return ws_no_memory(NULL);
    }
    keys_merge(x, x->n + more);
    x->n_keys = 0;
    return true;
}

bool ws_edges_make_room(struct ws_edges *x)
{
    struct ws_memory more;
    if (x->room == x->max) {
        return keys_count(x);
    }
    size_t room = x->room == 0 ? ROOM_MIN : 2 * x->room;
    room = room < x->max ? room : x->max;
    if (!ws_memory_take(&more, room * sizeof *x->keys)) {
        return ws_no_memory(NULL);
    }
    if (x->n_keys > 0) {
        memcpy(more.at, x->keys, x->n_keys * sizeof *x->keys);
    }
    ws_memory_free(&x->keys_memory);
    x->keys_memory = more;
    x->keys = more.at;
    x->room = room;
    return true;
}

static bool spilled_each(struct ws_edges *x, ws_edge_f fn, void *ctx)
{
    struct ws_edge pair = {0};
    const uint8_t *key;
    const void *data;
    if (!list_spill(x) || !ws_sorter_ready(&x->sorter)) {
        return false;
    }
    free(x->list);
    x->list = NULL;
    x->list_room = 0;
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
    if (!keys_count(x)) {
        return false;
    }
    ws_memory_free(&x->keys_memory);
    ws_memory_free(&x->scratch);
    x->room = 0;
    if (x->spilled) {
        return spilled_each(x, fn, ctx);
    }
    for (size_t i = 0; i < x->n; i++) {
        if (!fn(&x->list[i], ctx)) {
            return false;
        }
    }
    return true;
}

bool ws_edges_check(const struct ws_edges *x)
{
    HOLDS(x->n_keys <= x->room && x->room <= x->max); /* P1 */
    for (size_t i = 0; i < x->n; i++) {
        HOLDS(x->list[i].events > 0 && (i == 0 || x->list[i - 1].key < x->list[i].key)); /* P2 */
    }
    return true;
}
