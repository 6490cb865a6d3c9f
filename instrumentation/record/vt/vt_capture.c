/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_capture.c - doubly linked queues of captures, with memory from a pool.
 *
 * Invariants
 *  C1  The captures of a queue cover sampling points without gaps, in ascending order.
 *  C2  events and event_ts do not decrease from old to young; captures made before the same event
 *      are equal in both.
 *  C3  A capture covers at least one point.
 * Cost of a capture: a few loads and stores, and clearing the bytes. Memory grows to the maximum
 * number of captures that were in use at the same time.
 */
#include "record/vt/vt_capture.h"

#include <assert.h>

#include "engine/probe.h"
#include "store/check.h"

void vt_pool_init(struct vt_pool *pool, size_t bytes)
{
    size_t padded = (bytes + 7) & ~(size_t)7;
    *pool = (struct vt_pool){.bytes = padded,
                             .entry_size = (sizeof(struct vt_capture) + padded + 15) & ~(size_t)15};
}

void vt_pool_fini(struct vt_pool *pool)
{
    probe_hold_bytes(-(int64_t)(pool->in_use * pool->entry_size));
    chunks_free(pool->chunks.list);
    *pool = (struct vt_pool){0};
}

struct vt_capture *vt_undo_log_push(struct vt_undo_log *queue, struct vt_pool *pool)
{
    assert((queue->oldest == NULL) == (queue->youngest == NULL));
    struct vt_capture *c = pool->free;
    if (c != NULL) {
        pool->free = c->younger;
    } else if ((c = chunks_take(&pool->chunks, pool->entry_size)) == NULL) {
        return NULL;
    }
    pool->in_use++;
    probe_hold_bytes((int64_t)pool->entry_size);
    c->older = queue->youngest;
    c->younger = NULL;
    if (queue->youngest != NULL) {
        queue->youngest->younger = c;
    } else {
        queue->oldest = c;
    }
    queue->youngest = c;
    memset(c->bytes, 0, pool->bytes);
    return c;
}

static void pool_put(struct vt_pool *pool, struct vt_capture *c)
{
    assert(pool->in_use > 0);
    c->younger = pool->free;
    pool->free = c;
    pool->in_use--;
    probe_hold_bytes(-(int64_t)pool->entry_size);
}

void vt_undo_log_drop_youngest(struct vt_undo_log *queue, struct vt_pool *pool)
{
    assert(queue->youngest != NULL && queue->youngest->younger == NULL);
    struct vt_capture *c = queue->youngest;
    queue->youngest = c->older;
    if (c->older != NULL) {
        c->older->younger = NULL;
    } else {
        queue->oldest = NULL;
    }
    pool_put(pool, c);
}

void vt_undo_log_drop_oldest(struct vt_undo_log *queue, struct vt_pool *pool)
{
    assert(queue->oldest != NULL && queue->oldest->older == NULL);
    struct vt_capture *c = queue->oldest;
    queue->oldest = c->younger;
    if (c->younger != NULL) {
        c->younger->older = NULL;
    } else {
        queue->youngest = NULL;
    }
    pool_put(pool, c);
}

bool vt_undo_log_check(const struct vt_undo_log *queue, const struct vt_pool *pool, uint64_t *n)
{
    const struct vt_capture *older = NULL;
    *n = 0;
    for (const struct vt_capture *c = queue->oldest; c != NULL; c = c->younger) {
        HOLDS(c->older == older);
        HOLDS(c->count >= 1); /* C3 */
        if (older != NULL) {
            HOLDS(c->first == older->first + older->count);                      /* C1 */
            HOLDS(c->events >= older->events && c->event_ts >= older->event_ts); /* C2 */
            HOLDS(c->events > older->events || c->event_ts <= older->event_ts);  /* C2 */
        }
        older = c;
        ++*n;
    }
    HOLDS(queue->youngest == older && *n <= pool->in_use);
    return true;
}
