/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs, executable graphs and the capture of streams.
 */
#include "runtime/api.h"
#include "runtime/graph.h"

/* ---- Works of nodes -------------------------------------------------------------------------- */

/* These functions set *work to the work that the parameters of a node describe. */

static int kernel_work(struct call *c, const struct kernel_node *p, struct gpu_work **work)
{
    const void *kernel = c->driver ? ((const struct driver_kernel_node *)p)->kernel : NULL;
    struct gpu_launch l = {.grid = p->grid, .block = p->block, .shared = p->shared};
    const char *why;
    return call_current(c)
               ?: call_kernel(c, p->function ? p->function : kernel)
               ?: gpu_launch_parameters(&l, p->parameters, p->extra)
               ?: gpu_launch_work(c->kernel, c->device, &l, work, &why);
}

static int fill_work(const struct fill_node *p, struct gpu_work **work)
{
    struct gpu_fill fill = {.to = address_of(p->to),
                            .pitch = p->pitch,
                            .width = p->width,
                            .height = p->height,
                            .depth = 1,
                            .value = p->value,
                            .unit = p->unit};
    return NEED(p->unit == 1 || p->unit == 2 || p->unit == 4) ?: gpu_fill_work(&fill, work);
}

static int copy_work(int code, const struct gpu_copy *copy, struct gpu_work **work)
{
    return code ?: gpu_copy_work(copy, work);
}

static int line_work(const void *to, const void *from, size_t bytes, int kind,
                     struct gpu_work **work)
{
    struct gpu_copy copy = copy_line(to, from, bytes, kind);
    return gpu_copy_work(&copy, work);
}

static int symbol_work(bool inward, const void *symbol, size_t offset, struct gpu_copy copy,
                       struct gpu_work **work)
{
    return copy_symbol(inward, symbol, offset, &copy) ?: gpu_copy_work(&copy, work);
}

static int other_work(enum gpu_node_kind kind, struct gpu_work **work)
{
    *work = gpu_work_empty(kind);
    return CHECK(*work, GPU_OUT_OF_MEMORY);
}

static int any_work(struct call *c, const struct graph_node *p, struct gpu_work **work)
{
    struct gpu_copy copy;
    int code;
    switch (p ? p->type : -1) {
    case GPU_NODE_KERNEL:
        return kernel_work(c, &p->of.kernel.node, work);
    case GPU_NODE_COPY:
        code = c->driver ? copy_driver3d(&p->of.driver_copy.copy, &copy)
                         : copy_runtime3d(&p->of.runtime_copy.copy, &copy);
        return copy_work(code, &copy, work);
    case GPU_NODE_FILL:
        return fill_work(&p->of.fill, work);
    case GPU_NODE_HOST:
        return gpu_host_work(p->of.host.function, p->of.host.user, work);
    case GPU_NODE_GRAPH:
        return NEED(gpu_handle_known(p->of.graph, GPU_GRAPH)) ?: other_work(GPU_NODE_GRAPH, work);
    case GPU_NODE_EMPTY:
        return other_work(GPU_NODE_EMPTY, work);
    default:
        return p ? GPU_NOT_SUPPORTED : GPU_INVALID_VALUE;
    }
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

#define GRAPH(graph) IS(graph, GPU_GRAPH)
#define NODE(node)   IS(node, GPU_NODE)
#define EXEC(exec)   IS(exec, GPU_EXEC)

static int known_nodes(void *const *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        TRY(NEED(nodes && gpu_handle_known(nodes[i], GPU_NODE)));
    }
    return GPU_OK;
}

static int add(void **node, struct gpu_graph *graph, void **needs, size_t count,
               const struct gpu_graph *child, struct gpu_work *work)
{
    struct gpu_node *made = NULL;
    int code = node ? known_nodes(needs, count) : GPU_INVALID_VALUE;
    if (code) {
        gpu_work_drop(work);
        return code;
    }
    code = LOCKED(gpu_node_add(graph, work, child, (struct gpu_node **)needs, count, &made));
    return SET(*node, made) ?: code;
}

static int exec_set(const struct gpu_exec *exec, const struct gpu_node *node, struct gpu_work *work)
{
    struct gpu_step *step = gpu_exec_step(exec, node);
    return gpu_work_replace(step ? &step->work : NULL, work);
}

/* A row of the table for a kind of node: the function cudaGraphAddXNode or cuGraphAddXNode, which adds
 * a node, ...GraphXNodeSetParams, which changes a node of a graph, and ...GraphExecXNodeSetParams, which
 * changes a node of an executable graph; `end` is the end of their names. making: sets `work`. */
