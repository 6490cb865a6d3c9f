/* SPDX-License-Identifier: BSD-3-Clause
 *
 * graph.c - hooks of the graphs of CUDA's runtime, see plans.h.
 */
#include "trace/hooks/cudart.h"
#include "trace/hooks/plans.h"

/* ---- Functions for plans --------------------------------------------------------------------- */

static int last_error(bool forget)
{
    return forget ? cudaGetLastError() : cudaPeekAtLastError();
}

static const struct ws_traced_kernel *kernel_of(void *node)
{
    struct kernel_node p;
    return cudaGraphKernelNodeGetParams(node, &p) == 0 && p.parameters != NULL
               ? ws_function_find(p.function)
               : NULL;
}

static int kernel_set(void *node, const void *parameters)
{
    return __real_cudaGraphKernelNodeSetParams(node, parameters);
}

static int kernel_launch(void *node, void *stream, struct launch_attribute *attributes, unsigned n)
{
    struct kernel_node p = {0};
    int error = cudaGraphKernelNodeGetParams(node, &p);
    const struct runtime_launch config = {p.grid, p.block, p.shared, stream, attributes, n};
    return error != 0 ? error : __wrap_cudaLaunchKernelExC(&config, p.function, p.parameters);
}

static const struct ws_graph_calls calls = {.calls = &ws_runtime_calls,
                                            .nodes = cudaGraphGetNodes,
                                            .needs = cudaGraphNodeGetDependencies,
                                            .type = cudaGraphNodeGetType,
                                            .child = cudaGraphChildGraphNodeGetGraph,
                                            .clone = cudaGraphClone,
                                            .twin = cudaGraphNodeFindInClone,
                                            .remove = cudaGraphDestroyNode,
                                            .destroy = cudaGraphDestroy,
                                            .instantiate = __real_cudaGraphInstantiate,
                                            .exec_destroy = __real_cudaGraphExecDestroy,
                                            .launch = __real_cudaGraphLaunch,
                                            .event_create = cudaEventCreateWithFlags,
                                            .event_record = cudaEventRecord,
                                            .event_destroy = cudaEventDestroy,
                                            .wait = cudaStreamWaitEvent,
                                            .kernel_set = kernel_set,
                                            .attribute = cudaGraphKernelNodeGetAttribute,
                                            .last_error = last_error,
                                            .kernel = kernel_of,
                                            .kernel_launch = kernel_launch};

/* ---- Executable graphs ----------------------------------------------------------------------- */

int __wrap_cudaGraphLaunch(void *exec, void *stream)
{
    int error;
    return ws_plan_launch(&calls, exec, stream, &error) ? error
                                                        : __real_cudaGraphLaunch(exec, stream);
}

int __wrap_cudaGraphLaunch_ptsz(void *exec, void *stream)
{
    int error;
    return ws_plan_launch(&calls, exec, stream == NULL ? STREAM_PER_THREAD : stream, &error)
               ? error
               : __real_cudaGraphLaunch_ptsz(exec, stream);
}

#define INSTANTIATION(name, parameters, arguments)                                                 \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        int error = __real_##name arguments;                                                       \
        return ws_plan_made(&calls, error, error == 0 ? *exec : NULL, graph);                      \
    }
CU_INSTANTIATIONS(INSTANTIATION)

int __wrap_cudaGraphExecUpdate(void *exec, void *graph, void *result)
{
    return ws_plan_made(&calls, __real_cudaGraphExecUpdate(exec, graph, result), exec, graph);
}

int __wrap_cudaGraphExecDestroy(void *exec)
{
    ws_plan_made(&calls, 0, exec, NULL);
    return __real_cudaGraphExecDestroy(exec);
}

#define CHANGE(name, parameters, arguments)                                                        \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        return ws_plan_end(__real_##name arguments, exec);                                         \
    }
CU_EXEC_CHANGES(CHANGE)

/* ---- Nodes of kernels ------------------------------------------------------------------------ */

/* If the node's kernel was rewritten, copies the parameters of the node and adds the hidden
 * argument. Returns the parameters to use: `copy`, or else `given`. */
static const struct kernel_node *node_begin(struct kernel_node *copy, struct ws_arguments *a,
                                            const struct kernel_node *given)
{
    const struct ws_traced_kernel *kernel =
        given == NULL ? NULL : ws_function_find(given->function);
    a->many = NULL;
    if (kernel == NULL || !kernel->has_slot ||
        (given->parameters == NULL && kernel->parameters > 0)) {
        return given;
    }
    *copy = *given;
    ws_arguments_make(a, given->parameters, kernel->parameters, 0);
    copy->parameters = a->all;
    return copy;
}

static int node_end(struct ws_arguments *a, int error)
{
    ws_arguments_free(a);
    return error;
}

#define KERNEL_NODE(name, parameters, arguments)                                                   \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        struct kernel_node copy;                                                                   \
        struct ws_arguments a;                                                                     \
        kernel = node_begin(&copy, &a, kernel);                                                    \
        return node_end(&a, __real_##name arguments);                                              \
    }
CU_KERNEL_NODES(KERNEL_NODE)

int __wrap_cudaGraphExecKernelNodeSetParams(void *exec, void *node,
                                            const struct kernel_node *kernel)
{
    struct kernel_node copy;
    struct ws_arguments a;
    kernel = node_begin(&copy, &a, kernel);
    int error = __real_cudaGraphExecKernelNodeSetParams(exec, node, kernel);
    return node_end(&a, ws_plan_changed(&calls, error, exec, node, kernel));
}

/* Like node_begin(), for a node of any type. */
static struct graph_node *any_begin(struct graph_node *copy, struct ws_arguments *a,
                                    struct graph_node *given)
{
    struct kernel_node kernel;
    a->many = NULL;
    if (given == NULL || given->type != GPU_NODE_KERNEL ||
        node_begin(&kernel, a, &given->of.kernel.node) != &kernel) {
        return given;
    }
    *copy = *given;
    copy->of.kernel.node = kernel;
    return copy;
}

#define ANY_NODE(name, parameters, arguments)                                                      \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        struct graph_node copy;                                                                    \
        struct ws_arguments a;                                                                     \
        any = any_begin(&copy, &a, any);                                                           \
        return node_end(&a, __real_##name arguments);                                              \
    }
CU_ANY_NODES(ANY_NODE)

int __wrap_cudaGraphExecNodeSetParams(void *exec, void *node, struct graph_node *any)
{
    struct graph_node copy;
    struct ws_arguments a;
    any = any_begin(&copy, &a, any);
    bool is_kernel = any != NULL && any->type == GPU_NODE_KERNEL;
    int error = __real_cudaGraphExecNodeSetParams(exec, node, any);
    return node_end(
        &a, ws_plan_changed(&calls, error, exec, node, is_kernel ? &any->of.kernel.node : NULL));
}
