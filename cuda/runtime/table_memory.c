/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory: allocations, pools, facts about memory and variables.
 */
#include "runtime/api.h"
#include <assert.h>

/* Rows of memory with a pitch are rounded up to a multiple of this number of bytes. */
enum { PITCH = 512 };

/* Stores the address of new memory at `place`, or 0. */
static int allocate(struct call *c, void *place, size_t bytes, enum gpu_memory_kind kind,
                    unsigned flags)
{
    uint64_t address = 0;
    int code = NEED(place && (bytes > 0 || !c->driver))
                   ?: call_current(c)
                   ?: gpu_alloc(c->device, bytes, kind, flags, &address)
                   ?: call_note(c, address, bytes);
    if (place) {
        memcpy(place, &address, sizeof address);
    }
    return code;
}

static int allocate_rows(struct call *c, void **place, size_t *pitch, size_t width, size_t height)
{
    bool empty = c->driver && (width == 0 || height == 0);
    TRY(NEED(pitch && !empty && width <= SIZE_MAX / 2));
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (height != 0 && *pitch > SIZE_MAX / height) {
        return GPU_OUT_OF_MEMORY;
    }
    return allocate(c, place, *pitch * height, GPU_MEMORY_DEVICE, 0);
}

static int allocate_slices(struct call *c, struct runtime_pitched *p, struct runtime_extent extent)
{
    size_t rows;
    TRY(NEED(p && !__builtin_mul_overflow(extent.height, extent.depth, &rows)));
    p->width = extent.width;
    p->height = extent.height;
    return allocate_rows(c, &p->pointer, &p->pitch, extent.width, rows);
}

/* Memory in the order of a stream, which graphs do not have. */
#define ORDERED(stream) STREAM(stream) ?: gpu_capture_wait(c.stream, NULL, 0)

BOTH(cudaMalloc, cuMemAlloc_v2, (void **place, size_t bytes),
     allocate(&c, place, bytes, GPU_MEMORY_DEVICE, 0))
BOTH(cudaMallocManaged, cuMemAllocManaged, (void **place, size_t bytes, unsigned flags),
     NEED(bytes > 0) ?: allocate(&c, place, bytes, GPU_MEMORY_MANAGED, flags))
BOTH(cudaHostAlloc, cuMemHostAlloc, (void **place, size_t bytes, unsigned flags),
     allocate(&c, place, bytes, GPU_MEMORY_HOST, flags))
BOTH(cudaMallocHost, cuMemAllocHost_v2, (void **place, size_t bytes),
     allocate(&c, place, bytes, GPU_MEMORY_HOST, 0))
RUNTIME(cudaMallocPitch, (void **place, size_t *pitch, size_t width, size_t height),
        allocate_rows(&c, place, pitch, width, height))
DRIVER(cuMemAllocPitch_v2,
       (void **place, size_t *pitch, size_t width, size_t height, unsigned element),
       allocate_rows(&c, place, pitch, width, height))
RUNTIME(cudaMalloc3D, (struct runtime_pitched * p, struct runtime_extent extent),
        allocate_slices(&c, p, extent))
RUNTIME(cudaFree, (void *memory), READY ?: gpu_free(address_of(memory), false))
DRIVER(cuMemFree_v2, (void *memory), gpu_free(address_of(memory), false))
BOTH(cudaFreeHost, cuMemFreeHost, (void *memory), gpu_free(address_of(memory), true))
BOTH_STREAM(cudaMallocAsync, cuMemAllocAsync, (void **place, size_t bytes, void *stream),
            ORDERED(stream) ?: allocate(&c, place, bytes, GPU_MEMORY_DEVICE, 0))
BOTH_STREAM(cudaFreeAsync, cuMemFreeAsync, (void *memory, void *stream),
            ORDERED(stream) ?: gpu_free_async(c.stream, address_of(memory)))

/* ---- Memory pools: each device has one, whose handle is the address of the device ------------ */

enum { POOL_REUSE_LAST = 3, POOL_THRESHOLD = 4, POOL_ATTRIBUTES = 8 };

