/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels and launches of the driver interface.
 */
#include "runtime/api.h"
#include "runtime/driver.h"

/* Keys in the array `extra` of a launch. */
#define EXTRA_POINTER ((void *)1)
#define EXTRA_SIZE    ((void *)2)

static int set_arguments(struct gpu_launch *l, void **parameters, void **extra)
{
    static void *none;
    l->parameters = parameters;
    for (; !parameters && extra && *extra; extra += 2) {
        if (extra[0] == EXTRA_POINTER) {
            l->packed = extra[1];
        } else if (extra[0] == EXTRA_SIZE) {
            l->packed_bytes = *(const size_t *)extra[1];
        } else {
            return GPU_INVALID_VALUE;
        }
    }
    if (!parameters && !l->packed) {
        l->parameters = &none;
    }
    return GPU_OK;
}

static int launch(void *function, struct gpu_launch *l, void *handle, void **parameters,
                  void **extra)
{
    struct gpu_stream *stream;
    struct gpu_kernel *kernel = gpu_kernel_of(function);
    int code = kernel ? driver_stream(handle, &stream) : GPU_INVALID_HANDLE;
    if (!code) {
        code = set_arguments(l, parameters, extra);
    }
    return driver(code ? code : gpu_launch(kernel, stream, l));
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra)
{
    struct gpu_launch l = {
        .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared};
    return launch(function, &l, stream, parameters, extra);
}
PER_THREAD(cuLaunchKernel, _ptsz,
           (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
            unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters,
            void **extra),
           (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters,
            extra))

int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              void *stream, void **parameters)
{
    struct gpu_launch l = {.grid = {grid_x, grid_y, grid_z},
                           .block = {block_x, block_y, block_z},
                           .shared = shared,
                           .cooperative = true};
    return launch(function, &l, stream, parameters, NULL);
}
PER_THREAD(cuLaunchCooperativeKernel, _ptsz,
           (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
            unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters),
           (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
            parameters))

int cuLaunchKernelEx(const struct driver_launch *c, void *function, void **parameters, void **extra)
{
    if (!c) {
        return GPU_INVALID_VALUE;
    }
    struct gpu_launch l = {.grid = c->grid, .block = c->block, .shared = c->shared};
    gpu_launch_attributes(c->attributes, c->attribute_count, &l);
    return launch(function, &l, c->stream, parameters, extra);
}
PER_THREAD(cuLaunchKernelEx, _ptsz,
           (const struct driver_launch *c, void *function, void **parameters, void **extra),
           (c, function, parameters, extra))

int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size)
{
    struct gpu_kernel *k = gpu_kernel_of(function);
    return driver(k ? gpu_kernel_parameter(k, index, offset, size) : GPU_INVALID_HANDLE);
}

int cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *size)
{
    return cuFuncGetParamInfo(kernel, index, offset, size);
}

int cuFuncGetName(const char **name, void *function)
{
    const struct gpu_kernel *k = gpu_kernel_of(function);
    if (!k || !name) {
        return k ? GPU_INVALID_VALUE : GPU_INVALID_HANDLE;
    }
    *name = k->name;
    return GPU_OK;
}

int cuKernelGetName(const char **name, void *kernel)
{
    return cuFuncGetName(name, kernel);
}

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

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    struct gpu_kernel *k = gpu_kernel_of(function);
    return driver(k ? gpu_function_set(k, attribute, value) : GPU_INVALID_HANDLE);
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

int cuFuncSetCacheConfig(void *function, int preference)
{
    (void)preference;
    return gpu_kernel_of(function) ? GPU_OK : GPU_INVALID_HANDLE;
}

int cuFuncSetSharedMemConfig(void *function, int preference)
{
    return cuFuncSetCacheConfig(function, preference);
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

int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ctas, void *function, int threads,
                                                         size_t dynamic, unsigned flags)
{
    (void)flags;
    struct gpu_kernel *k = gpu_kernel_of(function);
    return driver(k ? gpu_occupancy(k, threads, dynamic, ctas) : GPU_INVALID_HANDLE);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, void *function, int threads,
                                                size_t dynamic)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(ctas, function, threads, dynamic,
                                                                0);
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
