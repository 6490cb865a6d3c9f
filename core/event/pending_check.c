/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending_check.c - checks the invariants of the pending queue, see pending.c and pending_rung.h.
 *
 * The entries of two events compare as equal in one case only: one event was cancelled, and its
 * cause, executed again, has sent the other in its place.
 */
#include "event/pending_ladder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct pending_census {
    size_t live;
    size_t cancelled;
};

static void pending_require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "pending queue: broken invariant: %s\n", what);
        abort();
    }
}

/* Returns the index of the rung that covers an entry, and sets *bucket to the index of the entry's
 * bucket. Returns n_rungs if no rung covers the entry, SIZE_MAX if the entry belongs to `top`. */
static size_t pending_find_place(const struct pending_ladder *l, const struct pending_entry *entry,
                                 size_t *bucket)
{
    if (entry->ts >= l->top_ts) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < l->n_rungs; i++) {
        double x = pending_rung_position(&l->rung[i], entry);
        if (x >= l->rung[i].cur_x) {
            *bucket = pending_rung_index(&l->rung[i], x);
            return i;
        }
    }
    return l->n_rungs;
}

static void pending_check_entry(const struct pending_ladder *l, const struct pending_entry *entry,
                                size_t place, size_t bucket, struct pending_census *census)
{
    const tw_event *event = entry->event;
    pending_require(event->state.owner == EVENT_PENDING || event->state.owner == EVENT_CANCELLED,
                    "E1: an event in the queue is pending or cancelled");
    pending_require(entry->ts == event->recv_ts, "an entry has the time stamp of its event");
    size_t claimed = 0;
    pending_require(pending_find_place(l, entry, &claimed) == place,
                    "Q1, Q2: an entry is where a push would put it");
    pending_require(place >= l->n_rungs || claimed == bucket, "R1: an entry is in its bucket");
    census->live += event->state.owner == EVENT_PENDING;
    census->cancelled += event->state.owner == EVENT_CANCELLED;
}

static size_t pending_check_bag(const struct pending_ladder *l, pending_bag bag, size_t place,
                                size_t bucket, struct pending_census *census)
{
    size_t n = 0;
    for (; bag != NULL; bag = pending_bag_older(bag)) {
        size_t newest = pending_bag_newest(bag);
        pending_require(newest >= 1 && newest <= PENDING_CHUNK_ENTRIES, "B1: no empty chunk");
        for (size_t k = 0; k < newest; k++) {
            pending_check_entry(l, &bag[-1 - (ptrdiff_t)k], place, bucket, census);
        }
        n += newest;
    }
    return n;
}

static void pending_check_staged(const struct pending_ladder *l, size_t place)
{
    const struct pending_rung *r = &l->rung[place];
    pending_require(r->n_staged < PENDING_STAGED_MAX, "R5: number staged");
    for (size_t k = 0; k < r->n_staged; k++) {
        size_t bucket = 0;
        pending_require(pending_find_place(l, &r->staged[k].entry, &bucket) == place &&
                            r->staged[k].bucket == bucket,
                        "R5: a staged entry will go into its bucket");
    }
}

static void pending_check_rung(const struct pending_ladder *l, size_t place,
                               struct pending_census *census)
{
    assert(place < PENDING_RUNGS_MAX);
    const struct pending_rung *r = &l->rung[place];
    size_t n = 0;
    pending_require(r->n_staged == 0, "R4: nothing staged");
    for (size_t i = 0; i < r->capacity; i++) {
        bool used = (r->used[i / 64] >> (i % 64) & 1) != 0;
        pending_require(used == (r->bucket[i] != NULL), "R3: used tells which buckets are");
        pending_require(!used || (place < l->n_rungs && i >= r->cur && i < r->n_buckets),
                        "R2, R4: buckets before cur, and of idle rungs, are empty");
        n += pending_check_bag(l, r->bucket[i], place, i, census);
    }
    pending_require(n == r->count, "R3: count of a rung");
    pending_require(place >= l->n_rungs || (r->cur < r->n_buckets && r->cur_x == (double)r->cur),
                    "R2: cur is a bucket");
}

static void pending_check_front(const struct pending_ladder *l, struct pending_census *census)
{
    const struct pending *q = &l->q;
    pending_require(q->n_front <= PENDING_FRONT_MAX, "size of the front");
    for (size_t k = 0; k < q->n_front; k++) {
        pending_check_entry(l, &q->front[k], l->n_rungs, 0, census);
        pending_require(k == 0 || !pending_entry_before(&q->front[k - 1], &q->front[k]),
                        "Q3: the front is sorted");
    }
}

static void pending_check_heap(const struct pending_ladder *l, struct pending_census *census)
{
    const struct pending *q = &l->q;
    const struct pending_entry *entry = l->heap.entry;
    for (size_t k = 0; k < l->heap.n; k++) {
        pending_check_entry(l, &entry[k], l->n_rungs, 0, census);
        pending_require(k == 0 || !pending_entry_before(&entry[k], &entry[(k - 1) / 2]),
                        "order of the heap");
    }
    pending_require(l->heap.n == 0 || q->n_front == 0 ||
                        !pending_entry_before(&entry[0], &q->front[0]),
                    "Q1: the front is before the heap");
}

void pending_check(struct pending *q)
{
    struct pending_ladder *l = (struct pending_ladder *)q;
    struct pending_census census = {0, 0};
    assert(l->n_rungs <= PENDING_RUNGS_MAX);
    for (size_t i = 0; i < l->n_rungs; i++) {
        pending_check_staged(l, i);
        pending_rung_flush(&l->rung[i], &l->pool);
    }
    pending_check_front(l, &census);
    pending_check_heap(l, &census);
    for (size_t i = 0; i < PENDING_RUNGS_MAX; i++) {
        pending_check_rung(l, i, &census);
    }
    size_t n = pending_check_bag(l, l->top, SIZE_MAX, 0, &census);
    pending_require(n == l->n_top, "number of entries in top");
    pending_require(census.live == q->n_live, "Q4: number of live events");
    pending_require(census.cancelled == q->n_cancelled, "Q4: number of cancelled events");
}
