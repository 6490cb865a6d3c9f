/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of the driver interface that the runtime interface has as well (both.h), and others
 * about streams, events and kernels.
 */
#include "runtime/api.h"
#include <assert.h>
#include <stdio.h>

#define NAME(function)         cu##function
#define NAME_V2(function)      cu##function##_v2
#define CONTEXT(function)      cuCtx##function
#define CURRENT(device)        driver_device(device)
#define READY(device)          driver_device(device)
#define STREAM(handle, stream) driver_stream(handle, stream)
#define END(code)              driver(code)
#define NO_KERNEL              GPU_INVALID_HANDLE
#include "runtime/both.h"

int driver_stream(void *handle, struct gpu_stream **stream)
{
    struct gpu_device *device;
    int code = driver_device(&device);
    return code ? code : gpu_stream_of(handle, stream);
}

int cuStreamCreate(void **handle, unsigned flags)
{
    return cuStreamCreateWithPriority(handle, flags, 0);
}

STREAM_FACT(StreamGetCtx, void *, &stream->device->primary)

int cuEventCreate(void **handle, unsigned flags)
{
    return event_create(handle, flags);
}

ALIAS(cuEventElapsedTime_v2, cuEventElapsedTime)

/* ---- Kernels --------------------------------------------------------------------------------- */

ALIAS(cuKernelGetParamInfo, cuFuncGetParamInfo)
ALIAS(cuKernelGetName, cuFuncGetName)

int cuFuncGetModule(void **module, void *function)
{
    const struct gpu_kernel *k = gpu_kernel_of(function);
    if (!k || !module) {
        return k ? GPU_INVALID_VALUE : GPU_INVALID_HANDLE;
    }
    *module = k->module;
    return GPU_OK;
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    struct gpu_kernel *k = gpu_kernel_of(function);
    return driver(k ? gpu_function_attribute(k, attribute, value) : GPU_INVALID_HANDLE);
}

int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device)
{
    (void)device;
    return cuFuncGetAttribute(value, attribute, kernel);
}

int cuKernelSetAttribute(int attribute, int value, void *kernel, int device)
{
    (void)device;
    return cuFuncSetAttribute(kernel, attribute, value);
}

int cuFuncIsLoaded(int *state, void *function)
{
    *state = 1;
    return gpu_kernel_of(function) ? GPU_OK : GPU_INVALID_HANDLE;
}

int cuFuncLoad(void *function)
{
    return gpu_kernel_of(function) ? GPU_OK : GPU_INVALID_HANDLE;
}

int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function,
                                              size_t (*dynamic)(int), size_t fixed, int most,
                                              unsigned flags)
{
    struct gpu_device *device;
    int best = 0, limit = most > 0 && most < 1024 ? most : 1024;
    (void)flags;
    int code = driver_device(&device);
    for (int threads = (limit + GPU_WARP - 1) / GPU_WARP * GPU_WARP; threads > 0 && !code;
         threads -= GPU_WARP) {
        int ctas = 0, n = threads < limit ? threads : limit;
        code = cuOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, function, n,
                                                           dynamic ? dynamic(n) : fixed);
        if (ctas * n > best) {
            best = ctas * n;
            *block = n;
            *grid = ctas * (int)device->sms;
        }
    }
    return code;
}

int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function, size_t (*dynamic)(int),
                                     size_t fixed, int most)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, dynamic, fixed, most,
                                                     0);
}
