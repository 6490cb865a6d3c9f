/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ring of a slot (slot.h), as the host reads it. Only one thread at a time may use a ring.
 */
#ifndef WARPSCOPE_CUDA_RING_H
#define WARPSCOPE_CUDA_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/slot.h"

struct ws_ring {
    struct ws_slot_record *records; /* mask + 1 records, initially zero */
    uint64_t mask;
    uint64_t drained; /* number of places taken since the slot was created */
    struct ws_slot_control *control;
};

/* Moves up to n records from the ring to `to`, in the order of places, until the first place that
 * is not committed. Releases the places of these records. Returns the number of records. */
size_t ws_ring_take(struct ws_ring *ring, struct ws_slot_record *to, size_t n);
/* Moves up to n records before place `end` to `to`, and skips empty places. Used when a launch has
 * ended, since its lost records leave empty places. Returns the number of records. After a result
 * of 0, ring->drained is at least `end`. */
size_t ws_ring_take_rest(struct ws_ring *ring, uint64_t end, struct ws_slot_record *to, size_t n);

/* Returns true if the capacity is a power of two and control->drained equals `drained`. */
bool ws_ring_check(const struct ws_ring *ring);

#endif
