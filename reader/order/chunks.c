/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks.c - an index of a file's blocks of one kind of records; see chunks.h.
 */
#include "order/chunks.h"

#include <assert.h>
#include <stdlib.h>

#include "order/sort_key.h"
#include "store/array.h"

static bool is_chosen(const struct fmt_block *block, const struct fmt_schema *schema,
                      const struct ws_select *select)
{
    return block->kind == FMT_BLOCK_DATA && block->schema == schema &&
           (select == NULL || ws_select_block(select, block) != WS_SHARE_NONE);
}

/* Returns a lower bound of the virtual times of a block's records, converted by ws_time_order(). */
static uint64_t block_least(const struct fmt_block *block)
{
    double min = block->min_virtual_time;
    return ws_time_order(min == 0.0 ? -0.0 : min);
}

/* Joins pairs of neighbouring entries that belong to the same PE. */
static void chunks_join(struct ws_chunks *chunks)
{
    size_t to = 0;
    for (size_t from = 0; from < chunks->n; from++, to++) {
        struct ws_chunk *chunk = &chunks->list[to];
        assert(to <= from);
        *chunk = chunks->list[from];
        if (from + 1 < chunks->n && chunks->list[from + 1].walk.pe == chunk->walk.pe) {
            const struct ws_chunk *next = &chunks->list[++from];
            chunk->blocks += next->blocks;
            chunk->least = next->least < chunk->least ? next->least : chunk->least;
        }
    }
    chunks->n = to;
}

static bool chunk_add(struct ws_chunks *chunks, const struct ws_walk *walk,
                      const struct fmt_block *block)
{
    assert(chunks->n_max > 0);
    if (chunks->n >= chunks->n_max) {
        chunks_join(chunks);
        /* Few entries could be joined: there are too many PEs for the limit. */
        if (chunks->n > chunks->n_max / 4 * 3) {
            chunks->n_max *= 2;
        }
    }
    if (!array_reserve(&chunks->list, &chunks->n_room, chunks->n + 1, sizeof *chunks->list)) {
        return false;
    }
    chunks->list[chunks->n++] =
        (struct ws_chunk){.least = block_least(block), .walk = *walk, .blocks = 1};
    return true;
}

static int by_least(const void *a, const void *b)
{
    const struct ws_chunk *x = a, *y = b;
    if (x->least != y->least) {
        return x->least < y->least ? -1 : 1;
    }
    return x->walk.pe < y->walk.pe ? -1 : x->walk.pe > y->walk.pe;
}

bool ws_chunks_init(struct ws_chunks *chunks, const struct ws_file *file,
                    const struct fmt_schema *schema, const struct ws_select *select, size_t n_max)
{
    assert(n_max > 0);
    *chunks = (struct ws_chunks){.n_max = n_max};
    for (uint32_t pe = 0; pe < file->sb->layout.n_pes; pe++) {
        struct ws_walk walk, before;
        struct fmt_block block;
        enum fmt_status status;
        if (select != NULL && !ws_select_pe(select, pe)) {
            continue;
        }
        ws_walk_init(&walk, file, pe);
        for (before = walk; (status = ws_walk_next(&walk, &block)) != FMT_END; before = walk) {
            if (status == FMT_OK && is_chosen(&block, schema, select) &&
                !chunk_add(chunks, &before, &block)) {
                return false;
            }
        }
    }
    if (chunks->n > 0) {
        qsort(chunks->list, chunks->n, sizeof *chunks->list, by_least);
    }
    return true;
}

void ws_chunks_free(struct ws_chunks *chunks)
{
    free(chunks->list);
    *chunks = (struct ws_chunks){0};
}

bool ws_chunk_next(struct ws_chunk *chunk, const struct fmt_schema *schema,
                   const struct ws_select *select, struct fmt_block *block)
{
    enum fmt_status status = FMT_OK;
    while (chunk->blocks > 0 && status != FMT_END) {
        status = ws_walk_next(&chunk->walk, block);
        if (status == FMT_OK && is_chosen(block, schema, select)) {
            chunk->blocks--;
            return true;
        }
    }
    chunk->blocks = 0;
    return false;
}
