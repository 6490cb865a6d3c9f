/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_map.h - a map from task ids to data.
 */
#ifndef WARPSCOPE_TASK_ID_MAP_H
#define WARPSCOPE_TASK_ID_MAP_H

#include <stdbool.h>

#include "st_task.h"

struct id_map_entry {
    st_task_id id; /* id of the task; if all members are zero, the entry is free */
    void *value;
};

/* Map from task ids to data. A zero-initialised map is empty. */
struct id_map {
    struct id_map_entry *entries; /* owned; hash table of n_entries entries, a power of two or 0 */
    size_t n_entries;
    /* Number of ids in the map. */
    size_t n;
};

/* Returns the entry for id; NULL: id is not in the map. The entry is valid until the map
 * changes. */
struct id_map_entry *id_map_find(const struct id_map *map, st_task_id id);

/* Sets the value of id; adds id if needed. At least one member of id must not be 0. Returns false
 * if memory is exhausted. */
bool id_map_set(struct id_map *map, st_task_id id, void *value);

/* Removes id and returns its value; NULL if id is not in the map. */
void *id_map_remove(struct id_map *map, st_task_id id);

/* Returns the next entry in use, in no particular order; NULL: no more entries. *at must be 0 for
 * the first call. */
struct id_map_entry *id_map_next(const struct id_map *map, size_t *at);

/* Frees the map, but not its values. */
void id_map_fini(struct id_map *map);

/* Returns true if the invariants of the map hold. */
bool id_map_check(const struct id_map *map);

/* Compares two ids by LP, then number, then sender. Returns less than, equal to or greater than
 * 0. */
int task_id_compare(st_task_id a, st_task_id b);

#endif