#define KIND_OF_NODE(is_driver, api, X, end, parameters, making)                                     \
    PLAIN(api##GraphAdd##X##Node##end, is_driver,                                                  \
          (void **node, void *graph, void **needs, size_t count, LIST parameters),                 \
          GRAPH(graph) ?: (making) ?: add(node, graph, needs, count, NULL, c.work)) \
    PLAIN(api##Graph##X##NodeSetParams##end, is_driver,                                            \
          (struct gpu_node *node, LIST parameters),                                                \
          NODE(node) ?: (making) ?: LOCKED(gpu_work_replace(&node->work, c.work))) \
    PLAIN(api##GraphExec##X##NodeSetParams##end, is_driver,                                        \
          (void *exec, void *node, LIST parameters),                                               \
          EXEC(exec) ?: (making) ?: LOCKED(exec_set(exec, node, c.work)))
#define KIND_OF_BOTH(X, driver_end, parameters, making)                                            \
    KIND_OF_NODE(false, cuda, X, , parameters, making)                                             \
    KIND_OF_NODE(true, cu, X, driver_end, parameters, making)

KIND_OF_BOTH(Kernel, _v2, (const struct kernel_node *p), NEED(p) ?: kernel_work(&c, p, &c.work))
KIND_OF_BOTH(Memset, , (const struct fill_node *p), NEED(p) ?: fill_work(p, &c.work))
KIND_OF_BOTH(Host, , (const struct host_node *p),
             NEED(p && p->function) ?: gpu_host_work(p->function, p->user, &c.work))
KIND_OF_NODE(false, cuda, Memcpy, , (const struct runtime_copy3d *p),
             copy_work(copy_runtime3d(p, &c.copy), &c.copy, &c.work))
KIND_OF_NODE(true, cu, Memcpy, , (const struct driver_copy3d *p),
             copy_work(copy_driver3d(p, &c.copy), &c.copy, &c.work))
KIND_OF_NODE(false, cuda, Memcpy, 1D, (void *to, const void *from, size_t bytes, int kind),
             line_work(to, from, bytes, kind, &c.work))
