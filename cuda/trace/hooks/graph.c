/* SPDX-License-Identifier: BSD-3-Clause
 *
 * graph.c - hooks of CUDA graphs. Nodes of rewritten kernels have the hidden argument 0. If the program is
 * traced, an executable graph also has a plan: its nodes one after the other, each after those on which it
 * depends, otherwise in the order in which they were added. A launch then launches each rewritten kernel
 * as such, and the nodes between two of these as an executable graph of their own, which is made of a
 * clone of the program's graph without the other nodes. All is in the stream of the launch, so that the
 * records are those of the same launches without a graph.
 *
 * A graph runs untraced, as a note says, if CUDA does not clone it or if it has nodes of other kinds than
 * kernels, copies, fills, host functions, events and other graphs; from then on as well if a node of the
 * executable graph is changed that is not a kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"
#include "trace/options.h"

#define MAP(part) plan_map##part
#define MAP_KEY   uint64_t
#include "store/map.h"

enum { EVENT_RECORD = 7 }; /* last of the types of nodes that plans have */

struct step {
    void *exec; /* executable graph; NULL: the step is a kernel */
    void *node; /* of the kernel, in a clone */
    const struct ws_traced_kernel *kernel;
};
struct plan {
    struct step *steps;
    void **clones;
    size_t n, n_clones;
    void
        *event; /* after the last launch, since launches of an executable graph follow each other */
};

static struct {
    pthread_mutex_t lock;
    struct plan_map by_exec; /* key: an executable graph of the program */
} plans = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Hides an error of a call here from the program. before: the program's last error before the call. */
static void error_hide(int before)
{
    if (before == 0) {
        cudaGetLastError();
    }
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* The nodes of a graph. */
struct nodes {
    void **all;
    bool *done; /* [i]: the node precedes the one that is looked at */
    size_t n;
};

static bool nodes_get(struct nodes *nodes, void *graph)
{
    nodes->n = 0;
    if (cudaGraphGetNodes(graph, NULL, &nodes->n) != 0) {
        return false;
    }
    nodes->all = calloc(nodes->n + 1, sizeof *nodes->all);
    nodes->done = calloc(nodes->n + 1, sizeof *nodes->done);
    return nodes->all != NULL && nodes->done != NULL &&
           cudaGraphGetNodes(graph, nodes->all, &nodes->n) == 0;
}

/* Returns true if all nodes on which node i depends are done. *good: false after an error. */
static bool is_ready(const struct nodes *nodes, size_t i, bool *good)
{
    size_t n = 0, known = 0;
    *good &= cudaGraphNodeGetDependencies(nodes->all[i], NULL, NULL, &n) == 0;
    void **needs = *good ? calloc(n + 1, sizeof *needs) : NULL;
    *good &= needs != NULL && cudaGraphNodeGetDependencies(nodes->all[i], needs, NULL, &n) == 0;
    for (size_t k = 0; *good && k < nodes->n; k++) {
        for (size_t d = 0; nodes->done[k] && d < n; d++) {
            known += nodes->all[k] == needs[d];
        }
    }
    free(needs);
    return *good && known == n;
}

/* Returns the rewritten kernel of a node, or NULL. */
static const struct ws_traced_kernel *kernel_of(void *node, int type)
{
    struct kernel_node p;
    bool is_kernel = type == GPU_NODE_KERNEL && cudaGraphKernelNodeGetParams(node, &p) == 0;
    const struct ws_traced_kernel *kernel =
        is_kernel && p.parameters != NULL ? ws_function_find(p.function) : NULL;
    return kernel != NULL && kernel->has_slot ? kernel : NULL;
}

static bool step_add(struct plan *p, struct step step)
{
    bool good = array_append(&p->steps, p->n, sizeof step);
    if (good) {
        p->steps[p->n++] = step;
    }
    return good;
}

/* Adds a step for the nodes with `part`, which is then empty again. */
static bool part_add(struct plan *p, void *graph, const struct nodes *nodes, bool *part)
{
    void *clone, *twin;
    struct step step = {.exec = NULL};
    if (memchr(part, true, nodes->n) == NULL) {
        return true;
    }
    bool good = cudaGraphClone(&clone, graph) == 0;
    for (size_t i = 0; i < nodes->n && good; i++) {
        good = part[i] || (cudaGraphNodeFindInClone(&twin, nodes->all[i], clone) == 0 &&
                           cudaGraphDestroyNode(twin) == 0);
        part[i] = false;
    }
    good = good && __real_cudaGraphInstantiate(&step.exec, clone, 0) == 0;
    cudaGraphDestroy(clone);
    return good && step_add(p, step);
}

static bool graph_add(struct plan *p, void *graph);

/* Adds node i: a step if it is a rewritten kernel, the steps of a child graph, or to `part`. */
static bool node_add(struct plan *p, void *graph, void *clone, const struct nodes *nodes,
                     bool *part, size_t i)
{
    struct step step = {.exec = NULL};
    void *child;
    int type = -1;
    if (cudaGraphNodeGetType(nodes->all[i], &type) != 0 || type < 0 || type > EVENT_RECORD) {
        return false;
    }
    if (type == GPU_NODE_GRAPH) {
        return part_add(p, graph, nodes, part) &&
               cudaGraphChildGraphNodeGetGraph(nodes->all[i], &child) == 0 && graph_add(p, child);
    }
    step.kernel = kernel_of(nodes->all[i], type);
    part[i] = step.kernel == NULL;
    return part[i] ||
           (part_add(p, graph, nodes, part) &&
            cudaGraphNodeFindInClone(&step.node, nodes->all[i], clone) == 0 && step_add(p, step));
}

/* Adds the nodes of a graph to a plan. Returns false if this is not possible. */
static bool graph_add(struct plan *p, void *graph)
{
    struct nodes nodes = {.n = 0};
    void *clone;
    if (!array_append(&p->clones, p->n_clones, sizeof clone) ||
        cudaGraphClone(&clone, graph) != 0) {
        return false;
    }
    p->clones[p->n_clones++] = clone;
    bool good = nodes_get(&nodes, graph), *part = calloc(nodes.n + 1, sizeof *part);
    size_t done = 0, before = 0;
    do {
        before = done;
        for (size_t i = 0; i < nodes.n && good; i++) {
            if (!nodes.done[i] && is_ready(&nodes, i, &good)) {
                good = part != NULL && node_add(p, graph, clone, &nodes, part, i);
                nodes.done[i] = true;
                done++;
            }
        }
    } while (good && done > before);
    good = good && done == nodes.n && (nodes.n == 0 || part_add(p, graph, &nodes, part));
    free(nodes.all);
    free(nodes.done);
    free(part);
    return good;
}

static void plan_free(struct plan *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->steps[i].exec != NULL) {
            __real_cudaGraphExecDestroy(p->steps[i].exec);
        }
    }
    for (size_t i = 0; i < p->n_clones; i++) {
        cudaGraphDestroy(p->clones[i]);
    }
    if (p->event != NULL) {
        cudaEventDestroy(p->event);
    }
    free(p->steps);
    free(p->clones);
    free(p);
}

