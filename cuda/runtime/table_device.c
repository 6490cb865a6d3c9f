/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Errors, devices, contexts and functions by name. All contexts of a device share its memory and its
 * streams.
 */
#include "runtime/api.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- Errors ---------------------------------------------------------------------------------- */

struct error_row {
    int code;
    const char *runtime, *driver, *text;
};

/* Returns the row of an error code. The row of an unknown code has the names in the last row. */
static const struct error_row *error_row(int code)
{
    static const struct error_row errors[] = {
#define GPU_ERROR(code, name, runtime, driver, text) {code, runtime, driver, text},
#include "abi/errors.def"
#undef GPU_ERROR
        {-1, "unrecognized error code", NULL, "unrecognized error code"}};
    const struct error_row *row = errors;
    while (row->code != code && row->code >= 0) {
        row++;
    }
    return row;
}

const char *cudaGetErrorName(int code)
{
    return error_row(code)->runtime;
}

const char *cudaGetErrorString(int code)
{
    return error_row(code)->text;
}

DRIVER(cuGetErrorName, (int code, const char **name),
       SET(*name, error_row(code)->driver) ?: NEED(*name))
DRIVER(cuGetErrorString, (int code, const char **text),
       SET(*text, error_row(code)->driver ? error_row(code)->text : NULL) ?: NEED(*text))

/* Returns the last error of the thread or, if there is none, the code of its device's fault, which
 * remains until a reset. */
int cudaPeekAtLastError(void)
{
    const struct gpu_thread *t = gpu_thread();
    const struct gpu_context *context = gpu_context();
    return t->error || !context ? t->error : gpu_failed(context->device);
}

int cudaGetLastError(void)
{
    int code = cudaPeekAtLastError();
    gpu_thread()->error = GPU_OK;
    return code;
}

/* ---- Devices --------------------------------------------------------------------------------- */

static int is_device(int number)
{
    return CHECK(number >= 0 && number < gpu_device_count(), GPU_INVALID_DEVICE);
}

static void uuid_of(const struct gpu_device *device, char uuid[16])
{
    memset(uuid, 0, 16);
    memcpy(uuid, "warpscope", 9);
    uuid[15] = (char)device->number;
}

static int bus_id(char *id, int length, int number)
{
    snprintf(id, (size_t)length, "0000:01:%02x.0", (unsigned)number & 0xff);
    return GPU_OK;
}

static int by_bus_id(int *number, const char *id)
{
    unsigned domain, bus, device;
    TRY(NEED(id && sscanf(id, "%x:%x:%x", &domain, &bus, &device) == 3 && domain == 0 && bus == 1 &&
             device < (unsigned)gpu_device_count()));
    return PUT(number, (int)device);
}

static size_t available(const struct gpu_device *device)
{
    GPU_HOLD;
    return device->used < device->memory ? device->memory - device->used : 0;
}

static int set_peer(struct call *c, int peer, bool on)
{
    struct gpu_device *other;
    return gpu_device(peer, &other) ?: call_current(c) ?: gpu_peer(c->device, other, on);
}

enum { PEER_RANK = 1 }; /* P2P attribute: 0 is the fastest */
#define LIMIT(limit) CURRENT ?: CHECK(limit >= 0 && limit < GPU_LIMITS, GPU_UNSUPPORTED_LIMIT)

BOTH(cudaGetDeviceCount, cuDeviceGetCount, (int *count), PUT(count, gpu_device_count()))
BOTH(cudaDriverGetVersion, cuDriverGetVersion, (int *version), PUT(version, GPU_VERSION))
BOTH(cudaDeviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, int number),
     NEED(value) ?: DEVICE(number) ?: gpu_attribute(c.device, attribute, value))
BOTH(cudaDeviceGetPCIBusId, cuDeviceGetPCIBusId, (char *id, int length, int number),
     NEED(id && length >= 13) ?: is_device(number) ?: bus_id(id, length, number))
BOTH(cudaDeviceGetByPCIBusId, cuDeviceGetByPCIBusId, (int *number, const char *id),
     by_bus_id(number, id))
BOTH(cudaDeviceCanAccessPeer, cuDeviceCanAccessPeer, (int *can, int number, int peer),
     is_device(number) ?: is_device(peer) ?: PUT(can, number != peer))
BOTH(cudaDeviceGetP2PAttribute, cuDeviceGetP2PAttribute,
     (int *value, int attribute, int number, int peer),
     is_device(number)
         ?: is_device(peer) ?: PUT(value, number != peer && attribute != PEER_RANK))
BOTH(cudaDeviceGetLimit, cuCtxGetLimit, (size_t * value, int limit),
     LIMIT(limit) ?: PUT(value, c.device->limits[limit]))
BOTH(cudaDeviceSetLimit, cuCtxSetLimit, (int limit, size_t value),
     LIMIT(limit) ?: SET(c.device->limits[limit], value))
