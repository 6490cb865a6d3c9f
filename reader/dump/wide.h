/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.h - "dump --layout=wide": prints one line per PE and sampling point, which joins the records
 * of the PE, its KPs and its LPs.
 *
 * The options --kp and --lp select columns; --pe, --from and --to select lines.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_H
#define WARPSCOPE_READER_DUMP_WIDE_H

#include "access/record_scan.h"
#include "cli/messages.h"
#include "cli/out.h"
#include "store/id_set.h"

struct ws_wide_options {
    struct ws_out *out;
    bool json;       /* true for JSON; false for CSV, see emit.h */
    int granularity; /* 0 or 1; -1: 1 if the file has records of KPs and LPs, otherwise 0 */
    uint64_t limit;  /* maximum number of lines to print */
};

/*
 * Prints the lines for a readable file of the stream gvt or rt. The selection must have been set to
 * that file, without --type. Returns WS_EXIT_OK if the lines were printed, even if the file has
 * errors. Otherwise prints an error message and returns WS_EXIT_DAMAGED or WS_EXIT_USAGE. Errors of
 * the output are those of `out`. Memory: one block of each kind of record, plus at most 48 MiB.
 */
int ws_wide_dump(const struct ws_wide_options *options, struct ws_file *file,
                 const struct ws_select *select);

/* ---- Columns ------------------------------------------------------------------------------ */

/*
 * A line has the values of a PE and all its KPs and LPs at a sampling point, as in the output of
 * ROSS's reader of instrumentation data.
 *
 * The number in the name of a KP column is that of the KP in its PE. The number in the name of an
 * LP column is the position of the LP among the LPs of its PE, counted from 0 by ascending id. A
 * column thus belongs to a different LP in the line of each PE. There are enough columns for the PE
 * with the most KPs or LPs. Columns for which a PE has no KP or LP are empty.
 */
enum ws_wide_level { WS_WIDE_PE = 0, WS_WIDE_KP, WS_WIDE_LP };
#define WS_WIDE_LEVELS 3

/* A column for the PE, or a set of columns, one per KP or LP, whose names end in "_KP0",
 * "_KP1" and so on, or in "_LP0", "_LP1" and so on. */
struct ws_wide_item {
    const char *name; /* `length` bytes, with "_KP" or "_LP" */
    size_t length;
    char field[32]; /* name of the record field that supplies the values */
    enum ws_wide_level level;
};
#define WS_WIDE_ITEMS_MAX 32u

/* Consecutive items of one level (PE, KP or LP). In a group, all columns of a KP (or LP) precede
 * those of the next KP (or LP). */
struct ws_wide_group {
    enum ws_wide_level level;
    uint32_t first_item, n_items;
    uint64_t first_column;
};

#define WS_WIDE_GROUPS_MAX 6

struct ws_wide_columns {
    struct ws_wide_item items[WS_WIDE_ITEMS_MAX];
    uint32_t n_items;
    struct ws_wide_group groups[WS_WIDE_GROUPS_MAX];
    uint32_t n_groups;
    /* Owned. [WS_WIDE_KP]: numbers of the KPs that have columns. [WS_WIDE_LP]: positions
     * (each among the LPs of a PE) for which there are columns. */
    struct id_set numbers[WS_WIDE_LEVELS];
    uint64_t n_columns;
};

/* Sets the items and groups for a stream (FMT_STREAM_GVT or FMT_STREAM_RT) and a granularity (0 or
 * 1). Returns false for any other stream or granularity. `numbers` and the members that follow from them
 * are zero. */
bool ws_wide_columns_init(struct ws_wide_columns *columns, uint32_t stream, unsigned granularity);

/* Writes to `to`, which has `size` bytes, the name of the column that an item has for the KP or LP
 * with this number. Returns the length of the name. */
size_t ws_wide_name(char *to, size_t size, const struct ws_wide_item *item, uint64_t number);

#endif