/* Notes that the kernels of a graph are not traced. */
static void graph_untraced(void *graph)
{
    struct nodes nodes = {.n = 0};
    void *child;
    bool good = nodes_get(&nodes, graph);
    for (size_t i = 0; i < nodes.n && good; i++) {
        int type = -1;
        cudaGraphNodeGetType(nodes.all[i], &type);
        const struct ws_traced_kernel *kernel = kernel_of(nodes.all[i], type);
        if (kernel != NULL) {
            ws_graph_note(kernel, "in a graph that cannot be launched node by node");
        } else if (type == GPU_NODE_GRAPH &&
                   cudaGraphChildGraphNodeGetGraph(nodes.all[i], &child) == 0) {
            graph_untraced(child);
        }
    }
    free(nodes.all);
    free(nodes.done);
}

/* Sets the plan of an executable graph, with the lock held; graph NULL: it has none any more. */
static void plan_set(void *exec, void *graph)
{
    const char *directory = getenv(WS_TRACE_VARIABLE);
    struct plan *old = plan_map_remove(&plans.by_exec, (uintptr_t)exec),
                *p = graph == NULL || directory == NULL || directory[0] == '\0'
                         ? NULL
                         : calloc(1, sizeof *p);
    if (old != NULL) {
        plan_free(old);
    }
    if (p != NULL) {
        int before = cudaPeekAtLastError(), mode = ws_runtime_calls.relax(WS_RELAXED);
        bool has_kernel = false, good = graph_add(p, graph);
        for (size_t i = 0; i < p->n; i++) {
            has_kernel |= p->steps[i].kernel != NULL;
        }
        good = good && cudaEventCreateWithFlags(&p->event, EVENT_DISABLE_TIMING) == 0;
        if (!good) {
            graph_untraced(graph);
            error_hide(before);
        }
        ws_runtime_calls.relax(mode);
        if (!good || !has_kernel || !plan_map_set(&plans.by_exec, (uintptr_t)exec, p)) {
            plan_free(p);
        }
    }
}

