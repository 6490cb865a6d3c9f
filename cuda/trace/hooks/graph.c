/* SPDX-License-Identifier: BSD-3-Clause
 *
 * graph.c - hooks of CUDA graphs, whose kernels are not traced, see ws_graph_note().
 */
#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"

/* If the node's kernel was rewritten, copies the parameters of the node and adds the hidden
 * argument. Returns the parameters to use: `copy`, or else `given`. */
static const struct kernel_node *node_begin(struct kernel_node *copy, struct ws_arguments *a,
                                            const struct kernel_node *given)
{
    const struct ws_traced_kernel *kernel =
        given == NULL ? NULL : ws_function_find(given->function);
    a->many = NULL;
    if (kernel == NULL) {
        return given;
    }
    ws_graph_note(kernel);
    if (!kernel->has_slot || (given->parameters == NULL && kernel->parameters > 0)) {
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
