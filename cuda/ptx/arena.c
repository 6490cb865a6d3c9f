/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sizes of chunks double from 16 KiB to 1 MiB, so that small modules take little memory, and
 * large ones need few calls of malloc().
 */
#include "ptx/arena.h"
#include <assert.h>
#include <stdlib.h>

enum { FIRST_CHUNK = 16 << 10, LAST_CHUNK = 1 << 20 };

struct ptx_chunk {
    struct ptx_chunk *next;
    uint64_t items[];
};

void *ptx_arena_take(struct ptx_arena *arena, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    assert(arena->at <= arena->limit);
    if (size > (size_t)(arena->limit - arena->at)) {
        if (!arena->next) {
            arena->next = FIRST_CHUNK;
        }
        size_t bytes = size > arena->next ? size : arena->next;
        struct ptx_chunk *chunk = malloc(sizeof *chunk + bytes);
        if (!chunk) {
            return NULL;
        }
        if (arena->next < LAST_CHUNK) {
            arena->next *= 2;
        }
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        /* This item fills the new chunk. The arena goes on with the older chunk, which may have
         * free space. */
        if (bytes == size && arena->at) {
            return chunk->items;
        }
        arena->at = (char *)chunk->items;
        arena->limit = arena->at + bytes;
    }
    assert(size <= (size_t)(arena->limit - arena->at));
    void *taken = arena->at;
    arena->at += size;
    return taken;
}

void ptx_arena_free(struct ptx_chunk *chunks)
{
    while (chunks) {
        struct ptx_chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
}

void *ptx_push(struct ptx_stack *stack, size_t item_size)
{
    assert(item_size > 0 && item_size % 4 == 0);
    assert(stack->count <= stack->capacity);
    if (stack->count == stack->capacity) {
        size_t capacity = stack->capacity ? stack->capacity * 2 : 64;
        void *items = realloc(stack->items, capacity * item_size);
        if (!items) {
            return NULL;
        }
        stack->items = items;
        stack->capacity = capacity;
    }
    return (char *)stack->items + stack->count++ * item_size;
}
