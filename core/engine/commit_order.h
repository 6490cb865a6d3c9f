/*
 * commit_order.h - the processed events of all KPs before GVT, in event order.
 *
 * Each KP has its events in order. A part of each, up to a bound that none of the others precedes,
 * is put in order together, then the next part. Usually their times are spread evenly enough that
 * about as many intervals of time as there are events hold a few each: they are dealt out to these,
 * and neighbours exchanged (Knuth, The Art of Computer Programming 3, 5.2.5). If an interval would
 * get many, the KPs' parts are merged two by two (5.2.4).
 *
 * Cost: some 50 instructions per event, in tables that fit the second level of the cache; merged,
 * 30 more for each time that the number of KPs can be halved.
 */
#ifndef WARPSCOPE_ENGINE_COMMIT_ORDER_H
#define WARPSCOPE_ENGINE_COMMIT_ORDER_H

#include "engine/kp.h"

struct commit_entry {
    uint64_t ts_bits; /* receive time: not negative, so that its bits compare as it does */
    tw_event *event;
};

/* Zeroed it has no room. */
struct commit_order {
    struct commit_entry *entries; /* [n_kps * n_per_kp] the part found last, in order */
    struct commit_entry *other;   /* as many, for moving them */
    uint32_t *interval;           /* [n_kps * n_per_kp] that an entry belongs to */
    uint32_t
        *interval_end; /* [n_kps * n_per_kp + 2] how many are there, then where the next goes */
    size_t *run_ends;  /* [n_kps] of entries, the KPs' parts */
    size_t at, n;      /* entries from at to n are to be taken */
    size_t n_per_kp;
    tw_kpid n_kps;
};

/* Room for n_kps KPs; false: out of memory. Undo with commit_order_fini(), also then. */
bool commit_order_init(struct commit_order *order, tw_kpid n_kps);
void commit_order_fini(struct commit_order *order);

/* Takes from these KPs the first events before gvt, as many as there is room for: they are the next
 * part. False: there are none. Each call gets the same KPs and gvt until it returns false. */
bool commit_order_next(struct commit_order *order, struct kp *kps, const struct event_key *gvt);

/* Events were executed long ago: they, then their LPs, then what recorders keep of these are
 * fetched into the cache so many events before. */
#define COMMIT_AHEAD_EVENTS     6u
#define COMMIT_AHEAD_LPS        4u
#define COMMIT_AHEAD_OF_RECORDS 2u

/* Takes the next entry of the part, of which there is one. */
static inline tw_event *commit_order_take(struct commit_order *order)
{
    const struct commit_entry *entry = &order->entries[order->at];
    if (order->at + COMMIT_AHEAD_EVENTS < order->n) {
        const tw_event *ahead = entry[COMMIT_AHEAD_EVENTS].event;
        __builtin_prefetch(ahead);
        __builtin_prefetch(&ahead->send_ts);
        __builtin_prefetch(entry[COMMIT_AHEAD_LPS].event->lp);
    }
    order->at++;
    return entry->event;
}

/* The LP of an event that will be taken soon; NULL: not known. */
static inline const tw_lp *commit_order_lp_ahead(const struct commit_order *order)
{
    size_t ahead = order->at + COMMIT_AHEAD_OF_RECORDS - 1;
    return ahead < order->n ? order->entries[ahead].event->lp : NULL;
}

#endif
