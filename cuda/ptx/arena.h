/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of one module: chunks that are freed together, and stacks of items that the parser
 * collects.
 */
#ifndef WARPSCOPE_CUDA_PTX_ARENA_H
#define WARPSCOPE_CUDA_PTX_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct ptx_chunk;

struct ptx_arena {
    struct ptx_chunk *chunks; /* newest first */
    char *at, *limit;
    size_t next; /* size of the next chunk in bytes */
};

/* Returns size bytes, aligned to 8 and not initialised. Returns NULL if memory is exhausted. */
void *ptx_arena_take(struct ptx_arena *arena, size_t size);
void ptx_arena_free(struct ptx_chunk *chunks);

/* A stack of items that have the same size, a multiple of 4 bytes. */
struct ptx_stack {
    void *items;
    size_t count, capacity;
};

/* Adds an item and returns its address, which is valid until the next push. The item is not
 * initialised. Returns NULL if memory is exhausted. */
void *ptx_push(struct ptx_stack *stack, size_t item_size);

#endif
