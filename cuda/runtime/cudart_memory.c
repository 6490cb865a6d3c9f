/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the runtime interface.
 */
#include "runtime/api.h"
#include <assert.h>

/* cudaMallocPitch() rounds the size of a row up to a multiple of this number of bytes. */
enum { PITCH = 512 };

static int allocate(void **pointer, size_t bytes, enum gpu_memory_kind kind, unsigned flags)
{
    struct gpu_device *device;
    uint64_t address = 0;
    if (!pointer) {
        return done(GPU_INVALID_VALUE);
    }
    int code = gpu_current(&device);
    if (!code) {
        code = gpu_alloc(device, bytes, kind, flags, &address);
    }
    *pointer = pointer_to(address);
    return done(code);
}

int cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, GPU_MEMORY_DEVICE, 0);
}

int cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    if (bytes == 0) {
        return done(GPU_INVALID_VALUE);
    }
    return allocate(pointer, bytes, GPU_MEMORY_MANAGED, flags);
}

int cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    return allocate(pointer, bytes, GPU_MEMORY_HOST, flags);
}

int cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, 0);
}

int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    if (!pitch || width > SIZE_MAX / 2) {
        return done(GPU_INVALID_VALUE);
    }
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (height != 0 && *pitch > SIZE_MAX / height) {
        return done(GPU_OUT_OF_MEMORY);
    }
    return cudaMalloc(pointer, *pitch * height);
}

int cudaMalloc3D(struct runtime_pitched *p, struct runtime_extent extent)
{
    size_t rows;
    if (!p || __builtin_mul_overflow(extent.height, extent.depth, &rows)) {
        return done(GPU_INVALID_VALUE);
    }
    p->width = extent.width;
    p->height = extent.height;
    return cudaMallocPitch(&p->pointer, &p->pitch, extent.width, rows);
}

int cudaFree(void *pointer)
{
    struct gpu_device *device;
    int code = gpu_device_ready(&device);
    return done(code ? code : gpu_free(address_of(pointer), false));
}

int cudaFreeHost(void *pointer)
{
    return done(gpu_free(address_of(pointer), true));
}

PER_THREAD(cudaMallocAsync, _ptsz, (void **pointer, size_t bytes, void *stream),
           (pointer, bytes, stream))
{
    struct gpu_stream *s;
    int code = gpu_stream_of(stream, &s);
    return code ? done(code) : allocate(pointer, bytes, GPU_MEMORY_DEVICE, 0);
}

PER_THREAD(cudaFreeAsync, _ptsz, (void *pointer, void *stream), (pointer, stream))
{
    struct gpu_stream *s;
    int code = gpu_stream_of(stream, &s);
    return done(code ? code : gpu_free_async(s, address_of(pointer)));
}

/* ---- Memory pools: each device has one, whose handle is the address of the device ------------ */

static int device_pool(void **pool, int number)
{
    struct gpu_device *device;
    int code = pool ? gpu_device(number, &device) : GPU_INVALID_VALUE;
    if (!code) {
        *pool = device;
    }
    return done(code);
}

ALIAS(cudaDeviceGetDefaultMemPool, device_pool)
ALIAS(cudaDeviceGetMemPool, device_pool)

int cudaDeviceSetMemPool(int number, void *pool)
{
    void *own;
    int code = device_pool(&own, number);
    return code ? code : done(pool == own ? GPU_OK : GPU_NOT_SUPPORTED);
}

/* Sets *pool to the pool of the device. A separate pool would differ only in the addresses of its
 * allocations. */
int cudaMemPoolCreate(void **pool, const struct runtime_pool_properties *properties)
{
    if (!properties)
        return done(GPU_INVALID_VALUE);
    if (properties->location.type != LOCATION_DEVICE)
        return done(GPU_NOT_SUPPORTED);
    return device_pool(pool, properties->location.id);
}

/* Returns the device of a pool, or NULL. */
static struct gpu_device *pool_device(const void *pool)
{
    struct gpu_device *found = NULL;
    gpu_lock();
    for (int i = 0; i < GPU_DEVICES_MAX; i++)
        if (pool && pool == gpu_state.devices[i])
            found = gpu_state.devices[i];
    gpu_unlock();
    return found;
}

int cudaMemPoolDestroy(void *pool)
{
    return done(pool_device(pool) ? GPU_OK : GPU_INVALID_VALUE);
}

enum { POOL_REUSE_LAST = 3, POOL_THRESHOLD = 4, POOL_ATTRIBUTES = 8 };

