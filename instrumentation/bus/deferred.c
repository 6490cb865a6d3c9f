/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred.c - delivers records, at once and at the commit of their event; see deferred.h. emit.c
 * emits them, deferred_probes.c undoes them.
 *
 * Invariants
 *  H1  An event has a block if and only if it has been executed and has emitted a record, and is
 *      neither undone nor committed.
 *  H2  If there are blocks, is_attached is true.
 *  H3  numbers.of[stream].emitted[lp] counts the records of events that were not undone. Undoing an
 *      event restores the count that was valid before the event's first record of the stream. Lost
 *      records are not counted.
 */
#include "bus/deferred.h"

#include <assert.h>

#include "bus/bus.h"
#include "bus/state.h"

/* ---- Dispatch -------------------------------------------------------------------------------- */

struct deferred_answer deferred_answer_begin(const st_record *record, st_class records)
{
    assert(records == ST_SPECULATIVE || records == ST_COMMITTED);
    struct deferred_answer before = g_st_deferred.answer;
    g_st_deferred.answer = (struct deferred_answer){record, records};
    return before;
}

void deferred_answer_end(struct deferred_answer before)
{
    g_st_deferred.answer = before;
}

void deferred_dispatch(const st_record *record, st_class records)
{
    struct deferred_answer before = deferred_answer_begin(record, records);
    bus_dispatch(record, records);
    deferred_answer_end(before);
}

void bus_dispatch_undone(st_stream_id stream, const st_undone *undone, tw_stime ts)
{
    const st_record record = {.stream = stream,
                              .type = ST_ROLLBACK,
                              .size = sizeof *undone,
                              .data = undone,
                              .lp = undone->lp,
                              .ts = ts,
                              .number = undone->first};
    /* Records that subscribers emit during this call are answers to this record. */
    deferred_dispatch(&record, ST_SPECULATIVE);
}

/* ---- Delivery at commit ---------------------------------------------------------------------- */

/* Ends the guard of the subscriber whose name is `guarded`, unless `guarded` is NULL. Returns NULL,
 * which the caller must store in `guarded`. */
static inline const char *end_guard(const char *guarded)
{
    if (guarded != NULL) {
        probe_observer_leave();
    }
    return NULL;
}

/* Calls the subscribers in the list; consecutive subscribers with the same name share one guard.
 * guarded: name of the subscriber whose guard is open; NULL: none. Returns the new value of
 * `guarded`. */
static inline const char *deliver_guarded(const struct callees *list, const st_record *record,
                                          const char *guarded)
{
    const struct callee *c = list->list;
    do {
        if (__builtin_expect(c->name != guarded, 0)) {
            end_guard(guarded);
            guarded = c->name;
            probe_observer_enter(guarded);
        }
        c->callback(record, c->arg);
    } while ((++c)->callback != NULL);
    return guarded;
}

/* Returns the route for the record of an entry; NULL if its stream has no subscribers. last: route
 * of the previous entry, returned again if stream and type are the same. */
static inline const struct route *route_after(const struct route *last,
                                              const struct deferred_entry *entry)
{
    if (__builtin_expect(last != NULL && route_is_of(last, entry->stream, entry->type), 1)) {
        return last;
    }
    return g_st_listened[entry->stream] != 0 ? bus_route(entry->stream, entry->type) : NULL;
}

/* Delivers all records of a block to committed subscribers, and removes its entries from the queue.
 * Work common to the records is done once. */
static void deliver_data(struct deferred *deferred, struct deferred_queue *queue,
                         const struct deferred_block *block, const tw_lp *lp, tw_stime ts)
{
    struct dispatching *d = &g_st_bus.dispatching;
    st_record record = {.lp = lp->gid, .ts = ts};
    const struct deferred_answer before = deferred_answer_begin(&record, ST_COMMITTED);
    const struct route *route = NULL;
    const char *guarded = NULL;
    d->depth++;
    for (uint32_t i = 0; i < block->n; i++) {
        const struct deferred_entry *entry = deferred_queue_next(queue);
        const uint32_t bytes = deferred_entry_bytes(entry->size);
        route = entry->size == DEFERRED_BARE ? NULL : route_after(route, entry);
        if (route != NULL) {
            deferred_entry_read(entry, &record);
            if (route->lists[ST_COMMITTED] != NULL) {
                guarded = deliver_guarded(route->lists[ST_COMMITTED], &record, guarded);
            } else if (route->are_several[ST_COMMITTED]) {
                guarded = end_guard(guarded);
                bus_dispatch(&record, ST_COMMITTED);
            }
        }
        deferred_queue_pop(queue, &deferred->pool, bytes);
    }
    end_guard(guarded);
    deferred_answer_end(before);
    if (--d->depth == 0 && __builtin_expect(d->retired != NULL, 0)) {
        callees_free_retired(d);
    }
}

void deferred_deliver_block(struct deferred *deferred, const tw_lp *lp, tw_stime ts)
{
    assert(lp->kp->id < deferred->n_kps);
    struct deferred_queue *queue = &deferred->queues[lp->kp->id];
    struct deferred_block block = deferred_queue_take(queue, &deferred->pool);
    if (block.has_data) {
        deliver_data(deferred, queue, &block, lp, ts);
    } else {
        for (uint32_t i = 0; i < block.n; i++) {
            deferred_queue_drop(queue, &deferred->pool);
        }
    }
    deferred_queue_done(queue, &deferred->pool);
}
