/*
 * pool.c - items in a bounded piece of memory, see pool.h.
 *
 * Sorting finds ascending runs, makes short ones longer by insertion, and merges neighbours so that
 * lengths on the stack of runs at least double from top to bottom: the stack stays short, and every
 * entry takes part in about log r merges (as in the merge sorts of Knuth, The Art of Computer
 * Programming 3, 5.2.4, and in Peters's timsort).
 */
#include "pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define GROW_MIN  ((size_t)64 << 10) /* bytes taken at first */
#define RUN_MIN   16u                /* shorter runs are made longer by insertion */
#define RUNS_MAX  64u                /* on the stack: lengths double */
#define DEAD_ITEM 0u                 /* size of an item that was taken out; no item has it */

void ws_pool_init(struct ws_pool *pool, const struct ws_form *form, size_t bytes,
                  size_t payload_max)
{
    /* An item of an event without payload takes 56 bytes, its entries 32. */
    size_t entries = bytes / 8 * 3;
    *pool = (struct ws_pool){.form = form, .size_max = (bytes - entries) & ~(size_t)7};
    assert(pool->size_max >= ws_item_size(form, payload_max) && pool->size_max / 8 < UINT32_MAX);
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

/* Grows *memory to hold `needed` pieces of unit bytes, at most max of them. */
static bool memory_grow(void **memory, size_t *room, size_t needed, size_t max, size_t unit)
{
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

struct ws_item *ws_pool_room(struct ws_pool *pool, size_t payload_size)
{
    size_t needed = pool->used + ws_item_size(pool->form, payload_size);
    void *memory = pool->memory;
    bool good = pool->n < pool->n_room || entries_grow(pool);
    if (good && needed > pool->size) {
        good = memory_grow(&memory, &pool->size, needed, pool->size_max, 1);
        pool->memory = memory;
    }
    pool->failed = !good && pool->n == 0;
    return good ? (struct ws_item *)(void *)(pool->memory + pool->used) : NULL;
}

void ws_pool_add(struct ws_pool *pool)
{
    const struct ws_item *item = (const void *)(pool->memory + pool->used);
    pool->entries[pool->n++] =
        (struct ws_entry){ws_item_time(pool->form, item), (uint32_t)(pool->used / 8)};
    pool->used += item->size;
}

/* ---- Sorting -----------------------------------------------------------------------------------
 */

static inline const struct ws_item *entry_item(const struct ws_pool *pool, const struct ws_entry *e)
{
    return (const void *)(pool->memory + (size_t)e->at * 8);
}

static inline bool is_before(const struct ws_pool *pool, const struct ws_entry *a,
                             const struct ws_entry *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return ws_item_compare(pool->form, entry_item(pool, a), entry_item(pool, b)) < 0;
}

/* The end of the run that begins at first; at least RUN_MIN long, or up to the end. */
static size_t run_make(struct ws_pool *pool, size_t first)
{
    struct ws_entry *e = pool->entries;
    size_t end = first + 1;
    while (end < pool->n && !is_before(pool, &e[end], &e[end - 1])) {
        end++;
    }
    while (end < pool->n && end - first < RUN_MIN) {
        struct ws_entry moved = e[end];
        size_t i = end++;
        for (; i > first && is_before(pool, &moved, &e[i - 1]); i--) {
            e[i] = e[i - 1];
        }
        e[i] = moved;
    }
    return end;
}

/* Merges the runs [first, middle) and [middle, end). */
static void runs_merge(struct ws_pool *pool, size_t first, size_t middle, size_t end)
{
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

void ws_pool_sort(struct ws_pool *pool)
{
    size_t starts[RUNS_MAX + 1], depth = 0, end = 0; /* runs: [starts[k], starts[k + 1]) */
    starts[0] = 0;
    while (end < pool->n) {
        end = run_make(pool, end);
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

/* ---- Taking out --------------------------------------------------------------------------------
 */

void ws_pool_drop(struct ws_pool *pool, size_t n)
{
    size_t used = pool->used;
    assert(n <= pool->n);
    if (n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct ws_item *item = ws_pool_item(pool, i);
        item->payload_size = item->size; /* the walk below needs it */
        item->size = DEAD_ITEM;
    }
    pool->n = pool->used = 0;
    for (size_t at = 0; at < used;) {
        struct ws_item *item = (struct ws_item *)(void *)(pool->memory + at);
        size_t size = item->size == DEAD_ITEM ? item->payload_size : item->size;
        if (item->size != DEAD_ITEM) {
            memmove(pool->memory + pool->used, item, size);
            ws_pool_add(pool);
        }
        at += size;
    }
}

void ws_pool_check(const struct ws_pool *pool, bool sorted)
{
    size_t at = 0, n = 0;
    for (; at < pool->used; n++) {
        const struct ws_item *item = (const void *)(pool->memory + at);
        assert(item->size % 8 == 0);
        assert(item->size == ws_item_size(pool->form, item->payload_size));
        at += item->size;
    }
    assert(at == pool->used && n == pool->n);
    for (size_t i = 0; i < pool->n; i++) {
        assert(pool->entries[i].time == ws_item_time(pool->form, ws_pool_item(pool, i)));
        assert(!sorted || i == 0 || !is_before(pool, &pool->entries[i], &pool->entries[i - 1]));
    }
    (void)sorted;
}
