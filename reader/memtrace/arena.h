/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.h - stores many items of one size, which never move. They are numbered from 1; number 0
 * means no item. An item that the caller has returned is used again. Memory is allocated in pieces
 * of 16384 items.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ARENA_H
#define WARPSCOPE_READER_MEMTRACE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#define WS_ARENA_BITS 14

struct ws_arena {
    uint8_t **pieces; /* owned; memory of the items */
    size_t item_size; /* size of an item in bytes, at least 4 */
    uint32_t n;       /* numbers 1 to n have been handed out */
    uint32_t n_pieces;
    size_t room;
    /* Number of the first returned item. The first 4 bytes of each returned item hold the number of
     * the next returned item. 0: none. */
    uint32_t unused;
    uint32_t n_unused;
};

void ws_arena_init(struct ws_arena *arena, size_t item_size);
void ws_arena_free(struct ws_arena *arena);

/* Returns the number of a new zeroed item; 0 if memory is exhausted. */
uint32_t ws_arena_add(struct ws_arena *arena);
void ws_arena_return(struct ws_arena *arena, uint32_t number);

static inline void *ws_arena_at(const struct ws_arena *arena, uint32_t number, size_t item_size)
{
    uint32_t i = number - 1;
    return arena->pieces[i >> WS_ARENA_BITS] + (i & ((1u << WS_ARENA_BITS) - 1)) * item_size;
}

#endif
