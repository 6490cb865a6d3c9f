/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - the state of the bus: one part lives as long as the process, the other as long as a
 * run. The objects are in st_globals.c.
 */
#ifndef WARPSCOPE_BUS_STATE_H
#define WARPSCOPE_BUS_STATE_H

#include "bus/bus.h"
#include "bus/routes.h"
#include "bus/tables/plugins.h"
#include "bus/tables/points.h"
#include "bus/tables/streams.h"
#include "bus/tables/types.h"
#include "st_hook.h"

/* Bitwise OR of ST_AT(position) for the positions whose records are available to subscribers of
 * class ST_COMMITTED. */
#define BUS_COMMITTED_FORM(name, text, detail, committed) | (committed ? ST_AT(ST_POS_##name) : 0)
#define BUS_COMMITTED_FORMS                               ((uint32_t)(0 ST_POSITION_LIST(BUS_COMMITTED_FORM)))

/* State for the life of the process. It is never freed: places in the code keep pointers to their
 * points, which refer to these strings. */
struct bus_program {
    struct strings strings;
    struct points points;
};

struct bus_watcher {
    void (*changed)(void *ctx, st_stream_id stream);
    void *ctx;
};

/* The directory where subscriber libraries put their files. A zero-initialised object has no
 * directory. */
struct stats_dir {
    char *path;   /* owned; path of the directory; NULL: none */
    bool is_ours; /* true if stats_dir_fini() is to remove the directory when it is empty */
    /* True if a library in this process has asked for the directory, or the recorder has printed
     * the directory's path. */
    bool was_asked;
};

/* State for the life of a run. A zero-initialised object has no streams and no subscriptions. */
struct bus {
    struct dispatching dispatching;
    struct routes routes;
    struct streams streams;
    enum bus_switch is_on; /* state set by ROSS_TRACE_ENABLE; undecided until first used */
    uint32_t n_listened;   /* number of streams that have subscribers */
    /* Number of records without an LP that have begun a visit. Their instances are numbered from
     * 1. */
    uint64_t n_visits;
    struct types types;
    unsigned n_watchers;
    struct bus_watcher watchers[BUS_WATCHERS_MAX];
    struct plugins plugins;
    const char *recorder_dir;  /* not owned; directory that the recorder has made; NULL: none */
    bool recorder_has_records; /* true if the recorder has files in recorder_dir */
    struct stats_dir stats_dir;
};

struct bus_options {
    char subscribers[4096]; /* value of --subscribers */
};

extern struct bus_program g_st_program;
extern struct bus g_st_bus;
extern struct bus_options g_st_bus_options;
extern const st_api bus_api; /* functions for subscriber libraries, see libraries.c */

/* Updates g_st_listened, the routes and all watchers. Called when the subscriptions of a stream
 * have changed, or the stream was opened or closed. */
void bus_refresh(st_stream_id stream);

/* Stores in the cache, and returns, the route for records of this type on a stream that has
 * subscribers. The route is valid until the next call. */
const struct route *bus_route_make(st_stream_id stream, st_type type);
/* Returns the route for records of this type on a stream that has subscribers. The route is valid
 * until the next call. */
static inline const struct route *bus_route(st_stream_id stream, st_type type)
{
    const struct route *route = routes_at(&g_st_bus.routes, stream, type);
    return __builtin_expect(route_is_of(route, stream, type), 1) ? route
                                                                 : bus_route_make(stream, type);
}

/* Emits a record, with any data, on a stream that has subscribers. Returns the same results as
 * st_notify(). */
st_result bus_notify_any(st_stream_id stream, st_type type, const st_point *point, const void *data,
                         size_t size) __attribute__((noinline));
/* Emits *record as bus_notify_any() does. Replaces an instance DEFERRED_NEW_VISIT by a number. */
st_result bus_notify_record(st_record *record) __attribute__((noinline));

#define BUS_SIZE_MAX 65536u /* maximum size of a record's data in bytes */
/* Returns true if bus_notify_any() must examine the data (size bytes). The test is cheap, and may
 * return true for usual data as well. The comparison of the address with `size` detects a NULL
 * address whose size is not 0. */
static inline bool bus_is_unusual(const void *data, size_t size)
{
    return size > BUS_SIZE_MAX || (uintptr_t)data < size || ((uintptr_t)data & 7u) != 0;
}

/* Returns true if st_notify() may emit a record of this type with these data (size bytes). */
static inline bool bus_is_valid(st_type type, const void *data, size_t size)
{
    return size <= BUS_SIZE_MAX && (data != NULL || size == 0) && type != ST_ALL_TYPES;
}

/* Returns a record without an LP. */
static inline st_record bus_record(st_stream_id stream, st_type type, const st_point *point,
                                   const void *data, size_t size)
{
    return (st_record){.stream = stream,
                       .type = type,
                       .size = (uint32_t)size,
                       .data = data,
                       .point = point,
                       .lp = ST_NO_LP};
}

/* Returns true if all tables and routes are consistent. For tests. */
bool bus_check(void);
bool bus_check_routes(void); /* returns true if all routes are consistent; part of bus_check() */

#endif
