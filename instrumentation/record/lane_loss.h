/*
 * lane_loss.h - records that a recorder could not even make, for want of memory.
 *
 * They count as collected and dropped, as those for which there was no room in the buffers, so that
 * the file's END block and the report say how many are missing.
 */
#ifndef WARPSCOPE_RECORD_LANE_LOSS_H
#define WARPSCOPE_RECORD_LANE_LOSS_H

#include "record/stream.h"

/* n records less in the lane's file; lane NULL: none. */
static inline void lane_lose(struct record_lane *lane, uint64_t n)
{
    if (lane != NULL) {
        lane->collected += n;
        lane->stream->dropped += lane->is_void ? 0 : n; /* else counted when the lane ends that */
    }
}

#endif
