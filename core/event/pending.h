/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending.h - the pending queue of a PE: events that are not executed yet, smallest first.
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

/* An entry of the queue. It holds a copy of the event's time stamp, so that comparisons rarely read
 * the event. */
struct pending_entry {
    double ts;
    tw_event *event;
};

/* Function that frees a cancelled event (state EVENT_CANCELLED) when the event leaves the queue.
 * Must not call functions of the queue. Only pending_peek(), pending_pop(), pending_settle(),
 * pending_cancel() and pending_drop_cancelled() call this function. */
typedef void (*pending_drop_f)(void *ctx, tw_event *event);

/* Public part of a queue: the members that pending_peek() and pending_pop() use. The other members
 * are private, see pending_ladder.h. */
struct pending {
    size_t n_front;
    size_t n_live;      /* number of events in the queue that are not cancelled */
    size_t n_cancelled; /* number of cancelled events still in the queue */
    pending_drop_f drop;
    void *drop_ctx;
    /* the n_front smallest entries of the queue, in descending order */
    struct pending_entry front[PENDING_FRONT_MAX];
};

/* Creates an empty queue. drop: see pending_drop_f. ctx: first argument of drop(). Returns NULL if
 * memory is short. If memory runs out later, the queue aborts the program with an error message. */
struct pending *pending_create(pending_drop_f drop, void *ctx);
void pending_destroy(struct pending *q); /* frees the queue, but not the events in it */

/* Adds an event that is in no queue to the queue, and changes its state to EVENT_PENDING. recv_ts
 * must be finite. After a rollback, it may lie before the times of events already popped. */
void pending_push(struct pending *q, tw_event *event);

/* Cancels a pending event: changes its state from EVENT_PENDING to EVENT_CANCELLED. The queue keeps
 * the event, and passes it to drop() later. This call may pass to drop() events that were cancelled
 * earlier. */
void pending_cancel(struct pending *q, tw_event *event);

/* Removes all cancelled events from the queue, and passes them to drop(). */
void pending_drop_cancelled(struct pending *q);

/* Moves the smallest event that is not cancelled to front[n_front - 1]. Returns false if the queue
 * has no such event. Used by pending_peek() and pending_pop(). */
bool pending_settle(struct pending *q);

/* Returns the smallest event that is not cancelled, and leaves it in the queue. Returns NULL if the
 * queue has no such event. */
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

/* Removes from the queue the smallest event that is not cancelled. Returns this event, still in
 * state EVENT_PENDING. Returns NULL if the queue has no such event. */
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

/* For prefetching: returns the event `distance` positions after the smallest event (0: the smallest
 * event itself); NULL if the array `front` does not reach that far. The result is valid until the
 * next push or cancel. */
static inline tw_event *pending_ahead(const struct pending *q, size_t distance)
{
    return distance < q->n_front ? q->front[q->n_front - 1 - distance].event : NULL;
}

/* Returns the number of events in the queue that are not cancelled. */
static inline size_t pending_count(const struct pending *q)
{
    return q->n_live;
}

/* pending_each() calls visit() for each event in the queue that is not cancelled, in no particular
 * order. If visit() returns false, pending_each() stops and returns false. If all calls return
 * true, so does pending_each(). visit() must not call functions of the queue. */
typedef bool (*pending_visit_f)(void *ctx, tw_event *event);
bool pending_each(struct pending *q, pending_visit_f visit, void *ctx);

/* Returns the memory that the queue occupies, in bytes, without the memory of its events. */
size_t pending_memory_bytes(const struct pending *q);

/* Aborts the program with an error message if the queue violates an invariant. For tests: visits
 * all entries. */
void pending_check(struct pending *q);

#endif
