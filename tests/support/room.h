/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * room.h - memory that grows by small parts: with sanitizers each realloc() copies all that came before.
 */
#ifndef WARPSCOPE_TESTS_ROOM_H
#define WARPSCOPE_TESTS_ROOM_H

#include <stddef.h>
#include <stdlib.h>

/* Returns memory, which is NULL or was extended by this function to hold had bytes, extended to hold bytes. */
static inline void *room_for(void *memory, size_t had, size_t bytes)
{
    size_t room = 4096;
    while (room < had) {
        room *= 2;
    }
    if (memory != NULL && bytes <= room) {
        return memory;
    }
    while (room < bytes) {
        room *= 2;
    }
    return realloc(memory, room);
}

#endif