int cudaMemPoolSetAttribute(void *pool, int attribute, void *value)
{
    struct gpu_device *device = pool_device(pool);
    if (!device || !value || attribute < 1 || attribute > POOL_ATTRIBUTES)
        return done(GPU_INVALID_VALUE);
    gpu_lock();
    if (attribute == POOL_THRESHOLD)
        memcpy(&device->pool_threshold, value, sizeof device->pool_threshold);
    gpu_unlock();
    return GPU_OK;
}

int cudaMemPoolGetAttribute(void *pool, int attribute, void *value)
{
    struct gpu_device *device = pool_device(pool);
    const int yes = 1;
    if (!device || !value || attribute < 1 || attribute > POOL_ATTRIBUTES)
        return done(GPU_INVALID_VALUE);
    gpu_lock();
    uint64_t number = attribute == POOL_THRESHOLD ? device->pool_threshold : device->used;
    gpu_unlock();
    if (attribute <= POOL_REUSE_LAST)
        memcpy(value, &yes, sizeof yes);
    else
        memcpy(value, &number, sizeof number);
    return GPU_OK;
}

int cudaMemPoolTrimTo(void *pool, size_t bytes)
{
    (void)bytes;
    return done(pool ? GPU_OK : GPU_INVALID_VALUE);
}

PER_THREAD(cudaMallocFromPoolAsync, _ptsz, (void **pointer, size_t bytes, void *pool, void *stream),
           (pointer, bytes, pool, stream))
{
    return pool ? cudaMallocAsync(pointer, bytes, stream) : done(GPU_INVALID_VALUE);
}

/* ---- Facts about memory ------------------------------------------------------------------------------------ */

int cudaHostGetDevicePointer(void **pointer, void *host, unsigned flags)
{
    struct gpu_allocation a;
    (void)flags;
    if (!pointer || !gpu_find(address_of(host), &a, NULL) || a.kind == GPU_MEMORY_DEVICE) {
        return done(GPU_INVALID_VALUE);
    }
    *pointer = host;
    return GPU_OK;
}

int cudaHostGetFlags(unsigned *flags, void *host)
{
    struct gpu_allocation a;
    if (!flags || !gpu_find(address_of(host), &a, NULL) || a.kind != GPU_MEMORY_HOST) {
        return done(GPU_INVALID_VALUE);
    }
    *flags = a.flags;
    return GPU_OK;
}

int cudaPointerGetAttributes(struct runtime_pointer_attributes *attributes, const void *pointer)
{
    static const int types[] = {POINTER_DEVICE, POINTER_HOST, POINTER_MANAGED};
    struct gpu_allocation a;
    struct gpu_device *device;
    if (!attributes) {
        return done(GPU_INVALID_VALUE);
    }
    *attributes = (struct runtime_pointer_attributes){.device = -2};
    if (!gpu_find(address_of(pointer), &a, &device)) {
        attributes->host_pointer = (void *)(uintptr_t)pointer;
        return GPU_OK;
    }
    assert((size_t)a.kind < sizeof types / sizeof *types);
    attributes->type = types[a.kind];
    attributes->device = device->number;
    attributes->device_pointer = (void *)(uintptr_t)pointer;
    attributes->host_pointer = a.kind == GPU_MEMORY_DEVICE ? NULL : (void *)(uintptr_t)pointer;
    return GPU_OK;
}

PER_THREAD(cudaMemPrefetchAsync, _ptsz,
           (const void *pointer, size_t bytes, struct runtime_location location, unsigned flags,
            void *stream),
           (pointer, bytes, location, flags, stream))
{
    struct gpu_stream *s;
    (void)pointer, (void)bytes, (void)location, (void)flags;
    return done(gpu_stream_of(stream, &s));
}

int cudaMemAdvise(const void *pointer, size_t bytes, int advice, struct runtime_location location)
{
    (void)bytes, (void)advice, (void)location;
    return done(pointer ? GPU_OK : GPU_INVALID_VALUE);
}

PER_THREAD(cudaStreamAttachMemAsync, _ptsz,
           (void *stream, void *pointer, size_t bytes, unsigned flags),
           (stream, pointer, bytes, flags))
{
    struct gpu_stream *s;
    (void)pointer, (void)bytes, (void)flags;
    return done(gpu_stream_of(stream, &s));
}

/* Defines a function that stores a fact about a variable. */
#define SYMBOL_FACT(name, type, fact)                                                              \
    int name(type *value, const void *symbol)                                                      \
    {                                                                                              \
        uint64_t address = 0, bytes = 0;                                                           \
        int code = value ? gpu_symbol(symbol, &address, &bytes) : GPU_INVALID_VALUE;               \
        if (!code) {                                                                               \
            *value = fact;                                                                         \
        }                                                                                          \
        return done(code);                                                                         \
    }
SYMBOL_FACT(cudaGetSymbolAddress, void *, pointer_to(address))
SYMBOL_FACT(cudaGetSymbolSize, size_t, bytes)
