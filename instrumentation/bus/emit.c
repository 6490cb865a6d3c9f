/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - emits records, see deferred.h. For the invariants H1 to H3 see deferred.c.
 *
 * Cost of a record of an event's handler, with one list of subscribers: looking up the route, a few
 * loads, filling the record, and copying it to the queue of the KP.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bus/deferred.h"
#include "bus/state.h"
#include "bus/tables/aligned.h"
#include "engine/in_process.h"

/* ---- During a run ---------------------------------------------------------------------------- */

/* Delivers a record that cannot be undone to both classes of subscribers. */
static void dispatch_to_both(const st_record *record)
{
    deferred_dispatch(record, ST_SPECULATIVE);
    deferred_dispatch(record, ST_COMMITTED);
}

/* Sets the instance of a record that begins a visit to the record's number, which must be set
 * already. */
static inline __attribute__((always_inline)) void begin_visit(st_record *record)
{
    if (record->instance == DEFERRED_NEW_VISIT) {
        record->instance = record->number;
    }
}

/* Emits a record that an observer emits while it is being called with another record. */
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

/* Returns the block of the event in process, which is added if needed; NULL if memory is
 * exhausted. */
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

/* Counts a record without data in the block of its event. Returns false if memory is exhausted. */
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

/* Copies the data of a record, size bytes. Both addresses are 8-aligned. Most records have one or
 * two words, for which a call of memcpy() would be slower than inline code. */
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
 * can replace the route in the cache. */
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

/* ---- Outside of a run ------------------------------------------------------------------------ */

/* Emits a record before tw_init() or after tw_end(), where no event can own it. The subscribers of
 * both classes are determined before any is called. */
static void emit_outside(const st_record *record)
{
    assert(g_tw_pe == NULL);
    const struct stream *stream = g_st_bus.streams.by_id[record->stream];
    bus_route(record->stream, record->type); /* stores the route for the next record */
    const struct listeners *committed = stream->subscribers.classes[ST_COMMITTED];
    const struct callees *all = committed == NULL ? NULL : committed->all;
    const struct callees *own = committed == NULL ? NULL : listeners_own(committed, record->type);
    struct dispatching *d = &g_st_bus.dispatching;
    /* This makes lists that are replaced stay valid until this call ends. */
    const unsigned hold = d->depth == 0;
    d->depth += hold;
    subscribers_call(&stream->subscribers, d, record, ST_SPECULATIVE);
    /* A speculative subscriber has possibly closed the stream. */
    bool is_open = stream->references > 0 && g_st_bus.is_on == BUS_ON;
    if (is_open && (all != NULL || own != NULL)) {
        callees_call(all, own, d, record);
    }
    d->depth -= hold;
    if (d->depth == 0 && d->retired != NULL) {
        callees_free_retired(d);
    }
}

/* ---- Any record ------------------------------------------------------------------------------ */

static __attribute__((noinline)) st_result notify_aligned(st_record *record)
{
    const void *given = record->data;
    void *copy = aligned_copy(record);
    if (copy == NULL) {
        return ST_NO_MEMORY;
    }
    st_result result = bus_notify_record(record);
    record->data = given;
    free(copy);
    return result;
}

st_result bus_notify_record(st_record *record)
{
    assert(record->size <= BUS_SIZE_MAX);
    if (!aligned_is(record)) {
        return notify_aligned(record);
    }
    /* During a run, records of types without subscribers are counted as well. */
    if (g_tw_pe != NULL) {
        bus_route(record->stream, record->type); /* stores the route for the next record */
        record->instance = deferred_emit(record);
        return ST_OK;
    }
    if (record->instance == DEFERRED_NEW_VISIT) {
        record->instance = ++g_st_bus.n_visits;
    }
    emit_outside(record);
    return ST_OK;
}

st_result bus_notify_any(st_stream_id stream, st_type type, const st_point *point, const void *data,
                         size_t size)
{
    if (!bus_is_valid(type, data, size)) {
        return ST_INVALID;
    }
    st_record record = bus_record(stream, type, point, data, size);
    return bus_notify_record(&record);
}

/* ---- Usual records during a run -------------------------------------------------------------- */

/* Emits a record of an event's handler, the usual case. Returns false for any other record. Calls
 * probe_now() only for the first record of an event: if an event in process has a block already,
 * its handler is running. */
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
