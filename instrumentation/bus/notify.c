/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notify.c - emits records and delivers them.
 *
 * Cost: one load if there are no subscribers. Outside of a run, with one list of subscribers: two
 * more loads, and filling the record. In all other cases see deferred_emit() and subscriptions.c.
 */
#include <assert.h>
#include <stdlib.h>

#include "bus/deferred.h"
#include "bus/state.h"
#include "bus/tables/aligned.h"
#include "bus/tables/api.h"

static inline void dispatch(const struct subscribers *to, const st_record *record, st_class records)
{
    subscribers_call(to, &g_st_bus.dispatching, record, records);
}

/* Returns the only list of subscribers that get a record of this type outside of a run; NULL: none,
 * or several. */
static const struct callees *only_list(const struct subscribers *to, st_type type)
{
    bool speculative = subscribers_listen(to, type, ST_SPECULATIVE);
    if (speculative && subscribers_listen(to, type, ST_COMMITTED)) {
        return NULL;
    }
    return subscribers_only_list(to, type, speculative ? ST_SPECULATIVE : ST_COMMITTED);
}

const struct route *bus_route_make(st_stream_id stream, st_type type)
{
    assert(stream < g_st_bus.streams.n && g_st_listened[stream] != 0);
    struct route *route = routes_at(&g_st_bus.routes, stream, type);
    const struct subscribers *to = &g_st_bus.streams.by_id[stream]->subscribers;
    *route = (struct route){.key = routes_key(stream, type), .only = only_list(to, type)};
    for (int c = 0; c < SUBSCRIPTION_CLASSES; c++) {
        route->lists[c] = subscribers_only_list(to, type, (st_class)c);
        route->are_several[c] =
            route->lists[c] == NULL && subscribers_listen(to, type, (st_class)c);
    }
    route->reports_undone = deferred_reports_undone(&g_st_deferred, stream);
    route->keeps_data = route->reports_undone || subscribers_listen(to, type, ST_COMMITTED);
    if (g_st_deferred.table != NULL) {
        route->emitted = record_numbers_emitted(&g_st_deferred.numbers, stream);
    }
    return route;
}

/* Emits a record before tw_init() or after tw_end(), when there are no events to which the record
 * could belong. The subscribers of both classes are determined before any is called. */
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
    dispatch(&stream->subscribers, record, ST_SPECULATIVE);
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

