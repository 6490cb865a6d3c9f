/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_bus.h - the bus: named streams of records, to which tools subscribe. st.h includes it.
 *
 * A model (or the engine) emits records on named streams. Tools subscribe to them, from C or as
 * shared libraries that the user names (--subscribers=a.so,b.so); the model needs no change. A
 * stream without subscribers costs one test of a byte per record.
 *
 *     static st_stream_id stream;                                   // once, before tw_run()
 *     static st_type sold;
 *     st_stream_open("shop", 1, 0, &stream);
 *     st_type_register("shop", 0, &sold);
 *     ...
 *     struct sale sale = {.item = 7, .price = 3.5};                 // in a handler
 *     ST_NOTIFY(stream, sold, ST_POINT(), &sale, sizeof sale);
 *
 * An optimistic simulator executes events that may be undone. Each subscription therefore chooses a
 * class (enum st_class). Speculative subscribers get records at once, and a notice about undone
 * records. Committed subscribers get each record once, in the order of events; a handler's records
 * wait until their event commits.
 *
 * Programs that are no simulations use the bus as well (library warpscope_bus, no MPI; see
 * docs/bus-without-simulation.md). In such a program:
 * - any thread may call any function at any time;
 * - the thread that emits a record delivers it, without a lock, so callbacks run in several threads
 *   at once;
 * - st_stream_open(), st_stream_close() and st_settle() return ST_WRONG_STATE in a callback;
 * - records have no LP, and subscribers of both classes get them at once.
 *
 * In a simulation one thread of a rank uses the bus: the thread that simulates. No function here is
 * collective. The terms are those of XPTI (Intel's tracing framework); docs/writing-a-tool.md has a
 * table of names. Strings and points are in st_point.h.
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

/* Returns the text of a result, such as "out of memory". The text is static and never NULL. */
const char *st_result_text(st_result result);

/* ---- Streams --------------------------------------------------------------------------------- */

typedef uint16_t st_stream_id; /* id of a stream; 0: no stream; records for it are discarded */
#define ST_STREAMS_MAX 65536u

/*
 * Opens a stream, or takes another reference to an open one. A new stream is announced to the
 * subscriber libraries.
 * name: printable, at most 63 characters, copied. major, minor: the version.
 * Returns ST_OK; ST_DUPLICATE: the stream was open, and keeps its version; ST_INVALID; ST_FULL;
 * ST_NO_MEMORY. *id is set with ST_OK and ST_DUPLICATE. A name has the same id whenever it is
 * opened again on this rank.
 */
st_result st_stream_open(const char *name, unsigned major, unsigned minor, st_stream_id *id);
/*
 * st_stream_open() with a text for the version: printable, at most 255 characters, copied, such as
 * "2.1-rc3 (draft)". Subscriber libraries get the text as their argument version, beside the
 * numbers. NULL or empty: "major.minor", the default of st_stream_open().
 */
st_result st_stream_open_version(const char *name, unsigned major, unsigned minor,
                                 const char *version, st_stream_id *id);
/* Returns the text of the version of a stream, open or closed; NULL: unknown id. */
const char *st_stream_version(st_stream_id id);
/* Releases a reference to a stream that st_stream_open() has taken. Releasing the last reference
 * closes the stream: subscribers get no more records of the stream, and its deferred records are
 * dropped. Subscriptions stay in case the stream is opened again. Returns ST_OK; ST_NOT_FOUND: the
 * name is unknown or closed (an unknown name takes no id). */
st_result st_stream_close(const char *name);
/* Returns the id of the stream with this name; 0: unknown name. */
st_stream_id st_stream_find(const char *name);
const char *st_stream_name(st_stream_id id); /* returns the name of a stream; NULL: unknown id */

/* ---- Types of records ---------------------------------------------------------------------------
 *
 * Even: the beginning of something, or something without extent. Odd: its end.
 */

typedef uint16_t st_type;
#define ST_TYPE_END(begin) ((st_type)((begin) | 1u)) /* returns the end type of a begin type */

/* List of the predefined types: X(NAME, number) defines ST_NAME_BEGIN, also called ST_NAME, and
 * ST_NAME_END. */
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

#define ST_ALL_TYPES 0xffffu /* in subscriptions: records of any type */

/*
 * Registers a tool's own type: number 0 .. 127 under the tool's name, at most 127 tools. *begin is
 * the type of beginnings, ST_TYPE_END(*begin) the type of ends. Returns ST_OK; ST_DUPLICATE:
 * registered before, *begin is the same; ST_INVALID; ST_FULL.
 */
st_result st_type_register(const char *tool, unsigned number, st_type *begin);
/* Returns the name of a type: "task begin", "shop 0 end". The text is valid until the next call. */
const char *st_type_name(st_type type);

/* ---- Records --------------------------------------------------------------------------------- */

#define ST_NO_LP UINT64_MAX

/* A record, the argument of a subscriber. It is valid during the call. */
typedef struct st_record {
    st_stream_id stream;
    st_type type;
    uint32_t size;          /* size of data in bytes */
    const void *data;       /* data as documented for the stream; 8-aligned */
    const st_point *point;  /* point that emitted the record; may be NULL */
    tw_lpid lp;             /* gid of the LP whose handler emitted the record, or ST_NO_LP */
    tw_stime ts;            /* virtual time of the event; GVT outside of events */
    uint64_t number;        /* ordinal number among the LP's records on this stream, see below */
    uint64_t instance;      /* number common to records that belong together; 0: none */
    const st_point *parent; /* the enclosing point that the emitter gave, or NULL */
} st_record;

/*
 * Numbers count the records of an LP on one stream, from 1, in the order in which init and event
 * handlers emitted them. Records of all types count, with or without subscribers; undone records do
 * not. Commit and final handlers have a count of their own, from ST_NUMBER_SETTLED + 1. Subscribers
 * of both classes get the same number.
 *
 * For subscriptions made before events are executed, (ts, lp, stream, number) is therefore the same
 * under each scheduler, on any number of ranks, and with any other tools loaded.
 *
 * Counting begins when the stream gets its first subscriber. A subscriber added during the run
 * continues the count of earlier subscribers, or begins with 1. So does every subscriber of a run
 * that continues from a checkpoint. A model that emits only if st_enabled() leaves records out of
 * the count. If tools must agree on numbers, the model should emit in any case, with any data.
 *
 * Exceptions: ST_ENGINE_STREAM (st_hook.h). A record that a subscriber emits in answer to a record
 * has the number of that record. Records without an LP have number 0.
 */
#define ST_NUMBER_SETTLED UINT64_C(1000000000000000)

/* Data of a record of type ST_ROLLBACK, for subscribers of class ST_SPECULATIVE to ST_ROLLBACK or
 * ST_ALL_TYPES. The latest n records of the LP on this stream are undone. */
typedef struct st_undone {
    tw_lpid lp;
    uint64_t first; /* number of the first undone record */
    uint64_t n;
} st_undone;

typedef enum st_class {
    /* Gets records at once, in the order of execution; ST_ROLLBACK records revoke them. */
    ST_SPECULATIVE = 0,
    ST_COMMITTED = 1 /* gets each record once after its commit, in the order of events of the PE */
} st_class;

/*
 * A subscriber's function. It may emit records, subscribe and unsubscribe, with effect from the
 * next record; a record delivered to both classes counts as two. It must not send events or draw
 * random numbers: that ends the run with a message which names the library.
 */
typedef void (*st_callback)(const st_record *record, void *arg);

/*
 * Subscribes callback to the records of a type (or ST_ALL_TYPES) on a stream. Subscribers are
 * called in the order in which they subscribed. arg is passed to the callback, and not owned.
 * Returns ST_OK; ST_DUPLICATE: subscribed already; ST_RESTORED: subscribed again, at its old place
 * in the order; ST_INVALID: callback is NULL, or the class or stream does not exist; ST_NO_MEMORY.
 */
st_result st_subscribe(st_stream_id stream, st_type type, st_class records, st_callback callback,
                       void *arg);
/* Ends the subscription that st_subscribe() made with the same arguments. A record that is being
 * delivered may still reach the callback. Returns ST_OK; ST_DUPLICATE: already unsubscribed;
 * ST_NOT_FOUND: never subscribed; ST_NO_MEMORY: still subscribed. */
st_result st_unsubscribe(st_stream_id stream, st_type type, st_class records, st_callback callback,
                         void *arg);

/*
 * Waits until all other threads have left the callbacks that they are in. On return, callbacks that
 * were unsubscribed before the call are not called any more, and their memory may be freed. In a
 * simulation there are no other threads. Returns ST_OK; ST_WRONG_STATE: called from a callback.
 */
st_result st_settle(void);

/* Returns true if any stream has a subscriber. Always false with ROSS_TRACE_ENABLE=0 (or false,
 * off, no). */
bool st_trace_enabled(void);
/* Returns true if a subscriber of any class listens to records of this type. */
bool st_enabled(st_stream_id stream, st_type type);

/* ---- Emitting -------------------------------------------------------------------------------- */

/* For each stream, 1 if it has subscribers. For st_listened() only. */
extern unsigned char g_st_listened[ST_STREAMS_MAX];

/* Returns true if the stream has subscribers. Costs one load. */
static inline bool st_listened(st_stream_id stream)
{
    return __atomic_load_n(&g_st_listened[stream], __ATOMIC_RELAXED) != 0;
}

/*
 * Emits a record. The arguments after stream are evaluated only if the stream has subscribers. data
 * (size bytes, at most 64 KiB, copied) must not contain addresses or padding if logs are to be
 * compared. Allowed in init, event, commit and final handlers; in a reverse handler it does
 * nothing.
 */
#define ST_NOTIFY(stream, type, point, data, size)                                                 \
    do {                                                                                           \
        if (__builtin_expect(st_listened(stream), 0)) {                                            \
            st_notify((stream), (type), (point), (data), (size));                                  \
        }                                                                                          \
    } while (0)

/* ST_NOTIFY() as a function. Returns ST_OK, also without subscribers; ST_INVALID: size is too
 * large; ST_NO_MEMORY: data is unaligned, and there is no memory for an aligned copy. */
st_result st_notify(st_stream_id stream, st_type type, const st_point *point, const void *data,
                    size_t size);

/*
 * Emits a record with a parent and an instance. Records of one visit of a point, such as its
 * beginning and its end, share the instance.
 * parent (may be NULL): the enclosing point.
 * instance (may be NULL): if *instance is 0, a beginning (an even type) sets it to the number of
 * its record. All other records repeat *instance. (lp, stream, instance) therefore names a visit,
 * on any number of ranks:
 *
 *     uint64_t visit = 0;
 *     ST_NOTIFY_INSTANCE(stream, ST_TASK_BEGIN, parent, ST_POINT(), &visit, NULL, 0);
 *     ...
 *     ST_NOTIFY_INSTANCE(stream, ST_TASK_END, parent, ST_POINT(), &visit, NULL, 0);
 *
 * If a visit ends in a later event, the model keeps the instance in the LP's state or in a message;
 * the reverse handler restores it. *instance stays 0 without subscribers, so the model's behaviour
 * must not depend on it. Visits without an LP are counted per process. Records that a subscriber
 * emits in answer to a record get the number of that record, so all visits of an answer share it.
 */
#define ST_NOTIFY_INSTANCE(stream, type, parent, point, instance, data, size)                      \
    do {                                                                                           \
        if (__builtin_expect(st_listened(stream), 0)) {                                            \
            st_notify_instance((stream), (type), (parent), (point), (instance), (data), (size));   \
        }                                                                                          \
    } while (0)

/* ST_NOTIFY_INSTANCE() as a function; returns as st_notify() does. */
st_result st_notify_instance(st_stream_id stream, st_type type, const st_point *parent,
                             const st_point *point, uint64_t *instance, const void *data,
                             size_t size);

/*
 * Emits the record of a beginning now, and the record of the end when the block is left by any way
 * (return, break, goto; not longjmp). Both records have the same instance. Example:
 * ST_SCOPE(stream, ST_REGION, ST_POINT());
 */
#define ST_SCOPE(stream, type, point) ST_SCOPE_DATA(stream, type, NULL, point, NULL, 0)

/*
 * ST_SCOPE() with a parent (may be NULL) and data of size bytes. data is read at the beginning and
 * again at the end, so the record of the end has the values that the block has written. data must
 * outlive the block: declare it before. parent and point are evaluated only if the stream has
 * subscribers.
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
    st_stream_id stream; /* stream of the scope; 0: it had no subscribers at the beginning */
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
 * A subscriber library is a shared object that --subscribers=a.so,b.so or the environment variable
 * ROSS_SUBSCRIBERS names. It is linked with no library of Warpscope: it calls the functions of the
 * table that it receives. It exports two functions:
 */

/* Table of the functions of this header, for libraries. It stays valid until the process ends. */
typedef struct st_api {
    unsigned size; /* size of this struct in bytes; newer versions append members */
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
    /* Returns the directory for files of this run; the first call prints its name. NULL: there is
     * none (--disable-output, or an error). */
    const char *(*stats_path)(void);
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

/* Called on every rank for each stream: when the stream is opened, or when the library is loaded if
 * the stream is open already. version: "1.0" or the text given to st_stream_open_version().
 * Subscriptions are made here; api->stream_find(stream) gives the id. */
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream);
/* Called when the stream is closed, at the latest at the end of the run, while MPI still works.
 * Also called after a fatal error, unless a library or a callback caused it. */
void st_subscriber_fini(const char *stream);

#ifdef __cplusplus
}
#endif

#endif
