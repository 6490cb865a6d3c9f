/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * id_map.h - a map from task ids to data (store/map.h).
 */
#ifndef WARPSCOPE_TASK_ID_MAP_H
#define WARPSCOPE_TASK_ID_MAP_H

#include "st_task.h"

#define MAP(part) id_map##part
#define MAP_KEY   st_task_id
#include "store/map.h"

/* Compares two ids by LP, then number, then sender. Returns less than, equal to or greater than
 * 0. */
static inline int task_id_compare(st_task_id a, st_task_id b)
{
    if (a.lp != b.lp) {
        return a.lp < b.lp ? -1 : 1;
    }
    if (a.number != b.number) {
        return a.number < b.number ? -1 : 1;
    }
    return (a.from > b.from) - (a.from < b.from);
}

#endif
