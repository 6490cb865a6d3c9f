/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel.h - a channel: one PE's rows of one kind, filled by a recorder.
 *
 * Filling is inline: call channel_reserve(), fill the row, call channel_commit(). A row that is not
 * committed is discarded. The stream (stream.h) replaces full sub-buffers.
 *
 * Invariants
 *  L1  rows <= next <= end, all 8-aligned; rows[0 .. next - rows) are complete rows.
 *  L2  *used == next - rows; stored after the row, so that a journal never has half a row.
 * Cost per record: a comparison, two additions, three stores.
 */
#ifndef WARPSCOPE_RECORD_BUFFER_CHANNEL_H
#define WARPSCOPE_RECORD_BUFFER_CHANNEL_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"

/* Distance in bytes from the next row to the memory that is prefetched for later rows. That memory
 * possibly lies beyond the sub-buffer. */
#define CHANNEL_AHEAD_BYTES 512u

struct record_stream;
struct sub_buffer;
struct record_channel;

/* A function called for each row that enters a channel. It must not record anything. */
struct channel_tap {
    void (*row)(void *ctx, const struct record_channel *channel, const void *row, size_t bytes);
    void *ctx;
};

struct record_channel {
    unsigned char *next; /* address of the next row */
    unsigned char *end;  /* end of the space for rows */
    unsigned char *rows; /* first row of the sub-buffer */
    /* Address of the number of bytes used, in the header of the sub-buffer. */
    _Atomic uint64_t *used;
    /* Number of records that channel_commit() has completed in this file. */
    uint64_t n_records;
    const struct channel_tap *tap; /* function called for each row; NULL: none */
    /* Members that are not used for each record. */
    struct record_stream *stream;
    const struct fmt_schema *schema;
    /* Sub-buffer that is being filled; NULL: none yet, or rows go to the scratch row. */
    struct sub_buffer *sub_buffer;
    bool is_discarding; /* true if rows go to the scratch row, and are thus dropped or lost */
    uint64_t void_mark; /* value of `n_records` when is_discarding became true */
    uint64_t entered;   /* value of `n_records` when the channel took its sub-buffer */
};

/* Gives the channel another sub-buffer or the scratch row, because its sub-buffer has no space for
 * the next record. */
void channel_switch(struct record_channel *channel);

/* Returns the number of bytes that the channel can take without channel_switch(). */
static inline size_t channel_room(const struct record_channel *channel)
{
    assert(channel->next <= channel->end);
    return (size_t)(channel->end - channel->next);
}

/* Returns space for a record of at most `bytes` bytes, 8-aligned, with undefined contents. bytes
 * must not exceed the row_bytes_max of stream_init(). */
static inline void *channel_reserve(struct record_channel *channel, size_t bytes)
{
    assert(bytes % 8 == 0);
    if (__builtin_expect(channel_room(channel) < bytes, 0)) {
        channel_switch(channel);
        assert(channel_room(channel) >= bytes);
    }
    return channel->next;
}

/* Completes the record reserved last. bytes: its size, which may be less than reserved. */
static inline void channel_commit(struct record_channel *channel, size_t bytes)
{
    assert(bytes % 8 == 0 && bytes <= channel_room(channel));
    channel->next += bytes;
    __builtin_prefetch(channel->next + CHANNEL_AHEAD_BYTES, 1);
    channel->n_records++;
    atomic_store_explicit(channel->used, (uint64_t)(channel->next - channel->rows),
                          memory_order_release);
    if (__builtin_expect(channel->tap != NULL, 0)) {
        channel->tap->row(channel->tap->ctx, channel, channel->next - bytes, bytes);
    }
}

#endif
