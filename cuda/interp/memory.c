/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices, and allocation of their memory.
 */
#include "interp/device.h"
#include "store/array.h"
#include "store/search.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEVICE_BASE   0x200000000000ull
#define DEVICE_STRIDE 0x10000000000ull
#define DEFAULT_BYTES 0x400000000ull
#define DEVICES_MAX   64u

static void arena_set(struct interp *device, enum arena_kind kind, uint64_t begin, uint64_t end)
{
    struct arena *arena = &device->arenas[kind];
    assert(begin < end && end <= device->bytes && begin % GRANULE == 0);
    arena->begin = device->base + begin;
    arena->end = device->base + end;
}

static bool reserve(struct interp *device, char *error)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *wanted = (void *)(uintptr_t)device->base;
    void *range =
        mmap(wanted, device->bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (range != wanted) {
        int reason = range == MAP_FAILED ? errno : EEXIST;
        if (range != MAP_FAILED) {
            munmap(range, device->bytes);
        }
        snprintf(error, INTERP_ERROR_MAX,
                 "cannot reserve %llu MiB of addresses at 0x%llx for a device: %s",
                 (unsigned long long)(device->bytes >> 20), (unsigned long long)device->base,
                 strerror(reason));
        return false;
    }
    void *table = mmap(NULL, (device->bytes >> GRANULE_SHIFT) * sizeof *device->usable,
                       PROT_READ | PROT_WRITE, flags, -1, 0);
    if (table == MAP_FAILED) {
        snprintf(error, INTERP_ERROR_MAX, "no memory for the table of a device's allocations");
        munmap(range, device->bytes);
        return false;
    }
    device->usable = table;
    return true;
}

struct interp *interp_create(const struct interp_options *options, char *error)
{
    struct interp *device = calloc(1, sizeof *device);
    if (!device) {
        snprintf(error, INTERP_ERROR_MAX, "no memory for a device");
        return NULL;
    }
    uint64_t memory = options->memory ? options->memory : DEFAULT_BYTES;
    memory = (memory + 4095) & ~4095ull;
    if (options->number >= DEVICES_MAX || memory > DEVICE_STRIDE - MAIN_BEGIN - APART_BYTES) {
        snprintf(error, INTERP_ERROR_MAX,
                 "device %u with %llu bytes: at most %u devices of 1000 GiB each are possible",
                 options->number, (unsigned long long)options->memory, DEVICES_MAX);
        free(device);
        return NULL;
    }
    device->sms = options->sms ? options->sms : 16;
    device->instruction_limit = options->instruction_limit;
    device->base = DEVICE_BASE + options->number * DEVICE_STRIDE;
    device->bytes = MAIN_BEGIN + memory + APART_BYTES;
    if (!reserve(device, error)) {
        free(device);
        return NULL;
    }
    arena_set(device, ARENA_CONSTANT, CONSTANT_BEGIN, VARIABLE_BEGIN);
    arena_set(device, ARENA_VARIABLES, VARIABLE_BEGIN, HEAP_BEGIN);
    arena_set(device, ARENA_HEAP, HEAP_BEGIN, MAIN_BEGIN);
    arena_set(device, ARENA_MAIN, MAIN_BEGIN, MAIN_BEGIN + memory);
    arena_set(device, ARENA_APART, MAIN_BEGIN + memory, device->bytes);
    pthread_mutex_init(&device->lock, NULL);
    return device;
}

