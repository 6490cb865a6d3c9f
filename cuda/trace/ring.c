/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ring.c - see ring.h.
 */
#include "trace/ring.h"
#include <assert.h>

/* Moves the record at the next place to *to. Returns false if the record is not committed yet. */
static inline bool take(struct ws_ring *ring, struct ws_slot_record *to)
{
    struct ws_slot_record *from = &ring->records[ring->drained & ring->mask];
    assert(to != NULL);
    to->what = __atomic_load_n(&from->what, __ATOMIC_ACQUIRE);
    if (to->what == 0) {
        return false;
    }
    to->address = from->address;
    to->cta = from->cta;
    __atomic_store_n(&from->what, 0, __ATOMIC_RELAXED);
    return true;
}

/* Publishes ring->drained to the device. Kernels that read the new value may reuse the places
 * before it. */
static void publish(struct ws_ring *ring)
{
    __atomic_store_n(&ring->control->drained, ring->drained, __ATOMIC_RELEASE);
}

size_t ws_ring_take(struct ws_ring *ring, struct ws_slot_record *to, size_t n)
{
    size_t i = 0;
    assert(ws_ring_check(ring));
    while (i < n && take(ring, &to[i])) {
        ring->drained++;
        i++;
    }
    if (i > 0) {
        publish(ring);
    }
    return i;
}

size_t ws_ring_take_rest(struct ws_ring *ring, uint64_t end, struct ws_slot_record *to, size_t n)
{
    size_t i = 0;
    assert(ws_ring_check(ring));
    /* `end` is more than one length of the ring ahead if accesses found the ring full. Their
     * records were lost, so the loop visits only the mask + 1 places of the ring. */
    for (uint64_t k = 0; k <= ring->mask && ring->drained < end && i < n; k++) {
        i += take(ring, &to[i]);
        ring->drained++;
    }
    if (i == 0 && ring->drained < end) {
        ring->drained = end;
    }
    publish(ring);
    assert(i > 0 || n == 0 || ring->drained >= end);
    return i;
}

bool ws_ring_check(const struct ws_ring *ring)
{
    return ring->records != NULL && ring->control != NULL && (ring->mask & (ring->mask + 1)) == 0 &&
           ring->control->drained == ring->drained;
}
