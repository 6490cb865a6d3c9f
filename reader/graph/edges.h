/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edges.h - the graph of the LPs in a trace: for each pair of LPs, the number of events.
 *
 * The pairs of the latest events are in a buffer. If the buffer is full, its pairs are sorted,
 * counted, and merged into a list of all pairs. If the list would become longer than WS_EDGES_MAX
 * pairs, its pairs first go to a sorter, which uses a temporary file for more than WS_EDGES_SORT
 * bytes. Cost: no cache miss per event, but some ten sequential accesses for sorting.
 *
 * A pair has a direction. A caller that does not need the direction adds the smaller LP as the
 * sender.
 *
 * Invariants
 * P1 The buffer has space for `room` elements, of which n_keys are used; room is at most max.
 * P2 The list has n distinct pairs in ascending order of keys, each with at least one event.
 */
#ifndef WARPSCOPE_READER_GRAPH_EDGES_H
#define WARPSCOPE_READER_GRAPH_EDGES_H

#include <stdbool.h>

#include "data/memory.h"
#include "order/sorter.h"

/* Maximum number of elements in the buffer (32 MiB, plus 32 MiB of memory for sorting), and maximum
 * number in the list (64 MiB). */
#define WS_EDGES_MAX  ((size_t)1 << 22)
#define WS_EDGES_SORT ((size_t)64 << 20)

/* A pair of LPs, with the number of events from the first to the second. */
struct ws_edge {
    uint64_t key;    /* sender << 32 | receiver */
    uint64_t events; /* number of events */
};

struct ws_edges {
    uint64_t *keys; /* the buffer, which lies in keys_memory: keys of the latest events */
    size_t n_keys, room, max;
    /* Memory of the buffer, and memory of the same size for sorting, which is empty before the
     * first sort. */
    struct ws_memory keys_memory, scratch;
    struct ws_edge *list; /* owned; the list of pairs */
    size_t n, list_room;
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

/* Initialises edges without pairs. max: maximum number of elements in the buffer and in the list;
 * 0: WS_EDGES_MAX. */
void ws_edges_init(struct ws_edges *edges, size_t max);
void ws_edges_free(struct ws_edges *edges);

/* Makes room in a full buffer. If memory is exhausted or no temporary file can be written, prints
 * an error message and returns false. */
bool ws_edges_make_room(struct ws_edges *edges);

/* Counts an event from src to dest. Returns false if ws_edges_make_room() fails. */
static inline bool ws_edges_add(struct ws_edges *edges, uint32_t src, uint32_t dest)
{
    if (__builtin_expect(edges->n_keys == edges->room, 0) && !ws_edges_make_room(edges)) {
        return false;
    }
    edges->keys[edges->n_keys++] = ws_edge_key(src, dest);
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
