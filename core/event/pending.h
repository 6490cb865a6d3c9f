/*
 * pending.h - the pending queue of a PE: events yet to be executed, smallest first.
 *
 * A ladder queue (Tang, Goh & Thng, "Ladder queue: an O(1) priority queue structure for large-scale
 * discrete event simulation", ACM TOMACS 15(3), 2005) with a small sorted front; see pending.c.
 * Amortised O(1) push and pop for any number of events; cancelling is O(1): the event is marked and
 * dropped when it surfaces. The order is that of event_compare(), whatever the order of the pushes.
 */
#ifndef WARPSCOPE_EVENT_PENDING_H
#define WARPSCOPE_EVENT_PENDING_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

#define PENDING_FRONT_MAX 128

/* The time stamp stands next to the pointer so that ordering rarely looks into events. */
struct pending_entry {
    double ts;
    tw_event *event;
};

/* Called with each cancelled event that surfaces; takes it back (state EVENT_CANCELLED). It must
 * not call the queue. Every function below but count, memory_bytes, ahead and check may call it. */
typedef void (*pending_drop_f)(void *ctx, tw_event *event);

/* The part of the queue that peek and pop touch. The rest is private to pending.c. */
struct pending {
    size_t n_front;
    size_t n_live;      /* events in the queue that are not cancelled */
    size_t n_cancelled; /* events in the queue that are */
    pending_drop_f drop;
    void *drop_ctx;
    struct pending_entry front[PENDING_FRONT_MAX]; /* the smallest entries, smallest last */
};

/* NULL when there is no memory. Later lack of memory ends the program with a message. */
struct pending *pending_create(pending_drop_f drop, void *ctx);
void pending_destroy(struct pending *q); /* does not touch the events left in it */

/* event: in no queue, with a finite recv_ts; becomes EVENT_PENDING. Its recv_ts may lie before
 * anything popped so far (rollback). */
void pending_push(struct pending *q, tw_event *event);

/* Takes back a pending event: EVENT_PENDING -> EVENT_CANCELLED. The queue keeps it until drop()
 * gets it, which this call does not do to this event but may do to ones cancelled earlier. */
void pending_cancel(struct pending *q, tw_event *event);

/* Makes the smallest live event front[n_front - 1]; false when there is none. For peek and pop. */
bool pending_settle(struct pending *q);

/* Smallest live event, or NULL; stays in the queue. */
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

/* Smallest live event, or NULL; leaves the queue, state still EVENT_PENDING. */
static inline tw_event *pending_pop(struct pending *q)
{
    tw_event *event = pending_peek(q);
    if (event != NULL) {
        q->n_front--;
        q->n_live--;
    }
    return event;
}

/* A hint for prefetching: the event that comes `distance` after the smallest (0: the smallest
 * itself) if nothing is pushed or cancelled, or NULL when that is not known yet. */
static inline tw_event *pending_ahead(const struct pending *q, size_t distance)
{
    return distance < q->n_front ? q->front[q->n_front - 1 - distance].event : NULL;
}

/* Live events in the queue. */
static inline size_t pending_count(const struct pending *q)
{
    return q->n_live;
}

/* Calls visit with each live event, in no order, until it returns false; then false. It must not
 * call the queue. */
typedef bool (*pending_visit_f)(void *ctx, tw_event *event);
bool pending_each(struct pending *q, pending_visit_f visit, void *ctx);

/* Memory of the queue itself, without the events. */
size_t pending_memory_bytes(const struct pending *q);

/* Aborts with a message when an invariant is broken. For tests: O(n log n). */
void pending_check(struct pending *q);

#endif
