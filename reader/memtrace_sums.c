/*
 * memtrace_sums.c - see memtrace_sums.h. A hash table with open addressing, at most half full until
 * it is packed and sorted.
 *
 * Invariant: unless packed, each key is in the first of the slots from its hash on that is empty or
 * has it, and in no other.
 */
#define _GNU_SOURCE /* qsort_r() */
#include "memtrace_sums.h"

#include <assert.h>
#include <stdlib.h>

static size_t slot_of(const struct ws_sums *sums, const uint32_t key[4])
{
    uint64_t h = ((uint64_t)key[0] << 32 | key[1]) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ ((uint64_t)key[2] << 32 | key[3])) * 0xbf58476d1ce4e5b9u;
    size_t at = (size_t)(h ^ h >> 32) & (sums->n_slots - 1);
    for (;;) {
        const struct ws_sum *s = &sums->slots[at];
        if (s->values[0] == 0 || (s->key[0] == key[0] && s->key[1] == key[1] &&
                                  s->key[2] == key[2] && s->key[3] == key[3])) {
            return at;
        }
        at = (at + 1) & (sums->n_slots - 1);
    }
}

static bool grow(struct ws_sums *sums)
{
    struct ws_sums more = {.n = sums->n, .n_slots = sums->n_slots == 0 ? 64 : 2 * sums->n_slots};
    more.slots = calloc(more.n_slots, sizeof *more.slots);
    if (more.slots == NULL) {
        sums->failed = true;
        return false;
    }
    for (size_t i = 0; i < sums->n_slots; i++) {
        if (sums->slots[i].values[0] != 0) {
            more.slots[slot_of(&more, sums->slots[i].key)] = sums->slots[i];
        }
    }
    free(sums->slots);
    *sums = more;
    return true;
}

void ws_sums_add(struct ws_sums *sums, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
                 uint64_t a, uint64_t b)
{
    const uint32_t key[4] = {k0, k1, k2, k3};
    struct ws_sum *s = sums->n == 0 ? NULL : sums->slots + sums->last;
    if (s == NULL || s->key[0] != k0 || s->key[1] != k1 || s->key[2] != k2 || s->key[3] != k3) {
        if (2 * sums->n >= sums->n_slots && (sums->failed || !grow(sums))) {
            return;
        }
        sums->last = slot_of(sums, key);
        s = sums->slots + sums->last;
    }
    if (s->values[0] == 0) {
        *s = (struct ws_sum){.key = {k0, k1, k2, k3}};
        sums->n++;
    }
    s->values[0] += a;
    s->values[1] += b;
}

void ws_sums_free(struct ws_sums *sums)
{
    free(sums->slots);
    *sums = (struct ws_sums){0};
}

struct order {
    ws_sums_compare compare;
    const void *ctx;
};

static int by_order(const void *a, const void *b, void *ctx)
{
    const struct order *order = ctx;
    return order->compare(a, b, order->ctx);
}

void ws_sums_sort(struct ws_sums *sums, ws_sums_compare compare, const void *ctx)
{
    struct order order = {compare, ctx};
    size_t n = 0;
    for (size_t i = 0; i < sums->n_slots && !sums->packed; i++) {
        if (sums->slots[i].values[0] != 0) {
            sums->slots[n++] = sums->slots[i];
        }
    }
    sums->packed = true;
    if (sums->n > 1) {
        qsort_r(sums->slots, sums->n, sizeof *sums->slots, by_order, &order);
    }
}

void ws_sums_check(const struct ws_sums *sums)
{
    size_t n = 0;
    for (size_t i = 0; i < sums->n_slots && !sums->packed; i++) {
        if (sums->slots[i].values[0] != 0) {
            assert(slot_of(sums, sums->slots[i].key) == i);
            n++;
        }
    }
    assert(sums->packed || n == sums->n);
    (void)n;
}
