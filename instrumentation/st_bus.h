/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_bus.h - the bus: named streams of records, to which tools subscribe. st.h includes it.
 *
 * A model (or the engine) emits records on named streams. Tools subscribe to these streams, either
 * with calls from C or as shared libraries that the user names (--subscribers=a.so,b.so). The model
 * needs no change for a tool. Emitting a record on a stream without subscribers costs one test of a
 * byte.
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
 * class (enum st_class). Speculative subscribers get records at once, and a notice about records
 * that are undone. Committed subscribers get each record once, in the order of events: the record
 * of a handler waits until the event commits.
 *
 * Programs that are not simulations can use the bus as well (library warpscope_bus, no MPI; see
 * docs/writing-a-tool.md). In such a program:
 * - any thread may call any function at any time;
 * - the thread that emits a record delivers it, without a lock, so several threads may run
 *   callbacks at the same time;
 * - st_stream_open(), st_stream_close() and st_settle() return ST_WRONG_STATE in a callback;
 * - records have no LP, and subscribers of both classes get them at once.
 *
 * In a simulation, only one thread of a rank uses the bus: the thread that simulates. No function
 * here is collective. The terms are those of XPTI (Intel's tracing framework);
 * docs/writing-a-tool.md has a table of the names. Strings and points are in st_point.h.
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

/* Returns the text for a result, such as "out of memory". The text is static and never NULL. */
const char *st_result_text(st_result result);

/* ---- Streams --------------------------------------------------------------------------------- */

/* Id of a stream; 0: no stream. Records emitted on stream 0 are discarded. */
typedef uint16_t st_stream_id;
#define ST_STREAMS_MAX 65536u

/*
 * Opens a stream, or takes another reference to an open stream. A new stream is announced to the
 * subscriber libraries. name: printable, at most 63 characters, copied. major, minor: version of
 * the stream.
 *
 * Returns ST_OK; ST_DUPLICATE: the stream was open, and keeps its version; ST_INVALID; ST_FULL;
 * ST_NO_MEMORY. With ST_OK and ST_DUPLICATE, *id receives the id. Each time the same name is opened
 * on this rank, it gets the same id.
 */
st_result st_stream_open(const char *name, unsigned major, unsigned minor, st_stream_id *id);
/*
 * Variant of st_stream_open() with a text for the version, such as "2.1-rc3 (draft)". version:
 * printable, at most 255 characters, copied; NULL or empty: "major.minor", as in st_stream_open().
 * Subscriber libraries receive the text as the argument version of st_subscriber_init(), together
 * with major and minor.
 */
st_result st_stream_open_version(const char *name, unsigned major, unsigned minor,
                                 const char *version, st_stream_id *id);
/* Returns the text of the version of an open or closed stream; NULL: unknown id. */
const char *st_stream_version(st_stream_id id);
/* Releases a reference that st_stream_open() has taken. Releasing the last reference closes the
 * stream: subscribers get no more records of the stream, and its deferred records are dropped.
 * Subscriptions are kept in case the stream is opened again. Returns ST_OK; ST_NOT_FOUND: no stream
 * has this name, or the stream is closed. */
st_result st_stream_close(const char *name);
/* Returns the id of the stream with this name; 0: no such stream. */
st_stream_id st_stream_find(const char *name);
const char *st_stream_name(st_stream_id id); /* returns the name of a stream; NULL: unknown id */

/* ---- Types of records ---------------------------------------------------------------------------
 *
 * An even type stands for the beginning of something, or for something that has no duration. The
 * next odd type stands for its end.
 */

typedef uint16_t st_type;
#define ST_TYPE_END(begin) ((st_type)((begin) | 1u)) /* returns the end type of a begin type */

/* List of the predefined types. For X(NAME, number), the enum below defines ST_NAME_BEGIN, its
 * short form ST_NAME, and ST_NAME_END. */
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

#define ST_ALL_TYPES 0xffffu /* as the type in a subscription: records of all types */

/*
 * Registers a type of a tool. tool: name of the tool; there are at most 127 tools. number: number
 * of the type within the tool, 0 .. 127. *begin receives the type of beginnings;
 * ST_TYPE_END(*begin) is the type of ends. Returns ST_OK; ST_DUPLICATE: the type was registered
 * before, and *begin receives the same value; ST_INVALID; ST_FULL.
 */
st_result st_type_register(const char *tool, unsigned number, st_type *begin);
/* Returns the name of a type, such as "task begin" or "shop 0 end". The text is valid until the
 * next call of st_type_name(). */
const char *st_type_name(st_type type);

/* ---- Records --------------------------------------------------------------------------------- */

#define ST_NO_LP UINT64_MAX

/* A record as a subscriber receives it. It is valid only during the call of the subscriber. */
typedef struct st_record {
    st_stream_id stream;
    st_type type;
    uint32_t size;         /* size of data in bytes */
    const void *data;      /* data in the format that the stream documents; 8-aligned */
    const st_point *point; /* point at which the record was emitted; may be NULL */
    tw_lpid lp;            /* gid of the LP whose handler emitted the record, or ST_NO_LP */
    tw_stime ts;           /* virtual time of the event; outside of events, GVT */
    /* Record number: position of the record among the LP's records on this stream, see below. */
    uint64_t number;
    uint64_t instance;      /* number shared by records that belong together; 0: none */
    const st_point *parent; /* enclosing point, as given by the emitter; NULL: none */
} st_record;

/*
 * Record numbers count the records of an LP on one stream, from 1, in the order in which init and
 * event handlers emitted them. Records of all types count, with or without subscribers; undone
 * records do not. Commit and final handlers have a count of their own, from ST_NUMBER_SETTLED + 1.
 * Subscribers of both classes get the same number.
 *
 * For subscriptions made before events are executed, (ts, lp, stream, number) is therefore the same
 * under each scheduler, on any number of ranks, and with any other tools loaded.
 *
 * Counting begins when the stream gets its first subscriber. For a subscriber added during the run,
 * numbers continue the count for earlier subscribers; without earlier subscribers, they begin with
 * 1. Earlier subscribers include those of the run before a restart from a checkpoint. If a model
 * emits a record only when st_enabled() is true, the records that it omits are not counted. To give
 * records the same numbers for all tools, the model should always emit them, if need be without
 * data.
 *
 * Exceptions: ST_ENGINE_STREAM counts differently (st_hook.h). A record that a subscriber emits in
 * answer to a record has the number of that record. Records without an LP have number 0.
 */
#define ST_NUMBER_SETTLED UINT64_C(1000000000000000)

/* Data of a record of type ST_ROLLBACK: the latest n records of the LP on this stream are undone.
 * Subscribers of class ST_SPECULATIVE to ST_ROLLBACK or ST_ALL_TYPES get these records. */
typedef struct st_undone {
    tw_lpid lp;
    uint64_t first; /* record number of the first undone record */
    uint64_t n;
} st_undone;

typedef enum st_class {
    /* Gets records at once, in the order of execution. ST_ROLLBACK records revoke undone
     * records. */
    ST_SPECULATIVE = 0,
    /* Gets each record once, after its commit, in the order of events on the PE. */
    ST_COMMITTED = 1
} st_class;

/*
 * A subscriber's function. It may emit records, subscribe and unsubscribe. Changed subscriptions
 * apply from the next record on; a record that is delivered to both classes counts as two records.
 * The function must not send events or draw random numbers: doing so ends the run with an error
 * message that names the library.
 */
typedef void (*st_callback)(const st_record *record, void *arg);

/*
 * Subscribes callback to the records of a type (ST_ALL_TYPES: of all types) on a stream.
 * Subscribers are called in the order in which they subscribed. arg is passed to callback, and
 * stays the caller's property. Returns ST_OK; ST_DUPLICATE: the subscription exists already;
 * ST_RESTORED: an ended subscription is active again, at its old place in the order; ST_INVALID:
 * callback is NULL, the stream or class does not exist, or the class never gets records of this
 * type; ST_NO_MEMORY.
 */
st_result st_subscribe(st_stream_id stream, st_type type, st_class records, st_callback callback,
                       void *arg);
/* Ends the subscription that st_subscribe() made with the same arguments. If a record is being
 * delivered, it may still reach the callback. Returns ST_OK; ST_DUPLICATE: already unsubscribed;
 * ST_NOT_FOUND: never subscribed; ST_NO_MEMORY: still subscribed. */
st_result st_unsubscribe(st_stream_id stream, st_type type, st_class records, st_callback callback,
                         void *arg);

/*
 * Waits until every other thread has left the callback that it is running. After st_settle(),
 * callbacks that were unsubscribed before the call are not called any more, and their data may be
 * freed. In a simulation there are no other threads, so st_settle() does not wait. Returns ST_OK;
 * ST_WRONG_STATE: called from a callback.
 */
st_result st_settle(void);

/* Returns true if at least one stream has a subscriber. Always returns false if the environment
 * variable ROSS_TRACE_ENABLE is 0, false, off or no. */
bool st_trace_enabled(void);
/* Returns true if at least one subscriber, of either class, listens to this type on the stream. */
bool st_enabled(st_stream_id stream, st_type type);

/* ---- Emitting -------------------------------------------------------------------------------- */

/* [id]: 1 if stream id has subscribers, otherwise 0. Only st_listened() uses it. */
extern unsigned char g_st_listened[ST_STREAMS_MAX];

/* Returns true if the stream has subscribers. Costs one load. */
static inline bool st_listened(st_stream_id stream)
{
    return __atomic_load_n(&g_st_listened[stream], __ATOMIC_RELAXED) != 0;
}

/*
 * Emits a record. The arguments after stream are evaluated only if the stream has subscribers.
 * data: size bytes, at most 64 KiB, copied; it must not contain addresses or padding if logs are to
 * be compared. Allowed in init, event, commit and final handlers; in a reverse handler, ST_NOTIFY()
 * does nothing.
 */
#define ST_NOTIFY(stream, type, point, data, size)                                                 \
    do {                                                                                           \
        if (__builtin_expect(st_listened(stream), 0)) {                                            \
            st_notify((stream), (type), (point), (data), (size));                                  \
        }                                                                                          \
    } while (0)

/* The function behind ST_NOTIFY(). Returns ST_OK, even if there are no subscribers; ST_INVALID:
 * size is too large, or data is NULL although size is not 0; ST_NO_MEMORY: data is unaligned, and
 * memory for an aligned copy is exhausted. */
st_result st_notify(st_stream_id stream, st_type type, const st_point *point, const void *data,
                    size_t size);

/*
 * Emits a record with a parent and an instance. The instance is a number shared by the records of
 * one visit of a point, such as its beginning and its end. parent: the enclosing point; may be
 * NULL.
 *
 * instance: may be NULL. If *instance is 0, a beginning (a record of an even type) sets *instance
 * to its own record number. All other records copy *instance. (lp, stream, instance) therefore
 * identifies a visit, on any number of ranks:
 *
 *     uint64_t visit = 0;
 *     ST_NOTIFY_INSTANCE(stream, ST_TASK_BEGIN, parent, ST_POINT(), &visit, NULL, 0);
 *     ...
 *     ST_NOTIFY_INSTANCE(stream, ST_TASK_END, parent, ST_POINT(), &visit, NULL, 0);
 *
 * If a visit ends in a later event, the model keeps the instance in the LP's state or in a message,
 * and the reverse handler restores it. *instance stays 0 without subscribers, so the model's
 * behaviour must not depend on *instance. Visits without an LP are numbered per process. All
 * records that a subscriber emits in answer to a record have the number of that record, so all
 * visits in an answer share one instance.
 */
#define ST_NOTIFY_INSTANCE(stream, type, parent, point, instance, data, size)                      \
    do {                                                                                           \
        if (__builtin_expect(st_listened(stream), 0)) {                                            \
            st_notify_instance((stream), (type), (parent), (point), (instance), (data), (size));   \
        }                                                                                          \
    } while (0)

/* The function behind ST_NOTIFY_INSTANCE(). Returns the same results as st_notify(). */
st_result st_notify_instance(st_stream_id stream, st_type type, const st_point *parent,
                             const st_point *point, uint64_t *instance, const void *data,
                             size_t size);

/*
 * Emits a begin record now, and the end record when execution leaves the enclosing block in any way
 * (return, break, goto; not longjmp). Both records have the same instance. Example:
 * ST_SCOPE(stream, ST_REGION, ST_POINT());
 */
#define ST_SCOPE(stream, type, point) ST_SCOPE_DATA(stream, type, NULL, point, NULL, 0)

/*
 * Variant of ST_SCOPE() with a parent (may be NULL) and with data of size bytes. data is read for
 * the begin record and again for the end record, so the end record has the values that the block
 * has written. data must outlive the block: declare it before the block. parent and point are
 * evaluated only if the stream has subscribers.
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
    st_stream_id stream; /* stream of the records; 0: no subscribers at the beginning */
    st_type type;
    const st_point *parent, *point;
    uint64_t instance;
    const void *data;
    size_t size;
} st_scope;

