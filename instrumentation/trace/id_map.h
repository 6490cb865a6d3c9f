/*
 * id_map.h - what belongs to a task, by its id.
 */
#ifndef WARPSCOPE_TRACE_ID_MAP_H
#define WARPSCOPE_TRACE_ID_MAP_H

#include "st_task.h"

struct id_map_slot {
    st_task_id id; /* none: the slot is empty */
    void *value;
};

/* Zero-initialised it is empty. */
struct id_map {
    struct id_map_slot *slots; /* owned; n_slots of them, a power of two or 0 */
    size_t n_slots;
    size_t n;
};

/* The slot of id, or NULL. Valid until the map changes. */
struct id_map_slot *id_map_find(const struct id_map *map, st_task_id id);

/* Sets the value of id, which must not be none and is in the map afterwards. False: no memory. */
bool id_map_set(struct id_map *map, st_task_id id, void *value);

/* Takes id out and returns its value; NULL: it was not there. */
void *id_map_remove(struct id_map *map, st_task_id id);

/* All slots in use, in no order: begin with *at 0; NULL: there are no more. */
struct id_map_slot *id_map_next(const struct id_map *map, size_t *at);

/* Frees the map, not the values. */
void id_map_fini(struct id_map *map);

/* Asserts the invariants. */
void id_map_check(const struct id_map *map);

/* By LP, then number, then sender: less than, equal to or greater than 0. */
int task_id_compare(st_task_id a, st_task_id b);

#endif
