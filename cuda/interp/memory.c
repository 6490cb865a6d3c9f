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
    arena->begin = arena->top = device->base + begin;
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
        free(device->arenas[i].gaps);
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

/* Returns the index of the first block that begins after the address. */
static size_t after(const struct block *blocks, size_t count, uint64_t address)
{
    size_t i;
    BINARY_SEARCH(i, 0, count, blocks[i].begin <= address);
    return i;
}

static bool insert(struct block **blocks, size_t *count, size_t *room, size_t at, struct block new)
{
    assert(at <= *count && *count <= *room);
    if (!array_reserve(blocks, room, *count + 1, sizeof **blocks)) {
        return false;
    }
    memmove(*blocks + at + 1, *blocks + at, (*count - at) * sizeof **blocks);
    (*blocks)[at] = new;
    ++*count;
    return true;
}

static void delete (struct block *blocks, size_t *count, size_t at)
{
    assert(at < *count);
    --*count;
    memmove(blocks + at, blocks + at + 1, (*count - at) * sizeof *blocks);
}

/* Returns the number of bytes that a block with this many usable bytes occupies: whole granules,
 * and one unused granule. */
static uint64_t taken(uint64_t bytes)
{
    return ((bytes + GRANULE - 1) & ~(uint64_t)(GRANULE - 1)) + GRANULE;
}

/* Takes `need` bytes from the first gap that is large enough, or else from the unused memory after
 * arena->top. Returns their address, or 0 if there is no space. */
static uint64_t place(struct arena *arena, uint64_t need)
{
    assert(need % GRANULE == 0 && arena->top <= arena->end);
    for (size_t i = 0; i < arena->gap_count; i++) {
        struct block *gap = &arena->gaps[i];
        if (gap->bytes >= need) {
            uint64_t begin = gap->begin;
            gap->begin += need;
            gap->bytes -= need;
            if (gap->bytes == 0) {
                delete (arena->gaps, &arena->gap_count, i);
            }
            return begin;
        }
    }
    if (need > arena->end - arena->top) {
        return 0;
    }
    arena->top += need;
    return arena->top - need;
}

uint64_t device_alloc(struct interp *device, enum arena_kind kind, uint64_t bytes)
{
    struct arena *arena = &device->arenas[kind];
    uint64_t address = 0;
    if (bytes == 0 || bytes > device->bytes) {
        return 0;
    }
    pthread_mutex_lock(&device->lock);
    address = place(arena, taken(bytes));
    if (address) {
        struct block new = {address, bytes};
        if (insert(&arena->blocks, &arena->count, &arena->room,
                   after(arena->blocks, arena->count, address), new)) {
            set_usable(device, address, bytes, true);
        } else {
            address = 0;
        }
    }
    pthread_mutex_unlock(&device->lock);
    return address;
}

/* Adds a freed range to the gaps of an arena, and merges it with adjacent gaps. */
static void add_gap(struct arena *arena, struct block gap)
{
    size_t at = after(arena->gaps, arena->gap_count, gap.begin);
    if (at > 0 && arena->gaps[at - 1].begin + arena->gaps[at - 1].bytes == gap.begin) {
        at--;
        arena->gaps[at].bytes += gap.bytes;
    } else if (!insert(&arena->gaps, &arena->gap_count, &arena->gap_room, at, gap)) {
        return; /* if memory for the list is exhausted, the range stays unused */
    }
    struct block *here = &arena->gaps[at];
    if (at + 1 < arena->gap_count && here->begin + here->bytes == here[1].begin) {
        here->bytes += here[1].bytes;
        delete (arena->gaps, &arena->gap_count, at + 1);
    }
    if (here->begin + here->bytes == arena->top) {
        arena->top = here->begin;
        delete (arena->gaps, &arena->gap_count, at);
    }
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
    size_t at = after(arena->blocks, arena->count, address);
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
        delete (arena->blocks, &arena->count, (size_t)(block - arena->blocks));
        set_usable(device, address, bytes, false);
        clear(address, bytes);
        add_gap(arena, (struct block){address, taken(bytes)});
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

/* Returns true if the blocks of a list lie in the arena, in ascending order, with at least `apart`
 * bytes between the end of a block and the beginning of the next. */
static bool check_list(const struct arena *arena, const struct block *blocks, size_t count,
                       uint64_t apart)
{
    uint64_t least = arena->begin;
    for (size_t i = 0; i < count; i++) {
        const struct block *b = &blocks[i];
        if (b->begin < least || b->begin % GRANULE || !b->bytes ||
            b->bytes > arena->top - b->begin) {
            return false;
        }
        least = b->begin + b->bytes + apart;
    }
    return true;
}

/* Returns true if blocks and gaps do not overlap, and if device->usable matches the sizes of the
 * blocks. */
static bool check_arena(const struct interp *device, const struct arena *arena)
{
    size_t next = 0;
    uint64_t at = arena->begin;
    for (size_t i = 0; i < arena->count; i++) {
        const struct block *b = &arena->blocks[i];
        for (; next < arena->gap_count && arena->gaps[next].begin < b->begin; next++) {
            if (arena->gaps[next].begin < at) {
                return false;
            }
            at = arena->gaps[next].begin + arena->gaps[next].bytes;
        }
        uint64_t first = (b->begin - device->base) >> GRANULE_SHIFT;
        uint64_t last = (b->begin + b->bytes - 1 - device->base) >> GRANULE_SHIFT;
        uint64_t rest = (b->bytes - 1) % GRANULE + 1;
        if (b->begin < at || device->usable[last] != rest || device->usable[last + 1] != 0 ||
            (first != last && device->usable[first] != GRANULE)) {
            return false;
        }
        at = b->begin + taken(b->bytes);
    }
    return (next == arena->gap_count || arena->gaps[next].begin >= at) && at <= arena->top;
}

bool device_check(struct interp *device)
{
    bool good = true;
    pthread_mutex_lock(&device->lock);
    for (int i = 0; i < ARENAS && good; i++) {
        const struct arena *arena = &device->arenas[i];
        good = arena->top >= arena->begin && arena->top <= arena->end &&
               arena->count <= arena->room && arena->gap_count <= arena->gap_room &&
               check_list(arena, arena->blocks, arena->count, 1) &&
               check_list(arena, arena->gaps, arena->gap_count, 1) && check_arena(device, arena);
    }
    pthread_mutex_unlock(&device->lock);
    return good;
}

uint64_t device_add_function(struct interp *device, const struct function *function)
{
    uint64_t address = 0;
    pthread_mutex_lock(&device->lock);
    if (device->function_count < WINDOW_BYTES / FUNCTION_BYTES &&
        array_reserve(&device->functions, &device->function_room, device->function_count + 1,
                      sizeof *device->functions)) {
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
