/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/map.h"
#include <stdlib.h>

static size_t place_of(uint64_t key, size_t capacity)
{
    return (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (capacity - 1);
}

/* Returns the entry with the key, or the free entry in which the key would be stored. */
static struct gpu_map_entry *find(const struct gpu_map *map, uint64_t key)
{
    size_t i = place_of(key, map->capacity);
    while (map->entries[i].key != 0 && map->entries[i].key != key) {
        i = (i + 1) & (map->capacity - 1);
    }
    return &map->entries[i];
}

static bool grow(struct gpu_map *map)
{
    struct gpu_map larger = {.capacity = map->capacity ? map->capacity * 2 : 64, .used = map->used};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (!larger.entries) {
        return false;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].key != 0) {
            *find(&larger, map->entries[i].key) = map->entries[i];
        }
    }
    free(map->entries);
    *map = larger;
    return true;
}

bool gpu_map_put(struct gpu_map *map, uint64_t key, void *value)
{
    if (map->used * 2 >= map->capacity && !grow(map)) {
        return false;
    }
    struct gpu_map_entry *e = find(map, key);
    map->used += e->key == 0;
    *e = (struct gpu_map_entry){key, value};
    return true;
}

void *gpu_map_get(const struct gpu_map *map, uint64_t key)
{
    if (map->capacity == 0 || key == 0) {
        return NULL;
    }
    return find(map, key)->value;
}

void *gpu_map_take(struct gpu_map *map, uint64_t key)
{
    if (map->capacity == 0 || key == 0) {
        return NULL;
    }
    struct gpu_map_entry *e = find(map, key);
    if (e->key == 0) {
        return NULL;
    }
    void *value = e->value;
    *e = (struct gpu_map_entry){0};
    map->used--;
    /* Moves the entries after the removed one, up to a free entry, to the places where a search
     * finds them. */
    size_t i = (size_t)(e - map->entries);
    for (;;) {
        i = (i + 1) & (map->capacity - 1);
        struct gpu_map_entry moved = map->entries[i];
        if (moved.key == 0) {
            return value;
        }
        map->entries[i] = (struct gpu_map_entry){0};
        *find(map, moved.key) = moved;
    }
}

void gpu_map_clear(struct gpu_map *map)
{
    free(map->entries);
    *map = (struct gpu_map){0};
}
