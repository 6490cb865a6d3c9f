/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_columns.h - the columns of "dump --layout=wide" (inside dump only). A line has the values of
 * a PE and all its KPs and LPs at a sampling point, as in the output of ROSS's reader of
 * instrumentation data.
 *
 * KP columns have the numbers of the KPs of a PE. LP columns have the positions, from 0, of LPs
 * among those of their PE by ascending id: a column refers to different LPs on different PEs. The
 * number of columns suffices for the PE with most KPs or LPs. Columns that a PE lacks are empty.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_COLUMNS_H
#define WARPSCOPE_READER_DUMP_WIDE_COLUMNS_H

#include "data/id_set.h"
#include "format/format.h"

enum ws_wide_level { WS_WIDE_PE = 0, WS_WIDE_KP, WS_WIDE_LP };
#define WS_WIDE_LEVELS 3

/* A column of the PE, or columns for all KPs or LPs, whose names end in "_KP0" or "_LP0" and so
 * on. */
struct ws_wide_item {
    const char *name;
    const char *field; /* name of the field in the records that supplies the values */
    enum ws_wide_level level;
};

/* Consecutive items of one level (PE, KP or LP). All columns of a KP precede those of the next
 * KP. */
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
    /* Owned; numbers of the KPs and LPs of a PE that have columns. */
    struct ws_id_set numbers[WS_WIDE_LEVELS];
    uint64_t n_columns;
};

/* Sets the lists of a stream (FMT_STREAM_GVT or _RT) and granularity (0 or 1). Returns false if
 * there is none. Then the caller fills in the numbers, and ws_wide_columns_place() assigns the
 * columns. Must be freed in any case. */
bool ws_wide_columns_init(struct ws_wide_columns *columns, uint32_t stream, unsigned granularity);
void ws_wide_columns_place(struct ws_wide_columns *columns);
void ws_wide_columns_free(struct ws_wide_columns *columns);

/* Returns true if the columns include records of this level. */
bool ws_wide_columns_use(const struct ws_wide_columns *columns, enum ws_wide_level level);

/* Writes the name of a column: that of an item for the KP or LP with this number. Returns the
 * length. */
size_t ws_wide_name(char *to, size_t size, const struct ws_wide_item *item, uint64_t number);

#endif
