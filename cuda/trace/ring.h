/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The host's end of a slot's ring, see slot.h. Used by one thread at a time.
 */
#ifndef WARPSCOPE_CUDA_RING_H
#define WARPSCOPE_CUDA_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/slot.h"

struct ws_ring {
    struct ws_slot_record *records; /* mask + 1 records, zeroed at first */
    uint64_t mask;
    uint64_t drained; /* places taken since the slot was made */
    struct ws_slot_control *control;
};

/* Takes up to n records in the order of places, as far as all are committed, and gives their room back. Returns their
 * number. */
size_t ws_ring_take(struct ws_ring *ring, struct ws_slot_record *to, size_t n);
/* Likewise, but passes over places without a record, up to place `end`. For a launch that has ended; lost records
 * leave such places. Returns 0 if none is left; then drained is at least `end`. */
size_t ws_ring_take_rest(struct ws_ring *ring, uint64_t end, struct ws_slot_record *to, size_t n);

#endif
