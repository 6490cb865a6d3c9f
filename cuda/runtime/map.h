/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table from addresses to pointers: entries in an array, found by an index. The caller provides
 * locking.
 *
 * Invariant: the index has the numbers of the entries 0 to n - 1, each under the hash of its key.
 */
#ifndef WARPSCOPE_CUDA_MAP_H
#define WARPSCOPE_CUDA_MAP_H

#include "store/index.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_map_entry {
    uint64_t key;
    void *value;
};

/* A table of zero bytes is empty. */
struct gpu_map {
    struct gpu_map_entry *entries; /* owned; in no order */
    size_t n, room;
    struct index index;
};

/* Adds or replaces an entry. Key and value must not be 0. Returns false if memory is exhausted. */
bool gpu_map_put(struct gpu_map *map, uint64_t key, void *value);
/* Returns the value of a key, or NULL. */
void *gpu_map_get(const struct gpu_map *map, uint64_t key);
/* Removes a key. Returns its value, or NULL. */
void *gpu_map_take(struct gpu_map *map, uint64_t key);
/* Removes all keys and frees the memory. */
void gpu_map_clear(struct gpu_map *map);
/* Returns true if the invariant holds. */
bool gpu_map_check(const struct gpu_map *map);

#endif
