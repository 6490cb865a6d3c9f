/*
 * stream.h - one PE's records of one kind on their way to the file: buffer, sealing, loss.
 *
 * Filling is the simulation's path and inline: stream_reserve(), fill the row, stream_commit(); not
 * committing drops the row. Nothing here is collective.
 */
#ifndef WARPSCOPE_RECORD_STREAM_H
#define WARPSCOPE_RECORD_STREAM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "format/format.h"

enum stream_mode {
    STREAM_NONE = 0, /* not in use */
    STREAM_MEMORY,   /* never written: a full buffer is filled anew (--disable-output) */
    STREAM_OPEN,     /* written to its file */
    STREAM_OFF,      /* writing failed: records are counted as lost */
    STREAM_CLOSED    /* ended */
};

struct record_stream {
    unsigned char *rows; /* owned; 8-aligned */
    size_t capacity;     /* bytes at rows, multiple of 8 */
    size_t used;         /* bytes of committed rows */
    uint64_t collected;  /* records committed so far */
    /* what follows is not touched while recording */
    enum stream_mode mode;
    uint32_t pe;
    size_t min_free; /* bytes: with less free after GVT the buffer is written */
    double gvt;      /* latest known, goes into the block headers */
    char *path;      /* owned; for messages */
    bool failed;     /* was switched off */
    bool file_is_open;
    struct fmt_file file;
    struct fmt_writer writer;
};

/* What a stream came to. written + lost == collected once it is ended; STREAM_MEMORY has neither.
 */
struct stream_totals {
    uint64_t collected;
    uint64_t written;
    uint64_t lost;
    uint64_t bytes; /* in the file */
    bool failed;    /* the file is incomplete, maybe only its END block */
};

/*
 * Takes the buffer: buffer_size bytes, raised to row_bytes_max so that any record fits an empty
 * buffer. buffer_free: per cent. The stream is in mode STREAM_MEMORY afterwards.
 * TW_ERR_MEMORY. Undo with stream_fini().
 */
enum tw_status stream_init(struct record_stream *stream, uint32_t pe, uint64_t buffer_size,
                           unsigned buffer_free, size_t row_bytes_max);

/*
 * Connects to a file that exists: writes go through io, which must outlive the stream. path
 * (copied) is what messages say. TW_ERR_MEMORY, or TW_ERR_IO with one line in error.
 */
enum tw_status stream_connect(struct record_stream *stream, const struct fmt_io *io,
                              const char *path, const struct fmt_schema *schema,
                              const struct fmt_layout *layout, size_t row_bytes_max, char *error,
                              size_t error_size);

/* Opens path and connects to it. */
enum tw_status stream_open(struct record_stream *stream, const char *path,
                           const struct fmt_schema *schema, const struct fmt_layout *layout,
                           size_t row_bytes_max, char *error, size_t error_size);

/* Writes descriptions of payloads. Failing switches the stream off with a message. */
void stream_describe(struct record_stream *stream, const struct fmt_payload_desc *descs, size_t n);

/* Empties the buffer: into the file, or away in the modes that do not write. Cost: sealing. */
void stream_flush(struct record_stream *stream);

/* After GVT: empties the buffer when less than the wanted part of it is free. */
void stream_gvt_advanced(struct record_stream *stream, double gvt);

/*
 * Writes what is left and the END block (end's records_dropped is filled in here), closes the file.
 * Failing to do so is reported by a message and in the totals. An open stream is STREAM_CLOSED
 * then.
 */
void stream_end(struct record_stream *stream, struct fmt_end_info *end);

struct stream_totals stream_totals(const struct record_stream *stream);

/* Frees everything; a zeroed or failed stream as well. */
void stream_fini(struct record_stream *stream);

/* Asserts the invariants. */
void stream_check(const struct record_stream *stream);

/* Room for a record of bytes (at most row_bytes_max), 8-aligned, its contents undefined. */
static inline void *stream_reserve(struct record_stream *stream, size_t bytes)
{
    assert(bytes <= stream->capacity && bytes % 8 == 0);
    if (__builtin_expect(stream->capacity - stream->used < bytes, 0)) {
        stream_flush(stream);
    }
    return stream->rows + stream->used;
}

/* The record that was reserved last, bytes long or shorter, is complete. */
static inline void stream_commit(struct record_stream *stream, size_t bytes)
{
    stream->used += bytes;
    stream->collected++;
}

#endif
