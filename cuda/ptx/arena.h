/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of one module: chunks that are freed together, and stacks of items that the parser collects.
 */
#ifndef WARPSCOPE_CUDA_PTX_ARENA_H
#define WARPSCOPE_CUDA_PTX_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct ptx_chunk;

struct ptx_arena {
    struct ptx_chunk *chunks; /* the newest first */
    char *at, *limit;
    size_t next; /* bytes of the next chunk */
};

/* Returns size bytes, aligned to 8 and not initialised, or NULL without memory. */
void *ptx_arena_take(struct ptx_arena *arena, size_t size);
void ptx_arena_free(struct ptx_chunk *chunks);

/* Items of one size, each of them a multiple of 4 bytes. */
struct ptx_stack {
    void *items;
    size_t count, capacity;
};

/* Returns the address of one more item, not initialised and valid until the next push; NULL without memory. */
void *ptx_push(struct ptx_stack *stack, size_t item_size);

#endif
