/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.h - two sums for each key of four numbers. Additions wait in a short queue while
 * their slots are prefetched. ws_sums_settle() must be called before any other use of the sums.
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

/* Sums by key. Zero-initialise. Must be freed in any case. */
struct ws_sums {
    /* Hash table; a slot with values[0] == 0 is empty. Packed: slots[0] to slots[n - 1]. */
    struct ws_sum *slots;
    struct ws_memory memory; /* memory of slots, aligned so that no slot crosses a cache line */
    size_t n, n_slots;
    bool failed; /* true if memory was exhausted: the sums are then wrong */
    bool packed;
    uint32_t n_queued;
    struct ws_sum queue[WS_SUMS_QUEUE]; /* queue of additions, oldest first */
};

/* Adds a and b to the two sums of a key. a may be 0 if the key exists already. Cost: a probe or
 * two. Memory: 64 to 128 bytes per key. */
void ws_sums_add(struct ws_sums *sums, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
                 uint64_t a, uint64_t b);
/* Performs the additions in the queue. */
void ws_sums_settle(struct ws_sums *sums);
void ws_sums_free(struct ws_sums *sums);

/* ws_sums_sort() settles the sums and sorts the keys by compare into slots[0] to slots[n - 1]. No
 * addition is allowed afterwards. */
typedef int (*ws_sums_compare)(const struct ws_sum *a, const struct ws_sum *b, const void *ctx);
void ws_sums_sort(struct ws_sums *sums, ws_sums_compare compare, const void *ctx);

/* Asserts that each key is found. The sums must be settled. */
void ws_sums_check(const struct ws_sums *sums);

#endif