/* Sets c->device to the device of a pool. */
static int pool_of(struct call *c, const void *pool)
{
    c->device = NULL;
    GPU_HOLD;
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        if (pool && pool == gpu_state.devices[i]) {
            c->device = gpu_state.devices[i];
        }
    }
    return NEED(c->device);
}

static int pool_set(struct gpu_device *device, int attribute, const void *value)
{
    GPU_HOLD;
    if (attribute == POOL_THRESHOLD) {
        memcpy(&device->pool_threshold, value, sizeof device->pool_threshold);
    }
    return GPU_OK;
}

static int pool_get(struct gpu_device *device, int attribute, void *value)
{
    GPU_HOLD;
    return attribute <= POOL_REUSE_LAST
               ? SET(*(int *)value, 1)
               : SET(*(uint64_t *)value,
                     attribute == POOL_THRESHOLD ? device->pool_threshold : device->used);
}

#define POOL(pool) pool_of(&c, pool)
#define POOL_VALUE(pool, attribute, value)                                                         \
    POOL(pool) ?: NEED(value &&attribute >= 1 && attribute <= POOL_ATTRIBUTES)

BOTH(cudaDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, (void **pool, int number),
     NEED(pool) ?: DEVICE(number) ?: SET(*pool, c.device))
BOTH(cudaDeviceGetMemPool, cuDeviceGetMemPool, (void **pool, int number),
     NEED(pool) ?: DEVICE(number) ?: SET(*pool, c.device))
BOTH(cudaDeviceSetMemPool, cuDeviceSetMemPool, (int number, void *pool),
     DEVICE(number) ?: CHECK(pool == c.device, GPU_NOT_SUPPORTED))
/* A separate pool would differ only in the addresses of its allocations. */
BOTH(cudaMemPoolCreate, cuMemPoolCreate, (void **pool, const struct runtime_pool_properties *p),
     NEED(p && pool)
         ?: CHECK(p->location.type == LOCATION_DEVICE, GPU_NOT_SUPPORTED)
         ?: DEVICE(p->location.id) ?: SET(*pool, c.device))
BOTH(cudaMemPoolDestroy, cuMemPoolDestroy, (void *pool), POOL(pool))
BOTH(cudaMemPoolSetAttribute, cuMemPoolSetAttribute, (void *pool, int attribute, void *value),
     POOL_VALUE(pool, attribute, value) ?: pool_set(c.device, attribute, value))
BOTH(cudaMemPoolGetAttribute, cuMemPoolGetAttribute, (void *pool, int attribute, void *value),
     POOL_VALUE(pool, attribute, value) ?: pool_get(c.device, attribute, value))
BOTH(cudaMemPoolTrimTo, cuMemPoolTrimTo, (void *pool, size_t bytes), NEED(pool))
BOTH_STREAM(cudaMallocFromPoolAsync, cuMemAllocFromPoolAsync,
            (void **place, size_t bytes, void *pool, void *stream),
            NEED(pool) ?: ORDERED(stream) ?: allocate(&c, place, bytes, GPU_MEMORY_DEVICE, 0))

/* ---- Facts about memory ---------------------------------------------------------------------- */

static int runtime_attributes(struct call *c, struct runtime_pointer_attributes *attributes,
                              void *pointer)
{
    static const int types[] = {POINTER_DEVICE, POINTER_HOST, POINTER_MANAGED};
    *attributes = (struct runtime_pointer_attributes){.device = -2, .host_pointer = pointer};
    if (call_memory(c, pointer)) {
        return GPU_OK;
    }
    assert((size_t)c->found.kind < sizeof types / sizeof *types);
    attributes->type = types[c->found.kind];
    attributes->device = c->device->number;
    attributes->device_pointer = pointer;
    attributes->host_pointer = c->found.kind == GPU_MEMORY_DEVICE ? NULL : pointer;
    return GPU_OK;
}

