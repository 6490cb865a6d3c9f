/*
 * merge.h - the records of one kind of all PEs of a file in one order, the same for every number of
 * ranks: by virtual time, and records of equal time by all else that they hold (item.h).
 *
 * Memory is bounded: `memory` bytes for items, the index of blocks
 * (chunks.h), one decoded block. What does not fit goes through a temporary file (spill.h).
 *
 * Cost: blocks are loaded by their least time, and what is before all that is still to come is
 * handed out, so that a file is read once and nothing is written to disk as long as all PEs'
 * blocks that overlap in time fit into memory: a block of records is some 100 KiB, so about a
 * hundred PEs. With more, or with very many events at one time, records go through the temporary
 * file once.
 */
#ifndef WARPSCOPE_READER_MERGE_H
#define WARPSCOPE_READER_MERGE_H

#include "chunks.h"
#include "pool.h"
#include "spill.h"

#define WS_MERGE_MIN ((size_t)20 << 20) /* for records with any payload that can be */

/* Is the record one of those to be merged? */
typedef bool (*ws_item_f)(const struct ws_form *form, const struct ws_item *item, void *ctx);

/* What to merge; all borrowed, and to be kept while merging. */
struct ws_merge_source {
    struct ws_survey *survey;
    const struct fmt_schema *schema; /* one of the survey's file */
    const struct fmt_schema *common; /* see ws_form_init() */
    const struct ws_select *select;  /* gone on to that file (ws_select_file()); NULL: all */
    const struct ws_types *types;    /* of the descriptions of that file, */
    size_t types_file;               /* which is this one of them */
    ws_item_f item_is_wanted;        /* NULL: all that are selected */
    void *ctx;
    size_t payload_max; /* records with more are left out and reported; at most FMT_PAYLOAD_MAX */
    bool quiet;         /* faults in blocks were reported before */
};

enum ws_merge_phase { WS_MERGE_STREAM = 0, WS_MERGE_SPILLED, WS_MERGE_DONE };

struct ws_merge {
    struct ws_merge_source source;
    struct ws_form form;
    enum ws_merge_phase phase;
    bool failed; /* what comes out is not all; that was said */
    size_t memory;
    struct ws_chunks chunks;
    size_t chunk; /* the one that is being loaded */
    uint32_t row; /* of the block that is being loaded */
    struct fmt_columns columns;
    struct fmt_block block;
    struct ws_pool pool;
    size_t ready, at;   /* of the pool's items the first `ready` may go; the first `at` are gone */
    uint64_t gone;      /* items of lesser time are all gone */
    uint32_t last_id;   /* type of payload of the record loaded last: */
    uint64_t last_size; /* its size, */
    uint32_t last_type; /* its number; 0: to be looked up */
    bool disorder_said; /* a block held a record before its least time */
    struct ws_spill spill;
    const struct ws_item *ahead; /* read but not handed out (kinds with sums) */
    struct ws_item *sum;         /* owned */
};

/* memory: for items, in bytes; WS_MERGE_MIN, or at least four times payload_max and WS_SPILL_MIN if
 * that is less. False: out of memory; that was said. Free in any case. */
bool ws_merge_init(struct ws_merge *merge, const struct ws_merge_source *source, size_t memory);
void ws_merge_free(struct ws_merge *merge);

/* The next record; it stays until the next call. NULL: no more, or merge->failed. */
const struct ws_item *ws_merge_next(struct ws_merge *merge);

#endif
