/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - a pool of sort keys in bounded memory; see pool.h.
 *
 * Sort keys that arrive in a few long sorted runs are merged. Ascending runs are found, descending
 * ones reversed, and short ones extended by insertion. Neighbouring runs are merged so that the
 * lengths of the runs on a stack at least double from top to bottom. So the stack stays short, and
 * every entry takes part in about log r merges, where r is the number of runs. The merge sorts of
 * Knuth (The Art of Computer Programming 3, 5.2.4) and Peters's timsort do the same.
 *
 * Sort keys that arrive in many short runs are distributed by the bytes of their entries, the last
 * byte first (radix sort, 5.2.5 in Knuth); bytes that are equal in all entries need no pass.
 * Entries that are equal in these bytes are then merged.
 */
#include "order/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/check.h"

#define GROW_MIN ((size_t)64 << 10) /* size of the first allocation in bytes */
#define RUN_MIN  16u                /* sorted runs with fewer entries are extended by insertion */
/* Maximum number of sorted runs on the stack. It suffices, since their lengths double. */
#define RUNS_MAX 64u
#define DEAL_MIN 512u /* minimum number of entries for which distribution by bytes is used */
/* Mean length of sorted runs above which merging is faster than distribution. */
#define DEAL_RUN  32u
#define DIGITS    12u /* number of bytes of an entry by which it is distributed */
#define DEAD_ITEM 0u  /* size of a sort key that was removed; no other sort key has this size */

void ws_pool_init(struct ws_pool *pool, const struct ws_sort_layout *layout, size_t bytes,
                  size_t payload_max)
{
    /* A sort key of an event without payload takes 56 bytes. Its entry takes 16 bytes, and 16 more
     * for sorting. */
    size_t entries = bytes / 8 * 3;
    *pool = (struct ws_pool){.layout = layout, .size_max = (bytes - entries) & ~(size_t)7};
    assert(pool->size_max >= ws_sort_key_size(layout, payload_max) &&
           pool->size_max / 8 < UINT32_MAX);
    (void)payload_max;
    pool->n_max = entries / (2 * sizeof *pool->entries);
}

void ws_pool_free(struct ws_pool *pool)
{
    free(pool->memory);
    free(pool->entries);
    free(pool->scratch);
    *pool = (struct ws_pool){0};
}

/* Enlarges *memory to hold at least `needed` elements of `unit` bytes each, and *room accordingly.
 * Returns false if needed exceeds max, or if out of memory. */
static bool memory_grow(void **memory, size_t *room, size_t needed, size_t max, size_t unit)
{
    assert(unit > 0 && max > 0);
    size_t wanted = *room < GROW_MIN / unit ? GROW_MIN / unit : 2 * *room;
    wanted = wanted < needed ? needed : wanted;
    wanted = wanted < max ? wanted : max;
    void *grown = needed > max ? NULL : realloc(*memory, wanted * unit);
    if (grown == NULL) {
        return false;
    }
    *memory = grown;
    *room = wanted;
    return true;
}

static bool entries_grow(struct ws_pool *pool)
{
    void *entries = pool->entries, *scratch = pool->scratch;
    size_t room = pool->n_room, scratch_room = pool->n_room;
    bool good =
        memory_grow(&scratch, &scratch_room, pool->n + 1, pool->n_max, sizeof *pool->scratch);
    pool->scratch = scratch;
    good = good && memory_grow(&entries, &room, pool->n + 1, pool->n_max, sizeof *pool->entries);
    pool->entries = entries;
    pool->n_room = room;
    return good;
}

struct ws_sort_key *ws_pool_room(struct ws_pool *pool, size_t payload_size)
{
    size_t needed = pool->used + ws_sort_key_size(pool->layout, payload_size);
    void *memory = pool->memory;
    bool good = pool->n < pool->n_room || entries_grow(pool);
    if (good && needed > pool->size) {
        good = memory_grow(&memory, &pool->size, needed, pool->size_max, 1);
        pool->memory = memory;
    }
    pool->failed = !good && pool->n == 0;
    return good ? (struct ws_sort_key *)(void *)(pool->memory + pool->used) : NULL;
}

