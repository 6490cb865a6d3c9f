/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c - see memory.h. The memory of a large table is mapped, with one additional page for the
 * alignment. The untouched parts of the table take no memory.
 */
#define _GNU_SOURCE /* required for MAP_ANONYMOUS and MADV_HUGEPAGE */
#include "data/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LINE_BYTES  ((size_t)64)
#define PAGE_BYTES  ((size_t)2 << 20)
#define LARGE_BYTES ((size_t)4 << 20)
/* Maximum size in bytes of a sparse table that gets large pages. Such a table may take its full
 * size in memory. */
#define SPARSE_BYTES ((size_t)256 << 20)

static void *align_up(void *at, size_t to)
{
    return (void *)(((uintptr_t)at + to - 1) / to * to);
}

/* Allocates `bytes` bytes for m. large_pages: true to request large pages if the table is large. */
static bool take(struct ws_memory *m, size_t bytes, bool large_pages)
{
    struct ws_memory more = {.is_mapped = bytes >= LARGE_BYTES};
    size_t align = more.is_mapped ? PAGE_BYTES : LINE_BYTES;
    if (bytes > SIZE_MAX - align) {
        return false;
    }
    more.bytes = bytes + align;
    if (more.is_mapped) {
        more.base =
            mmap(NULL, more.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    } else {
        more.base = calloc(1, more.bytes);
    }
    if (more.base == NULL || more.base == MAP_FAILED) {
        return false;
    }
    more.at = align_up(more.base, align);
    if (more.is_mapped && large_pages) {
        /* A hint to the system, whose failure is harmless. */
        (void)madvise(more.at, bytes, MADV_HUGEPAGE);
    }
    *m = more;
    return true;
}

bool ws_memory_take(struct ws_memory *m, size_t bytes)
{
    return take(m, bytes, true);
}

bool ws_memory_take_sparse(struct ws_memory *m, size_t bytes)
{
    return take(m, bytes, bytes <= SPARSE_BYTES);
}

void ws_memory_free(struct ws_memory *m)
{
    if (m->is_mapped) {
        munmap(m->base, m->bytes);
    } else {
        free(m->base);
    }
    *m = (struct ws_memory){0};
}
