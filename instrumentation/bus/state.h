/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - the state of the bus: what lives as long as the process, and what lives as long as a
 * run. The objects are in st_globals.c.
 */
#ifndef WARPSCOPE_BUS_STATE_H
#define WARPSCOPE_BUS_STATE_H

#include "bus/bus.h"
#include "bus/routes.h"
#include "bus/stats_dir.h"
#include "bus/tables/enable.h"
#include "bus/tables/plugins.h"
#include "bus/tables/points.h"
#include "bus/tables/streams.h"
#include "bus/tables/types.h"

/* Places in the code keep pointers to their points, so neither these nor their texts can go. */
struct bus_program {
    struct strings strings;
    struct points points;
};

struct bus_watcher {
    void (*changed)(void *ctx, st_stream_id stream);
    void *ctx;
};

/* All zero: a run that nobody has said anything about. */
struct bus {
    struct dispatching dispatching;
    struct routes routes;
    struct streams streams;
    enum bus_switch is_on; /* undecided until somebody asks */
    uint32_t n_listened;   /* streams that somebody listens to */
    uint64_t n_visits;     /* instances of records without an LP */
    struct types types;
    unsigned n_watchers;
    struct bus_watcher watchers[BUS_WATCHERS_MAX];
    struct plugins plugins;
    const char *recorder_dir; /* not owned; NULL: none */
    struct stats_dir stats_dir;
};

struct bus_options {
    char subscribers[4096]; /* --subscribers */
};

extern struct bus_program g_st_program;
extern struct bus g_st_bus;
extern struct bus_options g_st_bus_options;

/* Who listens to a stream, or whether it is open, has changed. */
void bus_refresh(st_stream_id stream);

/* The route of records of a stream that is listened to; valid until the next one is asked for. */
const struct route *bus_route_make(st_stream_id stream, st_type type);
static inline const struct route *bus_route(st_stream_id stream, st_type type)
{
    const struct route *route = routes_at(&g_st_bus.routes, stream, type);
    return __builtin_expect(route_is_of(route, stream, type), 1) ? route
                                                                 : bus_route_make(stream, type);
}

/* Any record of a stream that is listened to, see st_notify(). */
st_result bus_notify_any(st_stream_id stream, st_type type, const st_point *point, const void *data,
                         size_t size) __attribute__((noinline));
/* The same; an instance that is DEFERRED_NEW_VISIT is settled. */
st_result bus_notify_record(st_record *record) __attribute__((noinline));

#define BUS_SIZE_MAX 65536u /* bytes of data */
/* Is the data one that bus_notify_any() has to look at? Cheap, so it may be wrong about what is
 * usual: comparing data with size finds data that is NULL though it has a size. */
static inline bool bus_is_unusual(const void *data, size_t size)
{
    return size > BUS_SIZE_MAX || (uintptr_t)data < size || ((uintptr_t)data & 7u) != 0;
}

/* Is all of it as it should be? */
bool bus_check(void);
bool bus_check_routes(void); /* a part of it */

#endif
