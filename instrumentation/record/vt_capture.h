/*
 * vt_capture.h - what an LP was like at virtual times that it has passed, until that is final.
 *
 * A capture is made before the LP executes its first event at or past a sampling point. It is taken
 * back from the young end of the LP's queue when that event is undone, and recorded from the old
 * end when it cannot be undone any more.
 */
#ifndef WARPSCOPE_RECORD_VT_CAPTURE_H
#define WARPSCOPE_RECORD_VT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross.h"

struct vt_capture {
    struct vt_capture *older;
    struct vt_capture *younger;         /* in the free list: the next one */
    uint64_t first;                     /* number of the sampling point */
    uint64_t count;                     /* of points, from first on, that it stands for */
    uint64_t events;                    /* that the LP had executed, those undone not counted */
    double event_ts;                    /* of the event before which it was made */
    tw_bf bf;                           /* of the model's sample_event_fn */
    _Alignas(16) unsigned char bytes[]; /* of the model */
};

/* Captures of one size. Memory is taken in chunks and kept until vt_pool_fini(); what is in use
 * counts against --observer-memory. */
struct vt_pool {
    size_t bytes;      /* of the model in a capture, a multiple of 8 */
    size_t entry_size; /* of a capture with them */
    struct vt_capture *free;
    void *chunks;    /* the first 8 bytes of each point to the next */
    uint64_t in_use; /* captures out of the pool */
};

/* The captures of one LP. Zero-initialised it is empty. */
struct vt_queue {
    struct vt_capture *oldest;
    struct vt_capture *youngest;
};

void vt_pool_init(struct vt_pool *pool, size_t bytes);
void vt_pool_fini(struct vt_pool *pool);

/* Adds a capture at the young end; its bytes are zero, the rest but the links is the caller's to
 * fill. NULL: out of memory, nothing has changed. */
struct vt_capture *vt_queue_push(struct vt_queue *queue, struct vt_pool *pool);
/* Take the capture at one end of a queue that is not empty away. */
void vt_queue_drop_youngest(struct vt_queue *queue, struct vt_pool *pool);
void vt_queue_drop_oldest(struct vt_queue *queue, struct vt_pool *pool);

/* Aborts with a message when an invariant is broken; the number of captures. For tests. */
uint64_t vt_queue_check(const struct vt_queue *queue, const struct vt_pool *pool);

#endif
