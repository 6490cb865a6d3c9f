/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - access to the tables of texts, points and types for the functions of st_point.h, in
 * simulations and in other programs. The two kinds of programs define the functions below
 * differently.
 */
#ifndef WARPSCOPE_BUS_TABLES_TABLES_H
#define WARPSCOPE_BUS_TABLES_TABLES_H

#include "bus/tables/points.h"
#include "bus/tables/types.h"

struct tables {
    struct strings *strings;
    struct points *points;
    struct types *types;
};

/* Returns the tables, for exclusive use by this thread until tables_give(). Calls must not nest. */
struct tables tables_take(void);
void tables_give(void);

#endif
