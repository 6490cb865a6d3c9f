/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena.h - memory in large chunks that are freed together.
 *
 * mmap() supplies the chunks. They are aligned to 2 MiB, and madvise() asks for huge pages. Each
 * chunk is twice as large as the previous one, up to 64 MiB: small runs stay small, and large runs
 * need few chunks. A single block cannot be freed: the pools that use an arena have their own free
 * lists.
 *
 * Cost: an addition to a pointer per allocation; a few system calls per chunk.
 */
#ifndef WARPSCOPE_BASE_ARENA_H
#define WARPSCOPE_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    unsigned char *next; /* first free byte of the newest chunk */
    unsigned char *end;
    struct arena_chunk *chunks;
    size_t chunk_bytes; /* size of the next chunk in bytes */
    size_t total_bytes; /* size of all chunks in bytes */
    size_t limit_bytes; /* upper bound of total_bytes */
};

void arena_init(struct arena *a, size_t limit_bytes);
/* Returns the memory of all chunks to the system. */
void arena_fini(struct arena *a);
/* Allocates size bytes, zeroed and aligned to align (a power of two <= 4096). Returns NULL if the
 * limit is reached or the system provides no memory. */
void *arena_alloc(struct arena *a, size_t size, size_t align);

#endif
