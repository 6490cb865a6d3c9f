/*
 * pending_order.h - order among entries: comparing, sorting few, a heap for what cannot be spread.
 *
 * Cost: sorting n <= PENDING_SORT_MAX entries is O(n) when their keys are spread evenly, else
 * O(n log n); a heap operation is O(log n).
 */
#ifndef WARPSCOPE_EVENT_PENDING_ORDER_H
#define WARPSCOPE_EVENT_PENDING_ORDER_H

#include "event/pending.h"

#define PENDING_SORT_MAX 64

/* The parts of the order of events that entries can be spread by, in turn. */
enum pending_key { PENDING_BY_TS, PENDING_BY_PRIO, PENDING_BY_TIE, PENDING_KEYS };

static inline double pending_key_of(const struct pending_entry *entry, enum pending_key by)
{
    return by == PENDING_BY_TS ? entry->ts
                               : (by == PENDING_BY_PRIO ? entry->event->prio : entry->event->tie);
}

static inline bool pending_entry_before(const struct pending_entry *a,
                                        const struct pending_entry *b)
{
    return a->ts <= b->ts && (a->ts < b->ts || event_compare(a->event, b->event) < 0);
}

/* Writes the n <= PENDING_SORT_MAX entries of in to out, smallest last. */
void pending_sort(struct pending_entry *out, const struct pending_entry *in, size_t n);

/* A binary heap, smallest entry first. All zero is an empty one. */
struct pending_heap {
    struct pending_entry *entry;
    size_t n;
    size_t capacity;
};

void pending_heap_push(struct pending_heap *heap, struct pending_entry entry);
struct pending_entry pending_heap_pop(struct pending_heap *heap);
/* Restores the order after entries were changed. O(n). */
void pending_heap_repair(struct pending_heap *heap);

#endif
