/*
 * lane.h - where recorders put their records: one PE's rows of one kind.
 *
 * Filling is the simulation's path and inline: lane_reserve(), fill the row, lane_commit(); not
 * committing drops the row. What happens to full buffers is the stream's business (stream.h).
 */
#ifndef WARPSCOPE_RECORD_LANE_H
#define WARPSCOPE_RECORD_LANE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"

struct record_stream;

struct record_lane {
    unsigned char *rows; /* owned; 8-aligned */
    size_t capacity;     /* bytes at rows, multiple of 8 */
    size_t used;         /* bytes of committed rows */
    uint64_t collected;  /* records committed so far */
    /* what follows is not touched while recording */
    struct record_stream *stream;
    const struct fmt_schema *schema;
    size_t min_free; /* bytes: with less free after GVT the buffer is written */
};

/* Makes room in a lane that is full. */
void lane_make_room(struct record_lane *lane);

/* Room for a record of bytes (at most the row_bytes_max of stream_init()), 8-aligned, its contents
 * undefined. */
static inline void *lane_reserve(struct record_lane *lane, size_t bytes)
{
    assert(bytes <= lane->capacity && bytes % 8 == 0);
    if (__builtin_expect(lane->capacity - lane->used < bytes, 0)) {
        lane_make_room(lane);
    }
    return lane->rows + lane->used;
}

/* The record that was reserved last, bytes long or shorter, is complete. */
static inline void lane_commit(struct record_lane *lane, size_t bytes)
{
    lane->used += bytes;
    lane->collected++;
}

#endif
