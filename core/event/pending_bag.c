/* SPDX-License-Identifier: BSD-3-Clause */
/* pending_bag.c - see pending_bag.h. */
#include "event/pending_bag.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void pending_out_of_memory(void)
{
    fprintf(stderr, "pending queue: out of memory\n");
    abort();
}

struct pending_entry *pending_bag_extend(struct pending_pool *pool, pending_bag full)
{
    assert(pending_bag_is_full(full));
    struct pending_chunk *chunk = pool->free;
    if (chunk != NULL) {
        pool->free = chunk->older;
    } else {
        chunk = arena_alloc(&pool->arena, sizeof *chunk, PENDING_CHUNK_BYTES);
        if (chunk == NULL) {
            pending_out_of_memory();
        }
    }
    chunk->older = full == NULL ? NULL : pending_bag_chunk(full);
    chunk->ahead = NULL;
    return chunk->entry;
}

struct pending_entry *pending_bag_extend_long(struct pending_pool *pool, pending_bag full)
{
    struct pending_entry *end = pending_bag_extend(pool, full);
    struct pending_chunk *chunk = pending_bag_chunk(end + 1);
    struct pending_chunk *ahead = chunk;
    for (int i = 0; i < 4 && ahead != NULL; i++) {
        ahead = ahead->older;
    }
    chunk->ahead = ahead;
    return end;
}

void pending_bag_pour(struct pending_pool *pool, pending_bag from, pending_bag *to)
{
    while (from != NULL) {
        for (const struct pending_entry *e = pending_bag_chunk(from)->entry; e < from; e++) {
            pending_bag_push(pool, to, *e);
        }
        from = pending_bag_release_newest(pool, from);
    }
}
