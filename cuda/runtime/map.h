/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hash table from addresses to pointers. The caller locks it.
 */
#ifndef WARPSCOPE_CUDA_MAP_H
#define WARPSCOPE_CUDA_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_map_entry {
    uint64_t key; /* 0: free */
    void *value;
};

/* All zero: an empty table. */
struct gpu_map {
    struct gpu_map_entry *entries;
    size_t capacity, used;
};

/* Adds or replaces; false without memory. The key and the value are not 0. */
bool gpu_map_put(struct gpu_map *map, uint64_t key, void *value);
/* Returns the value, or NULL. */
void *gpu_map_get(const struct gpu_map *map, uint64_t key);
/* Removes a key. Returns its value, or NULL. */
void *gpu_map_take(struct gpu_map *map, uint64_t key);
void gpu_map_clear(struct gpu_map *map);

#endif
