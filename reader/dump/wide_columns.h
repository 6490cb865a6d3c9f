/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_columns.h - the columns of "dump --layout=wide". Used only in reader/dump. A line has
 * the values of a PE and all its KPs and LPs at a sampling point, as in the output of ROSS's reader
 * of instrumentation data.
 *
 * The number in the name of a KP column is that of the KP in its PE. The number in the name of an
 * LP column is the position of the LP among the LPs of its PE, counted from 0 by ascending id. A
 * column thus belongs to a different LP in the line of each PE. There are enough columns for the PE
 * with the most KPs or LPs. Columns for which a PE has no KP or LP are empty.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_COLUMNS_H
#define WARPSCOPE_READER_DUMP_WIDE_COLUMNS_H

#include "format/format.h"
#include "store/id_set.h"

enum ws_wide_level { WS_WIDE_PE = 0, WS_WIDE_KP, WS_WIDE_LP };
#define WS_WIDE_LEVELS 3

/* A column for the PE, or a set of columns, one per KP or LP, whose names end in "_KP0",
 * "_KP1" and so on, or in "_LP0", "_LP1" and so on. */
struct ws_wide_item {
    const char *name;
    const char *field; /* name of the record field that supplies the values */
    enum ws_wide_level level;
};

/* Consecutive items of one level (PE, KP or LP). In a group, all columns of a KP (or LP) precede
 * those of the next KP (or LP). */
struct ws_wide_group {
    enum ws_wide_level level;
    uint32_t first_item, n_items;
    uint64_t first_column;
};

#define WS_WIDE_GROUPS_MAX 6

struct ws_wide_columns {
    const struct ws_wide_item *items;
    uint32_t n_items;
    struct ws_wide_group groups[WS_WIDE_GROUPS_MAX];
    uint32_t n_groups;
    /* Owned. [WS_WIDE_KP]: numbers of the KPs that have columns. [WS_WIDE_LP]: positions
     * (each among the LPs of a PE) for which there are columns. */
    struct id_set numbers[WS_WIDE_LEVELS];
    uint64_t n_columns;
};

/* Sets the items and groups for a stream (FMT_STREAM_GVT or FMT_STREAM_RT) and a granularity (0 or
 * 1). Returns false for any other stream or granularity. The caller then sets `numbers` and calls
 * ws_wide_columns_place(). Call ws_wide_columns_free() at the end, even after an error. */
bool ws_wide_columns_init(struct ws_wide_columns *columns, uint32_t stream, unsigned granularity);
/* Sets first_column of each group, and n_columns, according to `numbers`. */
void ws_wide_columns_place(struct ws_wide_columns *columns);
void ws_wide_columns_free(struct ws_wide_columns *columns);

/* Returns true if at least one item has this level. */
bool ws_wide_columns_use(const struct ws_wide_columns *columns, enum ws_wide_level level);

/* Writes to `to`, which has `size` bytes, the name of the column that an item has for the KP or LP
 * with this number. Returns the length of the name. */
size_t ws_wide_name(char *to, size_t size, const struct ws_wide_item *item, uint64_t number);

#endif
