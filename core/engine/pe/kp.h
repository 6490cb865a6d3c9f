/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kp.h - kernel processes: groups of LPs that roll back together.
 *
 * A KP keeps the events that its LPs have executed and not yet committed (its history) in a ring of
 * pointers, oldest first. Rollback takes events from the young end, fossil collection from the old
 * end.
 *
 * Invariants
 *  K1  Events of the ring are in state EVENT_PROCESSED and strictly increasing in event_compare().
 *  K2  No pending event of the KP's LPs precedes the youngest event of the ring.
 */
#ifndef WARPSCOPE_ENGINE_PE_KP_H
#define WARPSCOPE_ENGINE_PE_KP_H

#include <assert.h>

#include "event/event.h"

struct kp {
    tw_kp head; /* the part that models may read; must be first */
    tw_event **ring;
    uint64_t old; /* index of the oldest event; its slot in the ring is the index modulo capacity */
    uint64_t young; /* index of the youngest event, plus one */
    uint64_t mask;  /* capacity of the ring - 1 */
    /* [capacity] place of each event in struct commit_order; NULL: no list is kept. */
    uint64_t *places;
    uint64_t next_place; /* used by commit_order.c: index of the next event to be moved */
    bool listed;         /* true if the KP is in pe->busy_kps, see commit.c */
};

static inline struct kp *kp_of(const tw_kp *head)
{
    return (struct kp *)(uintptr_t)head;
}

/* Returns the memory of a KP without events, in bytes. */
size_t kp_bytes(void);
void kp_init(struct kp *kp, tw_kpid id, tw_pe *pe);
void kp_fini(struct kp *kp);
void kp_grow(struct kp *kp);
/* Allocate and free the table of the events' places, which commit_order.c uses. */
void kp_keep_places(struct kp *kp);
void kp_drop_places(struct kp *kp);

static inline bool kp_is_empty(const struct kp *kp)
{
    return kp->old == kp->young;
}

static inline tw_event *kp_youngest(const struct kp *kp)
{
    assert(!kp_is_empty(kp));
    return kp->ring[(kp->young - 1) & kp->mask];
}

static inline tw_event *kp_oldest(const struct kp *kp)
{
    assert(!kp_is_empty(kp));
    return kp->ring[kp->old & kp->mask];
}

/* Returns the oldest event of the history that has a receive time of ts or later; NULL: none. */
static inline tw_event *kp_first_from(const struct kp *kp, double ts)
{
    uint64_t from = kp->old, to = kp->young;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (kp->ring[middle & kp->mask]->recv_ts < ts) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < kp->young ? kp->ring[from & kp->mask] : NULL;
}

static inline void kp_push(struct kp *kp, tw_event *event)
{
    if (kp->young - kp->old > kp->mask) {
        kp_grow(kp);
    }
    kp->ring[kp->young++ & kp->mask] = event;
}

/* Aborts with a message if invariant K1 is violated. For tests. */
void kp_check(const struct kp *kp);

#endif
