/*
 * kp.h - kernel processes: groups of LPs that roll back together.
 *
 * A KP keeps the events that its LPs have executed and not yet committed, oldest first, in a ring
 * of pointers: rollback takes from the young end, fossil collection from the old one.
 *
 * Invariants
 *  K1  the events of the ring are in state EVENT_PROCESSED and strictly increasing in
 *      event_compare().
 *  K2  no pending event of the KP's LPs comes before the youngest event of the ring.
 */
#ifndef WARPSCOPE_ENGINE_KP_H
#define WARPSCOPE_ENGINE_KP_H

#include "event/event.h"

struct kp {
    tw_kp head; /* public part, first */
    tw_event **ring;
    uint64_t old;        /* index of the oldest event; modulo the capacity its place */
    uint64_t young;      /* one past the index of the youngest */
    uint64_t mask;       /* capacity - 1 */
    uint64_t *places;    /* of each event in the list of the executed; NULL: there is no list */
    uint64_t next_place; /* for commit_order.c: index of the event whose place changes next */
    bool listed;         /* among the KPs that fossil collection looks at, see commit.c */
};

static inline struct kp *kp_of(const tw_kp *head)
{
    return (struct kp *)(uintptr_t)head;
}

/* Bytes that an idle KP takes. */
size_t kp_bytes(void);
void kp_init(struct kp *kp, tw_kpid id, tw_pe *pe);
void kp_fini(struct kp *kp);
void kp_grow(struct kp *kp);
/* Room for the places of events; they are commit_order.c's. */
void kp_keep_places(struct kp *kp);
void kp_drop_places(struct kp *kp);

static inline bool kp_is_empty(const struct kp *kp)
{
    return kp->old == kp->young;
}

static inline tw_event *kp_youngest(const struct kp *kp)
{
    return kp->ring[(kp->young - 1) & kp->mask];
}

static inline tw_event *kp_oldest(const struct kp *kp)
{
    return kp->ring[kp->old & kp->mask];
}

static inline void kp_push(struct kp *kp, tw_event *event)
{
    if (kp->young - kp->old > kp->mask) {
        kp_grow(kp);
    }
    kp->ring[kp->young++ & kp->mask] = event;
}

/* Aborts with a message when K1 is broken. For tests. */
void kp_check(const struct kp *kp);

#endif
