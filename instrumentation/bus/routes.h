/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.h - a cache of the subscribers to call for records of a type, and of the way to call them.
 *
 * Finding the lists of both classes of subscribers takes a walk over five tables; most records go
 * to a single list, and models emit few types. The cache is direct-mapped. It is cleared when a
 * tool subscribes or unsubscribes, a stream is opened or closed, or a run begins or ends. A stored
 * route is therefore always valid.
 */
#ifndef WARPSCOPE_BUS_ROUTES_H
#define WARPSCOPE_BUS_ROUTES_H

#include <assert.h>
#include <string.h>

#include "bus/calls.h"

#define ROUTES 64u

struct route {
    uint32_t key; /* stream and type of the route; 0: no route, since stream 0 has no subscribers */
    /* True for a class with two lists of subscribers; its entry of lists[] is NULL. */
    bool are_several[SUBSCRIPTION_CLASSES];
    bool keeps_data;            /* true if a handler's record waits for the commit with its data */
    bool reports_undone;        /* true if deferred_on_undo() has functions for the stream */
    const struct callees *only; /* list to call outside of a run; NULL: none, or several */
    /* List to call for each class; NULL: none, or several. */
    const struct callees *lists[SUBSCRIPTION_CLASSES];
    uint64_t *emitted; /* counts of the stream for each local LP; NULL: no run */
};

/* The cache. All zero: empty. */
struct routes {
    struct route at[ROUTES];
};

static inline uint32_t routes_key(st_stream_id stream, st_type type)
{
    return (uint32_t)type << 16 | stream;
}

/* Returns the place of a route in the cache. A begin type and its ST_TYPE_END() have different
 * places. So do all pairs of a stream id below 8 and a type below 8. */
static inline unsigned routes_place(st_stream_id stream, st_type type)
{
    return (type + stream * 8u) % ROUTES;
}

/* Returns the slot for the route of these records. The stream is not 0. */
static inline struct route *routes_at(struct routes *r, st_stream_id stream, st_type type)
{
    assert(stream != 0);
    return &r->at[routes_place(stream, type)];
}

static inline bool route_is_of(const struct route *route, st_stream_id stream, st_type type)
{
    return route->key == routes_key(stream, type);
}

static inline void routes_forget(struct routes *r)
{
    memset(r, 0, sizeof *r);
}

#endif
