/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_map.c - a hash table of task ids: open addressing, linear probing, deletion by moving back.
 *
 * Invariants
 *  M1  n_entries is 0 or a power of two; at most three quarters of the entries are in use.
 *  M2  No entry is free between the home of an id (the entry that its hash selects) and the entry
 *      that holds the id (Knuth, TAOCP 3, 6.4 R). A search therefore ends at the first free entry.
 * Cost: 32 bytes per entry, 43 to 86 bytes per task; a search reads one or two cache lines.
 */
#include "task/id_map.h"

#include <assert.h>
#include <stdlib.h>

#include "store/check.h"

#define ENTRIES_MIN 64u

int task_id_compare(st_task_id a, st_task_id b)
{
    if (a.lp != b.lp) {
        return a.lp < b.lp ? -1 : 1;
    }
    if (a.number != b.number) {
        return a.number < b.number ? -1 : 1;
    }
    return (a.from > b.from) - (a.from < b.from);
}

static size_t home_of(const struct id_map *map, st_task_id id)
{
    assert(map->n_entries != 0);
    uint64_t h = id.lp * 0x9e3779b97f4a7c15u ^ id.number * 0xc2b2ae3d27d4eb4fu ^
                 id.from * 0x165667b19e3779f9u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (size_t)(h >> 32) & (map->n_entries - 1);
}

/* Returns the index of the entry for id, or of the free entry where id belongs. */
static size_t place_of(const struct id_map *map, st_task_id id)
{
    size_t at = home_of(map, id);
    while (!st_task_is_none(map->entries[at].id) && !st_task_is_same(map->entries[at].id, id)) {
        at = (at + 1) & (map->n_entries - 1);
    }
    return at;
}

struct id_map_entry *id_map_find(const struct id_map *map, st_task_id id)
{
    if (map->n == 0 || st_task_is_none(id)) {
        return NULL;
    }
    struct id_map_entry *entry = &map->entries[place_of(map, id)];
    return st_task_is_none(entry->id) ? NULL : entry;
}

static bool grow(struct id_map *map)
{
    struct id_map more = {.n_entries = map->n_entries == 0 ? ENTRIES_MIN : 2 * map->n_entries,
                          .n = map->n};
    more.entries = calloc(more.n_entries, sizeof(*more.entries));
    if (more.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < map->n_entries; i++) {
        if (!st_task_is_none(map->entries[i].id)) {
            more.entries[place_of(&more, map->entries[i].id)] = map->entries[i];
        }
    }
    free(map->entries);
    *map = more;
    return true;
}

bool id_map_set(struct id_map *map, st_task_id id, void *value)
{
    assert(!st_task_is_none(id));
    if (4 * (map->n + 1) > 3 * map->n_entries && !grow(map)) {
        return false;
    }
    struct id_map_entry *entry = &map->entries[place_of(map, id)];
    map->n += st_task_is_none(entry->id);
    *entry = (struct id_map_entry){id, value};
    return true;
}

void *id_map_remove(struct id_map *map, st_task_id id)
{
    struct id_map_entry *entry = id_map_find(map, id);
    if (entry == NULL) {
        return NULL;
    }
    void *value = entry->value;
    size_t mask = map->n_entries - 1;
    size_t hole = (size_t)(entry - map->entries);
    for (size_t at = (hole + 1) & mask; !st_task_is_none(map->entries[at].id);
         at = (at + 1) & mask) {
        size_t home = home_of(map, map->entries[at].id);
        /* If the home of the id is not between the hole and `at`, the entry may fill the hole. */
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->entries[hole] = map->entries[at];
            hole = at;
        }
    }
    map->entries[hole] = (struct id_map_entry){.value = NULL};
    map->n--;
    return value;
}

struct id_map_entry *id_map_next(const struct id_map *map, size_t *at)
{
    while (*at < map->n_entries) {
        struct id_map_entry *entry = &map->entries[(*at)++];
        if (!st_task_is_none(entry->id)) {
            return entry;
        }
    }
    return NULL;
}

void id_map_fini(struct id_map *map)
{
    free(map->entries);
    *map = (struct id_map){.n = 0};
}

bool id_map_check(const struct id_map *map)
{
    size_t n = 0;
    HOLDS((map->n_entries & (map->n_entries - 1)) == 0 && 4 * map->n <= 3 * map->n_entries);
    for (size_t i = 0; i < map->n_entries; i++) {
        if (!st_task_is_none(map->entries[i].id)) {
            HOLDS(place_of(map, map->entries[i].id) == i);
            n++;
        }
    }
    HOLDS(n == map->n);
    return true;
}
