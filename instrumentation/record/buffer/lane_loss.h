/*
 * lane_loss.h - records that a recorder could not create because memory was exhausted.
 *
 * They count as collected and dropped, like records without space in the buffers. The END block of
 * the file and the report thus include them.
 */
#ifndef WARPSCOPE_RECORD_LANE_LOSS_H
#define WARPSCOPE_RECORD_LANE_LOSS_H

#include "record/buffer/stream.h"

/* Counts n lost records of the channel. lane may be NULL. */
static inline void lane_lose(struct record_lane *lane, uint64_t n)
{
    if (lane != NULL) {
        lane->collected += n;
        lane->stream->dropped += lane->is_void ? 0 : n; /* void: lane_leave() counts it */
    }
}

#endif
