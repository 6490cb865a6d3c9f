/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_capture.h - states of an LP that were captured at virtual times, kept until they are final.
 *
 * A capture is made before the LP executes its first event at or past a sampling point. When that
 * event is undone, the capture is removed from the young end of the LP's queue. When the event
 * cannot be undone any more, the capture is taken from the old end and recorded.
 */
#ifndef WARPSCOPE_RECORD_VT_VT_CAPTURE_H
#define WARPSCOPE_RECORD_VT_VT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross.h"
#include "store/chunks.h"

struct vt_capture {
    struct vt_capture *older;
    /* Next capture towards the young end. In the list of free captures: the next free capture. */
    struct vt_capture *younger;
    uint64_t first; /* ordinal number of the first sampling point that the capture covers */
    uint64_t count; /* number of sampling points that the capture covers */
    /* Number of events that the LP had executed before the capture, not counting undone events. */
    uint64_t events;
    double event_ts; /* receive time of the event before which the capture was made */
    tw_bf bf;        /* bits that the model's sample_event_fn has set */
    _Alignas(16) unsigned char bytes[]; /* data that the model wrote */
};

/* Pool of captures of the same size. Memory is allocated in chunks and kept until vt_pool_fini().
 * Captures in use count against --observer-memory. */
struct vt_pool {
    size_t bytes;      /* size of the model's data in a capture, a multiple of 8 */
    size_t entry_size; /* size of a capture with its data, in bytes */
    struct vt_capture *free;
    struct chunks chunks;
    uint64_t in_use; /* number of captures taken from the pool */
};

/* The captures of one LP. A zero-initialised queue is empty. */
struct vt_undo_log {
    struct vt_capture *oldest;
    struct vt_capture *youngest;
};

/* Initialises a pool for captures with `bytes` bytes of the model's data. */
void vt_pool_init(struct vt_pool *pool, size_t bytes);
/* Frees all memory of the pool, including captures in use. */
void vt_pool_fini(struct vt_pool *pool);

/* Adds a capture from pool at the young end of the queue, and returns it. Its bytes are zero and
 * its links are set; the caller fills the other members. If memory is exhausted, returns NULL and
 * changes nothing. */
struct vt_capture *vt_undo_log_push(struct vt_undo_log *queue, struct vt_pool *pool);
/* Removes the youngest capture of a queue that is not empty, and returns it to the pool. */
void vt_undo_log_drop_youngest(struct vt_undo_log *queue, struct vt_pool *pool);
/* Removes the oldest capture of a queue that is not empty, and returns it to the pool. */
void vt_undo_log_drop_oldest(struct vt_undo_log *queue, struct vt_pool *pool);

/* Returns true if the invariants hold, and sets *n to the number of captures in the queue. */
bool vt_undo_log_check(const struct vt_undo_log *queue, const struct vt_pool *pool, uint64_t *n);

#endif