static int driver_attribute(const struct call *c, void *data, int attribute, void *pointer)
{
    const struct gpu_allocation *a = &c->found;
    switch (attribute) {
    case 1: /* context of the pointer */
        return SET(*(void **)data, &c->device->primary);
    case 2: /* host or device memory */
        return SET(*(int *)data, a->kind == GPU_MEMORY_HOST ? 1 : 2);
    case 3: /* pointer for the device */
        return SET(*(void **)data, pointer);
    case 4: /* pointer for the host */
        return NEED(a->kind != GPU_MEMORY_DEVICE) ?: SET(*(void **)data, pointer);
    case 8:
        return SET(*(char *)data, a->kind == GPU_MEMORY_MANAGED);
    case 9:
        return SET(*(int *)data, c->device->number);
    case 11:
        return SET(*(uint64_t *)data, a->address);
    case 12:
        return SET(*(size_t *)data, a->bytes);
    default:
        return GPU_NOT_SUPPORTED;
    }
}

BOTH(cudaHostGetDevicePointer, cuMemHostGetDevicePointer_v2,
     (void **place, void *host, unsigned flags),
     MEMORY(host) ?: NEED(c.found.kind != GPU_MEMORY_DEVICE) ?: PUT(place, host))
BOTH(cudaHostGetFlags, cuMemHostGetFlags, (unsigned *flags, void *host),
     MEMORY(host) ?: NEED(c.found.kind == GPU_MEMORY_HOST) ?: PUT(flags, c.found.flags))
RUNTIME(cudaPointerGetAttributes, (struct runtime_pointer_attributes * attributes, void *pointer),
        NEED(attributes) ?: runtime_attributes(&c, attributes, pointer))
DRIVER(cuPointerGetAttribute, (void *data, int attribute, void *pointer),
       NEED(data) ?: MEMORY(pointer) ?: driver_attribute(&c, data, attribute, pointer))
DRIVER(cuMemGetAddressRange_v2, (uint64_t * begin, size_t *bytes, void *pointer),
       CHECK(!MEMORY(pointer), GPU_NOT_FOUND)
           ?: GIVE(begin, c.found.address) ?: GIVE(bytes, c.found.bytes))
BOTH_STREAM(cudaMemPrefetchAsync, cuMemPrefetchAsync_v2,
            (void *pointer, size_t bytes, struct runtime_location location, unsigned flags,
             void *stream),
            STREAM(stream))
BOTH(cudaMemAdvise, cuMemAdvise_v2,
     (void *pointer, size_t bytes, int advice, struct runtime_location location), NEED(pointer))
BOTH_STREAM(cudaStreamAttachMemAsync, cuStreamAttachMemAsync,
            (void *stream, void *pointer, size_t bytes, unsigned flags), STREAM(stream))

BOTH(cudaHostRegister, cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags),
     NEED(memory && bytes > 0)
         ?: CURRENT ?: gpu_register(c.device, address_of(memory), bytes, flags)
         ?: call_note(&c, address_of(memory), bytes))
BOTH(cudaHostUnregister, cuMemHostUnregister, (void *memory),
     NEED(memory) ?: gpu_unregister(address_of(memory)))

/* Functions that share memory and events with other processes. They have arguments that they do not
 * read. */
#define IPC(name)                                                                                  \
    (gpu_refuse(#name,                                                                             \
                "is for several processes, which the PTX interpreter's devices do not serve",      \
                &ipc_refused))
#define REFUSED(name, driver_name)                                                                 \
    RUNTIME(name, (void), IPC(name))                                                               \
    DRIVER(driver_name, (void), IPC(driver_name))
static bool ipc_refused;

REFUSED(cudaIpcGetMemHandle, cuIpcGetMemHandle)
REFUSED(cudaIpcOpenMemHandle, cuIpcOpenMemHandle_v2)
REFUSED(cudaIpcCloseMemHandle, cuIpcCloseMemHandle)
REFUSED(cudaIpcGetEventHandle, cuIpcGetEventHandle)
REFUSED(cudaIpcOpenEventHandle, cuIpcOpenEventHandle)

#define SYMBOL(symbol) gpu_symbol(symbol, &c.found.address, &c.found.bytes)

RUNTIME(cudaGetSymbolAddress, (void **place, const void *symbol),
        NEED(place) ?: SYMBOL(symbol) ?: SET(*place, pointer_to(c.found.address)))
RUNTIME(cudaGetSymbolSize, (size_t *bytes, const void *symbol),
        NEED(bytes) ?: SYMBOL(symbol) ?: SET(*bytes, c.found.bytes))
