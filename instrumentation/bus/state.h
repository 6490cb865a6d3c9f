/*
 * state.h - the state of the bus: what lives as long as the process, and what lives as long as a
 * run. The objects are in st_globals.c.
 */
#ifndef WARPSCOPE_BUS_STATE_H
#define WARPSCOPE_BUS_STATE_H

#include "bus/bus.h"
#include "bus/enable.h"
#include "bus/plugins.h"
#include "bus/points.h"
#include "bus/routes.h"
#include "bus/stats_dir.h"
#include "bus/streams.h"
#include "bus/types.h"

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

/* Is all of it as it should be? */
bool bus_check(void);
bool bus_check_routes(void); /* a part of it */

#endif
