/*
 * lane.h - a channel: one PE's rows of one kind, filled by a recorder.
 *
 * Filling is inline: call lane_reserve(), fill the row, call lane_commit(). A row that is not
 * committed is discarded. The stream (stream.h) takes care of full sub-buffers.
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

/* Distance of the prefetch of memory for coming rows; may reach beyond the sub-buffer. */
#define LANE_AHEAD_BYTES 512u

struct record_stream;
struct segment;
struct record_lane;

/* Called for each row that enters a channel. It must not record anything. */
struct lane_tap {
    void (*row)(void *ctx, const struct record_lane *lane, const void *row, size_t bytes);
    void *ctx;
};

struct record_lane {
    unsigned char *next;        /* where the next row goes */
    unsigned char *end;         /* end of the space for rows */
    unsigned char *rows;        /* first row of the sub-buffer */
    _Atomic uint64_t *used;     /* bytes used, in the head of the sub-buffer */
    uint64_t collected;         /* records committed since the start */
    const struct lane_tap *tap; /* NULL: no tap */
    /* The members below are not used per record. */
    struct record_stream *stream;
    const struct fmt_schema *schema;
    struct segment *segment; /* NULL: recording has not begun, or rows go to the scratch row */
    bool is_void;            /* true if rows go to the scratch row: they are dropped or lost */
    uint64_t void_mark;      /* value of collected when that began */
};

/* Makes space for a record of any size in a channel whose sub-buffer is full. */
void lane_make_room(struct record_lane *lane);

/* Returns the number of bytes that fit without lane_make_room(). */
static inline size_t lane_room(const struct record_lane *lane)
{
    return (size_t)(lane->end - lane->next);
}

/* Reserves bytes (at most the row_bytes_max of stream_init()) for a record. Returns them 8-aligned,
 * with undefined contents. */
static inline void *lane_reserve(struct record_lane *lane, size_t bytes)
{
    assert(bytes % 8 == 0);
    if (__builtin_expect(lane_room(lane) < bytes, 0)) {
        lane_make_room(lane);
        assert(lane_room(lane) >= bytes);
    }
    return lane->next;
}

/* Completes the record reserved last. bytes may be less than reserved. */
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
