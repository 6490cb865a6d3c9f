/*
 * arena.h - memory in large chunks that is given back all at once.
 *
 * Chunks come from mmap(), aligned to and advised for 2 MiB huge pages, each twice as large as the
 * one before (up to 64 MiB), so that a small run stays small and a large one needs few of them.
 * There is no free(): the pools on top keep their own free lists.
 *
 * Cost: a pointer bump; a system call per chunk.
 */
#ifndef WARPSCOPE_BASE_ARENA_H
#define WARPSCOPE_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    unsigned char *next; /* free part of the newest chunk */
    unsigned char *end;
    struct arena_chunk *chunks;
    size_t chunk_bytes; /* size of the next chunk */
    size_t total_bytes; /* taken from the system */
    size_t limit_bytes; /* total_bytes stays at or below it */
};

void arena_init(struct arena *a, size_t limit_bytes);
/* Gives everything back to the system. */
void arena_fini(struct arena *a);
/* size bytes, zeroed, aligned to align (a power of two <= 4096). NULL when the limit is reached or
 * the system refuses. */
void *arena_alloc(struct arena *a, size_t size, size_t align);

#endif
