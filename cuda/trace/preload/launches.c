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

#include "trace/hooks/plans.h"
#include "trace/preload/driver.h"
#include "trace/say.h"

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
    for (; (uintptr_t)extra[0] != EXTRA_END; extra += 2) {
        if ((uintptr_t)extra[0] == EXTRA_POINTER) {
            given = extra[1];
        } else if ((uintptr_t)extra[0] == EXTRA_SIZE) {
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
    l->ours[0] = (void *)(uintptr_t)EXTRA_POINTER;
    l->ours[1] = l->buffer;
    l->ours[2] = (void *)(uintptr_t)EXTRA_SIZE;
    l->ours[3] = &l->size;
    l->ours[4] = (void *)(uintptr_t)EXTRA_END;
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

/* Begins a launch, and replaces its arguments if the kernel was rewritten. extra: NULL if the function
 * has no such parameter. */
static void launch_begin(struct launch *l, void *function, void *stream, bool per_thread,
                         void ***parameters, void ***extra)
{
    struct rewritten r = kernel_find(function);
    *l = (struct launch){.parameters = *parameters, .extra = extra == NULL ? NULL : *extra};
    if (r.kernel != NULL) {
        struct ws_stream_key key = ws_stream_key(&ws_driver_calls, stream, per_thread);
        ws_tracer->launch(&l->ticket, &key, r.kernel);
        if (r.kernel->has_slot) {
            arguments_make(l, &r, l->parameters, l->extra, l->ticket.slot);
        }
    }
    *parameters = l->parameters;
    if (extra != NULL) {
        *extra = l->extra;
    }
}

static int launch_end(struct launch *l, int result)
{
    ws_tracer->launched(&l->ticket, (int)result);
    ws_arguments_free(&l->arguments);
    free(l->buffer);
    return result;
}

#define HOOK(name, declared, passed, handle, extra, per_thread)                                    \
    int name declared;                                                                             \
    int name declared                                                                              \
    {                                                                                              \
        struct launch l;                                                                           \
        launch_begin(&l, function, handle, per_thread, &parameters, extra);                        \
        return launch_end(&l, CU_REAL(name) passed);                                               \
    }
/* A row: a function, and its variant name_ptsz, in which stream 0 is the default stream of the thread. */
#define LAUNCH(name, declared, passed, handle, extra)                                              \
    HOOK(name, declared, passed, handle, extra, false)                                             \
    HOOK(name##_ptsz, declared, passed, handle, extra, true)
#define SHAPE                                                                                      \
    void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,           \
        unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters
#define SHAPE_PASSED                                                                               \
    function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters

LAUNCH(cuLaunchKernel, (SHAPE, void **extra), (SHAPE_PASSED, extra), stream, &extra)
LAUNCH(cuLaunchCooperativeKernel, (SHAPE), (SHAPE_PASSED), stream, NULL)
LAUNCH(cuLaunchKernelEx,
       (const struct driver_launch *config, void *function, void **parameters, void **extra),
       (config, function, parameters, extra), config == NULL ? NULL : config->stream, &extra)

/* ---- Functions for plans --------------------------------------------------------------------- */

static int last_error(bool forget)
{
    (void)forget;
    return 0;
}

static int node_get(void *node, struct driver_kernel_node *p)
{
    return CU_CALL(cuGraphKernelNodeGetParams_v2, (void *, struct driver_kernel_node *), (node, p));
}

static void *function_of(const struct driver_kernel_node *p)
{
    return p->node.function != NULL ? (void *)(uintptr_t)p->node.function : p->kernel;
}

static const struct ws_traced_kernel *kernel_of(void *node)
{
    struct driver_kernel_node p;
    return node_get(node, &p) == 0 ? kernel_find(function_of(&p)).kernel : NULL;
}

static int kernel_launch(void *node, void *stream, struct launch_attribute *attributes, unsigned n)
{
    struct driver_kernel_node p = {.kernel = NULL};
    int error = node_get(node, &p);
    const struct driver_launch config = {p.node.grid, p.node.block, p.node.shared,
                                         stream,      attributes,   n};
    return error != 0 ? error
                      : cuLaunchKernelEx(&config, function_of(&p), p.node.parameters, p.node.extra);
}

/* Returns the calls for plans, or NULL if the driver does not have all of them. */
static const struct ws_graph_calls *graph_calls(void)
{
    static const char *const names[] = {/* in the order of the members of the structure */
                                        "cuGraphGetNodes",
                                        "cuGraphNodeGetDependencies_v2",
                                        "cuGraphNodeGetType",
                                        "cuGraphChildGraphNodeGetGraph",
                                        "cuGraphClone",
                                        "cuGraphNodeFindInClone",
                                        "cuGraphDestroyNode",
                                        "cuGraphDestroy",
                                        "cuGraphInstantiateWithFlags",
                                        "cuGraphExecDestroy",
                                        "cuGraphLaunch",
                                        "cuEventCreate",
                                        "cuEventRecord",
                                        "cuEventDestroy_v2",
                                        "cuStreamWaitEvent",
                                        "cuGraphKernelNodeSetParams_v2",
                                        "cuGraphKernelNodeGetAttribute"};
    static struct ws_graph_calls calls = {.calls = &ws_driver_calls,
                                          .last_error = last_error,
                                          .kernel = kernel_of,
                                          .kernel_launch = kernel_launch};
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_complete; /* the functions are found once, since each launch asks for them */
    pthread_mutex_lock(&lock);
    bool good = true;
    for (size_t i = 0; !is_complete && i < sizeof names / sizeof names[0]; i++) {
        void *function = ws_driver_find_any(names[i]);
        memcpy((char *)&calls + offsetof(struct ws_graph_calls, nodes) + i * sizeof function,
               &function, sizeof function);
        good &= function != NULL;
    }
    is_complete |= good;
    pthread_mutex_unlock(&lock);
    return good ? &calls : NULL;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static int made(int error, void *exec, void *graph)
{
    const struct ws_graph_calls *calls = graph_calls();
    return calls == NULL ? error : ws_plan_made(calls, error, exec, graph);
}

#define INSTANTIATION(name, type)                                                                  \
    int name(void **exec, void *graph, type how);                                                  \
    int name(void **exec, void *graph, type how)                                                   \
    {                                                                                              \
        int error = CU_REAL(name)(exec, graph, how);                                               \
        return made(error, error == 0 ? *exec : NULL, graph);                                      \
    }
INSTANTIATION(cuGraphInstantiateWithFlags, unsigned long long)
INSTANTIATION(cuGraphInstantiateWithParams, void *)
INSTANTIATION(cuGraphInstantiateWithParams_ptsz, void *)

#define GRAPH_LAUNCH(name, handle)                                                                 \
    int name(void *exec, void *stream);                                                            \
    int name(void *exec, void *stream)                                                             \
    {                                                                                              \
        const struct ws_graph_calls *calls = graph_calls();                                        \
        int error;                                                                                 \
        return calls != NULL && ws_plan_launch(calls, exec, handle, &error)                        \
                   ? error                                                                         \
                   : CU_REAL(name)(exec, stream);                                                  \
    }
GRAPH_LAUNCH(cuGraphLaunch, stream)
GRAPH_LAUNCH(cuGraphLaunch_ptsz, stream == NULL ? STREAM_PER_THREAD : stream)

int cuGraphExecUpdate_v2(void *exec, void *graph, void *result);
int cuGraphExecUpdate_v2(void *exec, void *graph, void *result)
{
    return made(CU_REAL(cuGraphExecUpdate_v2)(exec, graph, result), exec, graph);
}

int cuGraphExecDestroy(void *exec);
int cuGraphExecDestroy(void *exec)
{
    made(0, exec, NULL);
    return CU_REAL(cuGraphExecDestroy)(exec);
}

/* A row: a function that changes an executable graph, but not a kernel of it. */
#define CHANGE(name, declared, passed)                                                             \
    int name declared;                                                                             \
    int name declared                                                                              \
    {                                                                                              \
        return ws_plan_end(CU_REAL(name) passed, exec);                                            \
    }
#define NODE         (void *exec, void *node, void *p)
#define NODE_CONTEXT (void *exec, void *node, void *p, void *context)
CHANGE(cuGraphExecMemcpyNodeSetParams, NODE_CONTEXT, (exec, node, p, context))
CHANGE(cuGraphExecMemsetNodeSetParams, NODE_CONTEXT, (exec, node, p, context))
CHANGE(cuGraphExecHostNodeSetParams, NODE, (exec, node, p))
CHANGE(cuGraphExecChildGraphNodeSetParams, NODE, (exec, node, p))
CHANGE(cuGraphExecEventRecordNodeSetEvent, NODE, (exec, node, p))
CHANGE(cuGraphExecEventWaitNodeSetEvent, NODE, (exec, node, p))
CHANGE(cuGraphExecNodeSetParams, NODE, (exec, node, p))
CHANGE(cuGraphNodeSetEnabled, (void *exec, void *node, unsigned on), (exec, node, on))

/* If the node's kernel was rewritten, copies the parameters of the node and adds the hidden
 * argument 0. Returns `copy`, or else `given`. */
static const struct driver_kernel_node *node_begin(struct driver_kernel_node *copy,
                                                   struct launch *l,
                                                   const struct driver_kernel_node *given)
{
    struct rewritten r = {0};
    *l = (struct launch){0};
    if (given != NULL && function_of(given) != NULL) {
        r = kernel_find(function_of(given));
    }
    if (r.kernel == NULL || !r.kernel->has_slot) {
        return given;
    }
    if (graph_calls() == NULL) {
        ws_graph_note(r.kernel, "since a graph launches it");
    }
    arguments_make(l, &r, given->node.parameters, given->node.extra, 0);
    *copy = *given;
    copy->node.parameters = l->parameters;
    copy->node.extra = l->extra;
    return copy;
}

#define KERNEL_NODE(name, declared, passed, changed)                                               \
    int name declared;                                                                             \
    int name declared                                                                              \
    {                                                                                              \
        struct driver_kernel_node copy;                                                            \
        struct launch l;                                                                           \
        kernel = node_begin(&copy, &l, kernel);                                                    \
        int error = CU_REAL(name) passed;                                                          \
        return launch_end(&l, changed);                                                            \
    }
KERNEL_NODE(cuGraphAddKernelNode_v2,
            (void **node, void *graph, void *const *before, size_t count,
             const struct driver_kernel_node *kernel),
            (node, graph, before, count, kernel), error)
KERNEL_NODE(cuGraphKernelNodeSetParams_v2, (void *node, const struct driver_kernel_node *kernel),
            (node, kernel), error)
KERNEL_NODE(cuGraphExecKernelNodeSetParams_v2,
            (void *exec, void *node, const struct driver_kernel_node *kernel), (exec, node, kernel),
            graph_calls() == NULL ? error
                                  : ws_plan_changed(graph_calls(), error, exec, node, kernel))

/* ---- Streams and contexts -------------------------------------------------------------------- */

int cuStreamDestroy_v2(void *stream);
int cuStreamDestroy_v2(void *stream)
{
    ws_stream_destroyed(&ws_driver_calls, stream);
    return CU_REAL(cuStreamDestroy_v2)(stream);
}

int cuCtxDestroy_v2(void *context);
int cuCtxDestroy_v2(void *context)
{
    ws_tracer->place_end(&ws_driver_calls, (uint64_t)(uintptr_t)context);
    return CU_REAL(cuCtxDestroy_v2)(context);
}