static inline st_record record_of(st_stream_id stream, st_type type, const st_point *point,
                                  const void *data, size_t size)
{
    return (st_record){.stream = stream,
                       .type = type,
                       .size = (uint32_t)size,
                       .data = data,
                       .point = point,
                       .lp = ST_NO_LP};
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

static inline bool is_valid(st_type type, const void *data, size_t size)
{
    return size <= BUS_SIZE_MAX && (data != NULL || size == 0) && type != ST_ALL_TYPES;
}

st_result bus_notify_any(st_stream_id stream, st_type type, const st_point *point, const void *data,
                         size_t size)
{
    if (!is_valid(type, data, size)) {
        return ST_INVALID;
    }
    st_record record = record_of(stream, type, point, data, size);
    return bus_notify_record(&record);
}

/* Delivers a record outside of a run in the usual case, that of a single list. Returns false for
 * any other record. *new_visit receives the instance if the record begins a visit; otherwise
 * new_visit must be NULL. */
static inline __attribute__((always_inline)) bool call_only_list(const st_record *record,
                                                                 uint64_t *new_visit)
{
    const struct route *route = routes_at(&g_st_bus.routes, record->stream, record->type);
    if (__builtin_expect(!route_is_of(route, record->stream, record->type) ||
                             g_st_bus.dispatching.depth > 0 || route->only == NULL,
                         0)) {
        return false;
    }
    if (new_visit != NULL) {
        *new_visit = g_st_bus.n_visits = record->instance;
    }
    callees_call_outermost(route->only, &g_st_bus.dispatching, record);
    return true;
}

/* Outside of a run, a record in the usual case is delivered here at once. */
st_result st_notify(st_stream_id stream, st_type type, const st_point *point, const void *data,
                    size_t size)
{
    if (g_st_listened[stream] == 0) {
        return ST_OK;
    }
    if (g_tw_pe != NULL) {
        return deferred_notify(stream, type, point, data, size);
    }
    const st_record record = record_of(stream, type, point, data, size);
    if (__builtin_expect(!bus_is_unusual(data, size), 1) && call_only_list(&record, NULL)) {
        return ST_OK;
    }
    return bus_notify_any(stream, type, point, data, size);
}

/* Emits any record with an instance, see st_notify_instance(). is_new: true if the record begins a
 * visit, and thus gets an instance. */
static __attribute__((noinline)) st_result notify_any_instance(st_record *record, bool is_new,
                                                               uint64_t *instance, size_t size)
{
    if (!is_valid(record->type, record->data, size)) {
        return ST_INVALID;
    }
    record->instance = is_new ? DEFERRED_NEW_VISIT : record->instance;
    st_result result = g_tw_pe == NULL || bus_is_unusual(record->data, size)
                           ? bus_notify_record(record)
                           : deferred_notify_visit(record);
    if (is_new) {
        *instance = result == ST_OK ? record->instance : 0;
    }
    return result;
}

/* A record that ends a visit has no instance if the visit began while the stream had no
 * subscribers. */
st_result st_notify_instance(st_stream_id stream, st_type type, const st_point *parent,
                             const st_point *point, uint64_t *instance, const void *data,
                             size_t size)
{
    if (g_st_listened[stream] == 0) {
        return ST_OK;
    }
    st_record record = record_of(stream, type, point, data, size);
    record.parent = parent;
    record.instance = instance == NULL ? 0 : *instance;
    const bool is_new = instance != NULL && record.instance == 0 && (type & 1u) == 0;
    if (__builtin_expect(g_tw_pe != NULL || bus_is_unusual(data, size), 0)) {
        return notify_any_instance(&record, is_new, instance, size);
    }
    if (is_new) {
        record.instance = g_st_bus.n_visits + 1;
    }
    if (!call_only_list(&record, is_new ? instance : NULL)) {
        record.instance = is_new ? 0 : record.instance;
        return notify_any_instance(&record, is_new, instance, size);
    }
    return ST_OK;
}

/* Returns true if every stored route is valid. */
bool bus_check_routes(void)
{
    for (unsigned i = 0; i < ROUTES; i++) {
        const struct route *route = &g_st_bus.routes.at[i];
        const st_stream_id stream = (st_stream_id)route->key;
        const st_type type = (st_type)(route->key >> 16);
        if (route->key == 0) {
            continue;
        }
        const struct subscribers *to = &g_st_bus.streams.by_id[stream]->subscribers;
        if (routes_place(stream, type) != i || g_st_listened[stream] == 0 ||
            only_list(to, type) != route->only ||
            subscribers_only_list(to, type, ST_SPECULATIVE) != route->lists[ST_SPECULATIVE] ||
            subscribers_only_list(to, type, ST_COMMITTED) != route->lists[ST_COMMITTED]) {
            return false;
        }
    }
    return true;
}

void bus_dispatch(const st_record *record, st_class records)
{
    assert((uintptr_t)record->data % 8 == 0);
    if (g_st_listened[record->stream] != 0) {
        dispatch(&g_st_bus.streams.by_id[record->stream]->subscribers, record, records);
    }
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

/* ---- Functions for libraries ----------------------------------------------------------------- */

static const char *api_stats_path(void)
{
    return stats_dir_ask(&g_st_bus.stats_dir);
}

static unsigned api_rank(void)
{
    return (unsigned)g_tw_mynode;
}

static unsigned api_n_ranks(void)
{
    return tw_nnodes();
}

const st_api bus_api = {ST_API_FUNCTIONS, .stats_path = api_stats_path, .rank = api_rank,
                        .n_ranks = api_n_ranks};
