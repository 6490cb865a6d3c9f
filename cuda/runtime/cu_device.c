/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices and contexts of the driver interface. All contexts of a device share its memory and its
 * streams.
 */
#include "runtime/api.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int cuInit(unsigned flags)
{
    return flags ? GPU_INVALID_VALUE : GPU_OK;
}

int cuDeviceGetCount(int *count)
{
    *count = gpu_device_count();
    return GPU_OK;
}

int cuDeviceGet(int *number, int ordinal)
{
    if (ordinal < 0 || ordinal >= gpu_device_count()) {
        return GPU_INVALID_DEVICE;
    }
    *number = ordinal;
    return GPU_OK;
}

int cuDeviceGetName(char *name, int length, int number)
{
    struct gpu_device *device;
    int code = name && length > 0 ? gpu_device(number, &device) : GPU_INVALID_VALUE;
    if (!code) {
        gpu_device_name(device, name, (size_t)length);
    }
    return code;
}

int cuDeviceGetUuid_v2(char *uuid, int number)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    if (code) {
        return code;
    }
    memset(uuid, 0, 16);
    memcpy(uuid, "warpscope", 9);
    uuid[15] = (char)number;
    return GPU_OK;
}

ALIAS(cuDeviceGetUuid, cuDeviceGetUuid_v2)

int cuDeviceTotalMem_v2(size_t *bytes, int number)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    if (!code) {
        *bytes = device->memory;
    }
    return code;
}

int cuDeviceComputeCapability(int *major, int *minor, int number)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    *major = GPU_MAJOR;
    *minor = GPU_MINOR;
    return code;
}

/* ---- Primary contexts ---------------------------------------------------------------------------------- */

int cuDevicePrimaryCtxRetain(void **context, int number)
{
    struct gpu_device *device;
    int code = context ? gpu_device(number, &device) : GPU_INVALID_VALUE;
    if (code) {
        return code;
    }
    gpu_lock();
    device->primary_references++;
    gpu_unlock();
    *context = &device->primary;
    return GPU_OK;
}

int cuDevicePrimaryCtxRelease_v2(int number)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    if (code) {
        return code;
    }
    gpu_lock();
    bool held = device->primary_references > 0;
    if (held) {
        device->primary_references--;
    }
    gpu_unlock();
    return held ? GPU_OK : GPU_INVALID_CONTEXT;
}

int cuDevicePrimaryCtxReset_v2(int number)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    return code ? code : gpu_device_reset(device);
}

int cuDevicePrimaryCtxGetState(int number, unsigned *flags, int *active)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    if (code) {
        return code;
    }
    *flags = device->primary.flags;
    gpu_lock();
    *active = device->primary_references > 0;
    gpu_unlock();
    return GPU_OK;
}

int cuDevicePrimaryCtxSetFlags_v2(int number, unsigned flags)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    if (!code) {
        device->primary.flags = flags;
    }
    return code;
}

/* ---- Contexts ---------------------------------------------------------------------------------------------- */

int driver_device(struct gpu_device **device)
{
    const struct gpu_context *context = gpu_context();
    if (!context) {
        return GPU_INVALID_CONTEXT;
    }
    *device = context->device;
    return gpu_failed(*device);
}

int cuCtxPushCurrent_v2(void *context)
{
    struct gpu_thread *t = gpu_thread();
    if (!gpu_handle_known(context, GPU_CONTEXT)) {
        return GPU_INVALID_CONTEXT;
    }
    if (t->depth == GPU_CONTEXTS_MAX) {
        return GPU_OUT_OF_MEMORY;
    }
    t->contexts[t->depth++] = context;
    return GPU_OK;
}

int cuCtxPopCurrent_v2(void **context)
{
    struct gpu_thread *t = gpu_thread();
    if (t->depth == 0) {
        return GPU_INVALID_CONTEXT;
    }
    t->depth--;
    if (context) {
        *context = t->contexts[t->depth];
    }
    return GPU_OK;
}

int cuCtxSetCurrent(void *context)
{
    if (context && !gpu_handle_known(context, GPU_CONTEXT)) {
        return GPU_INVALID_CONTEXT;
    }
    gpu_make_current(context);
    return GPU_OK;
}

int cuCtxGetCurrent(void **context)
{
    *context = gpu_context();
    return GPU_OK;
}

int cuCtxCreate_v2(void **context, unsigned flags, int number)
{
    struct gpu_device *device;
    int code = context ? gpu_device(number, &device) : GPU_INVALID_VALUE;
    struct gpu_context *c = code ? NULL : calloc(1, sizeof *c);
    if (code || !c) {
        return code ? code : GPU_OUT_OF_MEMORY;
    }
    *c = (struct gpu_context){.device = device, .flags = flags};
    gpu_lock();
    gpu_handle_add(c, GPU_CONTEXT);
    gpu_unlock();
    code = cuCtxPushCurrent_v2(c);
    *context = c;
    return code;
}

int cuCtxCreate_v4(void **context, const void *parameters, unsigned flags, int number)
{
    (void)parameters;
    return cuCtxCreate_v2(context, flags, number);
}

int cuCtxDestroy_v2(void *context)
{
    struct gpu_thread *t = gpu_thread();
    if (!gpu_handle_known(context, GPU_CONTEXT) || ((struct gpu_context *)context)->primary) {
        return GPU_INVALID_CONTEXT;
    }
    gpu_device_wait(((struct gpu_context *)context)->device);
    gpu_lock();
    gpu_handle_remove(context);
    gpu_unlock();
    if (gpu_context() == context) {
        t->depth--;
    }
    free(context);
    return GPU_OK;
}

/* Defines a function that stores a fact about the current context. */
#define CONTEXT_FACT(name, type, fact)                                                             \
    int name(type *value)                                                                          \
    {                                                                                              \
        const struct gpu_context *context = gpu_context();                                         \
        if (context) {                                                                             \
            *value = context->fact;                                                                \
        }                                                                                          \
        return context ? GPU_OK : GPU_INVALID_CONTEXT;                                             \
    }
CONTEXT_FACT(cuCtxGetDevice, int, device->number)
CONTEXT_FACT(cuCtxGetFlags, unsigned, flags)

int cuCtxGetId(void *context, unsigned long long *number)
{
    context = context ? context : gpu_context();
    if (!gpu_handle_known(context, GPU_CONTEXT)) {
        return GPU_INVALID_CONTEXT;
    }
    *number = (unsigned long long)(uintptr_t)context;
    return GPU_OK;
}

int cuCtxGetApiVersion(void *context, unsigned *version)
{
    (void)context;
    *version = GPU_VERSION;
    return GPU_OK;
}

int cuCtxSynchronize(void)
{
    const struct gpu_context *context = gpu_context();
    return context ? gpu_device_wait(context->device) : GPU_INVALID_CONTEXT;
}

/* ---- Functions by name --------------------------------------------------------------------------------------- */

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status)
{
    (void)version, (void)flags;
    if (!name || !function) {
        return GPU_INVALID_VALUE;
    }
    *function = gpu_function_named(name, true);
    if (status) {
        *status = *function ? 0 : 1;
    }
    return *function ? GPU_OK : GPU_NOT_FOUND;
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