BOTH(cudaDeviceGetCacheConfig, cuCtxGetCacheConfig, (int *preference), PUT(preference, 0))
BOTH(cudaDeviceSetCacheConfig, cuCtxSetCacheConfig, (int preference), GPU_OK)
BOTH(cudaDeviceGetSharedMemConfig, cuCtxGetSharedMemConfig, (int *config), PUT(config, 1))
BOTH(cudaDeviceSetSharedMemConfig, cuCtxSetSharedMemConfig, (int config), GPU_OK)
BOTH(cudaCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache, (void), GPU_OK)
BOTH(cudaDeviceGetStreamPriorityRange, cuCtxGetStreamPriorityRange, (int *least, int *greatest),
     GIVE(least, 0) ?: GIVE(greatest, -1))
BOTH(cudaDeviceSynchronize, cuCtxSynchronize, (void), CURRENT ?: gpu_device_wait(c.device))
BOTH(cudaMemGetInfo, cuMemGetInfo_v2, (size_t * rest, size_t *total),
     READY ?: GIVE(rest, available(c.device)) ?: GIVE(total, c.device->memory))
BOTH(cudaProfilerStart, cuProfilerStart, (void), GPU_OK)
BOTH(cudaProfilerStop, cuProfilerStop, (void), GPU_OK)

RUNTIME(cudaSetDevice, (int number),
        DEVICE(number) ?: (gpu_make_current(&c.device->primary), gpu_failed(c.device)))
RUNTIME(cudaInitDevice, (int number, unsigned device_flags, unsigned flags), DEVICE(number))
RUNTIME(cudaGetDevice, (int *number),
        PUT(number, gpu_context() ? gpu_context()->device->number : 0))
RUNTIME(cudaSetValidDevices, (int *devices, int count), NEED(count >= 0))
RUNTIME(cudaChooseDevice, (int *number, const void *wished), PUT(number, 0))
RUNTIME(cudaSetDeviceFlags, (unsigned flags), CURRENT ?: SET(c.device->primary.flags, flags))
RUNTIME(cudaGetDeviceFlags, (unsigned *flags), CURRENT ?: PUT(flags, c.device->primary.flags))
RUNTIME(cudaDeviceReset, (void),
        CURRENT ?: gpu_device_reset(c.device) ?: SET(c.thread->error, GPU_OK))
RUNTIME(cudaGetDeviceProperties, (struct runtime_properties *p, int number),
        NEED(p) ?: DEVICE(number) ?: (gpu_properties(c.device, p), uuid_of(c.device, p->uuid), GPU_OK))
RUNTIME(cudaRuntimeGetVersion, (int *version), PUT(version, GPU_VERSION))
RUNTIME(cudaDeviceEnablePeerAccess, (int peer, unsigned flags),
        NEED(flags == 0) ?: set_peer(&c, peer, true))
RUNTIME(cudaDeviceDisablePeerAccess, (int peer), set_peer(&c, peer, false))

DRIVER(cuInit, (unsigned flags), NEED(flags == 0))
DRIVER(cuDeviceGet, (int *number, int ordinal), is_device(ordinal) ?: PUT(number, ordinal))
DRIVER(cuDeviceGetName, (char *name, int length, int number),
       NEED(name && length > 0) ?: DEVICE(number)
                                ?: (gpu_device_name(c.device, name, (size_t)length), GPU_OK))
DRIVER(cuDeviceGetUuid_v2, (char *uuid, int number),
       DEVICE(number) ?: (uuid_of(c.device, uuid), GPU_OK))
ALIAS(cuDeviceGetUuid, cuDeviceGetUuid_v2)
DRIVER(cuDeviceTotalMem_v2, (size_t * bytes, int number),
       DEVICE(number) ?: PUT(bytes, c.device->memory))
DRIVER(cuDeviceComputeCapability, (int *major, int *minor, int number),
       DEVICE(number) ?: PUT(major, GPU_MAJOR) ?: PUT(minor, GPU_MINOR))

/* ---- Contexts -------------------------------------------------------------------------------- */

/* Adds a number to the references of a device's primary context, and sets *held to their number
 * unless held is NULL. Fails if there are fewer references than a negative number takes. */
static int hold(struct gpu_device *device, int number, int *held)
{
    GPU_HOLD;
    bool enough = number >= 0 || device->primary_references > 0;
    device->primary_references += enough ? (unsigned)number : 0;
    return GIVE(held, device->primary_references > 0) ?: CHECK(enough, GPU_INVALID_CONTEXT);
}

static int push(struct gpu_thread *t, void *context)
{
    TRY(CHECK(gpu_handle_known(context, GPU_CONTEXT), GPU_INVALID_CONTEXT));
    TRY(CHECK(t->depth != GPU_CONTEXTS_MAX, GPU_OUT_OF_MEMORY));
    t->contexts[t->depth++] = context;
    return GPU_OK;
}

static int pop(struct gpu_thread *t, void **context)
{
    TRY(CHECK(t->depth != 0, GPU_INVALID_CONTEXT));
    t->depth--;
    return GIVE(context, t->contexts[t->depth]);
}

