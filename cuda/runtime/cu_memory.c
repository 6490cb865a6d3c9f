/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory, copies and fills of the driver interface.
 */
#include "runtime/api.h"
#include "runtime/driver.h"

static int allocate(uint64_t *address, size_t bytes, enum gpu_memory_kind kind, unsigned flags)
{
    struct gpu_device *device;
    if (!address || bytes == 0) {
        return GPU_INVALID_VALUE;
    }
    int code = driver_device(&device);
    return code ? code : gpu_alloc(device, bytes, kind, flags, address);
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    return allocate(address, bytes, GPU_MEMORY_DEVICE, 0);
}

int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags)
{
    return allocate(address, bytes, GPU_MEMORY_MANAGED, flags);
}

int cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    uint64_t address = 0;
    int code = pointer ? allocate(&address, bytes, GPU_MEMORY_HOST, flags) : GPU_INVALID_VALUE;
    if (!code) {
        *pointer = pointer_to(address);
    }
    return code;
}

int cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    return cuMemHostAlloc(pointer, bytes, 0);
}

int cuMemAllocPitch_v2(uint64_t *address, size_t *pitch, size_t width, size_t height,
                       unsigned element)
{
    (void)element;
    if (!pitch || width == 0 || height == 0 || width > SIZE_MAX / 2) {
        return GPU_INVALID_VALUE;
    }
    *pitch = (width + 511) / 512 * 512;
    return *pitch > SIZE_MAX / height ? GPU_OUT_OF_MEMORY : cuMemAlloc_v2(address, *pitch * height);
}

int cuMemFree_v2(uint64_t address)
{
    return gpu_free(address, false);
}

int cuMemFreeHost(void *pointer)
{
    return gpu_free(address_of(pointer), true);
}

int cuMemAllocAsync(uint64_t *address, size_t bytes, void *handle)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    return code ? code : cuMemAlloc_v2(address, bytes);
}
PER_THREAD(cuMemAllocAsync, _ptsz, (uint64_t * address, size_t bytes, void *handle),
           (address, bytes, handle))

int cuMemFreeAsync(uint64_t address, void *handle)
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    return code ? code : gpu_free_async(stream, address);
}
PER_THREAD(cuMemFreeAsync, _ptsz, (uint64_t address, void *handle), (address, handle))

int cuMemGetInfo_v2(size_t *available, size_t *total)
{
    struct gpu_device *device;
    int code = driver_device(&device);
    if (code) {
        return code;
    }
    gpu_lock();
    uint64_t used = device->used;
    gpu_unlock();
    *available = used < device->memory ? device->memory - used : 0;
    *total = device->memory;
    return GPU_OK;
}

int cuMemGetAddressRange_v2(uint64_t *begin, size_t *bytes, uint64_t address)
{
    struct gpu_allocation a;
    if (!gpu_find(address, &a, NULL)) {
        return GPU_NOT_FOUND;
    }
    if (begin) {
        *begin = a.address;
    }
    if (bytes) {
        *bytes = a.bytes;
    }
    return GPU_OK;
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *pointer, unsigned flags)
{
    struct gpu_allocation a;
    (void)flags;
    if (!gpu_find(address_of(pointer), &a, NULL) || a.kind == GPU_MEMORY_DEVICE) {
        return GPU_INVALID_VALUE;
    }
    *address = address_of(pointer);
    return GPU_OK;
}

int cuMemHostGetFlags(unsigned *flags, void *pointer)
{
    struct gpu_allocation a;
    if (!gpu_find(address_of(pointer), &a, NULL) || a.kind != GPU_MEMORY_HOST) {
        return GPU_INVALID_VALUE;
    }
    *flags = a.flags;
    return GPU_OK;
}

