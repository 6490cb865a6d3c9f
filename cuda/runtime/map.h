/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table that maps addresses to pointers: its entries are in an array, and an index finds them.
 * The caller provides locking.
 *
 * Invariant: the index contains the positions 0 to n - 1 in the array, each under the hash of the
 * entry's key.
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

/* The table. It is empty if all its bytes are zero. */
struct gpu_map {
    struct gpu_map_entry *entries; /* owned; in no order */
    size_t n, room;
    struct index index;
};

/* Sets the value of a key. Key and value must not be 0. Returns false if memory is exhausted. */
bool gpu_map_put(struct gpu_map *map, uint64_t key, void *value);
/* Returns the value of a key, or NULL. */
void *gpu_map_get(const struct gpu_map *map, uint64_t key);
/* Removes a key from the table. Returns its value, or NULL. */
void *gpu_map_take(struct gpu_map *map, uint64_t key);
/* Removes all keys and frees the memory. */
void gpu_map_clear(struct gpu_map *map);
/* Returns true if the invariant holds. */
bool gpu_map_check(const struct gpu_map *map);

#endif
