/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices, errors and versions of the runtime interface.
 */
#include "runtime/api.h"
#include <stdio.h>
#include <stdlib.h>

int gpu_device_ready(struct gpu_device **device)
{
    int code = gpu_current(device);
    return code ? code : gpu_failed(*device);
}

struct error_row {
    int code;
    const char *runtime, *driver, *text;
};

static const struct error_row errors[] = {
#define GPU_ERROR(code, runtime, driver, text) {code, runtime, driver, text},
#include "runtime/errors.def"
#undef GPU_ERROR
};

static const struct error_row *error_row(int code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == code) {
            return &errors[i];
        }
    }
    return NULL;
}

const char *cudaGetErrorName(int code)
{
    const struct error_row *row = error_row(code);
    return row ? row->runtime : "unrecognized error code";
}

const char *cudaGetErrorString(int code)
{
    const struct error_row *row = error_row(code);
    return row ? row->text : "unrecognized error code";
}

int cuGetErrorName(int code, const char **name)
{
    const struct error_row *row = error_row(code);
    *name = row ? row->driver : NULL;
    return *name ? GPU_OK : GPU_INVALID_VALUE;
}

int cuGetErrorString(int code, const char **text)
{
    const struct error_row *row = error_row(code);
    *text = row && row->driver ? row->text : NULL;
    return *text ? GPU_OK : GPU_INVALID_VALUE;
}

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

int cudaGetDeviceCount(int *count)
{
    if (!count) {
        return done(GPU_INVALID_VALUE);
    }
    *count = gpu_device_count();
    return GPU_OK;
}

int cudaSetDevice(int number)
{
    struct gpu_device *device;
    int code = gpu_device(number, &device);
    if (!code) {
        gpu_make_current(&device->primary);
    }
    return done(code ? code : gpu_failed(device));
}

int cudaInitDevice(int number, unsigned device_flags, unsigned flags)
{
    struct gpu_device *device;
    (void)device_flags, (void)flags;
    return done(gpu_device(number, &device));
}

int cudaGetDevice(int *number)
{
    const struct gpu_context *context = gpu_context();
    if (!number) {
        return done(GPU_INVALID_VALUE);
    }
    *number = context ? context->device->number : 0;
    return GPU_OK;
}

int cudaSetValidDevices(int *devices, int count)
{
    (void)devices;
    return done(count < 0 ? GPU_INVALID_VALUE : GPU_OK);
}

int cudaChooseDevice(int *number, const struct runtime_properties *wished)
{
    (void)wished;
    *number = 0;
    return GPU_OK;
}

int cudaSetDeviceFlags(unsigned flags)
{
    struct gpu_device *device;
    int code = gpu_current(&device);
    if (!code) {
        device->primary.flags = flags;
    }
    return done(code);
}

int cudaGetDeviceFlags(unsigned *flags)
{
    struct gpu_device *device;
    int code = gpu_current(&device);
    if (!code) {
        *flags = device->primary.flags;
    }
    return done(code);
}

int cudaDeviceSynchronize(void)
{
    struct gpu_device *device;
    int code = gpu_current(&device);
    return done(code ? code : gpu_device_wait(device));
}

int cudaDeviceReset(void)
{
    struct gpu_device *device;
    int code = gpu_current(&device);
    if (!code) {
        code = gpu_device_reset(device);
    }
    gpu_thread()->error = GPU_OK;
    return done(code);
}

static int value_of(struct gpu_device *device, int attribute)
{
    int value = 0;
    gpu_attribute(device, attribute, &value);
    return value;
}

int cudaGetDeviceProperties(struct runtime_properties *p, int number)
{
    struct gpu_device *d;
    if (!p) {
        return done(GPU_INVALID_VALUE);
    }
    int code = gpu_device(number, &d);
    if (code) {
        return done(code);
    }
    *p = (struct runtime_properties){
        .global_memory = d->memory,
        .shared_per_block = GPU_SHARED_DEFAULT,
        .registers_per_block = GPU_REGISTERS,
        .warp_size = GPU_WARP,
        .pitch = 0x7fffffff,
        .max_threads = 1024,
        .max_block = {1024, 1024, 64},
        .max_grid = {0x7fffffff, 65535, 65535},
        .constant_memory = 65536,
        .major = GPU_MAJOR,
        .minor = GPU_MINOR,
        .texture_alignment = 512,
        .texture_pitch_alignment = 32,
        .sms = (int)d->sms,
        .can_map_host = 1,
        .surface_alignment = 512,
        .concurrent_kernels = 1,
        .pci_bus = 1,
        .pci_device = number,
        .async_engines = 1,
        .unified_addressing = 1,
        .bus_width = value_of(d, 37),
        .l2_cache = value_of(d, 38),
        .threads_per_sm = GPU_THREADS_SM,
        .stream_priorities = 1,
        .global_l1 = 1,
        .local_l1 = 1,
        .shared_per_sm = GPU_SHARED_SM,
        .registers_per_sm = GPU_REGISTERS,
        .managed_memory = 1,
        .host_atomics = 1,
        .concurrent_managed = 1,
        .preemption = 1,
        .cooperative = 1,
        .shared_optin = GPU_SHARED_OPTIN,
        .ctas_per_sm = GPU_CTAS_SM,
        .reserved_shared = 1024,
        .memory_pools = 1,
        .numa_id = -1,
        .host_numa = -1,
    };
    gpu_device_name(d, p->name, sizeof p->name);
    memcpy(p->uuid, "warpscope", 9);
    p->uuid[15] = (char)number;
    return GPU_OK;
}

CONSTANT(cudaDeviceGetSharedMemConfig, 1)
NO_EFFECT(cudaDeviceSetSharedMemConfig)
NO_EFFECT(cudaCtxResetPersistingL2Cache)

int cudaDeviceGetByPCIBusId(int *number, const char *id)
{
    unsigned domain, bus, device;
    if (!id || sscanf(id, "%x:%x:%x", &domain, &bus, &device) != 3 || domain != 0 || bus != 1 ||
        device >= (unsigned)gpu_device_count()) {
        return done(GPU_INVALID_VALUE);
    }
    *number = (int)device;
    return GPU_OK;
}

int cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)flags;
    return done(peer < 0 || peer >= gpu_device_count() ? GPU_INVALID_DEVICE : 217);
}

int cudaDeviceDisablePeerAccess(int peer)
{
    return done(peer < 0 || peer >= gpu_device_count() ? GPU_INVALID_DEVICE : GPU_PEER_NOT_ENABLED);
}

CONSTANT(cudaRuntimeGetVersion, GPU_VERSION)

PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz,
           (const char *name, void **function, unsigned version, unsigned long long flags,
            int *status),
           (name, function, version, flags, status))
{
    (void)version, (void)flags;
    if (!name || !function) {
        return done(GPU_INVALID_VALUE);
    }
    *function = gpu_function_named(name, true);
    if (status) {
        *status = *function ? 0 : 1;
    }
    return *function || status ? GPU_OK : done(GPU_NOT_FOUND);
}

PER_THREAD(cudaGetDriverEntryPoint, _ptsz,
           (const char *name, void **function, unsigned long long flags, int *status),
           (name, function, flags, status))
{
    return cudaGetDriverEntryPointByVersion(name, function, GPU_VERSION, flags, status);
}

/* Called by tools, which find this function by its name. While `on` is not 0, the calling thread's
 * allocations lie apart from those of the program, so that the tool does not change the program's
 * addresses. */
void warpscope_cuda_tool_memory(int on)
{
    gpu_thread()->tool = on != 0;
}

__attribute__((destructor)) static void finish(void)
{
    gpu_streams_finish();
}
