/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.c - subscribing and emitting in a program that is not a simulation. Any thread may call
 * these functions.
 *
 * Cost of emitting: one load if there are no subscribers. Otherwise five loads, two stores to a
 * word of the thread (one of them sequentially consistent), and the calls of the subscribers. No
 * lock is taken.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus/tables/aligned.h"
#include "standalone/state.h"

#define SIZE_MAX_BYTES 65536u
/* Maximum depth of recursion: a subscriber may emit records to which it subscribes itself. */
#define CALL_DEPTH_MAX 1000

/* ---- Subscriptions --------------------------------------------------------------------------- */

void listened_refresh(st_stream_id id)
{
    assert(id != 0 && id < g_st_standalone.streams.n);
    struct standalone *bus = &g_st_standalone;
    const struct stream *stream = streams_get(&bus->streams, id);
    const unsigned char is_listened =
        !bus->is_off && stream->references > 0 && subscribers_count(&stream->subscribers) > 0;
    const unsigned char was_listened = __atomic_load_n(&g_st_listened[id], __ATOMIC_RELAXED);
    if (is_listened != was_listened) {
        __atomic_store_n(&g_st_listened[id], is_listened, __ATOMIC_RELEASE);
        __atomic_store_n(&bus->n_listened, bus->n_listened + is_listened - was_listened,
                         __ATOMIC_RELAXED);
    }
}

st_result st_subscribe(st_stream_id id, st_type type, st_class records, st_callback callback,
                       void *arg)
{
    struct standalone *bus = &g_st_standalone;
    struct subscription what = {.callback = callback, .arg = arg, .name = "", .type = type};
    tables_lock();
    struct stream *stream = streams_get(&bus->streams, id);
    st_result result = ST_INVALID;
    if (stream != NULL && callback != NULL && class_is_valid(records)) {
        result = subscribers_add(&stream->subscribers, &bus->dispatching, &what, records);
        listened_refresh(id);
        threads_reclaim(&bus->threads, &bus->dispatching);
    }
    tables_unlock();
    return result;
}

st_result st_unsubscribe(st_stream_id id, st_type type, st_class records, st_callback callback,
                         void *arg)
{
    struct standalone *bus = &g_st_standalone;
    struct subscription what = {.callback = callback, .arg = arg, .type = type};
    tables_lock();
    struct stream *stream = streams_get(&bus->streams, id);
    st_result result = ST_NOT_FOUND;
    if (stream != NULL && class_is_valid(records)) {
        result = subscribers_remove(&stream->subscribers, &bus->dispatching, &what, records);
        listened_refresh(id);
        threads_reclaim(&bus->threads, &bus->dispatching);
    }
    tables_unlock();
    return result;
}

bool st_trace_enabled(void)
{
    return __atomic_load_n(&g_st_standalone.n_listened, __ATOMIC_RELAXED) > 0;
}

/* ---- Delivery -------------------------------------------------------------------------------- */

/* Lists of the subscribers of one class that get a record: subscribers to all types, and
 * subscribers to the record's own type. NULL: none. */
struct lists {
    const struct callees *all, *own;
};

static struct lists find_lists(const struct stream *stream, st_type type, st_class records)
{
    assert((unsigned)records < SUBSCRIPTION_CLASSES);
    struct lists found = {NULL, NULL};
    const struct listeners *l =
        __atomic_load_n(&stream->subscribers.classes[records], __ATOMIC_SEQ_CST);
    if (l != NULL) {
        struct callees *const *page = __atomic_load_n(&l->pages[type >> 8], __ATOMIC_SEQ_CST);
        found.all = __atomic_load_n(&l->all, __ATOMIC_SEQ_CST);
        found.own = page == NULL ? NULL : __atomic_load_n(&page[type & 255u], __ATOMIC_SEQ_CST);
    }
    return found;
}

static inline void call(struct lists lists, const st_record *record)
{
    const struct callees *only = lists.own == NULL ? lists.all : lists.own;
    if (lists.own == NULL || lists.all == NULL) {
        for (size_t i = 0; only != NULL && i < only->n; i++) {
            only->list[i].callback(record, only->list[i].arg);
        }
        return;
    }
    const struct callees *a = lists.all, *b = lists.own;
    for (size_t i = 0, j = 0; i < a->n || j < b->n;) {
        bool from_a = j == b->n || (i < a->n && a->list[i].order < b->list[j].order);
        const struct callee *c = from_a ? &a->list[i++] : &b->list[j++];
        c->callback(record, c->arg);
    }
}

