/* SPDX-License-Identifier: BSD-3-Clause
 *
 * graph.c - hooks of CUDA graphs. Kernels in graphs are not traced, because a graph may run in
 * several streams, many times, with one set of arguments. The hidden argument of rewritten kernels
 * is 0 in graphs.
 */
#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"
#include "trace/say.h"
#include "trace/tracer.h"

/* If the node's kernel was rewritten, copies the parameters of the node and adds the hidden
 * argument. Returns the parameters to use: `copy`, or else `given`. */
static const struct cu_kernel_node *node_begin(struct cu_kernel_node *copy, struct ws_arguments *a,
                                               const struct cu_kernel_node *given)
{
    static bool is_said;
    const struct ws_traced_kernel *kernel =
        given == NULL ? NULL : ws_function_find(given->function);
    a->many = NULL;
    if (kernel == NULL) {
        return given;
    }
    ws_tracer->untraced(kernel, "since a graph launches it");
    if (!__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED)) {
        ws_trace_say("kernels in graphs are not traced: %.200s, and maybe others", kernel->name);
    }
    if (!kernel->has_slot || (given->parameters == NULL && kernel->parameters > 0)) {
        return given;
    }
    *copy = *given;
    ws_arguments_make(a, given->parameters, kernel->parameters, 0);
    copy->parameters = a->all;
    return copy;
}

static cu_error node_end(struct ws_arguments *a, cu_error error)
{
    ws_arguments_free(a);
    return error;
}

#define KERNEL_NODE(name, parameters, arguments)                                                   \
    cu_error __wrap_##name parameters                                                              \
    {                                                                                              \
        struct cu_kernel_node copy;                                                                \
        struct ws_arguments a;                                                                     \
        kernel = node_begin(&copy, &a, kernel);                                                    \
        return node_end(&a, __real_##name arguments);                                              \
    }
CU_KERNEL_NODES(KERNEL_NODE)

/* Like node_begin(), for a node of any type. */
static struct cu_graph_node *any_begin(struct cu_graph_node *copy, struct ws_arguments *a,
                                       struct cu_graph_node *given)
{
    struct cu_kernel_node kernel;
    a->many = NULL;
    if (given == NULL || given->type != CU_NODE_KERNEL ||
        node_begin(&kernel, a, &given->of.kernel) != &kernel) {
        return given;
    }
    *copy = *given;
    copy->of.kernel = kernel;
    return copy;
}

#define ANY_NODE(name, parameters, arguments)                                                      \
    cu_error __wrap_##name parameters                                                              \
    {                                                                                              \
        struct cu_graph_node copy;                                                                 \
        struct ws_arguments a;                                                                     \
        any = any_begin(&copy, &a, any);                                                           \
        return node_end(&a, __real_##name arguments);                                              \
    }
CU_ANY_NODES(ANY_NODE)
