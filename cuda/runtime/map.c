/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/map.h"
#include "store/array.h"
#include <assert.h>
#include <stdlib.h>

/* Returns the entry of a key, or NULL. */
static struct gpu_map_entry *find(const struct gpu_map *map, uint64_t key)
{
    uint32_t hash = index_hash(key), i;
    for (uint32_t at = hash; index_next(&map->index, hash, &at, &i);) {
        if (map->entries[i].key == key) {
            return &map->entries[i];
        }
    }
    return NULL;
}

bool gpu_map_put(struct gpu_map *map, uint64_t key, void *value)
{
    assert(value != NULL);
    struct gpu_map_entry *e = find(map, key);
    if (e) {
        e->value = value;
        return true;
    }
    if (map->n >= UINT32_MAX ||
        !array_reserve(&map->entries, &map->room, map->n + 1, sizeof *map->entries) ||
        !index_add(&map->index, index_hash(key), (uint32_t)map->n)) {
        return false;
    }
    map->entries[map->n++] = (struct gpu_map_entry){key, value};
    return true;
}

void *gpu_map_get(const struct gpu_map *map, uint64_t key)
{
    const struct gpu_map_entry *e = find(map, key);
    return e ? e->value : NULL;
}

void *gpu_map_take(struct gpu_map *map, uint64_t key)
{
    struct gpu_map_entry *e = find(map, key);
    if (!e) {
        return NULL;
    }
    assert(map->n > 0);
    void *value = e->value;
    uint32_t gap = (uint32_t)(e - map->entries), last = (uint32_t)--map->n;
    index_remove(&map->index, index_hash(key), gap);
    if (gap != last) {
        uint32_t hash = index_hash(map->entries[last].key);
        index_remove(&map->index, hash, last);
        (void)index_add(&map->index, hash, gap); /* cannot fail: two items were removed */
        *e = map->entries[last];
    }
    return value;
}

bool gpu_map_check(const struct gpu_map *map)
{
    for (size_t i = 0; i < map->n; i++) {
        if (find(map, map->entries[i].key) != &map->entries[i]) {
            return false;
        }
    }
    return map->n == map->index.n && map->n <= map->room && index_check(&map->index);
}

void gpu_map_clear(struct gpu_map *map)
{
    index_fini(&map->index);
    free(map->entries);
    *map = (struct gpu_map){0};
}
