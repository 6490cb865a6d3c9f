/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chunks.h - memory that never moves and is freed as a whole. It comes from malloc() in chunks, whose
 * sizes double from 4 KiB to 1 MiB: few items take little memory, and many need few calls.
 */
#ifndef WARPSCOPE_STORE_CHUNKS_H
#define WARPSCOPE_STORE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct chunk {
    struct chunk *before;
    _Alignas(16) char items[];
};

/* The memory. It is empty if all members are zero. */
struct chunks {
    struct chunk *list; /* owned; newest first */
    char *at;           /* first free byte of the newest chunk */
    size_t left, next;  /* number of free bytes of the newest chunk; size of the next chunk */
};

/* Returns size bytes, not initialised; NULL if memory is exhausted. They are aligned to 16 bytes if
 * all sizes are multiples of 16, and to 8 bytes likewise. */
static inline void *chunks_take(struct chunks *c, size_t size)
{
    if (size > c->left) {
        size_t bytes = c->next == 0 ? (size_t)4 << 10 : c->next;
        c->next = bytes < (size_t)1 << 20 ? 2 * bytes : bytes;
        bytes = size > bytes ? size : bytes;
        struct chunk *chunk = malloc(sizeof *chunk + bytes);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->before = c->list;
        c->list = chunk;
        /* This item fills the new chunk. The next ones go to the older one, which may have free
         * space. */
        if (bytes == size && c->at != NULL) {
            return chunk->items;
        }
        c->at = chunk->items;
        c->left = bytes;
    }
    void *taken = c->at;
    c->at += size;
    c->left -= size;
    return taken;
}

static inline void chunks_free(struct chunk *list)
{
    while (list != NULL) {
        struct chunk *chunk = list;
        list = chunk->before;
        free(chunk);
    }
}

#endif
