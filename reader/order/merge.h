/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - the records of one kind of all PEs of a file in one order that does not depend on the
 * number of ranks: by virtual time, records of equal time by all their other values (sort_key.h).
 *
 * Memory is bounded: `memory` bytes for sort keys, the index of blocks (chunks.h), and one decoded
 * block. Further records go through a temporary file (spill.h).
 *
 * Cost: blocks are loaded by their least time, and records before all others still to be loaded are
 * returned. A file is read once and no temporary file is used while the blocks of all PEs that
 * overlap in time fit into memory. A block of records takes some 100 KiB, so that suffices for
 * about a hundred PEs. With more, or with very many events at one time, records go through the
 * temporary file once.
 */
#ifndef WARPSCOPE_READER_ORDER_MERGE_H
#define WARPSCOPE_READER_ORDER_MERGE_H

#include "order/chunks.h"
#include "order/pool.h"
#include "order/spill.h"

#define WS_MERGE_MIN ((size_t)20 << 20) /* suffices for records with any valid payload */

/* Returns true if the record is to be merged. */
typedef bool (*ws_sort_key_f)(const struct ws_sort_layout *form, const struct ws_sort_key *item,
                              void *ctx);

/* The input of a merge. All pointers are borrowed and must stay valid while merging. */
struct ws_merge_source {
    struct ws_file *survey;
    const struct fmt_schema *schema;      /* one of the record file */
    const struct fmt_schema *common;      /* see ws_sort_layout_init() */
    const struct ws_select *select;       /* set to that file (ws_select_file()); NULL: all */
    const struct ws_payload_types *types; /* types of several files, */
    size_t types_file;                    /* of which this file has this number */
    ws_sort_key_f item_is_wanted;         /* NULL: all selected records */
    void *ctx;
    size_t payload_max; /* records with a longer payload are left out and reported */
    bool quiet;         /* faults in blocks were reported before */
};

enum ws_merge_phase { WS_MERGE_STREAM = 0, WS_MERGE_SPILLED, WS_MERGE_DONE };

struct ws_merge {
    struct ws_merge_source source;
    struct ws_sort_layout form;
    enum ws_merge_phase phase;
    bool failed; /* the output is incomplete; a message was printed */
    size_t memory;
    struct ws_chunks chunks;
    size_t chunk; /* the chunk that is being loaded */
    uint32_t row; /* row of the block that is being loaded */
    struct fmt_columns columns;
    struct fmt_block block;
    struct ws_pool pool;
    size_t ready, at; /* the pool's first `ready` sort keys may be returned; the first `at` were */
    uint64_t gone;    /* all sort keys of lesser time were returned */
    uint32_t last_id; /* type of the payload of the record loaded last: */
    uint64_t last_size; /* its size, */
    uint32_t last_type; /* its number; 0: unknown */
    bool disorder_said; /* true after the report of a record before its block's least time */
    struct ws_spill spill;
    const struct ws_sort_key *ahead; /* read but not returned (kinds with sums) */
    struct ws_sort_key *sum;         /* owned */
};

/* memory: bytes for sort keys; WS_MERGE_MIN, or at least four times payload_max and WS_SPILL_MIN if
 * that is less. Returns false, after a message, if out of memory. Must be freed in any case. */
bool ws_merge_init(struct ws_merge *merge, const struct ws_merge_source *source, size_t memory);
void ws_merge_free(struct ws_merge *merge);

/* Returns the next record, valid until the next call. NULL: no more, or merge->failed. */
const struct ws_sort_key *ws_merge_next(struct ws_merge *merge);

#endif
