/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_purge.c - removes the cancelled events from the whole pending queue.
 *
 * A purge is due when the cancelled events outnumber the other events by more than a constant. The
 * cost is thus O(1) per cancelled event, and the cancelled events never outnumber the others by
 * more than that constant.
 */
#include "event/pending_ladder.h"

static bool pending_purge_entry(struct pending *q, const struct pending_entry *entry)
{
    if (entry->event->state.owner != EVENT_CANCELLED) {
        return false;
    }
    q->n_cancelled--;
    q->drop(q->drop_ctx, entry->event);
    return true;
}

/* Removes the entries of cancelled events from an array of n entries. Returns the number of entries
 * left, whose order is unchanged. */
static size_t pending_purge_array(struct pending *q, struct pending_entry *entry, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!pending_purge_entry(q, &entry[i])) {
            entry[kept++] = entry[i];
        }
    }
    return kept;
}

/* Removes the entries of cancelled events from a bag. Returns the bag of the entries left, and adds
 * the number of removed entries to *dropped. */
static pending_bag pending_purge_bag(struct pending_ladder *l, pending_bag bag, size_t *dropped)
{
    pending_bag kept = NULL;
    while (bag != NULL) {
        for (const struct pending_entry *e = pending_bag_chunk(bag)->entry; e < bag; e++) {
            if (pending_purge_entry(&l->q, e)) {
                (*dropped)++;
            } else {
                pending_bag_push(&l->pool, &kept, *e);
            }
        }
        bag = pending_bag_release_newest(&l->pool, bag);
    }
    return kept;
}

static void pending_purge_rung(struct pending_ladder *l, struct pending_rung *r)
{
    pending_rung_flush(r, &l->pool);
    size_t left = r->count; /* number of entries in the buckets not visited yet */
    for (size_t i = r->cur; left > 0; i++) {
        i = pending_rung_next(r, i);
        size_t n = pending_bag_count(r->bucket[i], SIZE_MAX);
        size_t dropped = 0;
        pending_bag kept = pending_purge_bag(l, pending_rung_take(r, i, n), &dropped);
        left -= n;
        if (kept != NULL) {
            pending_rung_put(r, i, kept, n - dropped);
        }
    }
}

void pending_purge(struct pending_ladder *l)
{
    struct pending *q = &l->q;
    q->n_front = pending_purge_array(q, q->front, q->n_front);
    l->heap.n = pending_purge_array(q, l->heap.entry, l->heap.n);
    pending_heap_repair(&l->heap);
    for (size_t i = 0; i < l->n_rungs; i++) {
        pending_purge_rung(l, &l->rung[i]);
    }
    size_t dropped = 0;
    l->top = pending_purge_bag(l, l->top, &dropped);
    l->n_top -= dropped;
    assert(q->n_cancelled == 0);
}
