/*
 * pending.h - the pending queue of a PE: events yet to be executed, smallest first.
 *
 * A ladder queue (Tang, Goh & Thng, ACM TOMACS 15(3), 2005) with a small sorted front; see pending.c.
 * Amortised O(1) push and pop for any number of events; cancelling is O(1): the event is
 * marked and dropped when it surfaces.
 */
#ifndef WARPSCOPE_EVENT_PENDING_H
#define WARPSCOPE_EVENT_PENDING_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

struct pending; /* opaque? a design choice of pending.c: may be defined here for inlining */

/* Called with each cancelled event that surfaces; takes it back (state EVENT_CANCELLED). */
typedef void (*pending_drop_f)(void *ctx, tw_event *event);

struct pending *pending_create(pending_drop_f drop, void *ctx);
void pending_destroy(struct pending *q); /* does not touch the events left in it */

/* event: EVENT_NEW or EVENT_PROCESSED or EVENT_PROCESSING; becomes EVENT_PENDING. Its recv_ts may lie before anything
 * popped so far (rollback). */
void pending_push(struct pending *q, tw_event *event);
/* Smallest live event, or NULL; stays in the queue. */
tw_event *pending_peek(struct pending *q);
/* Smallest live event, or NULL; leaves the queue, state still EVENT_PENDING. */
tw_event *pending_pop(struct pending *q);
/* A hint: the event that will probably be popped after the next one(s), or NULL; for prefetching. */
tw_event *pending_ahead(const struct pending *q, size_t distance);
/* Takes back a pending event: EVENT_PENDING -> EVENT_CANCELLED. */
void pending_cancel(struct pending *q, tw_event *event);
/* Live events in the queue. */
size_t pending_count(const struct pending *q);
size_t pending_memory_bytes(const struct pending *q);
/* Aborts with a message when an invariant is broken. For tests: O(n log n). */
void pending_check(struct pending *q);

#endif
