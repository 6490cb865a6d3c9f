/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - returns the records of one kind, of all PEs of a file, in one order that does not
 * depend on the number of ranks: by virtual time, and at equal times by all other values
 * (sort_key.h).
 *
 * Memory is bounded: `memory` bytes for sort keys, the index of blocks, and one decoded
 * block. Further records go through a temporary file (spill.h).
 *
 * Cost: blocks are loaded in the order of their smallest times. A record is returned as soon as no
 * block that is still to be loaded can have an earlier one. If all blocks that overlap in time fit
 * into memory, the file is read once and no temporary file is used. A block takes some 100 KiB, so
 * the memory of the commands suffices for blocks of about a hundred PEs. With more PEs, or with
 * very many events at one time, records go through the temporary file once.
 */
#ifndef WARPSCOPE_READER_ORDER_MERGE_H
#define WARPSCOPE_READER_ORDER_MERGE_H

#include "access/record_scan.h"
#include "access/select.h"
#include "order/sorter.h"

/* Minimum memory in bytes that suffices for records with any valid payload. */
#define WS_MERGE_MIN ((size_t)20 << 20)

/* An index of the blocks of one kind in a file, ordered by the smallest virtual time in each block.
 * An entry is a chunk: a block or, if the file has very many, some consecutive blocks of a PE. The index
 * takes at most WS_CHUNKS_BYTES, and one entry per PE. */
#define WS_CHUNKS_BYTES ((size_t)8 << 20)

struct ws_chunk {
    uint64_t least;      /* smallest virtual time in the blocks, converted by ws_time_order() */
    struct ws_walk walk; /* position in the PE's blocks where the chunk begins */
    uint64_t blocks;     /* number of selected blocks of the kind in the chunk */
};

struct ws_chunks {
    struct ws_chunk *list; /* owned; the entries */
    size_t n;
};

/* Collects the blocks of the kind `schema` from which select may choose records. select NULL: all
 * blocks of the kind. Reads only block headers. Sorts the entries by their smallest times. n_max:
 * maximum number of entries, beside one per PE. Returns false if out of memory. chunks must be freed
 * even after an error. */
bool ws_chunks_init(struct ws_chunks *chunks, const struct ws_file *file,
                    const struct fmt_schema *schema, const struct ws_select *select, size_t n_max);
void ws_chunks_free(struct ws_chunks *chunks);

/* Reads the header of the chunk's next block. Returns false if none is left. The chunk must not be
 * used after that. */
bool ws_chunk_next(struct ws_chunk *chunk, const struct fmt_schema *schema,
                   const struct ws_select *select, struct fmt_block *block);

/* ---- Merge ----------------------------------------------------------------------------------- */

/* Returns true if the record with the sort key `item` is to be merged. ctx: see struct
 * ws_merge_source. */
typedef bool (*ws_sort_key_f)(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                              void *ctx);

/* The input of a merge. All pointers are borrowed and must stay valid while merging. */
struct ws_merge_source {
    struct ws_file *file;
    const struct fmt_schema *schema; /* kind of records: a schema of the file */
    /* Schema of the same kind in another file whose records are compared with these, and name of a
     * field that is left out, see ws_sort_layout_init(); NULL: none. */
    const struct fmt_schema *common;
    const char *without;
    /* The selection of records; ws_select_file() must have been called for the file. NULL: all
     * records. */
    const struct ws_select *select;
    const struct ws_payload_types *types; /* payload types of several files */
    size_t types_file;                    /* index of this file in types->files */
    /* Returns true if the records of a part of the stream are wanted; NULL: those of all parts. */
    bool (*part_is_wanted)(const struct ws_file *part);
    /* Returns true if a record is wanted; NULL: all selected records. */
    ws_sort_key_f item_is_wanted;
    void *ctx;
    /* Maximum size of a payload in bytes; records with larger payloads are left out and
     * reported. */
    size_t payload_max;
    /* True if errors in blocks are not reported, since they have been reported before. */
    bool quiet;
};

enum ws_merge_phase { WS_MERGE_STREAM = 0, WS_MERGE_SPILLED, WS_MERGE_DONE };

struct ws_merge {
    struct ws_merge_source source;
    struct ws_sort_layout layout;
    enum ws_merge_phase phase;
    bool failed; /* true if records are missing; an error message was printed */
    struct ws_chunks chunks;
    size_t chunk; /* index of the chunk that is being loaded */
    /* For samples that hold (held.h): a chunk is all of a PE, and `blocks` returns the blocks of the
     * current one; its file is NULL before the first block. */
    bool is_held;
    struct ws_blocks blocks;
    uint32_t row; /* index in the current block of the next record to load */
    struct fmt_columns columns;
    struct fmt_block block;
    struct ws_group group; /* of the current block */
    struct ws_sorter sorter;
    /* Number of sort keys in its pool that may be returned, and number of those that were
     * returned. */
    size_t ready, at;
    uint64_t gone;    /* time (see ws_time_order()) before which all sort keys have been returned */
    uint32_t last_id; /* cache for the latest record: id of its payload type */
    uint64_t last_size; /* cache: size of the payload of that record */
    uint32_t last_type; /* cache: number of its payload type in source.types; 0: unknown */
    /* True once it was reported that a record precedes the smallest time stated for its block. */
    bool disorder_said;
    /* Sort key that was read but not returned; for kinds whose records are added up. */
    const struct ws_sort_key *ahead;
    struct ws_sort_key *sum; /* owned; sum of the sort keys of one virtual time and sample */
};

/* Begins a merge. memory: memory for sort keys in bytes, at least four times payload_max and at
 * least WS_SPILL_MIN; WS_MERGE_MIN suffices for any payload. If out of memory, prints an error
 * message and returns false. merge must be freed even after an error. */
bool ws_merge_init(struct ws_merge *merge, const struct ws_merge_source *source, size_t memory);
void ws_merge_free(struct ws_merge *merge);

/* Returns the sort key of the next record, valid until the next call. Returns NULL at the end, or
 * if merge->failed is true. */
const struct ws_sort_key *ws_merge_next(struct ws_merge *merge);

#endif
