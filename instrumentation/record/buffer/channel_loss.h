/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel_loss.h - records that a recorder could not create because memory was exhausted.
 *
 * These records count as collected and dropped, like records for which the buffers had no space.
 * The END block of the file and the report thus include them.
 */
#ifndef WARPSCOPE_RECORD_BUFFER_CHANNEL_LOSS_H
#define WARPSCOPE_RECORD_BUFFER_CHANNEL_LOSS_H

#include "record/buffer/stream.h"

/* Counts n records of the channel as collected and dropped. channel may be NULL. */
static inline void channel_lose(struct record_channel *channel, uint64_t n)
{
    if (channel != NULL) {
        channel->n_records += n;
        channel->entered += n; /* the records are not in the sub-buffer */
        channel->stream->dropped +=
            /* While rows are discarded, channel_leave() counts the growth of `n_records` as
             * dropped. */
            channel->is_discarding ? 0 : n;
    }
}

#endif
