/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runtime.c - hooks of CUDA's runtime, which add the hidden argument to launches of rewritten
 * kernels.
 */
#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"
#include "trace/tracer.h"

struct launch {
    struct ws_tracer_ticket ticket;
    struct ws_arguments arguments;
};

/* Prepares a launch. Returns its arguments: those in `given` and, if the kernel was rewritten, the
 * hidden argument. */
static void **launch_begin(struct launch *l, const void *function, void **given, void *stream,
                           bool per_thread)
{
    const struct ws_traced_kernel *kernel = ws_function_find(function);
    l->ticket = (struct ws_tracer_ticket){0};
    l->arguments.many = NULL;
    if (kernel == NULL) {
        return given;
    }
    struct ws_stream_key key = ws_stream_key(&ws_runtime_calls, stream, per_thread);
    ws_tracer->launch(&l->ticket, &key, kernel);
    if (l->ticket.slot != 0) {
        ws_variables_note(key.place);
    }
    if (!kernel->has_slot) {
        return given;
    }
    ws_arguments_make(&l->arguments, given, kernel->parameters, l->ticket.slot);
    return l->arguments.all;
}

static int launch_end(struct launch *l, int error)
{
    ws_tracer->launched(&l->ticket, (int)error);
    ws_arguments_free(&l->arguments);
    return error;
}

#define HOOK(name, parameters, arguments, handle, per_thread)                                      \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        struct launch l;                                                                           \
        args = launch_begin(&l, function, args, handle, per_thread);                               \
        return launch_end(&l, __real_##name arguments);                                            \
    }
#define LAUNCH(name, parameters, arguments, handle)                                                \
    HOOK(name, parameters, arguments, handle, false)                                               \
    HOOK(name##_ptsz, parameters, arguments, handle, true)
CU_LAUNCHES(LAUNCH)

/* ---- Names of kernels ------------------------------------------------------------------------ */

void __wrap___cudaRegisterFunction CU_REGISTER_PARAMETERS
{
    ws_function_note(host, name);
    __real___cudaRegisterFunction CU_REGISTER_ARGUMENTS;
}

#define GET_KERNEL(name)                                                                           \
    int __wrap_##name(void **kernel, const void *function)                                         \
    {                                                                                              \
        int error = __real_##name(kernel, function);                                               \
        if (error == 0) {                                                                          \
            ws_function_copy(*kernel, function);                                                   \
        }                                                                                          \
        return error;                                                                              \
    }
GET_KERNEL(__cudaGetKernel)
GET_KERNEL(cudaGetKernel)

/* ---- Ends of streams and devices ------------------------------------------------------------- */

int __wrap_cudaStreamDestroy(void *stream)
{
    ws_stream_destroyed(&ws_runtime_calls, stream);
    return __real_cudaStreamDestroy(stream);
}

int __wrap_cudaDeviceReset(void)
{
    ws_tracer->place_end(&ws_runtime_calls, ws_runtime_calls.place());
    return __real_cudaDeviceReset();
}