static __attribute__((cold, noreturn)) void refuse_circle(const st_record *record)
{
    fprintf(
        stderr,
        "warpscope: a subscriber of stream %s emits records that call it again, %d times over\n",
        st_stream_name(record->stream), CALL_DEPTH_MAX);
    abort();
}

/* Delivers a record to the subscribers of both classes. Looks up all subscribers before it calls
 * the first. */
static void deliver(struct bus_thread *thread, const struct stream *stream, const st_record *record)
{
    assert(stream != NULL);
    threads_enter(thread);
    if (__builtin_expect(thread->depth > CALL_DEPTH_MAX, 0)) {
        refuse_circle(record);
    }
    const struct lists speculative = find_lists(stream, record->type, ST_SPECULATIVE);
    const struct lists committed = find_lists(stream, record->type, ST_COMMITTED);
    call(speculative, record);
    call(committed, record);
    threads_leave(thread);
}

bool st_enabled(st_stream_id id, st_type type)
{
    struct bus_thread *thread = st_listened(id) ? threads_mine() : NULL;
    if (thread == NULL) {
        return false;
    }
    threads_enter(thread); /* keeps the lists from being freed until threads_leave() */
    const struct stream *stream = __atomic_load_n(&g_st_streams[id], __ATOMIC_ACQUIRE);
    const struct lists speculative = find_lists(stream, type, ST_SPECULATIVE);
    const struct lists committed = find_lists(stream, type, ST_COMMITTED);
    threads_leave(thread);
    return speculative.all != NULL || speculative.own != NULL || committed.all != NULL ||
           committed.own != NULL;
}

static __attribute__((noinline)) st_result
deliver_aligned(struct bus_thread *thread, const struct stream *stream, st_record *record)
{
    void *copy = aligned_copy(record);
    if (copy == NULL) {
        return ST_NO_MEMORY;
    }
    deliver(thread, stream, record);
    free(copy);
    return ST_OK;
}

/* Emits a record of size bytes. instance: as for st_notify_instance(); NULL: the record has no
 * instance. Each thread counts its visits separately. */
static inline __attribute__((always_inline)) st_result notify(st_record *record, size_t size,
                                                              uint64_t *instance)
{
    if (size > SIZE_MAX_BYTES || (record->data == NULL && size > 0) ||
        record->type == ST_ALL_TYPES) {
        return ST_INVALID;
    }
    struct bus_thread *thread = threads_mine();
    if (thread == NULL) {
        return ST_NO_MEMORY;
    }
    if (instance != NULL && *instance == 0 && (record->type & 1u) == 0) {
        *instance = threads_new_visit(thread);
    }
    record->instance = instance == NULL ? 0 : *instance;
    const struct stream *stream = __atomic_load_n(&g_st_streams[record->stream], __ATOMIC_ACQUIRE);
    if (!aligned_is(record)) {
        return deliver_aligned(thread, stream, record);
    }
    deliver(thread, stream, record);
    return ST_OK;
}

/* Does the work of st_notify(), which has neither parent nor instance, and of
 * st_notify_instance(). */
static inline __attribute__((always_inline)) st_result
emit(st_stream_id id, st_type type, const st_point *parent, const st_point *point,
     uint64_t *instance, const void *data, size_t size)
{
    if (!st_listened(id)) {
        return ST_OK;
    }
    st_record record = {.stream = id,
                        .type = type,
                        .size = (uint32_t)size,
                        .data = data,
                        .point = point,
                        .lp = ST_NO_LP,
                        .parent = parent};
    return notify(&record, size, instance);
}

st_result st_notify(st_stream_id id, st_type type, const st_point *point, const void *data,
                    size_t size)
{
    return emit(id, type, NULL, point, NULL, data, size);
}

st_result st_notify_instance(st_stream_id id, st_type type, const st_point *parent,
                             const st_point *point, uint64_t *instance, const void *data,
                             size_t size)
{
    return emit(id, type, parent, point, instance, data, size);
}

st_result st_settle(void)
{
    if (threads_is_delivering()) {
        return ST_WRONG_STATE;
    }
    threads_settle(&g_st_standalone.threads, -1);
    return ST_OK;
}
