/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edges.h - the graph of the LPs: for each pair of sender and receiver, the number of events.
 *
 * Pairs are counted in a hash table of at most ANALYZE_EDGE_SLOTS. A full table goes to a sorter,
 * which uses a temporary file beyond ANALYZE_EDGE_SORT bytes, and is emptied. Cost: one cache miss
 * per event.
 */
#ifndef WARPSCOPE_READER_ANALYZE_EDGES_H
#define WARPSCOPE_READER_ANALYZE_EDGES_H

#include "order/sorter.h"

#define ANALYZE_EDGE_SLOTS ((size_t)1 << 22) /* 64 MiB */
#define ANALYZE_EDGE_SORT  ((size_t)128 << 20)

/* A pair of LPs. */
struct analyze_edge {
    uint64_t key;    /* sender << 32 | receiver */
    uint64_t events; /* number of events; 0: free slot */
};

struct analyze_edges {
    struct analyze_edge *slots; /* owned */
    size_t n_slots, n, slots_max;
    struct ws_sorter sorter;
    bool spilled; /* true if the sorter has pairs */
};

static inline uint64_t analyze_edge_key(uint32_t src, uint32_t dest)
{
    return (uint64_t)src << 32 | dest;
}
static inline uint32_t analyze_edge_src(uint64_t key)
{
    return (uint32_t)(key >> 32);
}
static inline uint32_t analyze_edge_dest(uint64_t key)
{
    return (uint32_t)key;
}
static inline size_t analyze_edge_hash(uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ h >> 32);
}

/* slots_max: a power of two, at least 16; 0: ANALYZE_EDGE_SLOTS. */
void analyze_edges_init(struct analyze_edges *edges, size_t slots_max);
void analyze_edges_free(struct analyze_edges *edges);

/* Counts an event. Returns false, after a message, if memory is exhausted or no temporary file can
 * be written. */
bool analyze_edges_add(struct analyze_edges *edges, uint32_t src, uint32_t dest);
static inline __attribute__((always_inline)) void
analyze_edges_prefetch(const struct analyze_edges *edges, uint32_t src, uint32_t dest)
{
    if (edges->n_slots > 0) {
        uint64_t key = analyze_edge_key(src, dest);
        __builtin_prefetch(&edges->slots[analyze_edge_hash(key) & (edges->n_slots - 1)]);
    }
}

/* Called with each pair. Returns false to end. */
typedef bool (*analyze_edge_f)(const struct analyze_edge *edge, void *ctx);
/* Calls fn for all pairs by ascending key, once after all events. Returns false if fn ended the
 * walk, or after a message. */
bool analyze_edges_each(struct analyze_edges *edges, analyze_edge_f fn, void *ctx);

#endif
