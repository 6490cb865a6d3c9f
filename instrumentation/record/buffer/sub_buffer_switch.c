/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sub_buffer_switch.c - the sub-buffer switch: how channels close sub-buffers and take new ones.
 *
 * A channel fills its sub-buffer. When the sub-buffer is full, the channel closes it and takes
 * another one. To close a sub-buffer is to number it and push it to the write queue. Closed
 * sub-buffers are written
 *   - by the writer thread, at once;
 *   - without a thread, after a GVT computation: the oldest first, block by block, while they are
 *     cached. A rank that wrote a long burst at once would keep the others waiting for the next
 *     GVT, so it writes more than WRITE_SOON_BYTES only until --buffer-free per cent of the buffers
 *     are free;
 *   - if no sub-buffer is free, as --buffer-full says.
 *
 * Every PE writes into its own extents, so writing involves no other rank. No record is lost
 * because buffers are full unless --buffer-full=drop requests it. After a write error the channels
 * use the scratch row, so that the loss is counted exactly.
 *
 * Invariants
 *  R1  A channel that is not discarding and has no sub-buffer has not had a record yet, or was just
 *      flushed.
 *  R2  There are more sub-buffers than channels: if none is free, one is closed and becomes free
 *      once it is written.
 *
 * Cost: about 100 ns per sub-buffer, apart from sealing. Time that the simulation's thread spends
 * on sealing, writing or waiting counts as recording.
 */
#include <assert.h>

#include "engine/probe.h"
#include "record/buffer/stream_private.h"

/* A rank without a writer thread writes all closed sub-buffers after each WRITE_TOGETHER-th GVT
 * computation, and after others all beyond WRITE_SOON_BYTES, but at most WRITE_SOON_BYTES at once
 * while the buffers have enough space. Ranks that write after the same computation delay each other
 * less: one that writes alone lets the others run ahead, and then undoes their events. */
#define WRITE_TOGETHER   8u
#define WRITE_SOON_BYTES (512u << 10)

static uint64_t channel_used(const struct record_channel *channel)
{
    return (uint64_t)(channel->next - channel->rows);
}

static void channel_enter(struct record_channel *channel, struct sub_buffer *sub_buffer)
{
    assert(sub_buffer->in_use && channel->sub_buffer == NULL);
    atomic_store_explicit(&sub_buffer->head->used, 0, memory_order_release);
    sub_buffer->head->schema_id = channel->schema->id;
    atomic_store_explicit(&sub_buffer->head->order, 0, memory_order_release);
    sub_buffer->schema = channel->schema;
    channel->sub_buffer = sub_buffer;
    channel->rows = channel->next = sub_buffer->rows;
    channel->end = sub_buffer->rows + channel->stream->queue.buffers.capacity;
    channel->used = &sub_buffer->head->used;
    channel->entered = channel->n_records;
}

/* Directs further rows of the channel to the scratch row. They count as dropped while the stream is
 * open, otherwise as lost. */
static void channel_enter_scratch(struct record_channel *channel)
{
    assert(channel->sub_buffer == NULL && !channel->is_discarding);
    channel->end = channel->rows + channel->stream->scratch_size;
    channel->is_discarding = true;
    channel->void_mark = channel->n_records;
}

/* Closes the sub-buffer of a channel if it has rows: pushes it to the write queue or, unless the
 * mode is STREAM_OPEN, frees it. */
static void channel_close(struct record_channel *channel)
{
    struct record_stream *stream = channel->stream;
    struct sub_buffer *sub_buffer = channel->sub_buffer;
    if (sub_buffer == NULL || channel->next == channel->rows) {
        return;
    }
    sub_buffer->records = channel->n_records - channel->entered;
    sub_buffer->has_next = false;
    channel_leave(channel);
    if (stream->mode != STREAM_OPEN) {
        write_queue_give_back(&stream->queue, sub_buffer);
        return;
    }
    sub_buffer->gvt = stream->gvt;
    atomic_store_explicit(&sub_buffer->head->order, ++stream->closed, memory_order_release);
    write_queue_push(&stream->queue, sub_buffer);
}

/* Returns a sub-buffer for a channel to fill; NULL if rows must go to the scratch row instead. If a
 * write error makes the stream wait for disk space, the next pass lets the buffers grow, and ends
 * the wait if they cannot. */
