/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runtime.c - hooks of CUDA's runtime, which add the hidden argument to launches of rewritten
 * kernels.
 */
#define _GNU_SOURCE
#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"
#include "trace/tracer.h"

/* Returns the identity of a stream. per_thread: true if stream 0 is the default stream of the
 * thread. */
static struct ws_stream_key key_of(cu_stream stream, bool per_thread)
{
    int device = 0;
    cu_stream handle = stream != NULL ? stream
                       : per_thread   ? CU_STREAM_PER_THREAD
                                      : CU_STREAM_LEGACY;
    cudaGetDevice(&device);
    return (struct ws_stream_key){
        .calls = &ws_runtime_calls,
        .place = (uint64_t)device,
        .handle = handle,
        .thread = handle == CU_STREAM_PER_THREAD ? (uint64_t)pthread_self() : 0};
}

struct launch {
    struct ws_tracer_ticket ticket;
    struct ws_arguments arguments;
};

/* Prepares a launch. Returns its arguments: those in `given` and, if the kernel was rewritten, the
 * hidden argument. */
static void **launch_begin(struct launch *l, const void *function, void **given, cu_stream stream,
                           bool per_thread)
{
    const struct ws_traced_kernel *kernel = ws_function_find(function);
    l->ticket = (struct ws_tracer_ticket){0};
    l->arguments.many = NULL;
    if (kernel == NULL) {
        return given;
    }
    struct ws_stream_key key = key_of(stream, per_thread);
    ws_tracer->launch(&l->ticket, &key, kernel);
    if (!kernel->has_slot) {
        return given;
    }
    ws_arguments_make(&l->arguments, given, kernel->parameters, l->ticket.slot);
    return l->arguments.all;
}

static cu_error launch_end(struct launch *l, cu_error error)
{
    ws_tracer->launched(&l->ticket, (int)error);
    ws_arguments_free(&l->arguments);
    return error;
}

#define LAUNCH(name, per_thread)                                                                   \
    cu_error __wrap_##name(const void *function, struct cu_dim3 grid, struct cu_dim3 block,        \
                           void **args, size_t shared, cu_stream stream)                           \
    {                                                                                              \
        struct launch l;                                                                           \
        void **all = launch_begin(&l, function, args, stream, per_thread);                         \
        return launch_end(&l, __real_##name(function, grid, block, all, shared, stream));          \
    }

LAUNCH(__cudaLaunchKernel, false)
LAUNCH(__cudaLaunchKernel_ptsz, true)
LAUNCH(cudaLaunchKernel, false)
LAUNCH(cudaLaunchKernel_ptsz, true)
LAUNCH(cudaLaunchCooperativeKernel, false)
LAUNCH(cudaLaunchCooperativeKernel_ptsz, true)

#define LAUNCH_EX(name, per_thread)                                                                \
    cu_error __wrap_##name(const struct cu_launch_config *config, const void *function,            \
                           void **args)                                                            \
    {                                                                                              \
        struct launch l;                                                                           \
        cu_stream stream = config == NULL ? NULL : config->stream;                                 \
        void **all = launch_begin(&l, function, args, stream, per_thread);                         \
        return launch_end(&l, __real_##name(config, function, all));                               \
    }

LAUNCH_EX(cudaLaunchKernelExC, false)
LAUNCH_EX(cudaLaunchKernelExC_ptsz, true)

/* ---- Names of kernels ------------------------------------------------------------------------ */

void __wrap___cudaRegisterFunction CU_REGISTER_PARAMETERS
{
    ws_function_note(host, name);
    __real___cudaRegisterFunction CU_REGISTER_ARGUMENTS;
}

#define GET_KERNEL(name)                                                                           \
    cu_error __wrap_##name(void **kernel, const void *function)                                    \
    {                                                                                              \
        cu_error error = __real_##name(kernel, function);                                          \
        if (error == 0) {                                                                          \
            ws_function_copy(*kernel, function);                                                   \
        }                                                                                          \
        return error;                                                                              \
    }
GET_KERNEL(__cudaGetKernel)
GET_KERNEL(cudaGetKernel)

/* ---- Ends of streams and devices ------------------------------------------------------------- */

cu_error __wrap_cudaStreamDestroy(cu_stream stream)
{
    struct ws_stream_key key = key_of(stream, false);
    if (stream != NULL) {
        ws_tracer->stream_end(&key);
    }
    return __real_cudaStreamDestroy(stream);
}

cu_error __wrap_cudaDeviceReset(void)
{
    int device = 0;
    if (cudaGetDevice(&device) == 0) {
        ws_tracer->place_end(&ws_runtime_calls, (uint64_t)device);
    }
    return __real_cudaDeviceReset();
}