static int create(struct call *call, void **context, unsigned flags)
{
    struct gpu_context *c = call_new(sizeof *c, GPU_CONTEXT);
    TRY(CHECK(c, GPU_OUT_OF_MEMORY));
    *c = (struct gpu_context){.device = call->device, .flags = flags};
    *context = c;
    return push(call->thread, c);
}

static int destroy(struct gpu_thread *t, struct gpu_context *context)
{
    TRY(CHECK(gpu_handle_known(context, GPU_CONTEXT) && !context->primary, GPU_INVALID_CONTEXT));
    gpu_device_wait(context->device);
    LOCKED((gpu_handle_remove(context), 0));
    if (gpu_context() == context) {
        t->depth--;
    }
    free(context);
    return GPU_OK;
}

#define CONTEXT(context) CHECK(gpu_handle_known(context, GPU_CONTEXT), GPU_INVALID_CONTEXT)
#define HERE             CHECK(gpu_context(), GPU_INVALID_CONTEXT)

DRIVER(cuDevicePrimaryCtxRetain, (void **context, int number),
       NEED(context) ?: DEVICE(number) ?: hold(c.device, 1, NULL)
                     ?: SET(*context, &c.device->primary))
DRIVER(cuDevicePrimaryCtxRelease_v2, (int number), DEVICE(number) ?: hold(c.device, -1, NULL))
DRIVER(cuDevicePrimaryCtxReset_v2, (int number), DEVICE(number) ?: gpu_device_reset(c.device))
DRIVER(cuDevicePrimaryCtxGetState, (int number, unsigned *flags, int *active),
       DEVICE(number) ?: PUT(flags, c.device->primary.flags) ?: hold(c.device, 0, active))
DRIVER(cuDevicePrimaryCtxSetFlags_v2, (int number, unsigned flags),
       DEVICE(number) ?: SET(c.device->primary.flags, flags))
DRIVER(cuCtxPushCurrent_v2, (void *context), push(c.thread, context))
DRIVER(cuCtxPopCurrent_v2, (void **context), pop(c.thread, context))
DRIVER(cuCtxSetCurrent, (void *context),
       (context ? CONTEXT(context) : GPU_OK) ?: (gpu_make_current(context), GPU_OK))
DRIVER(cuCtxGetCurrent, (void **context), PUT(context, gpu_context()))
DRIVER(cuCtxCreate_v2, (void **context, unsigned flags, int number),
       NEED(context) ?: DEVICE(number) ?: create(&c, context, flags))
DRIVER(cuCtxCreate_v4, (void **context, const void *parameters, unsigned flags, int number),
       NEED(context) ?: DEVICE(number) ?: create(&c, context, flags))
DRIVER(cuCtxDestroy_v2, (void *context), destroy(c.thread, context))
DRIVER(cuCtxGetDevice, (int *number), HERE ?: PUT(number, gpu_context()->device->number))
DRIVER(cuCtxGetFlags, (unsigned *flags), HERE ?: PUT(flags, gpu_context()->flags))
DRIVER(cuCtxGetId, (void *context, unsigned long long *number),
       CONTEXT(context ? context : gpu_context())
           ?: PUT(number, (uintptr_t)(context ? context : gpu_context())))
DRIVER(cuCtxEnablePeerAccess, (struct gpu_context * peer, unsigned flags),
       NEED(flags == 0) ?: CONTEXT(peer) ?: CURRENT ?: gpu_peer(c.device, peer->device, true))
DRIVER(cuCtxDisablePeerAccess, (struct gpu_context * peer),
       CONTEXT(peer) ?: CURRENT ?: gpu_peer(c.device, peer->device, false))
DRIVER(cuCtxGetApiVersion, (void *context, unsigned *version), PUT(version, GPU_VERSION))

/* ---- Functions by name ----------------------------------------------------------------------- */

/* may_miss: true if a missing function is no error, since *status tells it. */
static int by_name(const char *name, void **function, int *status, bool may_miss)
{
    TRY(NEED(name && function));
    *function = gpu_function_named(name, true);
    return GIVE(status, *function ? 0 : 1) ?: CHECK(*function || may_miss, GPU_NOT_FOUND);
}

RUNTIME_STREAM(cudaGetDriverEntryPointByVersion,
               (const char *name, void **function, unsigned version, unsigned long long flags,
                int *status),
               by_name(name, function, status, status))
RUNTIME_STREAM(cudaGetDriverEntryPoint,
               (const char *name, void **function, unsigned long long flags, int *status),
               by_name(name, function, status, status))
DRIVER(cuGetProcAddress_v2,
       (const char *name, void **function, int version, uint64_t flags, int *status),
       by_name(name, function, status, false))
DRIVER(cuGetProcAddress, (const char *name, void **function, int version, uint64_t flags),
       by_name(name, function, NULL, false))

/* Called by tools, which find this function by its name. While `on` is not 0, the calling thread's
 * allocations lie apart from those of the program, so that the tool does not change the program's
 * addresses. */
void warpscope_cuda_tool_memory(int on)
{
    gpu_thread()->tool = on != 0;
}