int cuPointerGetAttribute(void *data, int attribute, uint64_t address)
{
    struct gpu_allocation a;
    struct gpu_device *device;
    if (!data || !gpu_find(address, &a, &device)) {
        return GPU_INVALID_VALUE;
    }
    switch (attribute) {
    case 1: /* context of the pointer */
        *(void **)data = &device->primary;
        return GPU_OK;
    case 2: /* host or device memory */
        *(int *)data = a.kind == GPU_MEMORY_HOST ? 1 : 2;
        return GPU_OK;
    case 4: /* pointer for the host */
        if (a.kind == GPU_MEMORY_DEVICE) {
            return GPU_INVALID_VALUE;
        }
        *(uint64_t *)data = address;
        return GPU_OK;
    case 3: /* pointer for the device */
        *(uint64_t *)data = address;
        return GPU_OK;
    case 8:
        *(char *)data = a.kind == GPU_MEMORY_MANAGED;
        return GPU_OK;
    case 9:
        *(int *)data = device->number;
        return GPU_OK;
    case 11:
        *(uint64_t *)data = a.address;
        return GPU_OK;
    case 12:
        *(size_t *)data = a.bytes;
        return GPU_OK;
    default:
        return GPU_NOT_SUPPORTED;
    }
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

static int copy(uint64_t to, uint64_t from, size_t bytes, int kind, void *handle, bool wait)
{
    struct gpu_stream *stream;
    struct gpu_copy c = {
        .to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .kind = kind};
    int code = driver_stream(handle, &stream);
    return driver(code ? code : gpu_copy(stream, &c, wait));
}

int cuMemcpy(uint64_t to, uint64_t from, size_t bytes)
{
    return copy(to, from, bytes, COPY_DEFAULT, NULL, true);
}
PER_THREAD(cuMemcpy, _ptds, (uint64_t to, uint64_t from, size_t bytes), (to, from, bytes))

int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    return copy(to, from, bytes, COPY_DEFAULT, stream, false);
}
PER_THREAD(cuMemcpyAsync, _ptsz, (uint64_t to, uint64_t from, size_t bytes, void *stream),
           (to, from, bytes, stream))

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    return copy(to, address_of(from), bytes, COPY_HOST_DEVICE, NULL, true);
}
PER_THREAD(cuMemcpyHtoD_v2, _ptds, (uint64_t to, const void *from, size_t bytes), (to, from, bytes))

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    return copy(address_of(to), from, bytes, COPY_DEVICE_HOST, NULL, true);
}
PER_THREAD(cuMemcpyDtoH_v2, _ptds, (void *to, uint64_t from, size_t bytes), (to, from, bytes))

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes)
{
    return copy(to, from, bytes, COPY_DEVICE_DEVICE, NULL, true);
}
PER_THREAD(cuMemcpyDtoD_v2, _ptds, (uint64_t to, uint64_t from, size_t bytes), (to, from, bytes))

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    return copy(to, address_of(from), bytes, COPY_HOST_DEVICE, stream, false);
}
PER_THREAD(cuMemcpyHtoDAsync_v2, _ptsz, (uint64_t to, const void *from, size_t bytes, void *stream),
           (to, from, bytes, stream))

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    return copy(address_of(to), from, bytes, COPY_DEVICE_HOST, stream, false);
}
PER_THREAD(cuMemcpyDtoHAsync_v2, _ptsz, (void *to, uint64_t from, size_t bytes, void *stream),
           (to, from, bytes, stream))

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    return copy(to, from, bytes, COPY_DEVICE_DEVICE, stream, false);
}
PER_THREAD(cuMemcpyDtoDAsync_v2, _ptsz, (uint64_t to, uint64_t from, size_t bytes, void *stream),
           (to, from, bytes, stream))

