/*
 * stream.c - buffering, sealing and writing of one PE's records of one kind.
 *
 * Rows gather in one buffer of --buffer-size bytes. It is sealed and written
 *   - after a GVT computation, when less than --buffer-free per cent of it is free, and
 *   - at once, when a record does not fit any more (the spill). Every PE writes into extents of its
 *     own, so that this needs no other rank and no second buffer; it costs the simulation a pause
 *     and is what the threshold after GVT is there to make rare.
 * A record is therefore never dropped for want of room. If writing fails the stream goes on
 * collecting into the buffer, over and over, only so that the loss can be counted exactly.
 *
 * Invariants
 *  S1  used <= capacity, both multiples of 8; rows[0 .. used) are complete rows.
 *  S2  capacity holds the largest record: an empty buffer never refuses one.
 *  S3  STREAM_OPEN: everything collected is either written or in the buffer.
 *  S4  STREAM_OFF and STREAM_CLOSED: lost = collected - written, forever.
 * Cost: a comparison and two additions per record, sealing apart (0.5 to 1.5 ns per byte).
 */
#include "record/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ross.h"

#define STREAM_PAGE      4096u
#define STREAM_TOUCH_MAX (64u << 20)

enum tw_status stream_init(struct record_stream *stream, uint32_t pe, uint64_t buffer_size,
                           unsigned buffer_free, size_t row_bytes_max)
{
    *stream = (struct record_stream){.pe = pe};
    if (buffer_size > SIZE_MAX / 2) {
        return TW_ERR_MEMORY;
    }
    size_t capacity = ((size_t)buffer_size + 7) & ~(size_t)7;
    if (capacity < row_bytes_max) {
        capacity = (row_bytes_max + 7) & ~(size_t)7;
    }
    size_t allocated = (capacity + STREAM_PAGE - 1) / STREAM_PAGE * STREAM_PAGE;
    stream->rows = aligned_alloc(STREAM_PAGE, allocated);
    if (stream->rows == NULL) {
        return TW_ERR_MEMORY;
    }
    /* The first records would otherwise pay for the pages: about as much as for themselves. */
    memset(stream->rows, 0, capacity < STREAM_TOUCH_MAX ? capacity : STREAM_TOUCH_MAX);
    stream->capacity = capacity;
    stream->min_free = capacity / 100 * buffer_free + (capacity % 100 * buffer_free + 99) / 100;
    stream->mode = STREAM_MEMORY;
    return TW_OK;
}

enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_schema *schema,
                              const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                              size_t error_size)
{
    assert(stream->mode == STREAM_MEMORY && stream->used == 0);
    stream->path = strdup(path);
    struct fmt_error why = {0};
    enum fmt_status status = FMT_ERR_MEMORY;
    if (stream->path != NULL) {
        status =
            fmt_writer_init(&stream->writer, io, schema, layout, stream->pe, row_bytes_max, &why);
    }
    if (status != FMT_OK) {
        snprintf(error, error_size, "%s: %s", path,
                 status == FMT_ERR_MEMORY ? "out of memory" : why.text);
        return status == FMT_ERR_MEMORY ? TW_ERR_MEMORY : TW_ERR_IO;
    }
    stream->mode = STREAM_OPEN;
    return TW_OK;
}

enum tw_status stream_open(struct record_stream *stream, const char *path,
                           const struct fmt_schema *schema, const struct fmt_layout *layout,
                           size_t row_bytes_max, char *error, size_t error_size)
{
    struct fmt_error why = {0};
    if (fmt_file_open_write(&stream->file, path, &why) != FMT_OK) {
        snprintf(error, error_size, "%s", why.text);
        return TW_ERR_IO;
    }
    stream->file_is_open = true;
    return stream_connect(stream, &stream->file.io, path, schema, layout, row_bytes_max, error,
                          error_size);
}

/* The one place where a stream fails: says so once and stops writing. */
static void switch_off(struct record_stream *stream, const struct fmt_error *why)
{
    tw_warning(TW_LOC, "PE %u: recording to %s stopped, the run goes on without it: %s",
               (unsigned)stream->pe, stream->path, why->text);
    stream->mode = STREAM_OFF;
    stream->failed = true;
}

static void close_file(struct record_stream *stream)
{
    struct fmt_error why = {0};
    if (stream->file_is_open && fmt_file_close(&stream->file, &why) != FMT_OK &&
        stream->mode == STREAM_OPEN) {
        switch_off(stream, &why);
    }
    stream->file_is_open = false;
}

void stream_describe(struct record_stream *stream, const struct fmt_payload_desc *descs, size_t n)
{
    if (stream->mode != STREAM_OPEN || n == 0) {
        return;
    }
    struct fmt_error why = {0};
    if (fmt_writer_meta(&stream->writer, descs, n, &why) != FMT_OK) {
        switch_off(stream, &why);
    }
}

void stream_flush(struct record_stream *stream)
{
    if (stream->mode == STREAM_OPEN && stream->used > 0) {
        struct fmt_error why = {0};
        if (fmt_writer_append(&stream->writer, stream->rows, stream->used, stream->gvt, NULL,
                              &why) != FMT_OK) {
            switch_off(stream, &why);
        }
    }
    stream->used = 0;
}

void stream_gvt_advanced(struct record_stream *stream, double gvt)
{
    stream->gvt = gvt;
    if (stream->mode == STREAM_OPEN && stream->capacity - stream->used < stream->min_free) {
        stream_flush(stream);
    }
}

void stream_end(struct record_stream *stream, struct fmt_end_info *end)
{
    if (stream->mode != STREAM_OPEN && stream->mode != STREAM_OFF) {
        return;
    }
    stream_flush(stream);
    struct fmt_error why = {0};
    end->records_dropped = stream_totals(stream).lost;
    enum fmt_status status = fmt_writer_end(&stream->writer, end, &why);
    /* A stream that is off has had its message; its END block is a bonus. */
    if (status != FMT_OK && stream->mode == STREAM_OPEN) {
        switch_off(stream, &why);
    }
    close_file(stream);
    stream->mode = STREAM_CLOSED;
}

struct stream_totals stream_totals(const struct record_stream *stream)
{
    struct stream_totals t = {.collected = stream->collected, .failed = stream->failed};
    if (stream->mode == STREAM_NONE || stream->mode == STREAM_MEMORY) {
        return t;
    }
    t.written = stream->writer.records;
    t.bytes = stream->writer.bytes;
    t.lost = stream->mode == STREAM_OPEN ? 0 : t.collected - t.written;
    return t;
}

void stream_fini(struct record_stream *stream)
{
    fmt_writer_fini(&stream->writer);
    close_file(stream);
    free(stream->rows);
    free(stream->path);
    *stream = (struct record_stream){0};
}

void stream_check(const struct record_stream *stream)
{
    if (stream->mode == STREAM_NONE) {
        return;
    }
    assert(stream->used <= stream->capacity);
    assert(stream->used % 8 == 0 && stream->capacity % 8 == 0);
    assert(stream->min_free <= stream->capacity);
    if (stream->mode == STREAM_OPEN) {
        assert(stream->collected >= stream->writer.records);
        assert(stream->used > 0 || stream->collected == stream->writer.records);
    }
}