void ws_pool_add(struct ws_pool *pool)
{
    assert(pool->n < pool->n_room && pool->used < pool->size);
    const struct ws_sort_key *item = (const void *)(pool->memory + pool->used);
    pool->entries[pool->n++] =
        (struct ws_entry){ws_sort_key_time(pool->layout, item),
                          ws_sort_key_more(pool->layout, item), (uint32_t)(pool->used / 8)};
    pool->used += item->size;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static inline const struct ws_sort_key *entry_item(const struct ws_pool *pool,
                                                   const struct ws_entry *e)
{
    return (const void *)(pool->memory + (size_t)e->at * 8);
}

static inline bool is_before(const struct ws_pool *pool, const struct ws_entry *a,
                             const struct ws_entry *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    if (a->more != b->more) {
        return a->more < b->more;
    }
    return ws_sort_key_compare(pool->layout, entry_item(pool, a), entry_item(pool, b)) < 0;
}

/* Reverses the longest descending run at the start of the entries [first, last). Returns the index
 * of its end. */
static size_t run_reverse(struct ws_pool *pool, size_t first, size_t last)
{
    struct ws_entry *e = pool->entries;
    size_t end = first + 1;
    while (end < last && is_before(pool, &e[end], &e[end - 1])) {
        end++;
    }
    for (size_t i = first, k = end - 1; i < k; i++, k--) {
        struct ws_entry moved = e[i];
        e[i] = e[k];
        e[k] = moved;
    }
    return end;
}

/* Makes a sorted run at the start of the entries [first, last). It has at least RUN_MIN entries, or
 * all of them. Returns the index of its end. */
static size_t run_make(struct ws_pool *pool, size_t first, size_t last)
{
    struct ws_entry *e = pool->entries;
    size_t end = run_reverse(pool, first, last);
    while (end < last && !is_before(pool, &e[end], &e[end - 1])) {
        end++;
    }
    while (end < last && end - first < RUN_MIN) {
        struct ws_entry moved = e[end];
        size_t i = end++;
        for (; i > first && is_before(pool, &moved, &e[i - 1]); i--) {
            e[i] = e[i - 1];
        }
        e[i] = moved;
    }
    return end;
}

/* Merges the sorted runs of entries [first, middle) and [middle, end). */
static void runs_merge(struct ws_pool *pool, size_t first, size_t middle, size_t end)
{
    assert(first <= middle && middle <= end && end <= pool->n);
    struct ws_entry *e = pool->entries, *left = pool->scratch;
    size_t i = 0, n = middle - first, k = middle, to = first;
    memcpy(left, e + first, n * sizeof *left);
    while (i < n && k < end) {
        if (is_before(pool, &e[k], &left[i])) {
            e[to++] = e[k++];
        } else {
            e[to++] = left[i++];
        }
    }
    memcpy(e + to, left + i, (n - i) * sizeof *left);
}

/* Sorts the entries [first, last). */
static void range_sort(struct ws_pool *pool, size_t first, size_t last)
{
    /* Stack of sorted runs: run k has the entries [starts[k], starts[k + 1]). */
    size_t starts[RUNS_MAX + 1], depth = 0, end = first;
    starts[0] = first;
    while (end < last) {
        end = run_make(pool, end, last);
        starts[++depth] = end;
        while (depth >= 2 &&
               starts[depth] - starts[depth - 1] >= (starts[depth - 1] - starts[depth - 2]) / 2) {
            runs_merge(pool, starts[depth - 2], starts[depth - 1], end);
            starts[--depth] = end;
        }
        assert(depth < RUNS_MAX);
    }
    for (; depth >= 2; depth--) {
        runs_merge(pool, starts[depth - 2], starts[depth - 1], end);
        starts[depth - 1] = end;
    }
}

/* Returns byte number i of the bytes by which entries are distributed. Number 0 is the least
 * significant byte. */
static inline unsigned digit_of(const struct ws_entry *e, unsigned i)
{
    assert(i < DIGITS);
    return i < 4 ? e->more >> 8 * i & 0xff : (unsigned)(e->time >> 8 * (i - 4)) & 0xff;
}

/* Distributes all entries by byte number `digit`. counts[b]: number of entries whose byte is b. */
static void digit_deal(struct ws_pool *pool, unsigned digit, const uint32_t *counts)
{
    struct ws_entry *from = pool->entries, *to = pool->scratch;
    uint32_t places[256], place = 0;
    for (size_t i = 0; i < 256; i++) {
        places[i] = place;
        place += counts[i];
    }
    for (size_t i = 0; i < pool->n; i++) {
        to[places[digit_of(&from[i], digit)]++] = from[i];
    }
    pool->entries = to;
    pool->scratch = from;
}

static void entries_deal(struct ws_pool *pool)
{
    uint32_t counts[DIGITS][256];
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < pool->n; i++) {
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            counts[digit][digit_of(&pool->entries[i], digit)]++;
        }
    }
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if (counts[digit][digit_of(&pool->entries[0], digit)] < pool->n) {
            digit_deal(pool, digit, counts[digit]);
        }
    }
}