/* The functions behind ST_SCOPE_DATA(), for spans that do not end with a block. st_scope_end() reads data
 * again. */
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
 * ROSS_SUBSCRIBERS names. It exports the two functions at the end of this header, and is linked
 * with no library of Warpscope: it calls Warpscope through the table that st_subscriber_init()
 * receives.
 */

/* Table of the functions in this header, for subscriber libraries. It stays valid until the process
 * ends. */
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
    /* Returns the directory for files of this run, and prints the directory's name at the first
     * call. NULL: there is no directory (--disable-output, or an error). */
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

/* Called on every rank once for each stream: when the stream is opened, or when the library is
 * loaded if the stream is already open. version: "1.0", or the text given to
 * st_stream_open_version(). In this function the library makes its subscriptions;
 * api->stream_find(stream) returns the stream's id. */
void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream);
/* Called when the stream is closed, at the latest at the end of the run, while MPI still works.
 * Also called after a fatal error, unless a library or a callback caused the error. */
void st_subscriber_fini(const char *stream);

/*
 * A library may also export the next three functions, all or none. With them, it has after a restart
 * from a checkpoint what it had when the checkpoint was written, on any number of ranks, and what it
 * knows of an LP stays with the LP when --map=auto moves it. Without them, a library begins anew at a
 * restart. Programs that are not simulations do not call them.
 *
 * st_subscriber_save() is called on each rank for each of its LPs, one after another, when a
 * checkpoint is written or LPs are about to move; all records of the executed events have been
 * delivered. Returns the number of bytes that the library needs for LP lp, at most 1 GiB; 0: none.
 * If bytes is not NULL, writes them; size is then the result of the call before. What belongs to no
 * LP, such as a sum over the records of the rank, goes with the first LP, for which is_first is
 * true. The call must change nothing: after a checkpoint the run goes on.
 *
 * The bytes are read in another process. They must not contain addresses, nor ids of streams,
 * strings, points and registered types; use their names.
 */
size_t st_subscriber_save(tw_lpid lp, bool is_first, void *bytes, size_t size);
/* Called for each LP for which bytes were saved, on the rank that has it now, before any event is
 * executed. Sums must be added, since a rank may get the first LPs of several ranks. Returns false
 * if the bytes cannot be read; the run then ends with an error message. */
bool st_subscriber_restore(tw_lpid lp, const void *bytes, size_t size);
/* Discards all that st_subscriber_save() writes. Called when LPs have moved;
 * st_subscriber_restore() follows, also for LPs that have stayed. */
void st_subscriber_forget(void);

#ifdef __cplusplus
}
#endif

#endif
