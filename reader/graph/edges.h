/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edges.h - the graph of the LPs of a trace: for each pair of LPs, the number of events.
 *
 * Pairs are counted in a hash table of at most WS_EDGES_SLOTS. A full table goes to a sorter, which
 * uses a temporary file beyond WS_EDGES_SORT bytes, and is emptied. Cost: one cache miss per event.
 *
 * A pair has a direction. A caller that needs none adds the smaller LP as the sender.
 *
 * Invariants, until ws_edges_each()
 *  P1  n_slots is 0 or a power of two, at most slots_max; at most three quarters of the slots are in
 *      use, and their number is n.
 *  P2  Between the home of a pair, given by its hash, and its slot no slot is free.
 */
#ifndef WARPSCOPE_READER_GRAPH_EDGES_H
#define WARPSCOPE_READER_GRAPH_EDGES_H

#include "data/memory.h"
#include "order/sorter.h"

#define WS_EDGES_SLOTS ((size_t)1 << 22) /* 64 MiB */
#define WS_EDGES_SORT  ((size_t)128 << 20)

/* A pair of LPs. */
struct ws_edge {
    uint64_t key;    /* sender << 32 | receiver */
    uint64_t events; /* number of events; 0: free slot */
};

struct ws_edges {
    struct ws_edge *slots; /* in memory */
    struct ws_memory memory;
    size_t n_slots, n, slots_max;
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
static inline size_t ws_edge_hash(uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ h >> 32);
}

/* slots_max: the most slots, a power of two, at least 16; 0: WS_EDGES_SLOTS. */
void ws_edges_init(struct ws_edges *edges, size_t slots_max);
void ws_edges_free(struct ws_edges *edges);

/* Counts an event. Returns false, after a message, if memory is exhausted or no temporary file can
 * be written. */
bool ws_edges_add(struct ws_edges *edges, uint32_t src, uint32_t dest);
static inline __attribute__((always_inline)) void ws_edges_prefetch(const struct ws_edges *edges,
                                                                    uint32_t src, uint32_t dest)
{
    if (edges->n_slots > 0) {
        uint64_t key = ws_edge_key(src, dest);
        __builtin_prefetch(&edges->slots[ws_edge_hash(key) & (edges->n_slots - 1)]);
    }
}

/* Called with each pair. Returns false to end. */
typedef bool (*ws_edge_f)(const struct ws_edge *pair, void *ctx);
/* Calls fn for all pairs by ascending key, once after all events. Returns false if fn ended the
 * walk, or after a message. */
bool ws_edges_each(struct ws_edges *edges, ws_edge_f fn, void *ctx);

/* Asserts the invariants. */
void ws_edges_check(const struct ws_edges *edges);

#endif
