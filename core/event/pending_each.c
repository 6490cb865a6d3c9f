/* SPDX-License-Identifier: BSD-3-Clause */
/* pending_each.c - visits all events of the pending queue that are not cancelled, in no particular
 * order. */
#include <assert.h>

#include "event/pending_ladder.h"

struct pending_visitor {
    pending_visit_f visit;
    void *ctx;
};

static bool pending_visit_array(const struct pending_visitor *v, const struct pending_entry *entry,
                                size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (entry[i].event->state.owner != EVENT_CANCELLED && !v->visit(v->ctx, entry[i].event)) {
            return false;
        }
    }
    return true;
}

static bool pending_visit_bag(const struct pending_visitor *v, pending_bag bag)
{
    for (; bag != NULL; bag = pending_bag_older(bag)) {
        if (!pending_visit_array(v, pending_bag_chunk(bag)->entry, pending_bag_newest(bag))) {
            return false;
        }
    }
    return true;
}

static bool pending_visit_rung(const struct pending_visitor *v, struct pending_rung *r,
                               struct pending_pool *pool)
{
    pending_rung_flush(r, pool);
    for (size_t i = pending_rung_next(r, r->cur); i < r->n_buckets;
         i = pending_rung_next(r, i + 1)) {
        if (!pending_visit_bag(v, r->bucket[i])) {
            return false;
        }
    }
    return true;
}

bool pending_each(struct pending *q, pending_visit_f visit, void *ctx)
{
    struct pending_ladder *l = (struct pending_ladder *)q;
    struct pending_visitor v = {visit, ctx};
    const size_t n_live = q->n_live;
    bool all = pending_visit_array(&v, q->front, q->n_front) &&
               pending_visit_array(&v, l->heap.entry, l->heap.n) && pending_visit_bag(&v, l->top);
    for (size_t i = 0; all && i < l->n_rungs; i++) {
        all = pending_visit_rung(&v, &l->rung[i], &l->pool);
    }
    assert(q->n_live == n_live); /* fails if visit has changed the queue */
    (void)n_live;
    return all;
}
