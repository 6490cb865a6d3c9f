/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.h - a cache of routes. A route says which lists of subscribers to call for records of one
 * type on one stream.
 *
 * Finding the lists of both classes of subscribers means reading five tables. Most records go to a
 * single list, and models emit few types. The cache is direct-mapped. It is cleared when a tool
 * subscribes or unsubscribes, a stream is opened or closed, or a run begins or ends. A stored route
 * is therefore always valid.
 */
#ifndef WARPSCOPE_BUS_ROUTES_H
#define WARPSCOPE_BUS_ROUTES_H

#include <assert.h>
#include <string.h>

#include "bus/calls.h"

#define ROUTES 64u

struct route {
    /* Stream and type, see routes_key(); 0: no route, since stream 0 has no subscribers. */
    uint32_t key;
    /* [c]: true if class c has two lists of subscribers; lists[c] is then NULL. */
    bool are_several[SUBSCRIPTION_CLASSES];
    bool keeps_data; /* true if a handler's record waits for the commit with its data */
    /* True if deferred_on_undo() has registered a function for the stream. */
    bool reports_undone;
    const struct callees *only; /* the only list to call outside of a run; NULL: none, or several */
    /* [c]: the only list to call for class c; NULL: none, or several. */
    const struct callees *lists[SUBSCRIPTION_CLASSES];
    /* [i]: number of the stream's records from handlers of local LP i; NULL: no run. */
    uint64_t *emitted;
};

/* The cache. A zero-initialised cache is empty. */
struct routes {
    struct route at[ROUTES];
};

static inline uint32_t routes_key(st_stream_id stream, st_type type)
{
    return (uint32_t)type << 16 | stream;
}

/* Returns the index in the cache of the route for records of this type on this stream. A begin type
 * and its ST_TYPE_END() have different indices. So do all pairs of a stream id below 8 and a type
 * below 8. */
static inline unsigned routes_place(st_stream_id stream, st_type type)
{
    return (type + stream * 8u) % ROUTES;
}

/* Returns the entry of the cache in which the route for records of this type on this stream
 * belongs. stream must not be 0. */
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
