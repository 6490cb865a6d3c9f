/* kp.c - see kp.h. */
#include "engine/kp.h"

#define KP_RING_MIN 64u

void kp_init(struct kp *kp, tw_kpid id, tw_pe *pe)
{
    *kp = (struct kp){.head = {.last_time = 0.0, .id = id, .pe = pe}, .mask = KP_RING_MIN - 1};
    kp->ring = tw_calloc(TW_LOC, "processed events", sizeof(tw_event *), KP_RING_MIN);
}

void kp_fini(struct kp *kp)
{
    free(kp->ring);
    kp->ring = NULL;
}

void kp_grow(struct kp *kp)
{
    uint64_t capacity = kp->mask + 1;
    tw_event **ring = tw_calloc(TW_LOC, "processed events", sizeof(tw_event *), 2 * capacity);
    uint64_t count = kp->young - kp->old;
    for (uint64_t i = 0; i < count; i++) {
        ring[i] = kp->ring[(kp->old + i) & kp->mask];
    }
    free(kp->ring);
    kp->ring = ring;
    kp->old = 0;
    kp->young = count;
    kp->mask = 2 * capacity - 1;
}

void kp_check(const struct kp *kp)
{
    for (uint64_t i = kp->old; i != kp->young; i++) {
        const tw_event *event = kp->ring[i & kp->mask];
        bool ordered = i == kp->old || event_compare(kp->ring[(i - 1) & kp->mask], event) < 0;
        if (event->state != EVENT_PROCESSED || !ordered) {
            fprintf(stderr, "kp %lu: event %" PRIu64 " is in state %d, %s\n", kp->head.id,
                    i - kp->old, event->state, ordered ? "in order" : "out of order");
            abort();
        }
    }
}
