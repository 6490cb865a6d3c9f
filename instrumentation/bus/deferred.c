/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred.c - emitting and committing records, see deferred.h.
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
#include <string.h>

#include "bus/bus.h"
#include "bus/state.h"
#include "engine/in_process.h"

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

/* Delivers a record that cannot be undone to both classes of subscribers. */
static void dispatch_to_both(const st_record *record)
{
    deferred_dispatch(record, ST_SPECULATIVE);
    deferred_dispatch(record, ST_COMMITTED);
}

/* If the record begins a visit, sets its instance to its number, which must be set already. */
static inline __attribute__((always_inline)) void begin_visit(st_record *record)
{
    if (record->instance == DEFERRED_NEW_VISIT) {
        record->instance = record->number;
    }
}

/* Emits a record for an observer that is being called with another record. */
static void emit_answer(const struct deferred *deferred, st_record *record)
{
    assert(deferred->answer.answered != NULL);
    record->lp = deferred->answer.answered->lp;
    record->ts = deferred->answer.answered->ts;
    record->number = deferred->answer.answered->number;
    begin_visit(record);
    bool committed = deferred->answer.records == ST_COMMITTED;
    deferred_dispatch(record, ST_SPECULATIVE);
    if (committed) {
        deferred_dispatch(record, ST_COMMITTED);
    }
}

/* ---- Emitting -------------------------------------------------------------------------------- */

bool deferred_reports_undone(const struct deferred *deferred, st_stream_id stream)
{
    for (unsigned i = 0; i < deferred->n_undo; i++) {
        if (deferred->undo[i].stream == stream) {
            return true;
        }
    }
    return false;
}

static __attribute__((noinline)) void lose(struct deferred *deferred, const st_record *record)
{
    if (deferred->lost++ == 0) {
        tw_warning(
            TW_LOC,
            "out of memory for deferred records (%zu bytes are in use): committed subscribers lose "
            "records, first of the stream %s; lower --observer-memory or --max-memory",
            deferred->pool.bytes, st_stream_name(record->stream));
        run_results_are_lost();
    }
}

/* Returns the block of the event in process; adds a block if the event has none. Returns NULL if
 * memory is exhausted. */
static inline struct deferred_block *block_in_process(struct deferred *deferred,
                                                      struct deferred_queue *queue)
{
    const tw_event *event = g_tw_pe->cur_event;
    assert(event != NULL);
    if (queue->young_event == event) {
        return queue->youngest;
    }
    if (!deferred->is_attached) {
        deferred_attach(deferred);
    }
    return deferred_queue_open(queue, &deferred->pool, event);
}

/* Counts the record in the block of its event, without storing the record's data. Returns false if
 * memory is exhausted. */
static inline bool keep_bare(struct deferred *deferred, struct deferred_queue *queue,
                             const st_record *record)
{
    assert(queue->youngest != NULL);
    struct deferred_entry *entry = queue->youngest->youngest;
    if (entry != NULL && entry->size == DEFERRED_BARE && entry->stream == record->stream) {
        entry->n++;
        return true;
    }
    entry = deferred_queue_add(queue, &deferred->pool, DEFERRED_BARE);
    if (entry == NULL) {
        return false;
    }
    entry->n = 1;
    entry->number = record->number;
    entry->stream = record->stream;
    return true;
}

/* Copies `size` bytes of data of a record. Both addresses are 8-aligned. Most records have one or
 * two words, for which a call would be slower. */
static inline void copy_data(void *to, const void *from, uint32_t size)
{
    if (size == 8) {
        memcpy(to, from, 8);
    } else if (size == 16) {
        memcpy(to, from, 16);
    } else if (size > 0) {
        memcpy(to, from, size);
    }
}

/* Adds the record with its data to the block of its event. Returns false if memory is exhausted. */
static inline bool keep(struct deferred *deferred, struct deferred_queue *queue,
                        const st_record *record)
{
    assert(record->size < DEFERRED_HAS_VISIT);
    const bool has_visit = record->parent != NULL || record->instance != 0;
    struct deferred_entry *entry = deferred_queue_add(
        queue, &deferred->pool, record->size | (has_visit ? DEFERRED_HAS_VISIT : 0));
    if (entry == NULL) {
        return false;
    }
    if (has_visit) {
        *deferred_entry_visit(entry) = (struct deferred_visit){record->parent, record->instance};
    }
    entry->point = record->point;
    entry->number = record->number;
    entry->stream = record->stream;
    entry->type = record->type;
    copy_data(deferred_entry_data(entry), record->data, record->size);
    return true;
}

/* Emits a record of an event handler of lp. Reads the route first, since a callback or a rollback
 * may replace it in the cache. */
