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

static enum tw_status lane_init(struct record_lane *lane, struct record_stream *stream,
                                uint32_t record, const struct stream_buffers *buffers,
                                size_t row_bytes_max)
{
    *lane = (struct record_lane){.stream = stream, .schema = fmt_schema_builtin(record)};
    if (buffers->size > SIZE_MAX / 2) {
        return TW_ERR_MEMORY;
    }
    size_t capacity = ((size_t)buffers->size + 7) & ~(size_t)7;
    if (capacity < row_bytes_max) {
        capacity = (row_bytes_max + 7) & ~(size_t)7;
    }
    size_t allocated = (capacity + STREAM_PAGE - 1) / STREAM_PAGE * STREAM_PAGE;
    lane->rows = aligned_alloc(STREAM_PAGE, allocated);
    if (lane->rows == NULL) {
        return TW_ERR_MEMORY;
    }
    /* The first records would otherwise pay for the pages: about as much as for themselves. */
    memset(lane->rows, 0, capacity < STREAM_TOUCH_MAX ? capacity : STREAM_TOUCH_MAX);
    lane->capacity = capacity;
    lane->min_free = capacity / 100 * buffers->free + (capacity % 100 * buffers->free + 99) / 100;
    return TW_OK;
}

enum tw_status stream_init(struct record_stream *stream, uint32_t pe, const uint32_t *records,
                           unsigned n_records, const struct stream_buffers *buffers,
                           size_t row_bytes_max)
{
    assert(n_records <= STREAM_LANES_MAX);
    *stream = (struct record_stream){.pe = pe, .n_lanes = n_records};
    for (unsigned i = 0; i < n_records; i++) {
        enum tw_status status =
            lane_init(&stream->lanes[i], stream, records[i], buffers, row_bytes_max);
        if (status != TW_OK) {
            return status;
        }
    }
    stream->mode = STREAM_MEMORY;
    return TW_OK;
}

struct record_lane *stream_lane(struct record_stream *stream, uint32_t record)
{
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        if (stream->lanes[i].schema->id == record) {
            return &stream->lanes[i];
        }
    }
    return NULL;
}

enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_layout *layout,
                              size_t row_bytes_max, char *error, size_t error_size)
{
    assert(stream->mode == STREAM_MEMORY);
    const struct fmt_schema *schemas[STREAM_LANES_MAX];
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        schemas[i] = stream->lanes[i].schema;
    }
    stream->path = strdup(path);
    struct fmt_error why = {0};
    enum fmt_status status = FMT_ERR_MEMORY;
    if (stream->path != NULL) {
        status = fmt_writer_init(&stream->writer, io, schemas, stream->n_lanes, layout, stream->pe,
                                 row_bytes_max, &why);
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
                           const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                           size_t error_size)
{
    struct fmt_error why = {0};
    if (fmt_file_open_write(&stream->file, path, &why) != FMT_OK) {
        snprintf(error, error_size, "%s", why.text);
        return TW_ERR_IO;
    }
    stream->file_is_open = true;
    return stream_connect(stream, &stream->file.io, path, layout, row_bytes_max, error, error_size);
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

void lane_make_room(struct record_lane *lane)
{
    struct record_stream *stream = lane->stream;
    if (stream->mode == STREAM_OPEN && lane->used > 0) {
        struct fmt_error why = {0};
        if (fmt_writer_append(&stream->writer, lane->schema, lane->rows, lane->used, stream->gvt,
                              NULL, &why) != FMT_OK) {
            switch_off(stream, &why);
        }
    }
    lane->used = 0;
}

void stream_flush(struct record_stream *stream)
{
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        lane_make_room(&stream->lanes[i]);
    }
}

void stream_gvt_advanced(struct record_stream *stream, double gvt)
{
    stream->gvt = gvt;
    for (unsigned i = 0; stream->mode == STREAM_OPEN && i < stream->n_lanes; i++) {
        struct record_lane *lane = &stream->lanes[i];
        if (lane->capacity - lane->used < lane->min_free) {
            lane_make_room(lane);
        }
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
    struct stream_totals t = {.failed = stream->failed};
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        t.collected += stream->lanes[i].collected;
    }
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
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        free(stream->lanes[i].rows);
    }
    free(stream->path);
    *stream = (struct record_stream){0};
}

void stream_check(const struct record_stream *stream)
{
    if (stream->mode == STREAM_NONE) {
        return;
    }
    uint64_t collected = 0;
    size_t used = 0;
    for (unsigned i = 0; i < stream->n_lanes; i++) {
        const struct record_lane *lane = &stream->lanes[i];
        assert(lane->used <= lane->capacity);
        assert(lane->used % 8 == 0 && lane->capacity % 8 == 0);
        assert(lane->min_free <= lane->capacity);
        collected += lane->collected;
        used += lane->used;
    }
    if (stream->mode == STREAM_OPEN) {
        assert(collected >= stream->writer.records);
        assert(used > 0 || collected == stream->writer.records);
    }
}
