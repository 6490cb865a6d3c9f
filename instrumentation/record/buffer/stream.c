/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.c - the stream of records from one PE to one file, from set-up to the end of the file.
 *
 * Invariants
 *  S1  A channel discards rows, or has no sub-buffer, or has one that is in use and not closed.
 *  S2  A sub-buffer in use belongs to a channel or to the write queue, never to both.
 *  S3  STREAM_OPEN: every record is in the file, in a sub-buffer, or dropped.
 *  S4  STREAM_OFF and STREAM_CLOSED: records that are neither in the file nor dropped are lost.
 *  S5  There is a journal only while the stream is open.
 */
#include "record/buffer/stream_private.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/probe.h"
#include "store/check.h"

/* Minimum size of the scratch row in bytes: space for several rows, so that not every row needs a
 * call of channel_switch(). */
#define SCRATCH_SIZE_MIN 4096u

/* Returns per_cent per cent of size, rounded up. */
static uint64_t part_of(uint64_t size, unsigned per_cent)
{
    return size / 100 * per_cent + (size % 100 * per_cent + 99) / 100;
}

enum tw_status stream_init(struct record_stream *stream, uint32_t pe, const uint32_t *records,
                           unsigned n_records, const struct stream_buffers *buffers,
                           size_t row_bytes_max)
{
    assert(n_records >= 1 && n_records <= STREAM_CHANNELS_MAX);
    *stream = (struct record_stream){.pe = pe,
                                     .n_channels = n_records,
                                     .full = buffers->full,
                                     .overwrites = buffers->overwrites};
    assert(buffers->free <= 100);
    write_queue_init(&stream->queue);
    stream->row_bytes_max = row_bytes_max;
    stream->scratch_size = row_bytes_max < SCRATCH_SIZE_MIN ? SCRATCH_SIZE_MIN : row_bytes_max;
    stream->scratch = malloc(stream->scratch_size);
    struct buffers *b = &stream->queue.buffers;
    bool good = buffers->overwrites ? buffers_init_ring(b, buffers->size, n_records, row_bytes_max)
                                    : buffers_init(b, buffers->size, n_records, row_bytes_max);
    if (!good || stream->scratch == NULL) {
        return TW_ERR_MEMORY;
    }
    stream->min_free = part_of((uint64_t)b->n_base * b->capacity, buffers->free);
    for (unsigned i = 0; i < n_records; i++) {
        struct record_channel *channel = &stream->channels[i];
        *channel =
            (struct record_channel){.stream = stream, .schema = fmt_schema_builtin(records[i])};
        channel_leave(channel);
    }
    buffers_touch(b);
    stream->mode = STREAM_MEMORY;
    return TW_OK;
}

struct record_channel *stream_channel(struct record_stream *stream, uint32_t record)
{
    for (unsigned i = 0; i < stream->n_channels; i++) {
        if (stream->channels[i].schema->id == record) {
            return &stream->channels[i];
        }
    }
    return NULL;
}

enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_layout *layout,
                              size_t row_bytes_max, char *error, size_t error_size)
{
    assert(stream->mode == STREAM_MEMORY);
    const struct fmt_schema *schemas[STREAM_CHANNELS_MAX];
    for (unsigned i = 0; i < stream->n_channels; i++) {
        schemas[i] = stream->channels[i].schema;
    }
    stream->path = strdup(path);
    struct fmt_error why = {0};
    enum fmt_status status = FMT_ERR_MEMORY;
    if (stream->path != NULL) {
        status = fmt_writer_init(&stream->queue.writer, io, schemas, stream->n_channels, layout,
                                 stream->pe, row_bytes_max, &why);
    }
    if (status == FMT_OK) {
        status = fmt_writer_reserve(&stream->queue.writer, &why);
    }
    if (status != FMT_OK) {
        const char *text = status == FMT_ERR_MEMORY ? "out of memory" : why.text;
        bool names_file = strncmp(text, path, strlen(path)) == 0;
        snprintf(error, error_size, "%s%s%s", names_file ? "" : path, names_file ? "" : ": ", text);
        return status == FMT_ERR_MEMORY ? TW_ERR_MEMORY : TW_ERR_IO;
    }
    stream->mode = STREAM_OPEN;
    return TW_OK;
}

enum tw_status stream_open(struct record_stream *stream, const char *path,
                           const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                           size_t error_size)
{
    assert(!stream->file_is_open);
    struct fmt_error why = {0};
    if (fmt_file_open_write(&stream->file, path, &why) != FMT_OK) {
        snprintf(error, error_size, "%s", why.text);
        return TW_ERR_IO;
    }
    stream->file_is_open = true;
    /* The lock shows other programs that a live run uses the file. A failure is ignored. */
    fmt_file_lock(&stream->file, false);
    return stream_connect(stream, &stream->file.io, path, layout, row_bytes_max, error, error_size);
}

