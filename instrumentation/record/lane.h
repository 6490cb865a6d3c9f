/*
 * lane.h - where recorders put their records: one PE's rows of one kind.
 *
 * Filling is the simulation's path and inline: lane_reserve(), fill the row, lane_commit(); not
 * committing drops the row. What happens to full segments is the stream's business (stream.h).
 *
 * Invariants
 *  L1  rows <= next <= end, all 8-aligned; rows[0 .. next - rows) are complete rows.
 *  L2  *used == next - rows; stored after the row, so that a journal never has half a row.
 * Cost per record: a comparison, two additions, three stores.
 */
#ifndef WARPSCOPE_RECORD_LANE_H
#define WARPSCOPE_RECORD_LANE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/format.h"

/* How far ahead of the row the memory of coming rows is fetched; may be beyond the segment. */
#define LANE_AHEAD_BYTES 512u

struct record_stream;
struct segment;
struct record_lane;

/* Somebody who sees each row that is put into a lane. It may not record anything. */
struct lane_tap {
    void (*row)(void *ctx, const struct record_lane *lane, const void *row, size_t bytes);
    void *ctx;
};

struct record_lane {
    unsigned char *next;        /* where the next row goes */
    unsigned char *end;         /* of the room for rows */
    unsigned char *rows;        /* the first row of the segment */
    _Atomic uint64_t *used;     /* the segment's count of bytes */
    uint64_t collected;         /* records committed so far */
    const struct lane_tap *tap; /* NULL: nobody looks */
    /* what follows is not touched while recording */
    struct record_stream *stream;
    const struct fmt_schema *schema;
    struct segment *segment; /* NULL: none, rows go nowhere or have not begun */
    bool is_void;            /* rows go nowhere: they are dropped, or lost */
    uint64_t void_mark;      /* collected when that began */
};

/* Makes room for a record of any size in a lane whose segment is full. */
void lane_make_room(struct record_lane *lane);

/* Bytes that fit without lane_make_room(). */
static inline size_t lane_room(const struct record_lane *lane)
{
    return (size_t)(lane->end - lane->next);
}

/* Room for a record of bytes (at most the row_bytes_max of stream_init()), 8-aligned, its contents
 * undefined. */
static inline void *lane_reserve(struct record_lane *lane, size_t bytes)
{
    assert(bytes % 8 == 0);
    if (__builtin_expect(lane_room(lane) < bytes, 0)) {
        lane_make_room(lane);
        assert(lane_room(lane) >= bytes);
    }
    return lane->next;
}

/* The record that was reserved last, bytes long or shorter, is complete. */
static inline void lane_commit(struct record_lane *lane, size_t bytes)
{
    lane->next += bytes;
    __builtin_prefetch(lane->next + LANE_AHEAD_BYTES, 1);
    lane->collected++;
    atomic_store_explicit(lane->used, (uint64_t)(lane->next - lane->rows), memory_order_release);
    if (__builtin_expect(lane->tap != NULL, 0)) {
        lane->tap->row(lane->tap->ctx, lane, lane->next - bytes, bytes);
    }
}

#endif
