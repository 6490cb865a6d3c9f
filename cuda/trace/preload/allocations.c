/* SPDX-License-Identifier: BSD-3-Clause
 *
 * allocations.c - hooks of the driver's functions that allocate and free memory, and that find
 * variables of modules.
 */
#include "trace/hooks/hooks.h"
#include "trace/preload/driver.h"

/* A row: a function that returns memory of `size` bytes, and the name of a variable or NULL. */
#define MEMORY(function, declared, passed, address, size, call, name)                              \
    int function declared;                                                                         \
    int function declared                                                                          \
    {                                                                                              \
        int result = CU_REAL(function) passed;                                                     \
        if (result == 0) {                                                                         \
            ws_tracer->memory_begins(address, size, call, name);                                   \
        }                                                                                          \
        return result;                                                                             \
    }
#define ALLOCATION(function, declared, passed, address, size)                                      \
    MEMORY(function, declared, passed, address, size, #function, NULL)
#define VARIABLE(function)                                                                         \
    MEMORY(function, (uint64_t * place, size_t * bytes, void *module, const char *name),           \
           (place, bytes, module, name), place == NULL ? 0 : *place, bytes == NULL ? 0 : *bytes,   \
           "variable", name)
#define FREE(function, declared, passed, address)                                                  \
    int function declared;                                                                         \
    int function declared                                                                          \
    {                                                                                              \
        ws_tracer->memory_ends(address);                                                           \
        return CU_REAL(function) passed;                                                           \
    }
#define HOST(memory) ((uint64_t)(uintptr_t)(memory))

#define SIZED    (uint64_t * place, size_t bytes)
#define FLAGGED  (uint64_t * place, size_t bytes, unsigned flags)
#define STREAMED (uint64_t * place, size_t bytes, void *stream)
#define POOLED   (uint64_t * place, size_t bytes, void *pool, void *stream)
ALLOCATION(cuMemAlloc_v2, SIZED, (place, bytes), *place, bytes)
ALLOCATION(cuMemAllocManaged, FLAGGED, (place, bytes, flags), *place, bytes)
ALLOCATION(cuMemAllocHost_v2, SIZED, (place, bytes), *place, bytes)
ALLOCATION(cuMemHostAlloc, FLAGGED, (place, bytes, flags), *place, bytes)
ALLOCATION(cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags),
           (memory, bytes, flags), HOST(memory), bytes)
ALLOCATION(cuMemAllocPitch_v2,
           (uint64_t * place, size_t *pitch, size_t width, size_t height, unsigned element),
           (place, pitch, width, height, element), *place, *pitch *height)
ALLOCATION(cuMemAllocAsync, STREAMED, (place, bytes, stream), *place, bytes)
ALLOCATION(cuMemAllocAsync_ptsz, STREAMED, (place, bytes, stream), *place, bytes)
ALLOCATION(cuMemAllocFromPoolAsync, POOLED, (place, bytes, pool, stream), *place, bytes)
ALLOCATION(cuMemAllocFromPoolAsync_ptsz, POOLED, (place, bytes, pool, stream), *place, bytes)
VARIABLE(cuModuleGetGlobal_v2)
VARIABLE(cuLibraryGetGlobal)
VARIABLE(cuLibraryGetManaged)
FREE(cuMemFree_v2, (uint64_t memory), (memory), memory)
FREE(cuMemFreeHost, (void *memory), (memory), HOST(memory))
FREE(cuMemHostUnregister, (void *memory), (memory), HOST(memory))
FREE(cuMemFreeAsync, (uint64_t memory, void *stream), (memory, stream), memory)
FREE(cuMemFreeAsync_ptsz, (uint64_t memory, void *stream), (memory, stream), memory)
