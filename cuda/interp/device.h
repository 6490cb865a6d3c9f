/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A device's memory: one reserved range of addresses, divided into windows and arenas.
 *
 * Allocations begin at multiples of GRANULE, with at least one unused granule between two of them. A table has the
 * number of usable bytes of each granule, so that the check of an access is one look-up, exact to the byte.
 */
#ifndef WARPSCOPE_CUDA_INTERP_DEVICE_H
#define WARPSCOPE_CUDA_INTERP_DEVICE_H

#include "interp/interp.h"
#include <pthread.h>

enum { GRANULE = 256, GRANULE_SHIFT = 8 };

/* Offsets in the range. Windows are generic addresses of memory that each CTA or thread has for itself. */
#define WINDOW_BYTES     0x1000000ull
#define SHARED_WINDOW    0x1000000ull
#define LOCAL_WINDOW     0x2000000ull
#define PARAMETER_WINDOW 0x3000000ull
#define FUNCTION_WINDOW  0x4000000ull
#define FUNCTION_BYTES   16 /* distance of the addresses of two functions */
#define CONSTANT_BEGIN   0x10000000ull
#define VARIABLE_BEGIN   0x20000000ull
#define HEAP_BEGIN       0x80000000ull
#define MAIN_BEGIN       0x100000000ull
#define APART_BYTES      0x400000000ull

enum arena_kind {
    ARENA_CONSTANT,  /* .const variables */
    ARENA_VARIABLES, /* .global variables */
    ARENA_HEAP,      /* malloc() of kernels */
    ARENA_MAIN,      /* interp_alloc() */
    ARENA_APART,     /* interp_alloc_apart(), and variables of tools */
    ARENAS
};

struct block {
    uint64_t begin, bytes; /* usable bytes; the block takes more */
};

struct arena {
    uint64_t begin, end;  /* addresses */
    uint64_t top;         /* never used from here */
    struct block *blocks; /* allocations, ascending */
    size_t count, room;
    struct block *gaps; /* freed places below top, ascending, whole granules, never adjacent */
    size_t gap_count, gap_room;
};

struct interp {
    uint64_t base, bytes; /* of the range */
    uint16_t *usable;     /* of each granule: usable bytes at its begin */
    struct arena arenas[ARENAS];
    pthread_mutex_t lock; /* arenas, functions */
    unsigned sms;
    uint64_t instruction_limit;
    const struct function *
        *functions; /* by number; the address of function n is base + FUNCTION_WINDOW + 16 n */
    size_t function_count, function_room;
    uint64_t launches; /* for %gridid */
};

uint64_t device_alloc(struct interp *device, enum arena_kind arena, uint64_t bytes);
bool device_free(struct interp *device, uint64_t address);

/* Registers a function; returns its address, 0 without memory. */
uint64_t device_add_function(struct interp *device, const struct function *function);
void device_remove_function(struct interp *device, uint64_t address);
const struct function *device_function(struct interp *device, uint64_t address);

/* True if size bytes at address, aligned to size (at most 32), lie in an allocation or variable. */
static inline bool device_holds(const struct interp *device, uint64_t address, uint64_t size)
{
    uint64_t offset = address - device->base;
    return offset < device->bytes &&
           (offset & (GRANULE - 1)) + size <=
               __atomic_load_n(&device->usable[offset >> GRANULE_SHIFT], __ATOMIC_RELAXED);
}

#endif
