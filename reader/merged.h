/*
 * merged.h - a file's records in the order of merge.h, kind after kind, as columns: what dump
 * --merge prints.
 *
 * The records have the fields that item.h keeps; a schema and a superblock of their own describe
 * them. Only kinds of which there are selected blocks are in it, by ascending id (all kinds of the
 * file if there are none at all).
 */
#ifndef WARPSCOPE_READER_MERGED_H
#define WARPSCOPE_READER_MERGED_H

#include "merge.h"

struct ws_merged {
    struct ws_survey *survey;       /* borrowed */
    const struct ws_select *select; /* borrowed; NULL: all */
    struct ws_types types;
    struct fmt_superblock view;          /* the file's, with the kept kinds and fields only */
    const struct fmt_schema **schemas;   /* owned; view.schemas */
    const struct fmt_schema **originals; /* owned; of the file, in the same order */
    struct ws_form *forms;               /* owned */
};

/* survey: open and readable; select: gone on to its file. False: out of memory; that was said. Free
 * in any case. */
bool ws_merged_init(struct ws_merged *merged, struct ws_survey *survey,
                    const struct ws_select *select);
void ws_merged_free(struct ws_merged *merged);

/* Some records, of one kind of the view; false ends the walk. */
typedef bool (*ws_columns_f)(const struct fmt_columns *columns, void *ctx);

/* All records in order. memory: see ws_merge_init(). Faults are those of the survey. False: fn
 * ended the walk, or not all could be read; that was said. */
bool ws_merged_walk(struct ws_merged *merged, size_t memory, ws_columns_f fn, void *ctx);

#endif
