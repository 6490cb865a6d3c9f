/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Streams, events, kernels and launches.
 */
#include "runtime/api.h"
#include <assert.h>

/* ---- Streams --------------------------------------------------------------------------------- */

static bool is_default(const void *handle)
{
    return !handle || handle == STREAM_LEGACY || handle == STREAM_PER_THREAD;
}

#define CREATE_STREAM(stream, flags, priority)                                                     \
    NEED(stream &&flags <= STREAM_NON_BLOCKING)                                                    \
    ?: READY ?: gpu_stream_create(c.device, flags, priority, &c.stream) ?: SET(*stream, c.stream)

BOTH(cudaStreamCreateWithPriority, cuStreamCreateWithPriority,
     (void **stream, unsigned flags, int priority), CREATE_STREAM(stream, flags, priority))
BOTH(cudaStreamCreateWithFlags, cuStreamCreate, (void **stream, unsigned flags),
     CREATE_STREAM(stream, flags, 0))
RUNTIME(cudaStreamCreate, (void **stream), CREATE_STREAM(stream, 0, 0))
BOTH(cudaStreamDestroy, cuStreamDestroy_v2, (void *stream),
     CHECK(!is_default(stream), GPU_INVALID_HANDLE)
         ?: gpu_stream_of(stream, &c.stream) ?: gpu_stream_destroy(c.stream))
BOTH_STREAM(cudaStreamSynchronize, cuStreamSynchronize, (void *stream),
            STREAM(stream) ?: gpu_stream_wait(c.stream))
BOTH_STREAM(cudaStreamQuery, cuStreamQuery, (void *stream),
            STREAM(stream) ?: gpu_stream_query(c.stream))
BOTH_STREAM(cudaStreamGetPriority, cuStreamGetPriority, (void *stream, int *priority),
            STREAM(stream) ?: PUT(priority, c.stream->priority))
BOTH_STREAM(cudaStreamGetFlags, cuStreamGetFlags, (void *stream, unsigned *flags),
            STREAM(stream) ?: PUT(flags, c.stream->flags))
BOTH_STREAM(cudaStreamGetId, cuStreamGetId, (void *stream, unsigned long long *number),
            STREAM(stream) ?: PUT(number, c.stream->number))
BOTH_STREAM(cudaStreamGetDevice, cuStreamGetDevice, (void *stream, int *number),
            STREAM(stream) ?: PUT(number, c.stream->device->number))
DRIVER_STREAM(cuStreamGetCtx, (void *stream, void **context),
              STREAM(stream) ?: PUT(context, &c.stream->device->primary))
BOTH_STREAM(cudaStreamWaitEvent, cuStreamWaitEvent, (void *stream, void *event, unsigned flags),
            STREAM(stream) ?: EVENT(event) ?: gpu_stream_wait_event(c.stream, c.event))
BOTH_STREAM(cudaStreamAddCallback, cuStreamAddCallback,
            (void *stream, void (*callback)(void *, int, void *), void *user, unsigned flags),
            NEED(callback && flags == 0)
                ?: STREAM(stream) ?: gpu_host_callback(c.stream, stream, callback, user))
BOTH_STREAM(cudaLaunchHostFunc, cuLaunchHostFunc,
            (void *stream, void (*function)(void *), void *user),
            NEED(function)
                ?: STREAM(stream) ?: gpu_failed(c.stream->device)
                                  ?: gpu_host_work(function, user, &c.work)
                                  ?: gpu_submit(c.stream, c.work, false))

/* ---- Events ---------------------------------------------------------------------------------- */

#define CREATE_EVENT(event, flags)                                                                 \
    NEED(event &&flags <= 7) ?: CURRENT ?: gpu_event_create(flags, &c.event) ?: SET(*event, c.event)
#define RECORD_EVENT(event, stream)                                                                \
    EVENT(event) ?: STREAM(stream) ?: gpu_event_record(c.event, c.stream)
#define ELAPSED(milliseconds, begin, end_event)                                                    \
    NEED(milliseconds)                                                                             \
    ?: EVENT(begin) ?: gpu_event_of(end_event, &c.end)                                         \
                        ?: gpu_event_elapsed(c.event, c.end, milliseconds)

BOTH(cudaEventCreateWithFlags, cuEventCreate, (void **event, unsigned flags),
     CREATE_EVENT(event, flags))
RUNTIME(cudaEventCreate, (void **event), CREATE_EVENT(event, 0))
BOTH(cudaEventDestroy, cuEventDestroy_v2, (void *event), EVENT(event) ?: gpu_event_destroy(c.event))
BOTH(cudaEventQuery, cuEventQuery, (void *event), EVENT(event) ?: gpu_event_query(c.event))
BOTH(cudaEventSynchronize, cuEventSynchronize, (void *event),
     EVENT(event) ?: gpu_event_wait(c.event))
