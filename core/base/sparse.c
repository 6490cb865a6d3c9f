/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.c - see sparse.h. */
#define _GNU_SOURCE /* required for MAP_ANONYMOUS and madvise() */
#include "base/sparse.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "ross.h"

/* Arrays of at least this size in bytes have their own pages; smaller arrays come from malloc(). */
#define SPARSE_BYTES ((size_t)64 << 10)

void *sparse_calloc(const char *what, size_t n, size_t size)
{
    if (size == 0 || n < SPARSE_BYTES / size) {
        return tw_calloc(TW_LOC, what, size, n);
    }
    void *array = MAP_FAILED;
    if (n <= SIZE_MAX / size) {
        array = mmap(NULL, n * size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    if (array == MAP_FAILED) {
        tw_error(TW_LOC, "out of memory: %zu times %zu bytes for %s", n, size, what);
    }
    madvise(array, n * size, MADV_NOHUGEPAGE); /* a huge page would hold too many elements */
    return array;
}

void sparse_free(void *array, size_t n, size_t size)
{
    if (array != NULL && size > 0 && n >= SPARSE_BYTES / size) {
        munmap(array, n * size);
    } else {
        free(array);
    }
}
