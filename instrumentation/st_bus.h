/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_bus.h - the bus: streams of records that tools can listen to. st.h includes it.
 *
 * A model (or the engine) emits records on named streams; tools subscribe to them, from C or as
 * shared libraries that the user names (--subscribers=a.so,b.so), without the model knowing. What
 * nobody listens to costs one test of a byte.
 *
 *     static st_stream_id stream;                                   // once, before tw_run()
 *     static st_type sold;
 *     st_stream_open("shop", 1, 0, &stream);
 *     st_type_register("shop", 0, &sold);
 *     ...
 *     struct sale sale = {.item = 7, .price = 3.5};                 // in a handler
 *     ST_NOTIFY(stream, sold, ST_POINT(), &sale, sizeof sale);
 *
 * An optimistic simulator executes events that may be undone, so each subscription says what it
 * wants (enum st_class): records at once, some of which are taken back later, or records that
 * count, once each, in the order of events. What a handler emits for the latter waits with its
 * event until that commits.
 *
 * Programs that are no simulations use the bus as well (library warpscope_bus, no MPI; see
 * docs/bus-without-simulation.md). There any thread may call any function at any time: a record is
 * delivered by the thread that emits it, without a lock, so callbacks run in several threads at
 * once. From a callback st_stream_open(), st_stream_close() and st_settle() return ST_WRONG_STATE
 * there. Records have no LP, and both classes of subscribers get them at once.
 *
 * In a simulation one thread of a rank uses the bus: the one that simulates. Nothing here is
 * collective.
 * The terms are those of XPTI (Intel's tracing framework); docs/writing-a-tool.md has a table of
 * names. Strings and points are in st_point.h.
 */
#ifndef WARPSCOPE_ST_BUS_H
#define WARPSCOPE_ST_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ross_types.h"
#include "st_point.h"
#include "st_result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results --------------------------------------------------------------------------------- */

const char *st_result_text(st_result result); /* "it was there already", ... */

/* ---- Streams --------------------------------------------------------------------------------- */

typedef uint16_t st_stream_id; /* 0: none; notifying it does nothing */
#define ST_STREAMS_MAX 65536u

/*
 * Opens a stream, or takes another reference to it, and announces it to the subscriber libraries
 * when it is new. name: printable, at most 63 characters, copied. ST_OK; ST_DUPLICATE: it was open
 * (with the version that it had); ST_INVALID; ST_FULL; ST_NO_MEMORY. *id is set in the first two
 * cases, to the same number whenever this name is opened again on this rank.
 */
st_result st_stream_open(const char *name, unsigned major, unsigned minor, st_stream_id *id);
/*
 * The same with a text for the version, copied: printable, at most 255 characters, such as "2.1-rc3
 * (draft)". Subscriber libraries get it as their argument version, beside the numbers. NULL or
 * empty: "major.minor", as st_stream_open() has it.
 */
st_result st_stream_open_version(const char *name, unsigned major, unsigned minor,
                                 const char *version, st_stream_id *id);
/* The version's text of a stream, also of a closed one; NULL: there is none of this id. */
const char *st_stream_version(st_stream_id id);
/* Gives a reference back; the last one ends the stream for the libraries, and nobody gets a record
 * of it any more, nor what waits with events. Subscriptions stay for the case that it is opened
 * again. ST_OK, ST_NOT_FOUND (an unknown name takes no id). */
st_result st_stream_close(const char *name);
/* 0: there is none of this name. */
st_stream_id st_stream_find(const char *name);
const char *st_stream_name(st_stream_id id); /* NULL: there is none */

/* ---- Types of records ---------------------------------------------------------------------------
 *
 * Even: the beginning of something, or something without extent; odd: its end.
 */

typedef uint16_t st_type;
#define ST_TYPE_END(begin) ((st_type)((begin) | 1u)) /* the end that belongs to a beginning */

/* X(NAME, number): ST_NAME_BEGIN (also ST_NAME) and ST_NAME_END. */
#define ST_TYPE_LIST(X)                                                                            \
    X(GRAPH, 1)                                                                                    \
    X(NODE, 2)                                                                                     \
    X(EDGE, 3)                                                                                     \
    X(REGION, 4)                                                                                   \
    X(TASK, 5)                                                                                     \
    X(BARRIER, 6)                                                                                  \
    X(LOCK, 7)                                                                                     \
    X(SIGNAL, 8)                                                                                   \
    X(TRANSFER, 9)                                                                                 \
    X(THREAD, 10)                                                                                  \
    X(WAIT, 11)                                                                                    \
    X(FUNCTION, 12)                                                                                \
    X(ALLOCATION, 13)                                                                              \
    X(QUEUE, 14)                                                                                   \
    X(METADATA, 15)                                                                                \
    X(DIAGNOSTIC, 16)                                                                              \
    X(ROLLBACK, 17)

enum {
#define X(name, number)                                                                            \
    ST_##name = 2 * (number), ST_##name##_BEGIN = 2 * (number), ST_##name##_END = 2 * (number) + 1,
    ST_TYPE_LIST(X)
#undef X
};

#define ST_ALL_TYPES 0xffffu /* in subscriptions: any type */

/*
 * A tool's own type, number 0 .. 127 under the tool's name (at most 127 tools): *begin is the type
 * of beginnings, ST_TYPE_END(*begin) that of ends. ST_OK; ST_DUPLICATE: registered before, *begin
 * is the same; ST_INVALID; ST_FULL.
 */
st_result st_type_register(const char *tool, unsigned number, st_type *begin);
/* "task begin", "shop 0 end"; the text stays until the next call. */
const char *st_type_name(st_type type);

/* ---- Records --------------------------------------------------------------------------------- */

#define ST_NO_LP UINT64_MAX

/* What a subscriber gets. Valid during the call. */
typedef struct st_record {
    st_stream_id stream;
    st_type type;
    uint32_t size;          /* bytes at data */
    const void *data;       /* what the stream's documentation says; 8-aligned */
    const st_point *point;  /* where it was emitted; may be NULL */
    tw_lpid lp;             /* gid of the LP whose handler emitted it, or ST_NO_LP */
    tw_stime ts;            /* virtual time of the event, or GVT */
    uint64_t number;        /* of the LP's records on this stream, see below */
    uint64_t instance;      /* the same for records that belong together; 0: none is given */
    const st_point *parent; /* the point inside which this happens, as the emitter says, or NULL */
} st_record;

/*
 * Numbers count the records of an LP on one stream, from 1: of all types, whether subscribers want
 * them or not, in the order in which handlers of events and init emitted them. What was undone does
 * not count. What commit and final handlers emit is counted apart, from ST_NUMBER_SETTLED + 1 on.
 * Subscribers of both classes see the same number.
 *
 * So (ts, lp, stream, number) is the same under each scheduler, on any number of ranks, and
 * whatever other tools are loaded, for subscriptions made before events are executed. Counting
 * begins when the stream gets its first subscriber: one that comes during the run goes on with the
 * count that others began, if any, or begins with 1. So does every subscriber of a run that goes on
 * from a checkpoint. A model that asks st_enabled() first and then emits nothing leaves a record
 * out of the count; let it emit all the same, with any data, where tools should agree on numbers.
 *
 * Exceptions: ST_ENGINE_STREAM (st_hook.h); what subscribers emit in answer to a record has that
 * one's number; records of no LP have 0.
 */
#define ST_NUMBER_SETTLED UINT64_C(1000000000000000)

/* What a record of type ST_ROLLBACK tells subscribers of class ST_SPECULATIVE (to ST_ROLLBACK or
 * ST_ALL_TYPES): these records of the LP on this stream, the youngest of it, did not happen. */
typedef struct st_undone {
    tw_lpid lp;
    uint64_t first; /* number of the first of them */
    uint64_t n;
} st_undone;

typedef enum st_class {
    ST_SPECULATIVE = 0, /* at once, in the order of execution; taken back by ST_ROLLBACK records */
    ST_COMMITTED = 1    /* once each, when it cannot be undone, in the order of events of the PE */
} st_class;

/*
 * A subscriber's function. It may emit records, subscribe and unsubscribe (from the next record
 * on; what both classes get counts as two), but must not send events or draw random numbers: that
 * ends the run with a message which names the library.
 */
typedef void (*st_callback)(const st_record *record, void *arg);

/*
 * Calls callback for the records of a type (or ST_ALL_TYPES) on a stream, after those subscribed
 * before. ST_OK; ST_DUPLICATE: subscribed already; ST_RESTORED: it was unsubscribed, and is called
 * at its old place again; ST_INVALID: callback is NULL, or a class or stream that does not exist;
 * ST_NO_MEMORY.
 */
st_result st_subscribe(st_stream_id stream, st_type type, st_class records, st_callback callback,
                       void *arg);
/* With the same arguments. ST_OK; ST_DUPLICATE: it was unsubscribed before; ST_NOT_FOUND;
 * ST_NO_MEMORY: it is still subscribed. A record that is being delivered still reaches it. */
st_result st_unsubscribe(st_stream_id stream, st_type type, st_class records, st_callback callback,
                         void *arg);

/*
 * Waits until other threads have left the callbacks that they are in. After it returns, nothing
 * that was unsubscribed before is called any more, and what it used may be freed. ST_OK;
 * ST_WRONG_STATE: called from a callback. In a simulation there are no other threads.
 */
st_result st_settle(void);

/* Does anybody listen to anything at all? Never with ROSS_TRACE_ENABLE=0 (or false, off, no). */
bool st_trace_enabled(void);
/* Does anybody listen to records of this type? */
bool st_enabled(st_stream_id stream, st_type type);

/* ---- Emitting -------------------------------------------------------------------------------- */

/* By stream: does anybody listen? For st_listened(). */
extern unsigned char g_st_listened[ST_STREAMS_MAX];

/* Does anybody listen to the stream? A load. */
static inline bool st_listened(st_stream_id stream)
{
    return __atomic_load_n(&g_st_listened[stream], __ATOMIC_RELAXED) != 0;
}

/*
 * Emits a record; arguments are not evaluated unless somebody listens to the stream. data (size
 * bytes, at most 64 KiB, copied) must not contain addresses or padding if logs are to be compared.
 * From handlers of events, at initialisation, in commit and final handlers; in a reverse handler
 * nothing happens.
 */
#define ST_NOTIFY(stream, type, point, data, size)                                                 \
    do {                                                                                           \
        if (__builtin_expect(st_listened(stream), 0)) {                                            \
            st_notify((stream), (type), (point), (data), (size));                                  \
        }                                                                                          \
    } while (0)

/* The same as a function. ST_OK also when nobody listens; ST_INVALID: size is too large;
 * ST_NO_MEMORY: none for a copy of data that is not aligned. */
st_result st_notify(st_stream_id stream, st_type type, const st_point *point, const void *data,
                    size_t size);

/*
 * Emits a record with a parent and an instance: records of one visit of a point, such as its
 * beginning and its end, share the instance. parent (may be NULL): the point inside which this one
 * is visited. instance (may be NULL): a beginning (an even type) whose *instance is 0 sets it to
 * the number of its record, and other records repeat it. So (lp, stream, instance) names a visit,
 * on any number of ranks:
 *
 *     uint64_t visit = 0;
 *     ST_NOTIFY_INSTANCE(stream, ST_TASK_BEGIN, parent, ST_POINT(), &visit, NULL, 0);
 *     ...
 *     ST_NOTIFY_INSTANCE(stream, ST_TASK_END, parent, ST_POINT(), &visit, NULL, 0);
 *
 * A visit that ends in a later event keeps its instance in the LP's state, or sends it in a
 * message; the reverse handler sets it back. It stays 0 while nobody listens, so a model must not
 * go by it. Where records have no LP, visits are counted in this process. Records that subscribers
 * emit in answer to a record get that one's number, so that all visits of an answer share it.
 */
#define ST_NOTIFY_INSTANCE(stream, type, parent, point, instance, data, size)                      \
    do {                                                                                           \
        if (__builtin_expect(st_listened(stream), 0)) {                                            \
            st_notify_instance((stream), (type), (parent), (point), (instance), (data), (size));   \
        }                                                                                          \
    } while (0)

/* The same as a function; results as those of st_notify(). */
st_result st_notify_instance(st_stream_id stream, st_type type, const st_point *parent,
                             const st_point *point, uint64_t *instance, const void *data,
                             size_t size);

/*
 * Emits a record of a beginning now and that of its end when the block is left, on whatever way
 * (return, break, goto; not longjmp): ST_SCOPE(stream, ST_REGION, ST_POINT()); Both have the same
 * instance.
 */
#define ST_SCOPE(stream, type, point) ST_SCOPE_DATA(stream, type, NULL, point, NULL, 0)

/*
 * The same with a parent (may be NULL) and data, size bytes. Data is read at the beginning and
 * again at the end: what the block has written there by then is in the record of the end. It must
 * live longer than the block: declare it before. parent and point are evaluated if somebody
 * listens.
 */
#define ST_SCOPE_DATA(stream, type, parent, point, data, size)                                     \
    ST_SCOPE_NAMED_(ST_NAME_HERE_(st_scope_, __COUNTER__), stream, type, parent, point, data, size)
#define ST_SCOPE_NAMED_(name, stream, type, parent, point, data, size)                             \
    __attribute__((cleanup(st_scope_end), unused)) st_scope name;                                  \
    st_scope_begin(&(name), (stream), (type), st_listened(stream) ? (parent) : NULL,               \
                   st_listened(stream) ? (point) : NULL, (data), (size))
#define ST_NAME_HERE_(a, b)  ST_NAME_HERE2_(a, b)
#define ST_NAME_HERE2_(a, b) a##b

typedef struct st_scope {
    st_stream_id stream; /* 0: nobody listened at its beginning */
    st_type type;
    const st_point *parent, *point;
    uint64_t instance;
    const void *data;
    size_t size;
} st_scope;

static inline void st_scope_begin(st_scope *scope, st_stream_id stream, st_type type,
                                  const st_point *parent, const st_point *point, const void *data,
                                  size_t size)
{
    scope->stream = 0;
    if (__builtin_expect(st_listened(stream), 0)) {
        scope->stream = stream;
        scope->type = type;
        scope->parent = parent;
        scope->point = point;
        scope->instance = 0;
        scope->data = data;
        scope->size = size;
        st_notify_instance(stream, type, parent, point, &scope->instance, data, size);
    }
}

static inline void st_scope_end(st_scope *scope)
{
    if (__builtin_expect(scope->stream != 0, 0)) {
        st_notify_instance(scope->stream, ST_TYPE_END(scope->type), scope->parent, scope->point,
                           &scope->instance, scope->data, scope->size);
    }
}

/* ---- Subscriber libraries -----------------------------------------------------------------------
 *
 * A shared object that is named by --subscribers=a.so,b.so or in the environment by
 * ROSS_SUBSCRIBERS. It needs no library of Warpscope: what it may call is in the table that it is
 * given. It exports two functions:
 */

/* The functions of this header, for libraries. */
typedef struct st_api {
    unsigned size; /* of this struct: newer versions append */
    const char *(*result_text)(st_result result);
    st_string_id (*string)(const char *text);
    const char *(*string_text)(st_string_id id);
    st_result (*stream_open)(const char *name, unsigned major, unsigned minor, st_stream_id *id);
    st_result (*stream_close)(const char *name);
    st_stream_id (*stream_find)(const char *name);
    const char *(*stream_name)(st_stream_id id);
    const st_point *(*point_make)(const char *function, const char *file, uint32_t line,
                                  uint32_t column, uint64_t *instance);
    const st_point *(*point_by_id)(uint64_t id);
    st_result (*point_set)(const st_point *point, const char *key, const char *value);
    const char *(*point_get)(const st_point *point, const char *key);
    st_result (*type_register)(const char *tool, unsigned number, st_type *begin);
    const char *(*type_name)(st_type type);
    st_result (*subscribe)(st_stream_id stream, st_type type, st_class records,
                           st_callback callback, void *arg);
    st_result (*unsubscribe)(st_stream_id stream, st_type type, st_class records,
                             st_callback callback, void *arg);
    st_result (*notify)(st_stream_id stream, st_type type, const st_point *point, const void *data,
                        size_t size);
    const char *(*stats_path)(void); /* directory of this run's files, made when it is asked for;
                                        NULL: there is none (--disable-output, or an error) */
    unsigned (*rank)(void);
    unsigned (*n_ranks)(void);
    bool (*enabled)(st_stream_id stream, st_type type);
    bool (*trace_enabled)(void);
    void (*point_each)(const st_point *point,
                       void (*fn)(const char *key, const char *value, void *arg), void *arg);
    st_result (*settle)(void);
    st_result (*notify_instance)(st_stream_id stream, st_type type, const st_point *parent,
                                 const st_point *point, uint64_t *instance, const void *data,
                                 size_t size);
    st_result (*stream_open_version)(const char *name, unsigned major, unsigned minor,
                                     const char *version, st_stream_id *id);
    const char *(*stream_version)(st_stream_id id);
    const st_point *(*point_make_at)(const char *function, const void *address, uint64_t *instance);
    const void *(*point_address)(const st_point *point);
    st_result (*point_describe)(const st_point *point, st_kind kind, st_activity activity);
    st_result (*point_attach)(const st_point *point, const void *owner, void *value);
    void *(*point_attached)(const st_point *point, const void *owner);
    st_result (*kind_register)(const char *tool, unsigned number, st_kind *kind);
    st_result (*activity_register)(const char *tool, unsigned number, st_activity *activity);
    const char *(*kind_name)(st_kind kind);
    const char *(*activity_name)(st_activity activity);
} st_api;

/* Called for each stream when it is opened, on every rank, and for those open already when the
 * library is loaded. version: of the stream, "1.0" or its opener's text. Subscribe here;
 * api->stream_find(stream) gives the id. */
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream);
/* Called when the stream is closed, at the latest when the run ends and MPI still works; after a
 * fatal error as well, unless that came up in a library or a callback. */
void st_subscriber_fini(const char *stream);

#ifdef __cplusplus
}
#endif

#endif