enum tw_status stream_reopen(struct record_stream *stream, const char *path,
                             const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                             size_t error_size)
{
    assert(stream->mode == STREAM_CLOSED && stream->queue.thread == NULL);
    fmt_writer_fini(&stream->queue.writer);
    free(stream->path);
    stream->path = NULL;
    stream->closed = stream->dropped = stream->overwritten = 0;
    stream->kept_gvt = stream->kept_seconds = 0.0;
    stream->kept_is_due = stream->failed = stream->is_removed = stream->crash_safe = false;
    stream->queue.spilled_bytes = 0;
    for (unsigned i = 0; i < stream->n_channels; i++) {
        stream->channels[i].n_records = stream->channels[i].entered = 0;
    }
    stream->mode = STREAM_MEMORY;
    enum tw_status status = stream_open(stream, path, layout, row_bytes_max, error, error_size);
    if (status != TW_OK) {
        stream->mode = STREAM_OFF;
        stream->failed = true;
    }
    return status;
}

int stream_keep_journal(struct record_stream *stream, const char *path, uint32_t stream_id)
{
    assert(stream->mode == STREAM_OPEN && stream->closed == 0 &&
           stream->queue.writer.at.blocks == 0);
    int why = buffers_keep_journal(
        &stream->queue.buffers, path,
        (struct fmt_journal_head){.file_id = stream->queue.writer.layout.file_id,
                                  .pe = stream->pe,
                                  .stream = stream_id,
                                  .version = stream->overwrites ? FMT_JOURNAL_VERSION_RING
                                                                : FMT_JOURNAL_VERSION,
                                  .row_bytes_max = stream->row_bytes_max});
    stream->crash_safe = why == 0;
    if (why == 0) {
        buffers_touch(&stream->queue.buffers);
    }
    return why;
}

/* Switches the stream off if its file was removed during the run, perhaps with its directory, since
 * further records would be lost with the file. */
static void notice_removal(struct record_stream *stream)
{
    struct stat now;
    if (!stream->file_is_open || fstat(stream->file.fd, &now) != 0 || now.st_nlink > 0) {
        return;
    }
    struct fmt_error why = {.status = FMT_ERR_IO};
    snprintf(why.text, sizeof(why.text), "the file was removed while it was written");
    stream->is_removed = true;
    if (stream->mode == STREAM_OPEN) {
        stream_switch_off(stream, &why);
    }
}

/* Makes the file system report lost writes, which some file systems otherwise report only at close.
 * After a loss, rewrites the END block, which must not claim completeness. */
static void settle_file(struct record_stream *stream, const struct fmt_end_info *end)
{
    struct fmt_error why = {0};
    if (!stream->file_is_open || fmt_file_settle(&stream->file, &why) == FMT_OK) {
        return;
    }
    if (stream->mode == STREAM_OPEN) {
        stream_switch_off(stream, &why);
    }
    stream->failed = true;
    struct fmt_end_info unsure = *end;
    unsure.records_dropped = FMT_DROPPED_UNKNOWN;
    if (stream->queue.writer.ended &&
        fmt_writer_end_again(&stream->queue.writer, &unsure, &why) != FMT_OK) {
        run_warning("PE %u: %s is marked as complete, but may be incomplete: %s",
                    (unsigned)stream->pe, stream->path, stream_reason(stream, &why));
    }
}

/* Closes the file. After settle_file(), no write is left that could fail. */
static void close_file(struct record_stream *stream)
{
    if (stream->file_is_open) {
        fmt_file_close(&stream->file, NULL);
    }
    stream->file_is_open = false;
}

/* Called when a block has been written: switches the stream off if that failed. */
static void block_written(struct record_stream *stream, enum fmt_status status,
                          const struct fmt_error *why)
{
    if (status != FMT_OK) {
        stream_switch_off(stream, why);
    } else {
        stream_checkpoint(stream);
    }
}

static void write_descs(struct record_stream *stream, const struct fmt_payload_desc *descs,
                        size_t n)
{
    struct fmt_error why = {0};
    if (stream->mode == STREAM_OPEN && n > 0) {
        block_written(stream, fmt_writer_meta(&stream->queue.writer, descs, n, &why), &why);
    }
}

void stream_describe(struct record_stream *stream, const struct fmt_payload_desc *descs, size_t n)
{
    struct fmt_error why = {.status = FMT_ERR_MEMORY, .text = "out of memory"};
    write_descs(stream, descs, n);
    for (size_t i = 0; stream->overwrites && stream->mode == STREAM_OPEN && i < n; i++) {
        if (!fmt_desc_set_copy(&stream->descs, &descs[i])) {
            stream_switch_off(stream, &why);
        }
    }
}

void stream_name_lps(struct record_stream *stream, fmt_next_name next, void *ctx)
{
    struct fmt_error why = {0};
    if (stream->mode == STREAM_OPEN) {
        block_written(stream, fmt_writer_names(&stream->queue.writer, next, ctx, &why), &why);
    }
}

void stream_describe_again(struct record_stream *stream)
{
    write_descs(stream, stream->descs.descs, stream->descs.n);
}

