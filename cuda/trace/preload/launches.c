/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launches.c - hooks of the driver's functions that launch kernels. The hooks add the hidden
 * argument to launches of rewritten kernels.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace/hooks/hooks.h"
#include "trace/preload/driver.h"
#include "trace/preload/hooks.h"
#include "trace/say.h"
#include "trace/tracer.h"

/* A rewritten kernel, and the place of its hidden parameter. */
struct rewritten {
    const struct ws_traced_kernel *kernel; /* NULL: the kernel is in no table */
    size_t offset;
};

/* Finds a rewritten kernel by its function handle or its kernel handle, since launches accept
 * both. */
static struct rewritten kernel_find(void *function)
{
    struct rewritten r = {0};
    const char *name = NULL;
    size_t size = 0;
    bool is_kernel = false;
    if (CU_CALL(cuFuncGetName, (const char **, void *), (&name, function)) != 0) {
        is_kernel = true;
        if (CU_CALL(cuKernelGetName, (const char **, void *), (&name, function)) != 0) {
            return r;
        }
    }
    const struct ws_traced_kernel *kernel = name == NULL ? NULL : ws_function_named(name);
    if (kernel == NULL || !kernel->has_slot) {
        r.kernel = kernel;
        return r;
    }
    int error = is_kernel ? CU_CALL(cuKernelGetParamInfo, (void *, size_t, size_t *, size_t *),
                                    (function, kernel->parameters, &r.offset, &size))
                          : CU_CALL(cuFuncGetParamInfo, (void *, size_t, size_t *, size_t *),
                                    (function, kernel->parameters, &r.offset, &size));
    /* Excludes a kernel of another module with the same name. */
    if (error == 0 && size == sizeof(uint64_t)) {
        r.kernel = kernel;
    }
    return r;
}

static struct ws_stream_key key_of(void *stream, bool per_thread)
{
    void *context = NULL;
    void *handle = stream != NULL ? stream : per_thread ? CU_PER_THREAD : CU_LEGACY;
    CU_CALL(cuCtxGetCurrent, (void **), (&context));
    return (struct ws_stream_key){.calls = &ws_driver_calls,
                                  .place = (uint64_t)(uintptr_t)context,
                                  .handle = handle,
                                  .thread = handle == CU_PER_THREAD ? (uint64_t)pthread_self() : 0};
}

struct launch {
    struct ws_tracer_ticket ticket;
    struct ws_arguments arguments;
    void **parameters, **extra; /* arguments for the launch */
    char *buffer; /* buffer of arguments that replaces the program's in `extra`; NULL: not needed */
    size_t size;
    void *ours[5];
};

/* Copies the program's buffer of arguments and adds the hidden argument. Returns false if `extra`
 * has no buffer, or if memory is exhausted. */
static bool buffer_make(struct launch *l, void **extra, size_t offset, uint64_t slot)
{
    const void *given = NULL;
    size_t size = 0;
    assert(extra != NULL && l->buffer == NULL);
    for (; (uintptr_t)extra[0] != CU_LAUNCH_END; extra += 2) {
        if ((uintptr_t)extra[0] == CU_LAUNCH_BUFFER) {
            given = extra[1];
        } else if ((uintptr_t)extra[0] == CU_LAUNCH_BUFFER_SIZE) {
            size = *(const size_t *)extra[1];
        } else {
            return false;
        }
    }
    l->size = offset + sizeof slot;
    l->buffer = calloc(1, l->size);
    if (l->buffer == NULL || (given == NULL && size > 0)) {
        return false;
    }
    if (size > 0) {
        memcpy(l->buffer, given, size < offset ? size : offset);
    }
    memcpy(l->buffer + offset, &slot, sizeof slot);
    l->ours[0] = (void *)(uintptr_t)CU_LAUNCH_BUFFER;
    l->ours[1] = l->buffer;
    l->ours[2] = (void *)(uintptr_t)CU_LAUNCH_BUFFER_SIZE;
    l->ours[3] = &l->size;
    l->ours[4] = (void *)(uintptr_t)CU_LAUNCH_END;
    l->extra = l->ours;
    return true;
}

/* Sets the arguments for the launch of a rewritten kernel: those of the program, and the hidden
 * one. */
static void arguments_make(struct launch *l, const struct rewritten *r, void **parameters,
                           void **extra, uint64_t slot)
{
    assert(r->kernel != NULL);
    l->parameters = parameters;
    l->extra = extra;
    l->buffer = NULL;
    l->arguments.many = NULL;
    if (parameters == NULL && extra != NULL) {
        buffer_make(l, extra, r->offset, slot);
    } else if (parameters != NULL || r->kernel->parameters == 0) {
        ws_arguments_make(&l->arguments, parameters, r->kernel->parameters, slot);
        l->parameters = l->arguments.all;
    }
}