static int copy2d(const struct driver_copy2d *p, void *handle, bool wait)
{
    enum { HOST = 1, ARRAY = 3 };
    struct gpu_stream *stream;
    if (!p || p->from_type == ARRAY || p->to_type == ARRAY) {
        return p ? GPU_NOT_SUPPORTED : GPU_INVALID_VALUE;
    }
    struct gpu_copy c = {.width = p->width, .height = p->height, .depth = 1, .kind = COPY_DEFAULT};
    c.to_pitch = p->to_pitch ? p->to_pitch : p->width;
    c.from_pitch = p->from_pitch ? p->from_pitch : p->width;
    c.to = p->to_type == HOST ? address_of(p->to_host) : p->to_device;
    c.from = p->from_type == HOST ? address_of(p->from_host) : p->from_device;
    c.to += p->to_y * c.to_pitch + p->to_x;
    c.from += p->from_y * c.from_pitch + p->from_x;
    if (c.to_pitch < p->width || c.from_pitch < p->width) {
        return GPU_INVALID_VALUE;
    }
    int code = driver_stream(handle, &stream);
    return driver(code ? code : gpu_copy(stream, &c, wait));
}

int cuMemcpy2D_v2(const struct driver_copy2d *p)
{
    return copy2d(p, NULL, true);
}
PER_THREAD(cuMemcpy2D_v2, _ptds, (const struct driver_copy2d *p), (p))

int cuMemcpy2DUnaligned_v2(const struct driver_copy2d *p)
{
    return copy2d(p, NULL, true);
}
PER_THREAD(cuMemcpy2DUnaligned_v2, _ptds, (const struct driver_copy2d *p), (p))

int cuMemcpy2DAsync_v2(const struct driver_copy2d *p, void *stream)
{
    return copy2d(p, stream, false);
}
PER_THREAD(cuMemcpy2DAsync_v2, _ptsz, (const struct driver_copy2d *p, void *stream), (p, stream))

/* ---- Fills --------------------------------------------------------------------------------------------------------- */

static int fill(uint64_t to, uint32_t value, uint32_t unit, size_t count, void *handle, bool wait)
{
    struct gpu_stream *stream;
    struct gpu_fill f = {
        .to = to, .width = count, .height = 1, .depth = 1, .value = value, .unit = unit};
    int code = driver_stream(handle, &stream);
    return driver(code ? code : gpu_fill(stream, &f, wait));
}

#define FILL(bits, type)                                                                           \
    int cuMemsetD##bits##_v2(uint64_t to, type value, size_t count)                                \
    {                                                                                              \
        return fill(to, value, bits / 8, count, NULL, true);                                       \
    }                                                                                              \
    PER_THREAD(cuMemsetD##bits##_v2, _ptds, (uint64_t to, type value, size_t count),               \
               (to, value, count))                                                                 \
    int cuMemsetD##bits##Async(uint64_t to, type value, size_t count, void *stream)                \
    {                                                                                              \
        return fill(to, value, bits / 8, count, stream, false);                                    \
    }                                                                                              \
    PER_THREAD(cuMemsetD##bits##Async, _ptsz,                                                      \
               (uint64_t to, type value, size_t count, void *stream), (to, value, count, stream))

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

static int fill2d(uint64_t to, size_t pitch, uint32_t value, uint32_t unit, size_t width,
                  size_t height, void *handle, bool wait)
{
    struct gpu_stream *stream;
    struct gpu_fill f = {.to = to,
                         .pitch = pitch,
                         .width = width,
                         .height = height,
                         .depth = 1,
                         .value = value,
                         .unit = unit};
    int code = driver_stream(handle, &stream);
    return driver(code ? code : gpu_fill(stream, &f, wait));
}

#define FILL2D(bits, type)                                                                         \
    int cuMemsetD2D##bits##_v2(uint64_t to, size_t pitch, type value, size_t width, size_t height) \
    {                                                                                              \
        return fill2d(to, pitch, value, bits / 8, width, height, NULL, true);                      \
    }                                                                                              \
    int cuMemsetD2D##bits##Async(uint64_t to, size_t pitch, type value, size_t width,              \
                                 size_t height, void *stream)                                      \
    {                                                                                              \
        return fill2d(to, pitch, value, bits / 8, width, height, stream, false);                   \
    }

FILL2D(8, unsigned char)
FILL2D(16, unsigned short)
FILL2D(32, unsigned)
