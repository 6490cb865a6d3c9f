/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.h - keeps two sums for each key; a key is four numbers. Additions wait in a short queue
 * while the processor prefetches the entries of the hash table that they need. Call
 * ws_sums_settle() after the last addition, before the sums are used in any other way.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_SUMS_H
#define WARPSCOPE_READER_MEMTRACE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/memory.h"

struct ws_sum {
    uint32_t key[4];
    uint64_t values[2]; /* the two sums; the first is never 0 */
};

#define WS_SUMS_QUEUE 32

/* The keys and their sums. Zero-initialise. Call ws_sums_free() at the end, even after an error. */
struct ws_sums {
    struct ws_sum *slots;    /* hash table; an entry with values[0] == 0 is empty */
    struct ws_memory memory; /* memory of slots, aligned so that no entry crosses a cache line */
    size_t n, n_slots;       /* number of keys, and of entries in the hash table */
    bool failed;             /* true if memory was exhausted: the sums are then wrong */
    bool packed; /* true after sorting: slots[0] to slots[n - 1] have the keys, without gaps */
    uint32_t n_queued;
    struct ws_sum queue[WS_SUMS_QUEUE]; /* additions that wait, oldest first */
};

/* Adds a and b to the two sums of the key (k0, k1, k2, k3). `a` may be 0 only if the key exists
 * already. Cost: one or two probes of the hash table. Memory: 64 to 128 bytes per key. */
void ws_sums_add(struct ws_sums *sums, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
                 uint64_t a, uint64_t b);
/* Performs the additions that wait in the queue. */
void ws_sums_settle(struct ws_sums *sums);
void ws_sums_free(struct ws_sums *sums);

/* ws_sums_sort() performs the additions that wait, then moves all sums to slots[0] to slots[n - 1],
 * sorted by `compare`, which receives two struct ws_sum and ctx. No addition is allowed afterwards; sorting again is. */
typedef int (*ws_sums_compare)(const void *a, const void *b, void *ctx);
void ws_sums_sort(struct ws_sums *sums, ws_sums_compare compare, void *ctx);

/* Compares two sums by their keys, for ws_sums_sort(). */
int ws_sums_by_key(const void *a, const void *b, void *ctx);

/* Returns true if a search finds each key. The queue of additions must be empty. */
bool ws_sums_check(const struct ws_sums *sums);

#endif
