/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.c - counts events by pair of LPs; see graph.h.
 *
 * Invariants of the hash table
 *  1. n_slots is 0 or a power of two; at most three quarters of the slots are in use.
 *  2. Between the home of a pair and its slot no slot is free.
 */
#include "partition/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 12)

bool partition_graph_init(struct partition_graph *g, uint64_t n_lps)
{
    assert(n_lps > 0 && n_lps <= PARTITION_LPS_MAX);
    *g = (struct partition_graph){.n_lps = n_lps};
    g->received = calloc(n_lps, sizeof *g->received);
    g->load = calloc(n_lps, sizeof *g->load);
    g->timed = calloc(n_lps, sizeof *g->timed);
    g->pe = malloc(n_lps * sizeof *g->pe);
    if (g->received == NULL || g->load == NULL || g->timed == NULL || g->pe == NULL) {
        return false;
    }
    for (uint64_t lp = 0; lp < n_lps; lp++) {
        g->pe[lp] = PARTITION_UNKNOWN_PE;
    }
    return true;
}

void partition_graph_free(struct partition_graph *g)
{
    free(g->received);
    free(g->load);
    free(g->timed);
    free(g->pe);
    free(g->begin);
    free(g->to);
    free(g->weight);
    free(g->slots);
    *g = (struct partition_graph){.n_lps = 0};
}

static struct partition_pair *slot_of(struct partition_pair *slots, size_t n_slots, uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(h ^ h >> 32) & (n_slots - 1);
    while (slots[at].events != 0 && slots[at].key != key) {
        at = (at + 1) & (n_slots - 1);
    }
    return &slots[at];
}

static bool table_grow(struct partition_graph *g)
{
    size_t n = g->n_slots == 0 ? FIRST_SLOTS : 2 * g->n_slots;
    struct partition_pair *slots = calloc(n, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < g->n_slots; i++) {
        if (g->slots[i].events != 0) {
            *slot_of(slots, n, g->slots[i].key) = g->slots[i];
        }
    }
    free(g->slots);
    g->slots = slots;
    g->n_slots = n;
    return true;
}

bool partition_graph_add(struct partition_graph *g, uint32_t src, uint32_t dest, int64_t handler_ns)
{
    assert(src < g->n_lps && dest < g->n_lps);
    g->events++;
    g->received[dest]++;
    if (handler_ns >= 0) {
        g->timed[dest]++;
        g->n_timed++;
        g->load[dest] += (uint64_t)handler_ns;
    }
    if (src == dest) {
        g->self++;
        return true;
    }
    if (g->n_pairs >= g->n_slots / 4 * 3 && !table_grow(g)) {
        return false;
    }
    uint64_t key = src < dest ? (uint64_t)src << 32 | dest : (uint64_t)dest << 32 | src;
    struct partition_pair *pair = slot_of(g->slots, g->n_slots, key);
    g->n_pairs += pair->events == 0;
    pair->key = key;
    pair->events++;
    return true;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct partition_pair *)a)->key;
    uint64_t y = ((const struct partition_pair *)b)->key;
    return (x > y) - (x < y);
}

static void pair_put(struct partition_graph *g, uint64_t *next, uint32_t from, uint32_t to,
                     uint64_t events)
{
    uint64_t at = next[from]++;
    g->to[at] = to;
    g->weight[at] = events;
}

/* Sorts the pairs into the arrays by LP. */
static bool pairs_sort(struct partition_graph *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n_slots; i++) {
        if (g->slots[i].events != 0) {
            g->slots[n++] = g->slots[i];
        }
    }
    if (n > 0) {
        qsort(g->slots, n, sizeof *g->slots, by_key);
    }
    g->begin = calloc(g->n_lps + 1, sizeof *g->begin);
    g->to = malloc((2 * n + 1) * sizeof *g->to);
    g->weight = malloc((2 * n + 1) * sizeof *g->weight);
    uint64_t *next = malloc(g->n_lps * sizeof *next);
    bool good = g->begin != NULL && g->to != NULL && g->weight != NULL && next != NULL;
    for (size_t i = 0; good && i < n; i++) {
        g->begin[(g->slots[i].key >> 32) + 1]++;
        g->begin[(uint32_t)g->slots[i].key + (uint64_t)1]++;
    }
    for (uint64_t lp = 0; good && lp < g->n_lps; lp++) {
        next[lp] = g->begin[lp];
        g->begin[lp + 1] += g->begin[lp];
    }
    /* All neighbours with smaller numbers come before those with larger ones. */
    for (size_t i = 0; good && i < n; i++) {
        uint32_t low = (uint32_t)(g->slots[i].key >> 32);
        pair_put(g, next, (uint32_t)g->slots[i].key, low, g->slots[i].events);
    }
    for (size_t i = 0; good && i < n; i++) {
        uint32_t low = (uint32_t)(g->slots[i].key >> 32);
        pair_put(g, next, low, (uint32_t)g->slots[i].key, g->slots[i].events);
    }
    free(next);
    free(g->slots);
    g->slots = NULL;
    g->n_slots = 0;
    g->n_pairs = n;
    return good;
}

/* Events without a time count as the mean of those of their LP, or of all LPs. */
static void load_from_times(struct partition_graph *g)
{
    uint64_t sum = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        sum += g->load[lp];
    }
    double mean = (double)sum / (double)g->n_timed;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        double own = g->timed[lp] > 0 ? (double)g->load[lp] / (double)g->timed[lp] : mean;
        g->load[lp] += (uint64_t)(own * (double)(g->received[lp] - g->timed[lp]));
    }
}

bool partition_graph_finish(struct partition_graph *g, bool by_time)
{
    g->by_time = by_time && g->n_timed > 0;
    if (g->by_time) {
        load_from_times(g);
    } else {
        memcpy(g->load, g->received, g->n_lps * sizeof *g->load);
    }
    g->total_load = 0;
    for (uint64_t lp = 0; lp < g->n_lps; lp++) {
        g->total_load += g->load[lp];
    }
    return pairs_sort(g);
}
