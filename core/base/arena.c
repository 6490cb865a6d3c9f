/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.c - see arena.h. */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

#define ARENA_PAGE_BYTES      ((size_t)2 << 20)
#define ARENA_CHUNK_MAX_BYTES ((size_t)64 << 20)
/* The size of the last chunk before the limit is a multiple of this number of bytes. Also the size
 * of the guard area behind a chunk. */
#define ARENA_REST_BYTES ((size_t)4096)

struct arena_chunk {
    struct arena_chunk *older;
    void *map;
    size_t map_bytes;
};

void arena_init(struct arena *a, size_t limit_bytes)
{
    *a = (struct arena){.chunk_bytes = ARENA_PAGE_BYTES, .limit_bytes = limit_bytes};
}

void arena_fini(struct arena *a)
{
    struct arena_chunk *chunk = a->chunks;
    while (chunk != NULL) {
        struct arena_chunk copy = *chunk;
        munmap(copy.map, copy.map_bytes);
        chunk = copy.older;
    }
    arena_init(a, a->limit_bytes);
}

/* Adds a chunk with space for a block of size bytes. Returns 0, or -1 if the limit or the system
 * prevents it. */
static int arena_grow(struct arena *a, size_t size)
{
    size_t bytes = a->chunk_bytes;
    size_t left = a->limit_bytes > a->total_bytes ? a->limit_bytes - a->total_bytes : 0;
    if (size > SIZE_MAX / 4) {
        return -1;
    }
    /* Aligning the block takes up to 4096 further bytes. */
    size_t least = size + sizeof(struct arena_chunk) + 4096;
    if (bytes < least) {
        bytes = (least + ARENA_PAGE_BYTES - 1) & ~(ARENA_PAGE_BYTES - 1);
    }
    if (bytes > left) { /* near the limit: uses the rest if it is large enough */
        bytes = left & ~(ARENA_REST_BYTES - 1);
        if (bytes < least) {
            return -1;
        }
    }
    size_t map_bytes = bytes + ARENA_PAGE_BYTES;
    void *map = mmap(NULL, map_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) {
        return -1;
    }
    uintptr_t start = ((uintptr_t)map + ARENA_PAGE_BYTES - 1) & ~(uintptr_t)(ARENA_PAGE_BYTES - 1);
    /* A guard area behind the chunk stops writes far beyond the end of a block. The mapping always
     * has space for this area. */
    (void)mprotect((void *)(start + bytes), ARENA_REST_BYTES, PROT_NONE);
    /* madvise() only gives a hint to the system, so a failure is harmless. */
    (void)madvise((void *)start, bytes, MADV_HUGEPAGE);
    struct arena_chunk *chunk = (struct arena_chunk *)start;
    *chunk = (struct arena_chunk){.older = a->chunks, .map = map, .map_bytes = map_bytes};
    a->chunks = chunk;
    a->next = (unsigned char *)(chunk + 1);
    a->end = (unsigned char *)start + bytes;
    a->total_bytes += bytes;
    if (a->chunk_bytes < ARENA_CHUNK_MAX_BYTES) {
        a->chunk_bytes *= 2;
    }
    return 0;
}

void *arena_alloc(struct arena *a, size_t size, size_t align)
{
    assert(align != 0 && (align & (align - 1)) == 0 && align <= 4096);
    for (int attempt = 0; attempt < 2; attempt++) {
        uintptr_t start = ((uintptr_t)a->next + align - 1) & ~(uintptr_t)(align - 1);
        if (a->next != NULL && start <= (uintptr_t)a->end && (uintptr_t)a->end - start >= size) {
            a->next = (unsigned char *)start + size;
            return (void *)start;
        }
        if (attempt == 0 && arena_grow(a, size) != 0) {
            return NULL;
        }
    }
    return NULL;
}
