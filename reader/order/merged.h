/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merged.h - returns the records of a file in the order of merge.h, kind after kind, as columns:
 * the input of "warpscope dump --merge".
 *
 * The records have the fields that sort_key.h keeps; a separate schema and superblock describe
 * them. Only kinds with selected blocks are included, in ascending order of their ids. If the file
 * has no selected blocks at all, all its kinds are included.
 */
#ifndef WARPSCOPE_READER_ORDER_MERGED_H
#define WARPSCOPE_READER_ORDER_MERGED_H

#include "order/merge.h"

struct ws_merged {
    struct ws_file *file;           /* borrowed; the record file */
    const struct ws_select *select; /* borrowed; the selection; NULL: all records */
    struct ws_payload_types types;
    /* Superblock of the file, reduced to the kinds and fields that are kept. */
    struct fmt_superblock view;
    const struct fmt_schema **schemas; /* owned; the array view.schemas */
    /* Owned; [i]: schema in the file for kind i of the view. */
    const struct fmt_schema **originals;
    struct ws_sort_layout *forms; /* owned; [i]: layout of the sort keys for kind i of the view */
};

/* Prepares to return the records of file, which must be open and readable. select: the selection of
 * records; ws_select_file() must have been called for the file. NULL: all records. If out of
 * memory, prints an error message and returns false. merged must be freed even after an error. */
bool ws_merged_init(struct ws_merged *merged, struct ws_file *file, const struct ws_select *select);
void ws_merged_free(struct ws_merged *merged);

/* Called by ws_merged_walk() with some records, all of one kind. Returns false to end the walk. */
typedef bool (*ws_columns_f)(const struct fmt_columns *columns, void *ctx);

/* Calls fn for all records in order. memory: see ws_merge_init(). Faults are counted in the file.
 * Returns false if fn ended the walk, or after an error message if not all records could be
 * read. */
bool ws_merged_walk(struct ws_merged *merged, size_t memory, ws_columns_f fn, void *ctx);

#endif
