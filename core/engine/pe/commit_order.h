/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commit_order.h - puts the executed events before GVT, of all KPs, into event order.
 *
 * A PE executes events nearly in order: only stragglers, and the events executed again after them,
 * are out of order. While commits are observed, the engine appends each executed event to a list
 * and strikes it off the list when it is undone. A collection takes the events before GVT where they
 * are, if they are in order. Otherwise it takes them out of the list and sorts them by insertion. If
 * insertion would take long, the collection merges the sorted runs (Knuth, The Art of Computer
 * Programming 3, 5.2.1 and 5.2.4).
 *
 * Cost per event: about 10 instructions, or 20 if events are out of order. They read tables sequentially, and the events themselves
 * only for ties. Merging adds 15 instructions per pass; each pass halves the number of sorted runs.
 * An event not before GVT costs 5 instructions in each collection. Memory: 16 bytes per entry of
 * the list, and 40 bytes per entry for the tables of a collection; twice as much while tables grow.
 * This memory does not count as event memory.
 */
#ifndef WARPSCOPE_ENGINE_PE_COMMIT_ORDER_H
#define WARPSCOPE_ENGINE_PE_COMMIT_ORDER_H

#include <assert.h>

#include "engine/pe/kp.h"

/* Prefetch distances for commits, in events: for an event, for its LP, and for observers' data
 * about that LP. All these data have left the cache before the commit. */
#define COMMIT_AHEAD_EVENTS     6u
#define COMMIT_AHEAD_LPS        4u
#define COMMIT_AHEAD_OF_RECORDS 2u

struct commit_entry {
    /* Bit pattern of the receive time. Since times are not negative, their bit patterns compare
     * like the times. */
    uint64_t ts_bits;
    tw_event *event; /* executed event; NULL: the entry is struck off */
};

/* List of executed events, and the tables for sorting them. A zeroed struct is an empty list. */
struct commit_order {
    struct commit_entry *list; /* [capacity]: list of executed events, in order of execution */
    size_t n_list, capacity;
    size_t n_struck;             /* number of entries that are struck off and not yet removed */
    size_t first_live;           /* all entries before this index are struck off or taken */
    struct commit_entry *ready;  /* [ready_capacity]: events ready to commit, in event order */
    struct commit_entry *merged; /* [ready_capacity]: buffer for merging */
    size_t *run_ends;            /* [ready_capacity]: indices at which sorted runs end */
    size_t ready_capacity;
    /* The events of a collection, in event order: in `ready` or in `list`. Entries of further events,
     * or copies of the last entry, follow. */
    const struct commit_entry *first;
    size_t n; /* number of these events */
};

void commit_order_fini(struct commit_order *order);

/* Starts the list with the events that the KPs hold. From then on, commit_order_push() must replace
 * kp_push(). */
void commit_order_begin(struct commit_order *order, struct kp *kps, tw_kpid n_kps);
/* Ends the list and frees it. */
void commit_order_end(struct commit_order *order, struct kp *kps, tw_kpid n_kps);

/* Doubles the capacity of the list. */
void commit_order_grow(struct commit_order *order);

static inline uint64_t commit_ts_bits(double ts)
{
    uint64_t bits;
    ts += 0.0; /* turns -0.0 into 0.0 */
    memcpy(&bits, &ts, sizeof bits);
    return bits;
}

/* Adds an executed event to the history of the KP and to the list. Replaces kp_push() while the
 * list is kept. */
static inline void commit_order_push(struct commit_order *order, struct kp *kp, tw_event *event)
{
    assert(kp->places != NULL);
    if (order->n_list == order->capacity) {
        commit_order_grow(order);
    }
    kp_push(kp, event);
    kp->places[(kp->young - 1) & kp->mask] = order->n_list;
    order->list[order->n_list++] = (struct commit_entry){commit_ts_bits(event->recv_ts), event};
}

/* Removes the youngest event from the history of the KP, which must not be empty, and returns the
 * event. If the list is kept, strikes the event off. */
static inline tw_event *commit_order_pop(struct commit_order *order, struct kp *kp)
{
    assert(!kp_is_empty(kp));
    uint64_t place = --kp->young & kp->mask;
    if (kp->places != NULL) {
        order->list[kp->places[place]].event = NULL;
        order->n_struck++;
    }
    return kp->ring[place];
}

/* Moves all events before gvt from the list to first[0..n-1], in event order, and returns n. The
 * caller takes these events one by one. */
size_t commit_order_collect(struct commit_order *order, const struct event_key *gvt);
/* Ends a collection, after the caller has taken all ready events. May compact the list. */
void commit_order_close_up(struct commit_order *order);

/* Returns the event of a ready entry, which is the oldest event of its KP, and removes the event
 * from the history of the KP. */
static inline tw_event *commit_order_take(const struct commit_entry *ready)
{
    assert(kp_oldest(kp_of(ready->event->dest_lp->kp)) == ready->event);
    const tw_event *ahead = ready[COMMIT_AHEAD_EVENTS].event;
    __builtin_prefetch(ahead);
    __builtin_prefetch(&ahead->caused_by_me);
    __builtin_prefetch(ready[COMMIT_AHEAD_LPS].event->dest_lp);
    kp_of(ready->event->dest_lp->kp)->old++;
    return ready->event;
}

/* Returns the LP of the event COMMIT_AHEAD_OF_RECORDS entries after `ready`; near the end, that of
 * the last event or of one that commits later. */
static inline const tw_lp *commit_order_lp_ahead(const struct commit_entry *ready)
{
    return ready[COMMIT_AHEAD_OF_RECORDS].event->dest_lp;
}

/* Aborts the program with an error message unless the list and the KPs agree about the events and
 * their indices in the list. For tests. */
void commit_order_check(const struct commit_order *order, const struct kp *kps, tw_kpid n_kps);

#endif
