/*
 * commit_order.h - the executed events of all KPs before GVT, in event order.
 *
 * A PE executes events nearly in order: only a straggler, and what is executed again after it,
 * come late. So while somebody looks at commits, all that is executed is listed as it comes, and
 * struck off when it is undone. Those before GVT are taken out of the list and put in order by
 * insertion; if that would take long, what is in order already is merged (Knuth, The Art of
 * Computer Programming 3, 5.2.1 and 5.2.4).
 *
 * Cost per event: some 20 instructions, in tables that are gone through from front to back; the
 * events themselves are not looked at but for ties. Merged, 15 more for each time that the number
 * of ordered stretches can be halved. An event that GVT has not reached costs 5 in each collection.
 * Memory: 16 bytes per event in the list and 40 for each that a collection may find there, twice
 * that while tables grow; it does not count as event memory.
 */
#ifndef WARPSCOPE_ENGINE_COMMIT_ORDER_H
#define WARPSCOPE_ENGINE_COMMIT_ORDER_H

#include "engine/kp.h"

struct commit_entry {
    uint64_t ts_bits; /* receive time: not negative, so that its bits compare as it does */
    tw_event *event;  /* NULL: struck off */
};

/* Zeroed it lists nothing. */
struct commit_order {
    struct commit_entry *list; /* [capacity] what was executed, as it was */
    size_t n_list, capacity;
    size_t n_struck;             /* entries struck off, whose places are not used again yet */
    size_t first_live;           /* entries before this place are struck off */
    struct commit_entry *ready;  /* [ready_capacity] in order */
    struct commit_entry *merged; /* as many, for merging */
    size_t *run_ends;            /* likewise */
    size_t ready_capacity;
    size_t n; /* ready entries; after them, the last repeated */
};

void commit_order_fini(struct commit_order *order);

/* From now on what is executed is listed: what the KPs hold is. */
void commit_order_begin(struct commit_order *order, struct kp *kps, tw_kpid n_kps);
/* Nothing is listed any more. */
void commit_order_end(struct commit_order *order, struct kp *kps, tw_kpid n_kps);

/* More room in the list. */
void commit_order_grow(struct commit_order *order);

static inline uint64_t commit_ts_bits(double ts)
{
    uint64_t bits;
    ts += 0.0; /* no negative zero */
    memcpy(&bits, &ts, sizeof bits);
    return bits;
}

/* The KP has executed the event: kp_push() while events are listed. */
static inline void commit_order_push(struct commit_order *order, struct kp *kp, tw_event *event)
{
    if (order->n_list == order->capacity) {
        commit_order_grow(order);
    }
    kp_push(kp, event);
    kp->places[(kp->young - 1) & kp->mask] = order->n_list;
    order->list[order->n_list++] = (struct commit_entry){commit_ts_bits(event->recv_ts), event};
}

/* Takes the youngest event from the KP, which has one, listed or not. */
static inline tw_event *commit_order_pop(struct commit_order *order, struct kp *kp)
{
    uint64_t place = --kp->young & kp->mask;
    if (kp->places != NULL) {
        order->list[kp->places[place]].event = NULL;
        order->n_struck++;
    }
    return kp->ring[place];
}

/* Strikes off all events before gvt: they are ready[0..n), to be taken one after the other. The
 * number of them. */
size_t commit_order_collect(struct commit_order *order, const struct event_key *gvt);
/* All that were ready have been taken. */
void commit_order_close_up(struct commit_order *order);

/* Events were executed long ago: they, then their LPs, then what recorders keep of these are
 * fetched into the cache so many events before. */
#define COMMIT_AHEAD_EVENTS     6u
#define COMMIT_AHEAD_LPS        4u
#define COMMIT_AHEAD_OF_RECORDS 2u

/* Takes a ready event, which is its KP's oldest. */
static inline tw_event *commit_order_take(const struct commit_entry *ready)
{
    const tw_event *ahead = ready[COMMIT_AHEAD_EVENTS].event;
    __builtin_prefetch(ahead);
    __builtin_prefetch(&ahead->caused_by_me);
    __builtin_prefetch(ready[COMMIT_AHEAD_LPS].event->dest_lp);
    kp_of(ready->event->dest_lp->kp)->old++;
    return ready->event;
}

/* The LP of an event that will be taken soon, or of the last. */
static inline const tw_lp *commit_order_lp_ahead(const struct commit_entry *ready)
{
    return ready[COMMIT_AHEAD_OF_RECORDS].event->dest_lp;
}

/* Aborts with a message unless the list holds what the KPs do, each where its KP says. For
 * tests. */
void commit_order_check(const struct commit_order *order, const struct kp *kps, tw_kpid n_kps);

#endif
