/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks.h - an index of the blocks of one kind in a file, ordered by the smallest virtual time in
 * each block.
 *
 * An entry of the index is a chunk, which has one block at first. If there are too many entries,
 * neighbours of the same PE are joined in pairs. The index takes at most WS_CHUNKS_BYTES, or one
 * entry per PE if that is more.
 */
#ifndef WARPSCOPE_READER_ORDER_CHUNKS_H
#define WARPSCOPE_READER_ORDER_CHUNKS_H

#include "access/record_file.h"
#include "access/select.h"

#define WS_CHUNKS_BYTES ((size_t)8 << 20)

struct ws_chunk {
    uint64_t least;      /* smallest virtual time in the blocks, converted by ws_time_order() */
    struct ws_walk walk; /* position in the PE's blocks where the chunk begins */
    uint64_t blocks;     /* number of selected blocks of the kind in the chunk */
};

struct ws_chunks {
    struct ws_chunk *list; /* owned; the entries */
    size_t n, n_room;
    size_t n_max; /* maximum number of entries, beyond which neighbours are joined */
};

/* Collects the blocks of the kind `schema` from which select may choose records. select NULL: all
 * blocks of the kind. Reads only block headers. Sorts the entries by their smallest times. n_max:
 * initial value of chunks->n_max. Returns false if out of memory. chunks must be freed even after
 * an error. */
bool ws_chunks_init(struct ws_chunks *chunks, const struct ws_file *file,
                    const struct fmt_schema *schema, const struct ws_select *select, size_t n_max);
void ws_chunks_free(struct ws_chunks *chunks);

/* Reads the header of the chunk's next block. Returns false if none is left. The chunk must not be
 * used after that. */
bool ws_chunk_next(struct ws_chunk *chunk, const struct fmt_schema *schema,
                   const struct ws_select *select, struct fmt_block *block);

#endif
