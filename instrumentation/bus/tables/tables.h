/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - access to the tables for functions of st_bus.h and st_point.h that need nothing else. The
 * functions are the same in simulations and in other programs, which have tables of their own.
 */
#ifndef WARPSCOPE_BUS_TABLES_TABLES_H
#define WARPSCOPE_BUS_TABLES_TABLES_H

#include <pthread.h>

#include "bus/tables/points.h"
#include "bus/tables/streams.h"
#include "bus/tables/types.h"

struct tables {
    struct strings *strings;
    struct points *points;
    struct types *types;
    struct streams *streams;
    pthread_mutex_t *lock; /* NULL: only one thread uses the tables, as in a simulation */
};

/* The tables of the program; defined in st_globals.c and standalone/globals.c. */
extern const struct tables g_st_tables;

/* Returns the tables, for exclusive use by this thread until tables_give(). Calls must not nest. */
static inline const struct tables *tables_take(void)
{
    if (g_st_tables.lock != NULL) {
        pthread_mutex_lock(g_st_tables.lock);
    }
    return &g_st_tables;
}

static inline void tables_give(void)
{
    if (g_st_tables.lock != NULL) {
        pthread_mutex_unlock(g_st_tables.lock);
    }
}

#endif