static inline bool is_same(const struct ws_entry *a, const struct ws_entry *b)
{
    return a->time == b->time && a->more == b->more;
}

/* Returns true if the entries consist of so many sorted runs that distributing them is faster than
 * merging. */
static bool is_mixed(const struct ws_pool *pool)
{
    const struct ws_entry *e = pool->entries;
    size_t turns = 0;
    bool up = true;
    for (size_t i = 1; i < pool->n; i++) {
        bool same = is_same(&e[i], &e[i - 1]);
        bool now =
            e[i].time != e[i - 1].time ? e[i].time > e[i - 1].time : e[i].more > e[i - 1].more;
        turns += !same && now != up;
        up = same ? up : now;
    }
    return pool->n >= DEAL_MIN && turns > pool->n / DEAL_RUN;
}

void ws_pool_sort(struct ws_pool *pool)
{
    if (!is_mixed(pool)) {
        range_sort(pool, 0, pool->n);
        return;
    }
    entries_deal(pool);
    for (size_t first = 0, end; first < pool->n; first = end) {
        end = first + 1;
        while (end < pool->n && is_same(&pool->entries[end], &pool->entries[first])) {
            end++;
        }
        if (end - first > 1) {
            range_sort(pool, first, end);
        }
    }
}

/* ---- Removal --------------------------------------------------------------------------------- */

void ws_pool_drop(struct ws_pool *pool, size_t n)
{
    size_t used = pool->used;
    assert(n <= pool->n);
    if (n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct ws_sort_key *item = ws_pool_item(pool, i);
        item->payload_size = item->size; /* the loop below finds the size here */
        item->size = DEAD_ITEM;
    }
    pool->n = pool->used = 0;
    for (size_t at = 0; at < used;) {
        struct ws_sort_key *item = (struct ws_sort_key *)(void *)(pool->memory + at);
        size_t size = item->size == DEAD_ITEM ? item->payload_size : item->size;
        if (item->size != DEAD_ITEM) {
            memmove(pool->memory + pool->used, item, size);
            ws_pool_add(pool);
        }
        at += size;
    }
}

bool ws_pool_check(const struct ws_pool *pool, bool sorted)
{
    size_t at = 0, n = 0;
    for (; at < pool->used; n++) {
        const struct ws_sort_key *item = (const void *)(pool->memory + at);
        HOLDS(item->size % 8 == 0);
        HOLDS(item->size == ws_sort_key_size(pool->layout, item->payload_size));
        at += item->size;
    }
    HOLDS(at == pool->used && n == pool->n);
    for (size_t i = 0; i < pool->n; i++) {
        HOLDS(pool->entries[i].time == ws_sort_key_time(pool->layout, ws_pool_item(pool, i)));
        HOLDS(!sorted || i == 0 || !is_before(pool, &pool->entries[i], &pool->entries[i - 1]));
    }
    return true;
}
