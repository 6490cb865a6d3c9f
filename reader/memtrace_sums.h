/*
 * memtrace_sums.h - two sums for each key of four numbers.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_SUMS_H
#define WARPSCOPE_READER_MEMTRACE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ws_sum {
    uint32_t key[4];
    uint64_t values[2]; /* the first is never 0 */
};

/* Zero-initialise; free in any case. */
struct ws_sums {
    struct ws_sum *slots; /* owned; those with values[0] == 0 are empty. Packed: slots[0 .. n) */
    size_t n, n_slots;
    size_t last; /* the slot that was used last */
    bool failed; /* no memory: the sums are wrong */
    bool packed;
};

/* Adds to the sums of a key; a is not 0. Cost: a probe or two; 64 to 128 bytes of
 * memory per key. */
void ws_sums_add(struct ws_sums *sums, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3,
                 uint64_t a, uint64_t b);
void ws_sums_free(struct ws_sums *sums);

/* The keys lie in slots[0 .. n), in this order, from now on; nothing can be added any more. */
typedef int (*ws_sums_compare)(const struct ws_sum *a, const struct ws_sum *b, const void *ctx);
void ws_sums_sort(struct ws_sums *sums, ws_sums_compare compare, const void *ctx);

/* Asserts that each key is found where it is looked for. */
void ws_sums_check(const struct ws_sums *sums);

#endif
