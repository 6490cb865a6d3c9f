/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory, copies and fills of the driver interface.
 */
#include "runtime/api.h"

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

PER_THREAD(cuMemAllocAsync, _ptsz, (uint64_t * address, size_t bytes, void *handle),
           (address, bytes, handle))
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    return code ? code : cuMemAlloc_v2(address, bytes);
}

PER_THREAD(cuMemFreeAsync, _ptsz, (uint64_t address, void *handle), (address, handle))
{
    struct gpu_stream *stream;
    int code = driver_stream(handle, &stream);
    return code ? code : gpu_free_async(stream, address);
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
    case 3: /* pointer for the device */
    case 4: /* pointer for the host */
        if (attribute == 4 && a.kind == GPU_MEMORY_DEVICE) {
            return GPU_INVALID_VALUE;
        }
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

WAITING_AND_ASYNC(cuMemcpy, cuMemcpyAsync, (uint64_t to, uint64_t from, size_t bytes),
                  (to, from, bytes), copy(to, from, bytes, COPY_DEFAULT, handle, wait))
WAITING_AND_ASYNC(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2,
                  (uint64_t to, const void *from, size_t bytes), (to, from, bytes),
                  copy(to, address_of(from), bytes, COPY_HOST_DEVICE, handle, wait))
WAITING_AND_ASYNC(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t bytes),
                  (to, from, bytes),
                  copy(address_of(to), from, bytes, COPY_DEVICE_HOST, handle, wait))
WAITING_AND_ASYNC(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, (uint64_t to, uint64_t from, size_t bytes),
                  (to, from, bytes), copy(to, from, bytes, COPY_DEVICE_DEVICE, handle, wait))

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

WAITING_AND_ASYNC(cuMemcpy2D_v2, cuMemcpy2DAsync_v2, (const struct driver_copy2d *p), (p),
                  copy2d(p, handle, wait))
PER_THREAD(cuMemcpy2DUnaligned_v2, _ptds, (const struct driver_copy2d *p), (p))
{
    return copy2d(p, NULL, true);
}

/* ---- Fills --------------------------------------------------------------------------------------------------------- */

static int fill(uint64_t to, size_t pitch, uint32_t value, uint32_t unit, size_t width,
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

#define FILL(bits, type)                                                                           \
    WAITING_AND_ASYNC(cuMemsetD##bits##_v2, cuMemsetD##bits##Async,                                \
                      (uint64_t to, type value, size_t count), (to, value, count),                 \
                      fill(to, 0, value, bits / 8, count, 1, handle, wait))                        \
    WAITING_AND_ASYNC(cuMemsetD2D##bits##_v2, cuMemsetD2D##bits##Async,                            \
                      (uint64_t to, size_t pitch, type value, size_t width, size_t height),        \
                      (to, pitch, value, width, height),                                           \
                      fill(to, pitch, value, bits / 8, width, height, handle, wait))

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