static inline __attribute__((always_inline)) void emit_in_event(struct deferred *deferred,
                                                                const struct route *route,
                                                                struct deferred_queue *queue,
                                                                st_record *record, const tw_lp *lp)
{
    const struct callees *speculative = route->lists[ST_SPECULATIVE];
    const bool are_several = route->are_several[ST_SPECULATIVE];
    uint64_t *emitted = &route->emitted[lp->id];
    assert(route->emitted != NULL && lp->id < deferred->numbers.n_lps);
    record->number = *emitted + 1;
    begin_visit(record);
    if (__builtin_expect(block_in_process(deferred, queue) != NULL &&
                             (route->keeps_data ? keep(deferred, queue, record)
                                                : keep_bare(deferred, queue, record)),
                         1)) {
        queue->youngest->reports_undone |=
            speculative != NULL || are_several || route->reports_undone;
        ++*emitted;
    } else if (route->keeps_data) {
        lose(deferred, record);
    }
    if (__builtin_expect(are_several, 0)) {
        bus_dispatch(record, ST_SPECULATIVE);
    } else if (speculative != NULL) {
        callees_call(speculative, NULL, &g_st_bus.dispatching, record);
    }
}

static void emit_in_init(struct deferred *deferred, st_record *record, tw_lp *lp)
{
    record->number = ++record_numbers_emitted(&deferred->numbers, record->stream)[lp->id];
    begin_visit(record);
    /* Committed subscribers get the record first: records that speculative subscribers emit in
     * answer must follow it in both classes. */
    deferred_dispatch(record, ST_COMMITTED);
    bus_dispatch(record, ST_SPECULATIVE);
}

static void emit_from(struct deferred *deferred, st_record *record, const struct probe_now *now)
{
    tw_lp *lp = now->lp;
    assert(lp != NULL && lp->kp->id < deferred->n_kps);
    record->lp = lp->gid;
    record->ts = now->ts;
    switch (now->context) {
    case PROBE_IN_INIT:
        emit_in_init(deferred, record, lp);
        break;
    case PROBE_IN_EVENT:
        emit_in_event(deferred, bus_route(record->stream, record->type),
                      &deferred->queues[lp->kp->id], record, lp);
        break;
    case PROBE_IN_COMMIT:
        assert(g_tw_pe->cur_event != NULL);
        deferred_deliver(deferred, g_tw_pe->cur_event, lp, now->ts);
        record->number = record_numbers_settle(&deferred->numbers, record->stream, lp->id);
        begin_visit(record);
        dispatch_to_both(record);
        break;
    case PROBE_IN_FINAL:
        record->number = record_numbers_settle(&deferred->numbers, record->stream, lp->id);
        begin_visit(record);
        dispatch_to_both(record);
        break;
    default: /* the record of a reverse handler or trial execution is discarded */
        break;
    }
}

uint64_t deferred_emit(const st_record *given)
{
    struct deferred *deferred = &g_st_deferred;
    st_record record = *given;
    if (deferred->answer.answered != NULL) {
        emit_answer(deferred, &record);
        return record.instance;
    }
    struct probe_now now = probe_now();
    if (now.context != PROBE_IN_NOTHING && now.lp != NULL && deferred->table != NULL) {
        emit_from(deferred, &record, &now);
        return record.instance == DEFERRED_NEW_VISIT ? 0 : record.instance;
    }
    record.lp = ST_NO_LP;
    record.ts = now.ts;
    record.number = 0;
    if (record.instance == DEFERRED_NEW_VISIT) {
        record.instance = ++g_st_bus.n_visits;
    }
    dispatch_to_both(&record);
    return record.instance;
}

/* Emits a record of an event's handler, the usual case. Returns false for any other record. The
 * context is determined only for the first record of an event: later, the event's block shows that
 * the event's handler is running. */
static inline __attribute__((always_inline)) bool emit_usual(st_record *record)
{
    struct deferred *deferred = &g_st_deferred;
    const struct route *route = routes_at(&g_st_bus.routes, record->stream, record->type);
    const tw_event *event = g_tw_pe->cur_event;
    const tw_lp *lp = event != NULL ? event->dest_lp : NULL;
    if (__builtin_expect(!route_is_of(route, record->stream, record->type) || lp == NULL ||
                             deferred->answer.answered != NULL,
                         0)) {
        return false;
    }
    struct deferred_queue *queue = &deferred->queues[lp->kp->id];
    if (__builtin_expect(queue->young_event != event || !event_is_in_process(event), 0) &&
        probe_now().context != PROBE_IN_EVENT) {
        return false;
    }
    record->lp = lp->gid;
    record->ts = event->recv_ts;
    emit_in_event(deferred, route, queue, record, lp);
    return true;
}

st_result deferred_notify(st_stream_id stream, st_type type, const st_point *point,
                          const void *data, size_t size)
{
    st_record record = {
        .stream = stream, .type = type, .size = (uint32_t)size, .data = data, .point = point};
    if (__builtin_expect(!bus_is_unusual(data, size), 1) && emit_usual(&record)) {
        return ST_OK;
    }
    return bus_notify_any(stream, type, point, data, size);
}

st_result deferred_notify_visit(st_record *record)
{
    return emit_usual(record) ? ST_OK : bus_notify_record(record);
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
 * of the entry before, which is used again if stream and type are equal. */
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
    deferred_detach_if_idle(deferred);
}
