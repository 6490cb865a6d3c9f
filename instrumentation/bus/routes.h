/*
 * routes.h - a cache: whom to call for records of a type outside of runs, where that is one list.
 *
 * Finding the lists of both classes of subscribers takes a walk over five tables; most records go
 * to a single list, and models emit few types. Direct-mapped: a route gives way to another that
 * wants its place. Forgotten whenever somebody subscribes or unsubscribes, or a stream is opened or
 * closed: so what is found is in force.
 */
#ifndef WARPSCOPE_BUS_ROUTES_H
#define WARPSCOPE_BUS_ROUTES_H

#include <string.h>

#include "bus/calls.h"

#define ROUTES 64u

/* All zero: none. */
struct routes {
    uint32_t keys[ROUTES]; /* 0: none; the stream 0 has no listeners */
    const struct callees *lists[ROUTES];
};

static inline uint32_t routes_key(st_stream_id stream, st_type type)
{
    return (uint32_t)type << 16 | stream;
}

/* A type and its end, and small numbers of streams and types, do not collide. */
static inline unsigned routes_place(st_stream_id stream, st_type type)
{
    return (type + stream * 8u) % ROUTES;
}

/* Is the list of these records known? The stream is not 0. */
static inline bool routes_know(const struct routes *r, st_stream_id stream, st_type type)
{
    return r->keys[routes_place(stream, type)] == routes_key(stream, type);
}

/* If it is known. */
static inline const struct callees *routes_list(const struct routes *r, st_stream_id stream,
                                                st_type type)
{
    return r->lists[routes_place(stream, type)];
}

static inline void routes_put(struct routes *r, st_stream_id stream, st_type type,
                              const struct callees *list)
{
    unsigned i = routes_place(stream, type);
    r->keys[i] = routes_key(stream, type);
    r->lists[i] = list;
}

static inline void routes_forget(struct routes *r)
{
    memset(r->keys, 0, sizeof r->keys);
}

#endif
