/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - a map from keys to pointers. Its entries are in an array, and an index finds them. A file
 * that includes this one defines before:
 *
 *     MAP(part)   name of the map's struct, if `part` is empty, and of what has this part: id_map##part
 *     MAP_KEY     type of keys: one or more members of 8 bytes, without padding
 *
 * A map whose bytes are all zero is empty.
 *
 * Invariant: the index has the places 0 to n - 1 of the array, each under the hash of its key.
 * Cost: 8 bytes and those of the key, and 11 to 21 bytes in the index; about two cache misses per
 * search.
 */
#include "store/array.h"
#include "store/index.h"

struct MAP(_entry) {
    MAP_KEY key;
    void *value;
};

struct MAP() {
    struct MAP(_entry) * entries; /* owned; n entries, in no order */
    size_t n, room;
    struct index index;
};

static inline uint32_t MAP(_hash)(MAP_KEY key)
{
    uint64_t words[sizeof key / 8];
    uint32_t hash = 0;
    memcpy(words, &key, sizeof key);
    for (size_t i = 0; i < sizeof key / 8; i++) {
        hash = index_hash(hash ^ words[i]);
    }
    return hash;
}

static inline struct MAP(_entry) * MAP(_find)(const struct MAP() * map, MAP_KEY key)
{
    const uint32_t hash = MAP(_hash)(key);
    for (uint32_t at = hash, i; index_next(&map->index, hash, &at, &i);) {
        if (memcmp(&map->entries[i].key, &key, sizeof key) == 0) {
            return &map->entries[i];
        }
    }
    return NULL;
}

/* Returns the value of a key; NULL: the key is not in the map. */
static inline void *MAP(_get)(const struct MAP() * map, MAP_KEY key)
{
    const struct MAP(_entry) *entry = MAP(_find)(map, key);
    return entry != NULL ? entry->value : NULL;
}

/* Sets the value of a key, which must not be NULL; adds the key if needed. Returns false if memory is
 * exhausted. */
static inline bool MAP(_set)(struct MAP() * map, MAP_KEY key, void *value)
{
    struct MAP(_entry) *entry = MAP(_find)(map, key);
    assert(value != NULL);
    if (entry != NULL) {
        entry->value = value;
        return true;
    }
    if (map->n >= UINT32_MAX ||
        !array_reserve(&map->entries, &map->room, map->n + 1, sizeof *map->entries) ||
        !index_add(&map->index, MAP(_hash)(key), (uint32_t)map->n)) {
        return false;
    }
    map->entries[map->n++] = (struct MAP(_entry)){key, value};
    return true;
}

/* Removes a key. Returns its value; NULL if the key is not in the map. The last entry takes the place
 * of the removed one. */
static inline void *MAP(_remove)(struct MAP() * map, MAP_KEY key)
{
    struct MAP(_entry) *entry = MAP(_find)(map, key);
    if (entry == NULL) {
        return NULL;
    }
    void *value = entry->value;
    uint32_t gap = (uint32_t)(entry - map->entries), last = (uint32_t)--map->n;
    index_remove(&map->index, MAP(_hash)(key), gap);
    if (gap != last) {
        uint32_t hash = MAP(_hash)(map->entries[last].key);
        index_remove(&map->index, hash, last);
        (void)index_add(&map->index, hash, gap); /* cannot fail: two items were removed */
        *entry = map->entries[last];
    }
    return value;
}

/* Removes all keys and frees the memory, but not the values. */
static inline void MAP(_fini)(struct MAP() * map)
{
    index_fini(&map->index);
    free(map->entries);
    *map = (struct MAP()){.n = 0};
}

/* Returns true if the invariant holds. */
static inline bool MAP(_check)(const struct MAP() * map)
{
    bool holds = map->n == map->index.n && map->n <= map->room && index_check(&map->index);
    for (size_t i = 0; holds && i < map->n; i++) {
        holds = MAP(_find)(map, map->entries[i].key) == &map->entries[i];
    }
    return holds;
}

#undef MAP
#undef MAP_KEY