void interp_destroy(struct interp *device)
{
    if (!device) {
        return;
    }
    munmap((void *)(uintptr_t)device->base, device->bytes);
    munmap(device->usable, (device->bytes >> GRANULE_SHIFT) * sizeof *device->usable);
    for (int i = 0; i < ARENAS; i++) {
        free(device->arenas[i].blocks);
    }
    free(device->functions);
    free(device->reaches);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

/* Marks all bytes of a block as usable if `on` is true, else as unusable. */
static void set_usable(struct interp *device, uint64_t begin, uint64_t bytes, bool on)
{
    uint64_t first = (begin - device->base) >> GRANULE_SHIFT;
    assert(begin % GRANULE == 0 && begin - device->base + bytes <= device->bytes);
    for (uint64_t done = 0; done < bytes; done += GRANULE) {
        uint64_t left = bytes - done;
        uint16_t usable = (uint16_t)(left < GRANULE ? left : GRANULE);
        __atomic_store_n(&device->usable[first + (done >> GRANULE_SHIFT)], on ? usable : 0,
                         __ATOMIC_RELAXED);
    }
}

/* Zeroes freed memory, and gives whole pages back to the system. */
static void clear(uint64_t begin, uint64_t bytes)
{
    uint64_t page = (begin + 4095) & ~4095ull, end = (begin + bytes) & ~4095ull;
    if (page >= end) {
        memset((void *)(uintptr_t)begin, 0, bytes);
        return;
    }
    memset((void *)(uintptr_t)begin, 0, page - begin);
    memset((void *)(uintptr_t)end, 0, begin + bytes - end);
    madvise((void *)(uintptr_t)page, end - page, MADV_DONTNEED);
}

/* Returns the end of the range that a block occupies: whole granules, and one unused granule. */
static uint64_t end_of(const struct block *block)
{
    uint64_t bytes = (block->bytes + GRANULE - 1) & ~(uint64_t)(GRANULE - 1);
    return block->begin + bytes + GRANULE;
}

/* Inserts a block into the first range between others, or after them, that is large enough. Returns its
 * address, or 0 if there is none or if memory is exhausted. */
static uint64_t place(struct arena *arena, uint64_t bytes)
{
    struct block new = {0, bytes};
    uint64_t need = end_of(&new);
    size_t at = arena->packed;
    for (;; at++) {
        uint64_t end = at < arena->count ? arena->blocks[at].begin : arena->end;
        new.begin = at > 0 ? end_of(&arena->blocks[at - 1]) : arena->begin;
        assert(at <= arena->count && new.begin <= end);
        if (need <= end - new.begin) {
            break;
        }
        if (at == arena->count) {
            return 0;
        }
    }
    if (!array_append(&arena->blocks, arena->count, sizeof new)) {
        return 0;
    }
    memmove(arena->blocks + at + 1, arena->blocks + at, (arena->count - at) * sizeof new);
    arena->blocks[at] = new;
    arena->count++;
    arena->packed += at == arena->packed;
    return new.begin;
}

uint64_t device_alloc(struct interp *device, enum arena_kind kind, uint64_t bytes)
{
    struct arena *arena = &device->arenas[kind];
    uint64_t address = 0;
    if (bytes == 0 || bytes > device->bytes) {
        return 0;
    }
    pthread_mutex_lock(&device->lock);
    address = place(arena, bytes);
    if (address) {
        set_usable(device, address, bytes, true);
    }
    pthread_mutex_unlock(&device->lock);
    return address;
}

static struct arena *arena_of(struct interp *device, uint64_t address)
{
    for (int i = 0; i < ARENAS; i++) {
        if (address >= device->arenas[i].begin && address < device->arenas[i].end) {
            return &device->arenas[i];
        }
    }
    return NULL;
}

/* Returns the allocation of an arena that contains the address, or NULL. The caller holds the
 * lock. */
static struct block *block_at(const struct arena *arena, uint64_t address)
{
    size_t at;
    BINARY_SEARCH(at, 0, arena->count, arena->blocks[at].begin <= address);
    struct block *block = at > 0 ? &arena->blocks[at - 1] : NULL;
    return block && address - block->begin < block->bytes ? block : NULL;
}

bool device_free(struct interp *device, uint64_t address)
{
    struct arena *arena = arena_of(device, address);
    if (!arena) {
        return false;
    }
    pthread_mutex_lock(&device->lock);
    const struct block *block = block_at(arena, address);
    bool found = block && block->begin == address;
    if (found) {
        uint64_t bytes = block->bytes;
        size_t at = (size_t)(block - arena->blocks), after = --arena->count - at;
        memmove(arena->blocks + at, arena->blocks + at + 1, after * sizeof *block);
        arena->packed = at < arena->packed ? at : arena->packed;
        set_usable(device, address, bytes, false);
        clear(address, bytes);
    }
    pthread_mutex_unlock(&device->lock);
    return found;
}

uint64_t interp_alloc(struct interp *device, uint64_t bytes)
{
    return device_alloc(device, ARENA_MAIN, bytes);
}

uint64_t interp_alloc_apart(struct interp *device, uint64_t bytes)
{
    return device_alloc(device, ARENA_APART, bytes);
}

/* Frees only memory from interp_alloc() and interp_alloc_apart(), not variables or memory from
 * malloc() in kernels. */
bool interp_free(struct interp *device, uint64_t address)
{
    struct arena *arena = arena_of(device, address);
    return arena &&
           (arena == &device->arenas[ARENA_MAIN] || arena == &device->arenas[ARENA_APART]) &&
           device_free(device, address);
}

bool interp_reach(struct interp *device, uint64_t address, uint64_t bytes,
                  const struct interp *peer, bool is_on)
{
    struct outside r = {peer ? peer->base : address, peer ? peer->bytes : bytes, peer};
    pthread_mutex_lock(&device->lock);
    size_t n = device->reach_count, i = 0;
    bool good = !is_on || array_append(&device->reaches, n, sizeof r);
    while (i < n && !is_on && device->reaches[i].begin != r.begin) {
        i++;
    }
    if (is_on && good) {
        device->reaches[n++] = r;
    } else if (i < n && !is_on) {
        device->reaches[i] = device->reaches[--n];
    }
    __atomic_store_n(&device->reach_count, n, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&device->lock);
    return good;
}

bool device_reaches(struct interp *device, uint64_t address, uint64_t size)
{
    bool found = false;
    if (__atomic_load_n(&device->reach_count, __ATOMIC_RELAXED) == 0) {
        return false;
    }
    pthread_mutex_lock(&device->lock);
    for (size_t i = 0; i < device->reach_count && !found; i++) {
        const struct outside *r = &device->reaches[i];
        uint64_t offset = address - r->begin;
        found = offset < r->bytes && size <= r->bytes - offset &&
                (!r->peer || (offset >= VARIABLE_BEGIN && device_holds(r->peer, address, size)));
    }
    pthread_mutex_unlock(&device->lock);
    return found;
}

bool interp_find(struct interp *device, uint64_t address, uint64_t *begin, uint64_t *bytes)
{
    const struct arena *arena = arena_of(device, address);
    if (!arena) {
        return false;
    }
    pthread_mutex_lock(&device->lock);
    const struct block *block = block_at(arena, address);
    if (block) {
        *begin = block->begin;
        *bytes = block->bytes;
    }
    pthread_mutex_unlock(&device->lock);
    return block != NULL;
}

uint64_t device_add_function(struct interp *device, const struct function *function)
{
    uint64_t address = 0;
    pthread_mutex_lock(&device->lock);
    if (device->function_count < WINDOW_BYTES / FUNCTION_BYTES &&
        array_append(&device->functions, device->function_count, sizeof *device->functions)) {
        address = device->base + FUNCTION_WINDOW + FUNCTION_BYTES * device->function_count;
        device->functions[device->function_count++] = function;
    }
    pthread_mutex_unlock(&device->lock);
    return address;
}

void device_remove_function(struct interp *device, uint64_t address)
{
    pthread_mutex_lock(&device->lock);
    uint64_t number = (address - device->base - FUNCTION_WINDOW) / FUNCTION_BYTES;
    assert(number < device->function_count && device->functions[number]);
    device->functions[number] = NULL;
    while (device->function_count && !device->functions[device->function_count - 1]) {
        device->function_count--;
    }
    pthread_mutex_unlock(&device->lock);
}

const struct function *device_function(struct interp *device, uint64_t address)
{
    const struct function *found = NULL;
    uint64_t offset = address - device->base - FUNCTION_WINDOW;
    pthread_mutex_lock(&device->lock);
    if (offset % FUNCTION_BYTES == 0 && offset / FUNCTION_BYTES < device->function_count) {
        found = device->functions[offset / FUNCTION_BYTES];
    }
    pthread_mutex_unlock(&device->lock);
    return found;
}