static void launch_begin(struct launch *l, void *function, void *stream, bool per_thread,
                         void **parameters, void **extra)
{
    struct rewritten r = kernel_find(function);
    *l = (struct launch){.parameters = parameters, .extra = extra};
    if (r.kernel != NULL) {
        struct ws_stream_key key = key_of(stream, per_thread);
        ws_tracer->launch(&l->ticket, &key, r.kernel);
        if (r.kernel->has_slot) {
            arguments_make(l, &r, parameters, extra, l->ticket.slot);
        }
    }
}

static cu_result launch_end(struct launch *l, cu_result result)
{
    ws_tracer->launched(&l->ticket, (int)result);
    ws_arguments_free(&l->arguments);
    free(l->buffer);
    return result;
}

#define LAUNCH(name, per_thread)                                                                   \
    cu_result name CU_LAUNCH_PARAMETERS                                                            \
    {                                                                                              \
        struct launch l;                                                                           \
        launch_begin(&l, function, stream, per_thread, parameters, extra);                         \
        return launch_end(&l, CU_REAL(name)(function, grid_x, grid_y, grid_z, block_x, block_y,    \
                                            block_z, shared, stream, l.parameters, l.extra));      \
    }
LAUNCH(cuLaunchKernel, false)
LAUNCH(cuLaunchKernel_ptsz, true)

#define COOPERATIVE(name, per_thread)                                                              \
    cu_result name CU_COOPERATIVE_PARAMETERS                                                       \
    {                                                                                              \
        struct launch l;                                                                           \
        launch_begin(&l, function, stream, per_thread, parameters, NULL);                          \
        return launch_end(&l, CU_REAL(name)(function, grid_x, grid_y, grid_z, block_x, block_y,    \
                                            block_z, shared, stream, l.parameters));               \
    }
COOPERATIVE(cuLaunchCooperativeKernel, false)
COOPERATIVE(cuLaunchCooperativeKernel_ptsz, true)

#define EX(name, per_thread)                                                                       \
    cu_result name CU_EX_PARAMETERS                                                                \
    {                                                                                              \
        struct launch l;                                                                           \
        launch_begin(&l, function, config == NULL ? NULL : config->stream, per_thread, parameters, \
                     extra);                                                                       \
        return launch_end(&l, CU_REAL(name)(config, function, l.parameters, l.extra));             \
    }
EX(cuLaunchKernelEx, false)
EX(cuLaunchKernelEx_ptsz, true)

/* ---- Graphs, streams and contexts ------------------------------------------------------------ */

/* If the node's kernel was rewritten, copies the parameters of the node and adds the hidden
 * argument 0, since kernels in graphs are not traced. Returns `copy`, or else `given`. */
static const struct cu_node *node_begin(struct cu_node *copy, struct launch *l,
                                        const struct cu_node *given)
{
    struct rewritten r = {0};
    *l = (struct launch){0};
    if (given != NULL && (given->function != NULL || given->kernel != NULL)) {
        r = kernel_find(given->function != NULL ? given->function : given->kernel);
    }
    if (r.kernel == NULL) {
        return given;
    }
    ws_tracer->untraced(r.kernel, "since a graph launches it");
    ws_trace_say("kernels in graphs are not traced: %.200s", r.kernel->name);
    if (!r.kernel->has_slot) {
        return given;
    }
    arguments_make(l, &r, given->parameters, given->extra, 0);
    *copy = *given;
    copy->parameters = l->parameters;
    copy->extra = l->extra;
    return copy;
}

#define KERNEL_NODE(name, declared, passed)                                                        \
    cu_result name declared                                                                        \
    {                                                                                              \
        struct cu_node copy;                                                                       \
        struct launch l;                                                                           \
        kernel = node_begin(&copy, &l, kernel);                                                    \
        return launch_end(&l, CU_REAL(name) passed);                                               \
    }
CU_KERNEL_NODES(KERNEL_NODE)

cu_result cuStreamDestroy_v2(void *stream)
{
    struct ws_stream_key key = key_of(stream, false);
    if (stream != NULL) {
        ws_tracer->stream_end(&key);
    }
    return CU_REAL(cuStreamDestroy_v2)(stream);
}

cu_result cuCtxDestroy_v2(void *context)
{
    ws_tracer->place_end(&ws_driver_calls, (uint64_t)(uintptr_t)context);
    return CU_REAL(cuCtxDestroy_v2)(context);
}
