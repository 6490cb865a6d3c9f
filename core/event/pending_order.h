/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_order.h - order among entries of the pending queue: comparison, sorting of few entries,
 * and a heap for entries that no rung can separate.
 *
 * Cost: sorting n <= PENDING_SORT_MAX entries is O(n) if their keys are spread evenly, otherwise
 * O(n log n). A heap operation is O(log n).
 */
#ifndef WARPSCOPE_EVENT_PENDING_ORDER_H
#define WARPSCOPE_EVENT_PENDING_ORDER_H

#include <assert.h>

#include "event/pending.h"

#define PENDING_SORT_MAX 64

/* Keys of the event order, most significant first. A rung spreads entries over its buckets by one
 * of these keys. */
enum pending_key { PENDING_BY_TS, PENDING_BY_PRIO, PENDING_BY_TIE, PENDING_KEYS };

static inline double pending_key_of(const struct pending_entry *entry, enum pending_key by)
{
    assert(by < PENDING_KEYS);
    return by == PENDING_BY_TS ? entry->ts
                               : (by == PENDING_BY_PRIO ? entry->event->prio : entry->event->tie);
}

static inline bool pending_entry_before(const struct pending_entry *a,
                                        const struct pending_entry *b)
{
    return a->ts <= b->ts && (a->ts < b->ts || event_compare(a->event, b->event) < 0);
}

/* Copies the n entries of `in`, at most PENDING_SORT_MAX, to `out` in descending order. */
void pending_sort(struct pending_entry *out, const struct pending_entry *in, size_t n);

/* Binary heap of entries, with the smallest entry at the root. A zeroed struct is an empty heap. */
struct pending_heap {
    struct pending_entry *entry;
    size_t n;
    size_t capacity;
};

void pending_heap_push(struct pending_heap *heap, struct pending_entry entry);
struct pending_entry pending_heap_pop(struct pending_heap *heap);
/* Restores the order of the heap after its entries have changed; O(n). */
void pending_heap_repair(struct pending_heap *heap);

#endif
