/*
 * memtrace_sums.h - two sums for each key of four numbers. What is added waits in a short queue
 * until its place in the table has come from memory: ws_sums_settle() before anything else is done
 * with the sums.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_SUMS_H
#define WARPSCOPE_READER_MEMTRACE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memtrace_memory.h"

struct ws_sum {
    uint32_t key[4];
    uint64_t values[2]; /* the first is never 0 */
};

#define WS_SUMS_QUEUE 32

/* Zero-initialise; free in any case. */
struct ws_sums {
    struct ws_sum *slots;    /* those with values[0] == 0 are empty. Packed: slots[0 .. n) */
    struct ws_memory memory; /* of slots: none of them lies across two lines of the cache */
    size_t n, n_slots;
    bool failed; /* no memory: the sums are wrong */
    bool packed;
    uint32_t n_queued;
    struct ws_sum queue[WS_SUMS_QUEUE]; /* the oldest first */
};

/* Adds to the sums of a key; a may be 0 if the key is there. Cost: a probe or two; 64 to 128 bytes
 * of memory per key. */
void ws_sums_add(struct ws_sums *sums, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
                 uint64_t a, uint64_t b);
/* Adds what waits. */
void ws_sums_settle(struct ws_sums *sums);
void ws_sums_free(struct ws_sums *sums);

/* Settles; the keys lie in slots[0 .. n), in this order, from now on; nothing can be added any
 * more. */
typedef int (*ws_sums_compare)(const struct ws_sum *a, const struct ws_sum *b, const void *ctx);
void ws_sums_sort(struct ws_sums *sums, ws_sums_compare compare, const void *ctx);

/* Asserts that each key is found where it is looked for. Settled sums. */
void ws_sums_check(const struct ws_sums *sums);

#endif
