/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels and launches of the driver interface.
 */
#include "runtime/api.h"

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

PER_THREAD(cuLaunchKernel, _ptsz,
           (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
            unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters,
            void **extra),
           (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters,
            extra))
{
    struct gpu_launch l = {
        .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared};
    return launch(function, &l, stream, parameters, extra);
}

PER_THREAD(cuLaunchCooperativeKernel, _ptsz,
           (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
            unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters),
           (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
            parameters))
{
    struct gpu_launch l = {.grid = {grid_x, grid_y, grid_z},
                           .block = {block_x, block_y, block_z},
                           .shared = shared,
                           .cooperative = true};
    return launch(function, &l, stream, parameters, NULL);
}

PER_THREAD(cuLaunchKernelEx, _ptsz,
           (const struct driver_launch *c, void *function, void **parameters, void **extra),
           (c, function, parameters, extra))
{
    if (!c) {
        return GPU_INVALID_VALUE;
    }
    struct gpu_launch l = {.grid = c->grid, .block = c->block, .shared = c->shared};
    gpu_launch_attributes(c->attributes, c->attribute_count, &l);
    return launch(function, &l, c->stream, parameters, extra);
}
