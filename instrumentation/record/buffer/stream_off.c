/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_off.c - channels without a sub-buffer, and streams that an error has switched off. Their
 * rows go to the scratch row.
 */
#include <assert.h>
#include <string.h>

#include "engine/probe.h"
#include "record/buffer/stream_private.h"

void channel_leave(struct record_channel *channel)
{
    struct record_stream *stream = channel->stream;
    assert(!channel->is_discarding || channel->sub_buffer == NULL);
    if (channel->is_discarding && stream->mode == STREAM_OPEN) {
        stream->dropped += channel->n_records - channel->void_mark;
        struct fmt_journal_live *live = buffers_live(&stream->queue.buffers);
        if (live != NULL) {
            atomic_store_explicit(&live->dropped, stream->dropped, memory_order_relaxed);
        }
    }
    channel->is_discarding = false;
    channel->sub_buffer = NULL;
    channel->rows = channel->next = channel->end = stream->scratch;
    channel->used = &stream->scratch_used;
}

const char *stream_reason(const struct record_stream *stream, const struct fmt_error *why)
{
    size_t n = strlen(stream->path);
    bool names_path = strncmp(why->text, stream->path, n) == 0 && why->text[n] == ':';
    return names_path ? why->text + n + strspn(why->text + n, ": ") : why->text;
}

void stream_switch_off(struct record_stream *stream, const struct fmt_error *why)
{
    assert(stream->mode == STREAM_OPEN);
    if (why->status != FMT_ERR_LIMIT) { /* limit.c reports that the limit is reached */
        run_warning("PE %u: recording to %s stopped, the run goes on without it: %s",
                    (unsigned)stream->pe, stream->path, stream_reason(stream, why));
    }
    for (unsigned i = 0; i < stream->n_channels; i++) {
        struct sub_buffer *sub_buffer = stream->channels[i].sub_buffer;
        channel_leave(&stream->channels[i]);
        if (sub_buffer != NULL) {
            write_queue_give_back(&stream->queue, sub_buffer);
        }
    }
    write_queue_discard(&stream->queue);
    (void)buffers_leave_journal(
        &stream->queue.buffers); /* the contents of the buffers are no longer needed */
    stream->mode = STREAM_OFF;
    stream->failed = true;
    stream->crash_safe = false;
}
