/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hash table from addresses to pointers. The caller provides locking.
 */
#ifndef WARPSCOPE_CUDA_MAP_H
#define WARPSCOPE_CUDA_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_map_entry {
    uint64_t key; /* 0: the entry is free */
    void *value;
};

/* A table of zero bytes is empty. */
struct gpu_map {
    struct gpu_map_entry *entries;
    size_t capacity, used;
};

/* Adds or replaces an entry. Key and value must not be 0. Returns false if memory is exhausted. */
bool gpu_map_put(struct gpu_map *map, uint64_t key, void *value);
/* Returns the value of a key, or NULL. */
void *gpu_map_get(const struct gpu_map *map, uint64_t key);
/* Removes a key. Returns its value, or NULL. */
void *gpu_map_take(struct gpu_map *map, uint64_t key);
void gpu_map_clear(struct gpu_map *map);

#endif