static struct sub_buffer *find_room(struct record_stream *stream)
{
    struct sub_buffer *sub_buffer = NULL;
    while (sub_buffer == NULL && (stream->mode == STREAM_OPEN || stream->mode == STREAM_MEMORY)) {
        sub_buffer = write_queue_take(&stream->queue, stream->mode == STREAM_MEMORY);
        if (sub_buffer == NULL && stream->overwrites) {
            stream_overwrite_oldest(stream);
            continue;
        }
        if (sub_buffer != NULL || stream->full == STREAM_DROP) {
            break;
        }
        enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
        bool waits = stream_waits(stream);
        bool grows = waits || stream->full == STREAM_SPILL;
        sub_buffer = grows ? buffers_grow(&stream->queue.buffers) : NULL;
        if (sub_buffer == NULL && waits) {
            stream_mend(stream);
        } else if (sub_buffer == NULL) {
            write_queue_step(&stream->queue);
            stream_mend_patiently(stream);
        }
        probe_phase_enter(before);
    }
    return sub_buffer;
}

void channel_switch(struct record_channel *channel)
{
    assert(channel->stream->mode != STREAM_NONE);
    struct record_stream *stream = channel->stream;
    stream_mend_patiently(stream);
    channel_close(channel);
    channel_leave(channel);
    struct sub_buffer *sub_buffer = find_room(stream);
    if (sub_buffer != NULL) {
        channel_enter(channel, sub_buffer);
    } else {
        channel_enter_scratch(channel);
    }
}

/* Writes the oldest closed sub-buffers until those that remain have at most `left` bytes.
 * patiently: true if sub-buffers may stay unwritten while the stream waits for disk space that
 * other ranks free. */
static void stream_write(struct record_stream *stream, uint64_t left, bool patiently)
{
    if (write_queue_bytes(&stream->queue) <= left) {
        return;
    }
    enum tw_phase before = probe_phase_enter(TW_PHASE_recording);
    do {
        if (patiently && stream_waits(stream)) {
            break;
        }
        write_queue_step(&stream->queue);
        if (patiently) {
            stream_mend_patiently(stream);
        } else {
            stream_mend(stream);
        }
    } while (write_queue_bytes(&stream->queue) > left);
    probe_phase_enter(before);
}

void stream_flush(struct record_stream *stream)
{
    for (unsigned i = 0; i < stream->n_channels; i++) {
        channel_close(&stream->channels[i]);
    }
    stream_write(stream, 0, false);
}

/* Returns the number of bytes of rows in sub-buffers that are not closed. Sets *fullest to the
 * channel with the most such bytes; NULL: no channel has any. */
static uint64_t open_bytes(struct record_stream *stream, struct record_channel **fullest)
{
    uint64_t sum = 0;
    *fullest = NULL;
    for (unsigned i = 0; i < stream->n_channels; i++) {
        struct record_channel *channel = &stream->channels[i];
        if (channel->sub_buffer != NULL && channel_used(channel) > 0) {
            sum += channel_used(channel);
            *fullest = *fullest == NULL || channel_used(*fullest) < channel_used(channel)
                           ? channel
                           : *fullest;
        }
    }
    return sum;
}

uint64_t stream_pending(struct record_stream *stream)
{
    struct record_channel *fullest;
    if (stream->mode != STREAM_OPEN || stream->overwrites) {
        return 0;
    }
    return write_queue_bytes(&stream->queue) + open_bytes(stream, &fullest);
}

/* A closed sub-buffer counts as full. Open sub-buffers with few rows are closed last, because small
 * blocks have a large overhead. */
void stream_gvt_advanced(struct record_stream *stream, double gvt)
{
    stream->gvt = gvt;
    stream->gvts++;
    if (stream->mode != STREAM_OPEN) {
        return;
    }
    stream_settle_disk(stream);
    stream_mend_patiently(stream);
    const struct buffers *b = &stream->queue.buffers;
    struct fmt_journal_live *live = buffers_live(b);
    if (live != NULL) {
        atomic_store_explicit(&live->gvt, gvt, memory_order_relaxed);
    }
    if (stream->overwrites) {
        stream_ring_gvt(stream);
        return;
    }
    struct record_channel *fullest;
    uint64_t size = (uint64_t)b->n_base * b->capacity;
    assert(stream->min_free <= size);
    uint64_t may_be_used = size - stream->min_free;
    uint64_t open = open_bytes(stream, &fullest);
    while (open > may_be_used) {
        assert(fullest != NULL);
        channel_close(fullest);
        open = open_bytes(stream, &fullest);
    }
    if (stream->queue.thread == NULL) {
        const uint64_t closed = write_queue_bytes(&stream->queue), most = may_be_used - open;
        const uint64_t later = closed > WRITE_SOON_BYTES ? closed - WRITE_SOON_BYTES : 0;
        uint64_t left = stream->gvts % WRITE_TOGETHER == 0 ? 0 : WRITE_SOON_BYTES;
        left = left > later ? left : later;
        stream_write(stream, left < most ? left : most, true);
    }
}