void stream_write_change(struct record_stream *stream, const struct fmt_change *change)
{
    if (stream->mode == STREAM_OPEN && !stream->overwrites) {
        stream_flush(stream);
    }
    struct fmt_error why = {0};
    if (stream->mode == STREAM_OPEN) { /* not if stream_flush() has just switched the stream off */
        block_written(stream, fmt_writer_change(&stream->queue.writer, change, &why), &why);
    }
}

void stream_end(struct record_stream *stream, struct fmt_end_info *end)
{
    if (stream->mode != STREAM_OPEN && stream->mode != STREAM_OFF) {
        return;
    }
    if (stream->mode == STREAM_OPEN && stream->overwrites) {
        stream_ring_gvt(stream);
    }
    stream_flush(stream);
    for (unsigned i = 0; i < stream->n_channels; i++) {
        channel_leave(&stream->channels[i]);
    }
    struct stream_totals totals = stream_totals(stream);
    end->records_dropped = totals.lost + totals.dropped;
    end->overwritten = totals.overwritten;
    end->kept_gvt = stream->kept_gvt;
    end->kept_real_time = stream->kept_seconds;
    struct fmt_error why = {0};
    enum fmt_status status = fmt_writer_end(&stream->queue.writer, end, &why);
    /* If the stream is off, its error has been reported already, and the END block is optional. If
     * there were no records to lose, the END block makes the file complete in spite of the error. */
    if (status != FMT_OK && stream->mode == STREAM_OPEN) {
        stream_switch_off(stream, &why);
    }
    stream->failed = stream->failed && (status != FMT_OK || end->records_dropped > 0);
    notice_removal(stream);
    buffers_remove_journal(&stream->queue.buffers);
    settle_file(stream, end);
    close_file(stream);
    stream->mode = STREAM_CLOSED;
}

struct stream_totals stream_totals(const struct record_stream *stream)
{
    struct stream_totals t = {.failed = stream->failed, .unsafe = !stream->crash_safe};
    for (unsigned i = 0; i < stream->n_channels; i++) {
        t.collected += stream->channels[i].n_records;
    }
    if (stream->mode == STREAM_NONE || stream->mode == STREAM_MEMORY) {
        return t;
    }
    t.written = stream->is_removed ? 0 : stream->queue.writer.at.records;
    t.bytes = stream->is_removed ? 0 : stream->queue.writer.at.bytes;
    t.spilled_bytes = stream->queue.spilled_bytes;
    t.dropped = stream->dropped;
    t.overwritten = stream->overwritten;
    uint64_t accounted = t.written + t.dropped + t.overwritten;
    assert(stream->mode == STREAM_OPEN || accounted <= t.collected);
    t.lost = stream->mode == STREAM_OPEN ? 0 : t.collected - accounted;
    return t;
}

void stream_fini(struct record_stream *stream)
{
    fmt_writer_fini(&stream->queue.writer);
    fmt_desc_set_free(&stream->descs);
    close_file(stream);
    buffers_fini(&stream->queue.buffers);
    free(stream->scratch);
    free(stream->path);
    *stream = (struct record_stream){0};
}

static bool channel_check(const struct record_channel *channel, const struct record_stream *stream)
{
    const struct sub_buffer *sub_buffer = channel->sub_buffer;
    HOLDS(channel->stream == stream && channel->rows <= channel->next &&
          channel->next <= channel->end);
    HOLDS((channel->next - channel->rows) % 8 == 0 && (uintptr_t)channel->rows % 8 == 0);
    HOLDS(sub_buffer == NULL || !channel->is_discarding);
    if (sub_buffer != NULL) {
        HOLDS(sub_buffer->in_use && channel->rows == sub_buffer->rows);
        HOLDS(channel->end == channel->rows + stream->queue.buffers.capacity);
        HOLDS(channel->used == &sub_buffer->head->used && sub_buffer->head->order == 0);
        HOLDS(sub_buffer->head->used == (uint64_t)(channel->next - channel->rows));
    }
    return true;
}

bool stream_check(const struct record_stream *stream)
{
    if (stream->mode == STREAM_NONE) {
        return true;
    }
    const struct buffers *b = &stream->queue.buffers;
    unsigned in_use = 0, expected = 0;
    for (unsigned i = 0; i < stream->n_channels; i++) {
        HOLDS(channel_check(&stream->channels[i], stream));
        expected += stream->channels[i].sub_buffer != NULL;
    }
    if (stream->queue.thread != NULL) {
        return true; /* the writer thread is possibly changing the members that are checked below */
    }
    for (const struct sub_buffer *s = stream->queue.first; s != NULL; s = s->next) {
        HOLDS(s->in_use && s->head->order > 0 && s->head->order <= stream->closed);
        HOLDS(s->next == NULL || s->next->head->order == s->head->order + 1);
        expected++;
    }
    for (unsigned i = 0; i < b->n; i++) {
        in_use += b->sub_buffers[i].in_use;
    }
    HOLDS(in_use == expected && b->n <= b->n_max && stream->queue.n <= in_use);
    HOLDS(stream->mode == STREAM_OPEN || stream->queue.first == NULL);
    HOLDS(stream->mode == STREAM_OPEN || b->journal < 0);
    return true;
}
