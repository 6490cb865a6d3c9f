/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - the records of one kind of all PEs of a file in one order that does not depend on the
 * number of ranks: by virtual time, records of equal time by all their other values (sort_key.h).
 *
 * Memory is bounded: `memory` bytes for sort keys, the index of blocks (chunks.h), and one decoded
 * block. Further records go through a temporary file (spill.h).
 *
 * Cost: blocks are loaded by their least time, and a record is returned as soon as no block that is
 * still to be loaded can precede it. A file is read once and no temporary file is used while the
 * blocks of all PEs that overlap in time fit into memory. A block of records takes some 100 KiB, so
 * that suffices for about a hundred PEs. With more, or with very many events at one time, records
 * go through the temporary file once.
 */
#ifndef WARPSCOPE_READER_ORDER_MERGE_H
#define WARPSCOPE_READER_ORDER_MERGE_H

#include "order/chunks.h"
#include "order/pool.h"
#include "order/spill.h"

/* Least memory in bytes; it suffices for records with any valid payload. */
#define WS_MERGE_MIN ((size_t)20 << 20)

/* Returns true if the record is to be merged. */
typedef bool (*ws_sort_key_f)(const struct ws_sort_layout *form, const struct ws_sort_key *item,
                              void *ctx);

/* The input of a merge. All pointers are borrowed and must stay valid while merging. */
struct ws_merge_source {
    struct ws_file *survey;
    const struct fmt_schema *schema; /* kind of records, a schema of the record file */
    /* Schema of another file to compare with, see ws_sort_layout_init(). */
    const struct fmt_schema *common;
    /* Selection, which must be set to that file (ws_select_file()); NULL: all records. */
    const struct ws_select *select;
    const struct ws_payload_types *types; /* payload types of several files */
    size_t types_file;                    /* index of this file in types->files */
    /* Returns true if the records of a part of the stream are wanted; NULL: those of all parts. */
    bool (*part_is_wanted)(const struct ws_file *part);
    /* Returns true if a record is wanted; NULL: all selected records. */
    ws_sort_key_f item_is_wanted;
    void *ctx;
    size_t payload_max; /* most bytes of a payload; longer ones are omitted and reported */
    bool quiet; /* true to print no errors in blocks, since they have been reported before */
};

enum ws_merge_phase { WS_MERGE_STREAM = 0, WS_MERGE_SPILLED, WS_MERGE_DONE };

struct ws_merge {
    struct ws_merge_source source;
    struct ws_sort_layout form;
    enum ws_merge_phase phase;
    bool failed; /* true if records are missing; a message was printed */
    size_t memory;
    struct ws_chunks chunks;
    size_t chunk; /* index of the chunk that is being loaded */
    uint32_t row; /* row that is being loaded, in the current block */
    struct fmt_columns columns;
    struct fmt_block block;
    struct ws_pool pool;
    /* Number of sort keys in the pool that may be returned, and number of those already
     * returned. */
    size_t ready, at;
    uint64_t gone;      /* time before which all sort keys have been returned */
    uint32_t last_id;   /* cache for the latest record: id of its payload type */
    uint64_t last_size; /* cache: size of its payload */
    uint32_t last_type; /* cache: number of its payload type in `types`; 0: unknown */
    bool disorder_said; /* true after a message that a record precedes its block's least time */
    struct ws_spill spill;
    /* Sort key that was read but not returned, for kinds with sums. */
    const struct ws_sort_key *ahead;
    struct ws_sort_key *sum; /* owned; sum of sort keys */
};

/* Begins a merge. memory: bytes for sort keys; WS_MERGE_MIN, or at least four times payload_max and
 * WS_SPILL_MIN if that is less. Returns false, after a message, if out of memory. Must be freed in
 * any case. */
bool ws_merge_init(struct ws_merge *merge, const struct ws_merge_source *source, size_t memory);
void ws_merge_free(struct ws_merge *merge);

/* Returns the next record, valid until the next call. Returns NULL at the end, or if merge->failed
 * is true. */
const struct ws_sort_key *ws_merge_next(struct ws_merge *merge);

#endif
