/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kp.h - kernel processes: groups of LPs that roll back together.
 *
 * A KP keeps the events that its LPs have executed and not yet committed (its history) in a ring of
 * pointers, oldest first. Rollback takes events from the young end, fossil collection from the old
 * end.
 *
 * Invariants
 *  K1  Events of the ring are in state EVENT_PROCESSED and in strictly ascending order of
 *      event_compare().
 *  K2  No pending event of the KP's LPs precedes the youngest event of the ring.
 */
#ifndef WARPSCOPE_ENGINE_PE_KP_H
#define WARPSCOPE_ENGINE_PE_KP_H

#include <assert.h>

#include "event/event.h"

struct kp {
    tw_kp head; /* the part that models may read; must be first */
    tw_event **ring;
    /* index of the oldest event; its place in ring[] is this index modulo the capacity */
    uint64_t old;
    uint64_t young; /* index of the youngest event, plus one */
    uint64_t mask;  /* capacity of the ring, minus 1 */
    /* For each event of the ring, at the same place: its index in commit_order.list. NULL: no list
     * is kept. */
    uint64_t *places;
    /* For each event of the ring, at the same place: the value of pe->stamp after its execution.
     * NULL: none are kept. */
    double *stamps;
    /* used by commit_order.c: index of the next event whose element of `places` is updated */
    uint64_t next_place;
    bool listed; /* true if the KP is in the list pe->busy_kps, see commit.c */
};

static inline struct kp *kp_of(const tw_kp *head)
{
    return (struct kp *)(uintptr_t)head;
}

/* Returns the memory that a KP without events takes, in bytes. */
size_t kp_bytes(void);
void kp_init(struct kp *kp, tw_kpid id, tw_pe *pe);
void kp_fini(struct kp *kp);
void kp_grow(struct kp *kp);
/* kp_keep_places() allocates the array `places`, which commit_order.c uses; kp_drop_places() frees
 * it. */
void kp_keep_places(struct kp *kp);
void kp_drop_places(struct kp *kp);
/* Allocates the array `stamps`, with the value `stamp` for all events; frees it. */
void kp_keep_stamps(struct kp *kp, double stamp);
void kp_drop_stamps(struct kp *kp);

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

/* Returns the oldest event of the history whose receive time is at least ts; NULL if there is
 * none. */
static inline tw_event *kp_first_from(const struct kp *kp, double ts)
{
    uint64_t from = kp->old, to = kp->young;
    if (from == to || kp_youngest(kp)->recv_ts < ts) { /* true for most KPs, when ts is GVT */
        return NULL;
    }
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

/* Aborts the program with an error message if the KP violates invariant K1. For tests. */
void kp_check(const struct kp *kp);

#endif
