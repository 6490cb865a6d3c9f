/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_columns.h - the columns of "dump --layout=wide": one line per PE and sampling point with the
 * values of all its KPs and LPs, as ROSS's reader of instrumentation data knows them (inside dump
 * only).
 *
 * KP columns are numbered like the KPs of a PE. LP columns are numbered by the place of an LP among
 * those of its PE, by ascending id, from 0: the same number is another LP on another PE. There are
 * as many columns as the PE with the most KPs or LPs needs; those that a PE does not have are
 * empty.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_COLUMNS_H
#define WARPSCOPE_READER_DUMP_WIDE_COLUMNS_H

#include "data/id_set.h"
#include "format/format.h"

enum ws_wide_level { WS_WIDE_PE = 0, WS_WIDE_KP, WS_WIDE_LP };
#define WS_WIDE_LEVELS 3

/* A column, or one for each KP or LP: its name goes on with "_KP0" or "_LP0" then. */
struct ws_wide_item {
    const char *name;
    const char *field; /* of the records */
    enum ws_wide_level level;
};

/* Items of the same level, one after another: a number of columns for each KP, then for the
 * next. */
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
    struct ws_id_set numbers[WS_WIDE_LEVELS]; /* KPs and LPs that have columns; owned; one PE */
    uint64_t n_columns;
};

/* The lists of a stream (FMT_STREAM_GVT or _RT) and granularity (0 or 1). False: there is none.
 * The numbers are then to be filled in; ws_wide_columns_place() deals out the columns. Free in any
 * case. */
bool ws_wide_columns_init(struct ws_wide_columns *columns, uint32_t stream, unsigned granularity);
void ws_wide_columns_place(struct ws_wide_columns *columns);
void ws_wide_columns_free(struct ws_wide_columns *columns);

/* Does the list need records of this level at all? */
bool ws_wide_columns_use(const struct ws_wide_columns *columns, enum ws_wide_level level);

/* Writes the name of item of the KP or LP with this number. Returns the length. */
size_t ws_wide_name(char *to, size_t size, const struct ws_wide_item *item, uint64_t number);

#endif
