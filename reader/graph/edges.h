/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edges.h - the graph of the LPs in a trace: for each pair of LPs, the number of events.
 *
 * A list has the pairs so far, and behind them those of the latest events. If it is full, it is sorted,
 * and equal pairs become one. If more than three quarters of WS_EDGES_MAX pairs remain, they go to a sorter,
 * which uses a temporary file for more than WS_EDGES_SORT bytes. Cost: no cache miss per event, but
 * some ten sequential accesses for sorting.
 *
 * A pair has a direction. A caller that does not need the direction adds the smaller LP as the
 * sender.
 *
 * Invariants
 * P1 The list has space for `room` elements, of which n are used; room is at most max.
 * P2 Each element has at least one event; the first n_sorted are distinct and in ascending order of
 *    their keys.
 */
#ifndef WARPSCOPE_READER_GRAPH_EDGES_H
#define WARPSCOPE_READER_GRAPH_EDGES_H

#include <stdbool.h>

#include "data/memory.h"
#include "order/sorter.h"

/* Maximum number of elements in the list (64 MiB, plus 64 MiB of memory for sorting). */
#define WS_EDGES_MAX  ((size_t)1 << 22)
#define WS_EDGES_SORT ((size_t)64 << 20)

/* A pair of LPs, with the number of events from the first to the second. */
struct ws_edge {
    uint64_t key;    /* sender << 32 | receiver */
    uint64_t events; /* number of events */
};

struct ws_edges {
    struct ws_edge *list; /* lies in `memory` */
    size_t n, n_sorted, room, max;
    /* Memory of the list, and memory of the same size for sorting, which is empty before the first
     * sort. */
    struct ws_memory memory, scratch;
    struct ws_sorter sorter;
    bool spilled; /* true if the sorter has pairs */
};

static inline uint64_t ws_edge_key(uint32_t src, uint32_t dest)
{
    return (uint64_t)src << 32 | dest;
}
static inline uint32_t ws_edge_src(uint64_t key)
{
    return (uint32_t)(key >> 32);
}
static inline uint32_t ws_edge_dest(uint64_t key)
{
    return (uint32_t)key;
}

/* Initialises edges without pairs. max: maximum number of elements in the list; 0: WS_EDGES_MAX. */
void ws_edges_init(struct ws_edges *edges, size_t max);
void ws_edges_free(struct ws_edges *edges);

/* Sorts the pairs, and makes one of equal pairs: n_sorted becomes n. Returns false after an error message
 * if out of memory. */
bool ws_edges_combine(struct ws_edges *edges);
/* Makes room in a full list. If memory is exhausted or no temporary file can be written, prints an
 * error message and returns false. */
bool ws_edges_make_room(struct ws_edges *edges);

/* Counts events from src to dest. Returns false if ws_edges_make_room() fails. */
static inline bool ws_edges_add(struct ws_edges *edges, uint32_t src, uint32_t dest,
                                uint64_t events)
{
    if (__builtin_expect(edges->n == edges->room, 0) && !ws_edges_make_room(edges)) {
        return false;
    }
    edges->list[edges->n++] = (struct ws_edge){ws_edge_key(src, dest), events};
    return true;
}

/* Called with each pair. Returns false to end the walk. */
typedef bool (*ws_edge_f)(const struct ws_edge *pair, void *ctx);
/* Calls fn for all pairs in ascending order of their keys. Must be called once, after all events
 * were added. Returns false if fn ended the walk, or after an error message. */
bool ws_edges_each(struct ws_edges *edges, ws_edge_f fn, void *ctx);

/* Returns true if the invariants P1 and P2 hold. */
bool ws_edges_check(const struct ws_edges *edges);

#endif
