/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending.h - the pending queue of a PE: events not yet executed, smallest first.
 *
 * The queue is a ladder queue (Tang, Goh & Thng, "Ladder queue: an O(1) priority queue structure
 * for large-scale discrete event simulation", ACM TOMACS 15(3), 2005) with a small sorted front;
 * see pending.c. Push and pop are amortised O(1) for any number of events. Cancelling is O(1): the
 * event is marked, and dropped when it reaches the front. The order is that of event_compare(),
 * independent of the order of pushes.
 */
#ifndef WARPSCOPE_EVENT_PENDING_H
#define WARPSCOPE_EVENT_PENDING_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

#define PENDING_FRONT_MAX 128

/* An entry of the queue. It stores the time stamp, so that comparisons rarely read the event. */
struct pending_entry {
    double ts;
    tw_event *event;
};

/* Receives each cancelled event that leaves the queue (state EVENT_CANCELLED); the function frees
 * it. It must not call the queue. All functions below may call it, except count, memory_bytes,
 * ahead and check. */
typedef void (*pending_drop_f)(void *ctx, tw_event *event);

/* The members of the queue that pending_peek() and pending_pop() use. Its other members are private
 * to pending.c. */
struct pending {
    size_t n_front;
    size_t n_live;      /* number of events that are not cancelled */
    size_t n_cancelled; /* number of cancelled events still in the queue */
    pending_drop_f drop;
    void *drop_ctx;
    struct pending_entry front[PENDING_FRONT_MAX]; /* smallest entries, in descending order */
};

/* Creates a queue. Returns NULL if memory is short. Lack of memory later ends the program with a
 * message. */
struct pending *pending_create(pending_drop_f drop, void *ctx);
void pending_destroy(struct pending *q); /* frees the queue, but not the events in it */

/* Adds an event that is in no queue and has a finite recv_ts; it becomes EVENT_PENDING. After a
 * rollback, recv_ts may lie before events already popped. */
void pending_push(struct pending *q, tw_event *event);

/* Cancels a pending event: EVENT_PENDING -> EVENT_CANCELLED. The queue keeps it and passes it to
 * drop() later. This call may drop events cancelled earlier. */
void pending_cancel(struct pending *q, tw_event *event);

/* Passes all cancelled events to drop() now. */
void pending_drop_cancelled(struct pending *q);

/* Moves the smallest event that is not cancelled to front[n_front - 1]. Returns false if there is
 * none. Used by pending_peek() and pending_pop(). */
bool pending_settle(struct pending *q);

/* Returns the smallest event that is not cancelled, without removing it, or NULL. */
static inline tw_event *pending_peek(struct pending *q)
{
    if (q->n_front > 0) {
        tw_event *event = q->front[q->n_front - 1].event;
        if (q->n_cancelled == 0 || event->state.owner != EVENT_CANCELLED) {
            return event;
        }
    }
    return pending_settle(q) ? q->front[q->n_front - 1].event : NULL;
}

/* Removes and returns the smallest event that is not cancelled (state still EVENT_PENDING), or
 * NULL. */
static inline tw_event *pending_pop(struct pending *q)
{
    tw_event *event = pending_peek(q);
    if (event != NULL) {
        assert(event->state.owner == EVENT_PENDING && q->n_live > 0);
        q->n_front--;
        q->n_live--;
    }
    return event;
}

/* For prefetching: returns the event `distance` places after the smallest (0: the smallest), or
 * NULL if unknown. The result is valid until the next push or cancel. */
static inline tw_event *pending_ahead(const struct pending *q, size_t distance)
{
    return distance < q->n_front ? q->front[q->n_front - 1 - distance].event : NULL;
}

/* Returns the number of events in the queue that are not cancelled. */
static inline size_t pending_count(const struct pending *q)
{
    return q->n_live;
}

/* pending_each() calls visit with each event that is not cancelled, in no order. If visit returns
 * false, it stops and returns false. visit must not call the queue. */
typedef bool (*pending_visit_f)(void *ctx, tw_event *event);
bool pending_each(struct pending *q, pending_visit_f visit, void *ctx);

/* Returns the memory of the queue in bytes, without its events. */
size_t pending_memory_bytes(const struct pending *q);

/* Aborts with a message if an invariant is violated. For tests; O(n log n). */
void pending_check(struct pending *q);

#endif