KIND_OF_NODE(false, cuda, Memcpy, ToSymbol,
             (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
             symbol_work(true, symbol, offset, copy_line(NULL, from, bytes, kind), &c.work))
KIND_OF_NODE(false, cuda, Memcpy, FromSymbol,
             (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
             symbol_work(false, symbol, offset, copy_line(to, NULL, bytes, kind), &c.work))

#define ANY_CHILD(p) ((p)->type == GPU_NODE_GRAPH ? (p)->of.graph : NULL)

BOTH(cudaGraphAddNode, cuGraphAddNode_v2,
     (void **node, void *graph, void **needs, const void *edges, size_t count,
      const struct graph_node *p),
     GRAPH(graph) ?: any_work(&c, p, &c.work)
                  ?: add(node, graph, needs, count, ANY_CHILD(p), c.work))
BOTH(cudaGraphNodeSetParams, cuGraphNodeSetParams,
     (struct gpu_node * node, const struct graph_node *p),
     NODE(node) ?: any_work(&c, p, &c.work) ?: LOCKED(gpu_work_replace(&node->work, c.work)))
BOTH(cudaGraphExecNodeSetParams, cuGraphExecNodeSetParams,
     (void *exec, void *node, const struct graph_node *p),
     EXEC(exec) ?: any_work(&c, p, &c.work) ?: LOCKED(exec_set(exec, node, c.work)))
BOTH(cudaGraphAddEmptyNode, cuGraphAddEmptyNode,
     (void **node, void *graph, void **needs, size_t count),
     GRAPH(graph) ?: other_work(GPU_NODE_EMPTY, &c.work)
                  ?: add(node, graph, needs, count, NULL, c.work))
BOTH(cudaGraphAddChildGraphNode, cuGraphAddChildGraphNode,
     (void **node, void *graph, void **needs, size_t count, void *child),
     GRAPH(graph) ?: GRAPH(child) ?: other_work(GPU_NODE_GRAPH, &c.work)
                                  ?: add(node, graph, needs, count, child, c.work))

static int kernel_parameters(const struct call *c, const struct gpu_node *node,
                             struct kernel_node *p)
{
    struct gpu_launch l;
    TRY(NEED(p && node->work->kind == GPU_NODE_KERNEL));
    struct gpu_kernel *k = gpu_launch_of(node->work, &l);
    p->function = k->host && !c->driver ? k->host : k;
    p->grid = l.grid;
    p->block = l.block;
    p->shared = (unsigned)l.shared;
    p->parameters = l.parameters;
    p->extra = NULL;
    if (c->driver) {
        struct driver_kernel_node *q = (struct driver_kernel_node *)p;
        q->kernel = q->context = NULL;
    }
    return GPU_OK;
}

BOTH(cudaGraphKernelNodeGetParams, cuGraphKernelNodeGetParams_v2,
     (void *node, struct kernel_node *p), NODE(node) ?: kernel_parameters(&c, node, p))
BOTH(cudaGraphNodeGetType, cuGraphNodeGetType, (struct gpu_node * node, int *type),
     NODE(node) ?: PUT(type, (int)node->work->kind))
BOTH(cudaGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph,
     (struct gpu_node * node, void **graph),
     NODE(node) ?: NEED(node->child) ?: PUT(graph, node->child))
BOTH(cudaGraphDestroyNode, cuGraphDestroyNode, (void *node),
     NODE(node) ?: LOCKED(gpu_node_remove(node)))

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Stores at most *count nodes, and sets *count to their number. nodes: NULL to set *count to the
 * number of all. */
static int list_nodes(const struct gpu_graph *graph, bool roots, void **nodes, size_t *count)
{
    size_t n = 0, room = count && nodes ? *count : SIZE_MAX;
    for (struct gpu_node *node = graph->first; node && n < room; node = node->next) {
        if (roots && node->needs.count > 0) {
            continue;
        }
        if (nodes) {
            nodes[n] = node;
        }
        n++;
    }
    return PUT(count, n);
}

/* Stores at most *count nodes on which a node depends, and sets *count to their number. needs: NULL to
 * set *count to the number of all. */
static int list_needs(const struct gpu_node *node, void **needs, size_t *count)
{
    TRY(NEED(count));
    size_t n = needs && *count < node->needs.count ? *count : node->needs.count;
    for (size_t i = 0; needs && i < n; i++) {
        needs[i] = node->needs.all[i];
    }
    return SET(*count, n);
}

static int kernel_attribute(const struct gpu_node *node, int id, union launch_value *value)
{
    struct gpu_launch l;
    TRY(NEED(value && node->work->kind == GPU_NODE_KERNEL));
    gpu_launch_of(node->work, &l);
    *value = (union launch_value){{0}};
    if (id == LAUNCH_CLUSTER) {
        value->dim = (struct gpu_dim3){l.cluster[0], l.cluster[1], l.cluster[2]};
    } else if (id == LAUNCH_COOPERATIVE) {
        value->number = l.cooperative;
    }
    return GPU_OK;
}

static int add_edges(void **from, void **to, size_t count)
{
    TRY(known_nodes(from, count) ?: known_nodes(to, count));
    GPU_HOLD;
    for (size_t i = 0; i < count; i++) {
        struct gpu_node *node = to[i];
        TRY(gpu_nodes_join(&node->needs, (struct gpu_node **)&from[i], 1));
    }
    return GPU_OK;
}

BOTH(cudaGraphCreate, cuGraphCreate, (struct gpu_graph * *graph, unsigned flags),
     NEED(graph && flags == 0) ?: CURRENT ?: LOCKED(gpu_graph_create(c.device, graph)))
BOTH(cudaGraphDestroy, cuGraphDestroy, (void *graph),
     GRAPH(graph) ?: LOCKED(gpu_graph_destroy(graph)))
BOTH(cudaGraphClone, cuGraphClone, (struct gpu_graph * *copy, void *graph),
     GRAPH(graph) ?: NEED(copy) ?: LOCKED(gpu_graph_clone(graph, copy)))
BOTH(cudaGraphNodeFindInClone, cuGraphNodeFindInClone, (void **node, void *original, void *copy),
     GRAPH(copy) ?: NEED(gpu_node_twin(copy, original))
                 ?: PUT(node, gpu_node_twin(copy, original)))
BOTH(cudaGraphGetNodes, cuGraphGetNodes, (void *graph, void **nodes, size_t *count),
     GRAPH(graph) ?: list_nodes(graph, false, nodes, count))
BOTH(cudaGraphGetRootNodes, cuGraphGetRootNodes, (void *graph, void **nodes, size_t *count),
     GRAPH(graph) ?: list_nodes(graph, true, nodes, count))
BOTH(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2,
     (void *node, void **needs, void *edges, size_t *count),
     NODE(node) ?: list_needs(node, needs, count))
BOTH(cudaGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute,
     (void *node, int id, union launch_value *value),
     NODE(node) ?: kernel_attribute(node, id, value))
BOTH(cudaGraphAddDependencies, cuGraphAddDependencies_v2,
     (void *graph, void **from, void **to, const void *edges, size_t count),
     GRAPH(graph) ?: add_edges(from, to, count))

/* ---- Executable graphs ----------------------------------------------------------------------- */

static int instantiate(struct gpu_exec **exec, struct gpu_graph *graph)
{
    return NEED(exec) ?: LOCKED(gpu_exec_create(graph, exec));
}

static int update(struct gpu_exec *exec, struct gpu_graph *graph, struct graph_update *result)
{
    struct gpu_node *odd = NULL;
    int code = LOCKED(gpu_exec_update(exec, graph, &odd));
    if (result) {
        *result = (struct graph_update){code ? (odd ? 3 : 2) : 0, odd, NULL};
    }
    return code;
}

#define STEP(exec, node) NEED(gpu_exec_step(exec, node))

BOTH(cudaGraphInstantiate, cuGraphInstantiateWithFlags,
     (struct gpu_exec * *exec, void *graph, unsigned long long flags),
     GRAPH(graph) ?: instantiate(exec, graph))
RUNTIME(cudaGraphInstantiateWithFlags,
        (struct gpu_exec * *exec, void *graph, unsigned long long flags),
        GRAPH(graph) ?: instantiate(exec, graph))
BOTH_STREAM(cudaGraphInstantiateWithParams, cuGraphInstantiateWithParams,
            (struct gpu_exec * *exec, void *graph, struct graph_instantiation *p),
            GRAPH(graph) ?: NEED(p) ?: SET(p->result, 0) ?: instantiate(exec, graph))
BOTH(cudaGraphExecUpdate, cuGraphExecUpdate_v2,
     (void *exec, void *graph, struct graph_update *result),
     EXEC(exec) ?: GRAPH(graph) ?: update(exec, graph, result))
BOTH(cudaGraphExecGetFlags, cuGraphExecGetFlags, (void *exec, unsigned long long *flags),
     EXEC(exec) ?: PUT(flags, 0))
BOTH(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled, (void *exec, void *node, unsigned on),
     EXEC(exec) ?: STEP(exec, node) ?: SET(gpu_exec_step(exec, node)->off, on == 0))
BOTH(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled, (void *exec, void *node, unsigned *on),
     EXEC(exec) ?: STEP(exec, node) ?: PUT(on, !gpu_exec_step(exec, node)->off))
BOTH_STREAM(cudaGraphUpload, cuGraphUpload, (void *exec, void *stream),
            EXEC(exec) ?: STREAM(stream))
BOTH_STREAM(cudaGraphLaunch, cuGraphLaunch, (void *exec, void *stream),
            EXEC(exec) ?: STREAM(stream) ?: gpu_exec_launch(exec, c.stream))
BOTH(cudaGraphExecDestroy, cuGraphExecDestroy, (void *exec),
     EXEC(exec) ?: LOCKED(gpu_exec_destroy(exec)))

/* ---- Capture of streams ---------------------------------------------------------------------- */

static int exchange_mode(struct gpu_thread *t, int *mode)
{
    int before = t->capture_mode;
    TRY(NEED(mode && *mode >= 0 && *mode <= CAPTURE_RELAXED));
    t->capture_mode = *mode;
    return SET(*mode, before);
}

static int capture_info(const struct gpu_stream *s, int *status, unsigned long long *number,
                        void **graph, void ***front, size_t *count)
{
    const struct gpu_capture *capture = s->capture;
    return GIVE(number, capture ? capture->number : 0)
               ?: GIVE(graph, capture ? capture->graph : NULL)
               ?: GIVE(front, (void **)s->front.all)
               ?: GIVE(count, s->front.count) ?: PUT(status, gpu_capture_status(s));
}

#define IMPLICIT LOCKED(gpu_capture_check(c.stream))

BOTH_STREAM(cudaStreamBeginCapture, cuStreamBeginCapture_v2, (void *stream, int mode),
            STREAM(stream) ?: gpu_capture_begin(c.stream, mode))
BOTH_STREAM(cudaStreamEndCapture, cuStreamEndCapture, (void *stream, struct gpu_graph **graph),
            STREAM(stream) ?: NEED(graph) ?: gpu_capture_end(c.stream, graph))
BOTH_STREAM(cudaStreamIsCapturing, cuStreamIsCapturing, (void *stream, int *status),
            STREAM(stream) ?: IMPLICIT ?: PUT(status, gpu_capture_status(c.stream)))
BOTH_STREAM(cudaStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3,
            (void *stream, int *status, unsigned long long *number, void **graph, void ***front,
             void **edges, size_t *count),
            STREAM(stream) ?: capture_info(c.stream, status, number, graph, front, count))
BOTH(cudaThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, (int *mode),
     exchange_mode(c.thread, mode))
