/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commit_order.h - the executed events of all KPs before GVT, in event order.
 *
 * A PE executes events nearly in order: only stragglers and the events executed again after them
 * come late. While commits are observed, the engine appends each executed event to a list and
 * strikes it off when it is undone. A collection takes the events before GVT out of the list and
 * sorts them by insertion. If that would take long, it merges the ordered runs (Knuth, The Art of
 * Computer Programming 3, 5.2.1 and 5.2.4).
 *
 * Cost per event: some 20 instructions in tables that are read sequentially; events themselves are
 * read only for ties. Merging adds 15 instructions per pass; each pass halves the number of runs.
 * An event not before GVT costs 5 instructions in each collection. Memory: 16 bytes per event in
 * the list and 40 per event that a collection may find there, and twice that while tables grow; it
 * does not count as event memory.
 */
#ifndef WARPSCOPE_ENGINE_PE_COMMIT_ORDER_H
#define WARPSCOPE_ENGINE_PE_COMMIT_ORDER_H

#include <assert.h>

#include "engine/pe/kp.h"

struct commit_entry {
    /* Bits of the receive time; times are not negative, so their bits compare like them. */
    uint64_t ts_bits;
    tw_event *event; /* executed event; NULL: struck off */
};

/* List of executed events and the tables to sort it. All zeros: an empty list. */
struct commit_order {
    struct commit_entry *list; /* [capacity] list of executed events, in order of execution */
    size_t n_list, capacity;
    size_t n_struck;             /* entries struck off and not yet removed */
    size_t first_live;           /* entries before this place are struck off */
    struct commit_entry *ready;  /* [ready_capacity] events ready to commit, in order */
    struct commit_entry *merged; /* [ready_capacity] buffer for merging */
    size_t *run_ends;            /* [ready_capacity] ends of ordered runs */
    size_t ready_capacity;
    size_t n; /* number of ready entries; copies of the last one follow */
};

void commit_order_fini(struct commit_order *order);

/* Starts the list with the events that the KPs hold. From then on, executed events must be
 * pushed. */
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

/* Adds an executed event to the KP and to the list; replaces kp_push() while events are listed. */
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

/* Takes the youngest event from a non-empty KP and strikes it off the list if one is kept. */
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

/* Moves all events before gvt to ready[0..n), in event order; the caller takes them one by one.
 * Returns n. */
size_t commit_order_collect(struct commit_order *order, const struct event_key *gvt);
/* Ends a collection, after the caller has taken all ready events. May compact the list. */
void commit_order_close_up(struct commit_order *order);

/* Prefetch distances in events: for an event, for its LP, and for observers' data of that LP.
 * Events that commit are no longer in the cache. */
#define COMMIT_AHEAD_EVENTS     6u
#define COMMIT_AHEAD_LPS        4u
#define COMMIT_AHEAD_OF_RECORDS 2u

/* Takes a ready event, which is the oldest of its KP. */
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

/* Returns the LP of an event that will be taken soon; near the end, of the last event. */
static inline const tw_lp *commit_order_lp_ahead(const struct commit_entry *ready)
{
    return ready[COMMIT_AHEAD_OF_RECORDS].event->dest_lp;
}

/* Aborts with a message unless the list and the KPs contain the same events at the same places. For
 * tests. */
void commit_order_check(const struct commit_order *order, const struct kp *kps, tw_kpid n_kps);

#endif
