/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.c - see arena.h. Adding an item and returning an item take constant time on average.
 */
#include "memtrace/arena.h"
#include "store/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ws_arena_init(struct ws_arena *arena, size_t item_size)
{
    assert(item_size >= sizeof(uint32_t));
    *arena = (struct ws_arena){.item_size = item_size};
}

void ws_arena_free(struct ws_arena *arena)
{
    for (uint32_t i = 0; i < arena->n_pieces; i++) {
        free(arena->pieces[i]);
    }
    free(arena->pieces);
    *arena = (struct ws_arena){0};
}

static int piece_add(struct ws_arena *arena)
{
    if (!array_reserve(&arena->pieces, &arena->room, arena->n_pieces + 1u, sizeof *arena->pieces)) {
        return 0;
    }
    uint8_t *piece = malloc(arena->item_size << WS_ARENA_BITS);
    if (piece == NULL) {
        return 0;
    }
    arena->pieces[arena->n_pieces++] = piece;
    return 1;
}

uint32_t ws_arena_add(struct ws_arena *arena)
{
    uint32_t number = arena->unused;
    if (number != 0) {
        memcpy(&arena->unused, ws_arena_at(arena, number, arena->item_size), sizeof number);
        arena->n_unused--;
    } else {
        if (arena->n == UINT32_MAX ||
            (arena->n >> WS_ARENA_BITS == arena->n_pieces && !piece_add(arena))) {
            return 0;
        }
        number = ++arena->n;
    }
    memset(ws_arena_at(arena, number, arena->item_size), 0, arena->item_size);
    return number;
}

void ws_arena_return(struct ws_arena *arena, uint32_t number)
{
    assert(number != 0 && number <= arena->n);
    memcpy(ws_arena_at(arena, number, arena->item_size), &arena->unused, sizeof number);
    arena->unused = number;
    arena->n_unused++;
}
