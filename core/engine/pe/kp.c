/* SPDX-License-Identifier: BSD-3-Clause */
/* kp.c - see kp.h. */
#include "engine/pe/kp.h"

#include <assert.h>

/* Initial capacity of a KP's ring; small, since a model may have one KP per LP. */
#define KP_RING_MIN 8u

#define MALLOC_HEAD 16u /* minimum overhead of a malloc() block, in bytes */

size_t kp_bytes(void)
{
    return sizeof(struct kp) + KP_RING_MIN * sizeof(tw_event *) + MALLOC_HEAD;
}

void kp_init(struct kp *kp, tw_kpid id, tw_pe *pe)
{
    *kp = (struct kp){.head = {.last_time = 0.0, .id = id, .pe = pe}, .mask = KP_RING_MIN - 1};
    kp->ring = tw_calloc(TW_LOC, "processed events", sizeof(tw_event *), KP_RING_MIN);
}

void kp_fini(struct kp *kp)
{
    free(kp->ring);
    kp->ring = NULL;
    kp_drop_places(kp);
    kp_drop_stamps(kp);
}

void kp_keep_stamps(struct kp *kp, double stamp)
{
    kp->stamps = tw_calloc(TW_LOC, "processed events", sizeof(double), kp->mask + 1);
    for (uint64_t i = 0; i <= kp->mask; i++) {
        kp->stamps[i] = stamp;
    }
}

void kp_drop_stamps(struct kp *kp)
{
    free(kp->stamps);
    kp->stamps = NULL;
}

void kp_keep_places(struct kp *kp)
{
    kp->places = tw_calloc(TW_LOC, "processed events", sizeof(uint64_t), kp->mask + 1);
}

void kp_drop_places(struct kp *kp)
{
    free(kp->places);
    kp->places = NULL;
}

void kp_grow(struct kp *kp)
{
    assert(kp->young - kp->old == kp->mask + 1);
    uint64_t capacity = kp->mask + 1;
    struct kp from = *kp;
    kp->mask = 2 * capacity - 1;
    kp->ring = tw_calloc(TW_LOC, "processed events", sizeof(tw_event *), 2 * capacity);
    if (from.places != NULL) {
        kp_keep_places(kp);
    }
    if (from.stamps != NULL) {
        kp_keep_stamps(kp, 0.0);
    }
    uint64_t count = from.young - from.old;
    for (uint64_t i = 0; i < count; i++) {
        kp->ring[i] = from.ring[(from.old + i) & from.mask];
        if (from.places != NULL) {
            kp->places[i] = from.places[(from.old + i) & from.mask];
        }
        if (from.stamps != NULL) {
            kp->stamps[i] = from.stamps[(from.old + i) & from.mask];
        }
    }
    free(from.ring);
    free(from.places);
    free(from.stamps);
    kp->old = 0;
    kp->young = count;
}

void kp_check(const struct kp *kp)
{
    for (uint64_t i = kp->old; i != kp->young; i++) {
        const tw_event *event = kp->ring[i & kp->mask];
        bool ordered = i == kp->old || event_compare(kp->ring[(i - 1) & kp->mask], event) < 0;
        if (event->state.owner != EVENT_PROCESSED || !ordered) {
            fprintf(stderr, "kp %lu: event %" PRIu64 " is in state %d, %s\n", kp->head.id,
                    i - kp->old, event->state.owner, ordered ? "in order" : "out of order");
            abort();
        }
    }
}
