/*
 * chunks.h - an index of the blocks of one kind in a file, by the least virtual time in them.
 *
 * An entry stands for one block, or for several neighbouring ones of a PE when there are too many:
 * then neighbours are joined two by two. So the index takes at most WS_CHUNKS_BYTES, or one entry
 * per PE if that is more.
 */
#ifndef WARPSCOPE_READER_CHUNKS_H
#define WARPSCOPE_READER_CHUNKS_H

#include "select.h"
#include "survey.h"

#define WS_CHUNKS_BYTES ((size_t)8 << 20)

struct ws_chunk {
    uint64_t least;       /* ws_time_order() of the least virtual time */
    struct fmt_scan scan; /* where the walk over the PE's blocks was */
    uint64_t blocks;      /* of the kind, and selected, from there on */
};

struct ws_chunks {
    struct ws_chunk *list; /* owned */
    size_t n, n_room;
    size_t n_max; /* entries that there may be before some are joined */
};

/* Collects the blocks of a kind that select (NULL: all) may choose records of; reads headers only.
 * They come in the order of their least times. False: out of memory. Free in any case. */
bool ws_chunks_init(struct ws_chunks *chunks, const struct ws_survey *survey,
                    const struct fmt_schema *schema, const struct ws_select *select, size_t n_max);
void ws_chunks_free(struct ws_chunks *chunks);

/* The chunk's next block; false if there is none left. The chunk is used up by this. */
bool ws_chunk_next(struct ws_chunk *chunk, const struct fmt_schema *schema,
                   const struct ws_select *select, struct fmt_block *block);

#endif
