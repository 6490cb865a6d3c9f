/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory for the syntax tree of one module: chunks that are freed together, and stacks of items
 * that the parser collects.
 */
#ifndef WARPSCOPE_CUDA_PTX_ARENA_H
#define WARPSCOPE_CUDA_PTX_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct ptx_chunk;

struct ptx_arena {
    struct ptx_chunk *chunks; /* list of chunks, newest first */
    char *at, *limit;
    size_t next; /* size of the next chunk in bytes */
};

/* Allocates `size` bytes in the arena, aligned to 8 bytes and not initialised. Returns NULL if
 * memory is exhausted. */
void *ptx_arena_take(struct ptx_arena *arena, size_t size);
/* Frees a list of chunks. */
void ptx_arena_free(struct ptx_chunk *chunks);

/* A stack of items of the same size, which is a multiple of 4 bytes. */
struct ptx_stack {
    void *items;
    size_t count, capacity;
};

/* Pushes an item onto stack and returns the address of the item, which is valid until the next
 * push. The item is not initialised. Returns NULL if memory is exhausted. */
void *ptx_push(struct ptx_stack *stack, size_t item_size);

#endif