/* Ends the plan of an executable graph, whose kernels are not traced from now on. */
static void plan_end(void *exec)
{
    pthread_mutex_lock(&plans.lock);
    const struct plan *p = plan_map_get(&plans.by_exec, (uintptr_t)exec);
    for (size_t i = 0; p != NULL && i < p->n; i++) {
        if (p->steps[i].kernel != NULL) {
            ws_graph_note(p->steps[i].kernel,
                          "in a graph that was changed after it was instantiated");
        }
    }
    plan_set(exec, NULL);
    pthread_mutex_unlock(&plans.lock);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static int kernel_launch(const struct step *step, void *stream)
{
    struct kernel_node p;
    struct launch_attribute attributes[] = {{.id = LAUNCH_COOPERATIVE}, {.id = LAUNCH_CLUSTER}};
    int error = cudaGraphKernelNodeGetParams(step->node, &p);
    if (error != 0) {
        return error;
    }
    for (int i = 0; i < 2; i++) { /* an attribute that is 0 has no effect */
        int before = cudaPeekAtLastError();
        if (cudaGraphKernelNodeGetAttribute(step->node, attributes[i].id, &attributes[i].value) !=
            0) {
            error_hide(before);
        }
    }
    bool is_cooperative = attributes[0].value.number != 0,
         has_cluster = attributes[1].value.dim.x != 0;
    const struct runtime_launch config = {p.grid,
                                          p.block,
                                          p.shared,
                                          stream,
                                          attributes + !is_cooperative,
                                          (unsigned)is_cooperative + has_cluster};
    return __wrap_cudaLaunchKernelExC(&config, p.function, p.parameters);
}

/* Launches an executable graph. Returns false if it has no plan, or if the stream is captured. */
static bool plan_launch(void *exec, void *stream, int *error)
{
    pthread_mutex_lock(&plans.lock);
    const struct plan *p = plan_map_get(&plans.by_exec, (uintptr_t)exec);
    bool good = p != NULL && !ws_runtime_calls.is_capturing(stream);
    *error = good ? cudaStreamWaitEvent(stream, p->event, 0) : 0;
    for (size_t i = 0; good && i < p->n && *error == 0; i++) {
        const struct step *s = &p->steps[i];
        *error =
            s->exec != NULL ? __real_cudaGraphLaunch(s->exec, stream) : kernel_launch(s, stream);
    }
    *error = good && *error == 0 ? cudaEventRecord(p->event, stream) : *error;
    pthread_mutex_unlock(&plans.lock);
    return good;
}

int __wrap_cudaGraphLaunch(void *exec, void *stream)
{
    int error;
    return plan_launch(exec, stream, &error) ? error : __real_cudaGraphLaunch(exec, stream);
}

int __wrap_cudaGraphLaunch_ptsz(void *exec, void *stream)
{
    int error;
    return plan_launch(exec, stream == NULL ? STREAM_PER_THREAD : stream, &error)
               ? error
               : __real_cudaGraphLaunch_ptsz(exec, stream);
}

/* ---- Executable graphs ----------------------------------------------------------------------- */

static int made(int error, void *exec, void *graph)
{
    if (error == 0) {
        pthread_mutex_lock(&plans.lock);
        plan_set(exec, graph);
        pthread_mutex_unlock(&plans.lock);
    }
    return error;
}

#define INSTANTIATION(name, parameters, arguments)                                                 \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        int error = __real_##name arguments;                                                       \
        return made(error, error == 0 ? *exec : NULL, graph);                                      \
    }
CU_INSTANTIATIONS(INSTANTIATION)

int __wrap_cudaGraphExecUpdate(void *exec, void *graph, void *result)
{
    return made(__real_cudaGraphExecUpdate(exec, graph, result), exec, graph);
}

int __wrap_cudaGraphExecDestroy(void *exec)
{
    made(0, exec, NULL);
    return __real_cudaGraphExecDestroy(exec);
}

#define CHANGE(name, parameters, arguments)                                                        \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        plan_end(exec);                                                                            \
        return __real_##name arguments;                                                            \
    }
CU_EXEC_CHANGES(CHANGE)

/* Changes a kernel of the plan. kernel: parameters with the hidden argument; NULL: of another node. */
static int kernel_changed(int error, void *exec, void *node, const struct kernel_node *kernel)
{
    pthread_mutex_lock(&plans.lock);
    struct plan *p = error == 0 ? plan_map_get(&plans.by_exec, (uintptr_t)exec) : NULL;
    int before = p != NULL ? cudaPeekAtLastError() : 0;
    void *twin = NULL;
    size_t i = 0;
    for (size_t c = 0; p != NULL && kernel != NULL && c < p->n_clones; c++) {
        if (cudaGraphNodeFindInClone(&twin, node, p->clones[c]) == 0 &&
            __real_cudaGraphKernelNodeSetParams(twin, kernel) == 0) {
            break;
        }
        twin = NULL;
        error_hide(before);
    }
    while (p != NULL && i < p->n && (twin == NULL || p->steps[i].node != twin)) {
        i++;
    }
    bool is_odd = p != NULL && (i == p->n || ws_function_find(kernel->function) == NULL);
    if (p != NULL && !is_odd) {
        p->steps[i].kernel = ws_function_find(kernel->function);
    }
    pthread_mutex_unlock(&plans.lock);
    if (is_odd) {
        plan_end(exec);
    }
    return error;
}

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
    return node_end(&a, kernel_changed(error, exec, node, kernel));
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
    return node_end(&a, kernel_changed(error, exec, node, is_kernel ? &any->of.kernel.node : NULL));
}
