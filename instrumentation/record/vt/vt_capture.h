/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_capture.h - captured states of an LP at virtual times, until they are final.
 *
 * A capture is made before the LP executes its first event at or past a sampling point. When that
 * event is undone, the capture is removed from the young end of the LP's queue. When it cannot be
 * undone any more, the capture is recorded from the old end.
 */
#ifndef WARPSCOPE_RECORD_VT_VT_CAPTURE_H
#define WARPSCOPE_RECORD_VT_VT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross.h"

struct vt_capture {
    struct vt_capture *older;
    struct vt_capture *younger;         /* in the free list: the next one */
    uint64_t first;                     /* number of the first sampling point */
    uint64_t count;                     /* number of points covered */
    uint64_t events;                    /* events that the LP had executed, without undone ones */
    double event_ts;                    /* time of the event before which it was made */
    tw_bf bf;                           /* for sample_event_fn of the model */
    _Alignas(16) unsigned char bytes[]; /* data of the model */
};

/* Captures of one size. Memory is allocated in chunks and kept until vt_pool_fini(). Captures in
 * use count against --observer-memory. */
struct vt_pool {
    size_t bytes;      /* bytes of the model in a capture, a multiple of 8 */
    size_t entry_size; /* bytes of a capture with its data */
    struct vt_capture *free;
    void *chunks;    /* the first 8 bytes of each point to the next */
    uint64_t in_use; /* captures taken from the pool */
};

/* The captures of one LP. A zero-initialised queue is empty. */
struct vt_undo_log {
    struct vt_capture *oldest;
    struct vt_capture *youngest;
};

void vt_pool_init(struct vt_pool *pool, size_t bytes);
void vt_pool_fini(struct vt_pool *pool);

/* Adds a capture at the young end. Its bytes are zero and its links are set; the caller fills the
 * rest. Returns NULL, with no change, if memory is exhausted. */
struct vt_capture *vt_undo_log_push(struct vt_undo_log *queue, struct vt_pool *pool);
/* Remove the capture at one end of a queue that is not empty. */
void vt_undo_log_drop_youngest(struct vt_undo_log *queue, struct vt_pool *pool);
void vt_undo_log_drop_oldest(struct vt_undo_log *queue, struct vt_pool *pool);

/* Returns the number of captures. Aborts with a message if an invariant is violated. For tests. */
uint64_t vt_undo_log_check(const struct vt_undo_log *queue, const struct vt_pool *pool);

#endif