BOTH_STREAM(cudaEventRecordWithFlags, cuEventRecordWithFlags,
            (void *event, void *stream, unsigned flags), RECORD_EVENT(event, stream))
BOTH_STREAM(cudaEventRecord, cuEventRecord, (void *event, void *stream),
            RECORD_EVENT(event, stream))
BOTH(cudaEventElapsedTime, cuEventElapsedTime, (float *milliseconds, void *begin, void *end),
     ELAPSED(milliseconds, begin, end))
ALIAS(cuEventElapsedTime_v2, cuEventElapsedTime)

/* ---- Kernels --------------------------------------------------------------------------------- */

static int function_attributes(struct gpu_kernel *kernel, struct runtime_function_attributes *a)
{
    int v[10] = {0}, code = GPU_OK;
    for (int i = 0; i < 10 && !code; i++) {
        code = gpu_function_attribute(kernel, i, &v[i]);
    }
    if (!code) {
        *a = (struct runtime_function_attributes){.max_threads = v[0],
                                                  .shared = (size_t)v[1],
                                                  .constant = (size_t)v[2],
                                                  .local = (size_t)v[3],
                                                  .registers = v[4],
                                                  .ptx_version = v[5],
                                                  .binary_version = v[6],
                                                  .max_dynamic = v[8],
                                                  .carveout = v[9]};
    }
    return code;
}

static int available_dynamic(struct gpu_kernel *kernel, size_t *dynamic, int ctas, int threads)
{
    const struct interp_kernel_facts *facts;
    TRY(gpu_kernel_facts(kernel, &facts) ?: NEED(ctas > 0 && ctas <= GPU_CTAS_SM && threads > 0));
    size_t each = (size_t)GPU_SHARED_SM / (size_t)ctas - 1024;
    each = each < GPU_SHARED_DEFAULT ? each : GPU_SHARED_DEFAULT;
    return SET(*dynamic, each > facts->shared_bytes ? each - facts->shared_bytes : 0);
}

static int potential_block_size(struct call *c, int *grid, int *block, size_t (*dynamic)(int),
                                size_t fixed, int most)
{
    int best = 0, limit = most > 0 && most < 1024 ? most : 1024, code = GPU_OK;
    for (int threads = (limit + GPU_WARP - 1) / GPU_WARP * GPU_WARP; threads > 0 && !code;
         threads -= GPU_WARP) {
        int ctas = 0, n = threads < limit ? threads : limit;
        code = gpu_occupancy(c->kernel, n, dynamic ? dynamic(n) : fixed, &ctas);
        if (ctas * n > best) {
            best = ctas * n;
            *block = n;
            *grid = ctas * (int)c->device->sms;
        }
    }
    return code;
}

BOTH(cudaFuncGetName, cuFuncGetName, (const char **name, const void *function),
     KERNEL(function) ?: PUT(name, c.kernel->name))
ALIAS(cuKernelGetName, cuFuncGetName)
BOTH(cudaFuncGetParamInfo, cuFuncGetParamInfo,
     (const void *function, size_t index, size_t *offset, size_t *size),
     KERNEL(function) ?: gpu_kernel_parameter(c.kernel, index, offset, size))
ALIAS(cuKernelGetParamInfo, cuFuncGetParamInfo)
BOTH(cudaFuncSetAttribute, cuFuncSetAttribute, (const void *function, int attribute, int value),
     KERNEL(function) ?: gpu_function_set(c.kernel, attribute, value))
DRIVER(cuKernelSetAttribute, (int attribute, int value, void *kernel, int number),
       KERNEL(kernel) ?: gpu_function_set(c.kernel, attribute, value))
DRIVER(cuFuncGetAttribute, (int *value, int attribute, void *function),
       KERNEL(function) ?: gpu_function_attribute(c.kernel, attribute, value))
DRIVER(cuKernelGetAttribute, (int *value, int attribute, void *kernel, int number),
       KERNEL(kernel) ?: gpu_function_attribute(c.kernel, attribute, value))
RUNTIME(cudaFuncGetAttributes, (struct runtime_function_attributes * a, const void *function),
        KERNEL(function) ?: function_attributes(c.kernel, a))
BOTH(cudaFuncSetCacheConfig, cuFuncSetCacheConfig, (const void *function, int preference),
     KERNEL(function))
BOTH(cudaFuncSetSharedMemConfig, cuFuncSetSharedMemConfig, (const void *function, int preference),
     KERNEL(function))
BOTH(cudaOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *ctas, const void *function, int threads, size_t dynamic),
     KERNEL(function) ?: gpu_occupancy(c.kernel, threads, dynamic, ctas))
