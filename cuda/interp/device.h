/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a device: one reserved range of addresses, divided into windows and arenas.
 *
 * Allocations begin at multiples of GRANULE, with at least one unused granule between two of them.
 * The table `usable` has the number of usable bytes of each granule. One look-up therefore checks
 * an access, exactly to the byte.
 */
#ifndef WARPSCOPE_CUDA_INTERP_DEVICE_H
#define WARPSCOPE_CUDA_INTERP_DEVICE_H

#include "interp/interp.h"
#include <assert.h>
#include <pthread.h>

enum { GRANULE = 256, GRANULE_SHIFT = 8 };

/* Offsets in the device's address range. A window is a range of generic addresses through which
 * each CTA accesses its own shared memory, each thread its own local memory, or all threads the
 * parameters of the kernel. */
#define WINDOW_BYTES     0x1000000ull
#define SHARED_WINDOW    0x1000000ull
#define LOCAL_WINDOW     0x2000000ull
#define PARAMETER_WINDOW 0x3000000ull
#define FUNCTION_WINDOW  0x4000000ull
#define FUNCTION_BYTES   16 /* distance between the addresses of consecutive functions */
#define CONSTANT_BEGIN   0x10000000ull
#define VARIABLE_BEGIN   0x20000000ull
#define HEAP_BEGIN       0x80000000ull
#define MAIN_BEGIN       0x100000000ull
#define APART_BYTES      0x400000000ull

enum arena_kind {
    ARENA_CONSTANT,  /* .const variables */
    ARENA_VARIABLES, /* .global variables */
    ARENA_HEAP,      /* memory from malloc() in kernels */
    ARENA_MAIN,      /* memory from interp_alloc() */
    ARENA_APART,     /* memory from interp_alloc_apart(), variables of instrumentation tools */
    ARENAS
};

struct block {
    uint64_t begin, bytes; /* bytes: number of usable bytes; the block occupies more */
};

struct arena {
    uint64_t begin, end;  /* addresses */
    struct block *blocks; /* allocations, in ascending order */
    size_t count;
    size_t packed; /* so many blocks are at the beginning, with no room between them */
};

/* Memory outside of a device that its kernels may access; see interp_reach(). */
struct outside {
    uint64_t begin, bytes;
    const struct interp *peer;
};

struct interp {
    uint64_t base, bytes; /* address and size in bytes of the device's range */
    uint16_t *usable;     /* [i]: number of usable bytes at the beginning of granule i */
    struct arena arenas[ARENAS];
    pthread_mutex_t lock; /* protects the arenas and the table of functions */
    unsigned sms;
    uint64_t instruction_limit;
    /* [n]: function n, whose address is base + FUNCTION_WINDOW + 16 n; NULL: removed. */
    const struct function **functions;
    size_t function_count;
    struct outside *reaches; /* protected by `lock` */
    size_t reach_count;      /* atomic */
    uint64_t launches;       /* number of launches so far, which determines %gridid */
};

/* Allocates memory in an arena. Returns the memory's address, or 0 if no range of this size is
 * free. */
uint64_t device_alloc(struct interp *device, enum arena_kind arena, uint64_t bytes);
/* Frees the allocation that begins at address. Returns false if there is none. */
bool device_free(struct interp *device, uint64_t address);

/* Returns true if kernels may access the `size` bytes at an address outside of the device. */
bool device_reaches(struct interp *device, uint64_t address, uint64_t size);

/* Registers a function on the device. Returns the function's address, or 0 if memory is
 * exhausted. */
uint64_t device_add_function(struct interp *device, const struct function *function);
void device_remove_function(struct interp *device, uint64_t address);
/* Returns the function with this address; NULL: none. */
const struct function *device_function(struct interp *device, uint64_t address);

/* Returns true if the `size` bytes at address lie in one allocation or variable. address must be a
 * multiple of size, which is at most 32. */
static inline bool device_holds(const struct interp *device, uint64_t address, uint64_t size)
{
    uint64_t offset = address - device->base;
    assert(size > 0 && (address & 31) + size <= 32); /* within a granule */
    return offset < device->bytes &&
           (offset & (GRANULE - 1)) + size <=
               __atomic_load_n(&device->usable[offset >> GRANULE_SHIFT], __ATOMIC_RELAXED);
}

#endif