BOTH(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
     cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
     (int *ctas, const void *function, int threads, size_t dynamic, unsigned flags),
     KERNEL(function) ?: gpu_occupancy(c.kernel, threads, dynamic, ctas))
BOTH(cudaOccupancyAvailableDynamicSMemPerBlock, cuOccupancyAvailableDynamicSMemPerBlock,
     (size_t * dynamic, const void *function, int ctas, int threads),
     KERNEL(function) ?: available_dynamic(c.kernel, dynamic, ctas, threads))
DRIVER(cuOccupancyMaxPotentialBlockSize,
       (int *grid, int *block, void *function, size_t (*dynamic)(int), size_t fixed, int most),
       CURRENT ?: KERNEL(function) ?: potential_block_size(&c, grid, block, dynamic, fixed, most))
DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags,
       (int *grid, int *block, void *function, size_t (*dynamic)(int), size_t fixed, int most,
        unsigned flags),
       CURRENT ?: KERNEL(function) ?: potential_block_size(&c, grid, block, dynamic, fixed, most))
RUNTIME(cudaGetKernel, (void **kernel, const void *function),
        SET(*kernel, gpu_kernel_of(function)) ?: KERNEL(function))
ALIAS(__cudaGetKernel, cudaGetKernel)
ALIAS(cudaGetFuncBySymbol, cudaGetKernel)
DRIVER(cuKernelGetFunction, (void **function, void *kernel),
       SET(*function, gpu_kernel_of(kernel)) ?: KERNEL(kernel))
DRIVER(cuFuncGetModule, (void **module, void *function),
       KERNEL(function) ?: PUT(module, c.kernel->module))
DRIVER(cuFuncIsLoaded, (int *state, void *function), KERNEL(function) ?: PUT(state, 1))
DRIVER(cuFuncLoad, (void *function), KERNEL(function))

/* ---- Launches -------------------------------------------------------------------------------- */

int gpu_launch_parameters(struct gpu_launch *l, void **parameters, void **extra)
{
    static void *none;
    l->parameters = parameters;
    for (; !parameters && extra && *extra; extra += 2) {
        if ((uintptr_t)extra[0] == EXTRA_POINTER) {
            l->packed = extra[1];
        } else if ((uintptr_t)extra[0] == EXTRA_SIZE) {
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

static int launch(struct call *c, const void *function, void *stream, struct gpu_launch l,
                  void **parameters, void **extra)
{
    return call_kernel(c, function)
               ?: call_stream(c, stream) ?: gpu_launch_parameters(&l, parameters, extra)
                                         ?: gpu_launch(c->kernel, c->stream, &l);
}

static struct gpu_launch with_attributes(struct gpu_launch l,
                                         const struct launch_attribute *attributes, unsigned count)
{
    gpu_launch_attributes(attributes, count, &l);
    return l;
}

#define SHAPE(...) ((struct gpu_launch){__VA_ARGS__})
#define CONFIGURED                                                                                 \
    with_attributes(SHAPE(.grid = config->grid, .block = config->block, .shared = config->shared), \
                    config->attributes, config->attribute_count)
#define RUNTIME_LAUNCH(name, is_cooperative)                                                       \
    RUNTIME_STREAM(name,                                                                           \
                   (const void *function, struct gpu_dim3 grid, struct gpu_dim3 block,             \
                    void **parameters, size_t shared, void *stream),                               \
                   launch(&c, function, stream,                                                    \
                          SHAPE(.grid = grid, .block = block, .shared = shared,                    \
                                .cooperative = is_cooperative),                                    \
                          parameters, NULL))
#define DRIVER_SHAPE                                                                               \
    .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared

RUNTIME_LAUNCH(cudaLaunchKernel, false)
RUNTIME_LAUNCH(__cudaLaunchKernel, false)
RUNTIME_LAUNCH(cudaLaunchCooperativeKernel, true)
RUNTIME_STREAM(cudaLaunchKernelExC,
               (const struct runtime_launch *config, const void *function, void **parameters),
               NEED(config) ?: launch(&c, function, config->stream, CONFIGURED, parameters, NULL))
DRIVER_STREAM(cuLaunchKernel,
              (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
               unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters,
               void **extra),
              launch(&c, function, stream, SHAPE(DRIVER_SHAPE), parameters, extra))
DRIVER_STREAM(cuLaunchCooperativeKernel,
              (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
               unsigned block_y, unsigned block_z, unsigned shared, void *stream,
               void **parameters),
              launch(&c, function, stream, SHAPE(DRIVER_SHAPE, .cooperative = true), parameters,
                     NULL))
DRIVER_STREAM(cuLaunchKernelEx,
              (const struct driver_launch *config, void *function, void **parameters, void **extra),
              NEED(config) ?: launch(&c, function, config->stream, CONFIGURED, parameters, extra))
