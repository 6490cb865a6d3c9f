/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of the CUDA library of the interpreter: capture of streams, graphs made node by node, executable graphs and
 * their changes, and calls that cannot be captured.
 *
 * test: libs=cudart_cpu
 */
#include <stdint.h>

#include "support/cuda_calls.h"
#include "support/suite.h"

/* step(x, y): x[0] = 3 x[0] + y, so that the order of steps shows in the result. */
static const char ptx_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry step(.param .u64 x, .param .u32 y)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [x];\nld.param.u32 %r1, [y];\nld.global.u32 %r2, [%d1];\n"
    "mad.lo.s32 %r3, %r2, 3, %r1;\nst.global.u32 [%d1], %r3;\nret;\n}\n";
static char step_host;

struct kernel_parameters { /* cudaKernelNodeParams */
    void *function;
    struct cuda_dim3 grid, block;
    unsigned shared;
    void **parameters, **extra;
};
struct memset_parameters { /* cudaMemsetParams */
    void *to;
    size_t pitch;
    unsigned value, unit;
    size_t width, height;
};
struct host_parameters {
    void (*function)(void *);
    void *user;
};
struct driver_kernel { /* CUDA_KERNEL_NODE_PARAMS_v2 */
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel, *context;
};
struct driver_place {
    size_t x, y, z, lod;
    int type;
    const void *host, *device;
    void *array, *reserved;
    size_t pitch, height;
};
struct driver_copy { /* CUDA_MEMCPY3D */
    struct driver_place from, to;
    size_t width, height, depth;
};
struct update_result {
    int result;
    void *node, *from;
};

int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);
int cudaStreamIsCapturing(void *stream, int *status);
int cudaGraphAddKernelNode(void **node, void *graph, void **needs, size_t count,
                           const struct kernel_parameters *p);
int cudaGraphAddMemsetNode(void **node, void *graph, void **needs, size_t count,
                           const struct memset_parameters *p);
int cudaGraphAddHostNode(void **node, void *graph, void **needs, size_t count,
                         const struct host_parameters *p);
int cudaGraphAddMemcpyNode1D(void **node, void *graph, void **needs, size_t count, void *to,
                             const void *from, size_t bytes, int kind);
int cudaGraphAddEmptyNode(void **node, void *graph, void **needs, size_t count);
int cudaGraphAddChildGraphNode(void **node, void *graph, void **needs, size_t count, void *child);
int cudaGraphAddDependencies(void *graph, void **from, void **to, const void *edges, size_t count);
int cudaGraphKernelNodeGetParams(void *node, struct kernel_parameters *p);
int cudaGraphExecKernelNodeSetParams(void *exec, void *node, const struct kernel_parameters *p);
int cudaGraphExecUpdate(void *exec, void *graph, struct update_result *result);
int cudaGraphNodeSetEnabled(void *exec, void *node, unsigned on);
int cudaGraphNodeFindInClone(void **node, void *original, void *clone);
int cudaGraphClone(void **clone, void *graph);
int cudaGraphDestroyNode(void *node);
int cudaGraphGetNodes(void *graph, void **nodes, size_t *count);
int cudaGraphGetRootNodes(void *graph, void **nodes, size_t *count);
int cudaGraphNodeGetType(void *node, int *type);
int cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags);
int cudaGraphLaunch(void *exec, void *stream);
int cudaGraphExecDestroy(void *exec);
int cudaGraphDestroy(void *graph);

int cuGraphCreate(void **graph, unsigned flags);
int cuGraphDestroy(void *graph);
int cuGraphAddKernelNode_v2(void **node, void *graph, void **needs, size_t count,
                            const struct driver_kernel *p);
int cuGraphAddMemcpyNode(void **node, void *graph, void **needs, size_t count,
                         const struct driver_copy *p, void *context);
int cuGraphAddMemsetNode(void **node, void *graph, void **needs, size_t count,
                         const struct memset_parameters *p, void *context);
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct driver_kernel *p);
int cuGraphLaunch(void *exec, void *stream);
int cuGraphExecDestroy(void *exec);

static uint32_t *x;

static struct kernel_parameters step_of(void **parameters)
{
    return (struct kernel_parameters){&step_host, {1, 1, 1}, {1, 1, 1}, 0, parameters, NULL};
}

static int launch(uint32_t y, uint32_t *at, void *stream)
{
    void *parameters[] = {&at, &y};
    return cudaLaunchKernel(&step_host, (struct cuda_dim3){1, 1, 1}, (struct cuda_dim3){1, 1, 1},
                            parameters, 0, stream);
}

static uint32_t value(uint32_t *at)
{
    uint32_t seen = 0;
    CU_ASSERT_EQUAL(cudaMemcpy(&seen, at, 4, 2), 0);
    return seen;
}

static void set(uint32_t number)
{
    CU_ASSERT_EQUAL(cudaMemcpy(x, &number, 4, 1), 0);
}

static void count_up(void *user)
{
    ++*(int *)user;
}

/* Two streams, joined by events: x = 3 (3 x + 1) + 2 in one, x[1] = 3 x[1] + 5 in the other. */
static void test_capture(void)
{
    void *a, *b, *fork, *join, *graph, *exec, *nodes[8];
    int calls = 0, status = -1, type = -1;
    size_t count = 8;
    uint32_t *y = x + 1;
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&a, 1), 0);
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&b, 1), 0);
    CU_ASSERT_EQUAL(cudaEventCreate(&fork), 0);
    CU_ASSERT_EQUAL(cudaEventCreate(&join), 0);
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
    CU_ASSERT_EQUAL(launch(1, x, a), 0);
    CU_ASSERT_EQUAL(cudaEventRecord(fork, a), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(b, fork, 0), 0);
    CU_ASSERT_EQUAL(launch(5, y, b), 0);
    CU_ASSERT_EQUAL(cudaStreamIsCapturing(b, &status), 0);
    CU_ASSERT_EQUAL(status, 1);
    CU_ASSERT_EQUAL(launch(2, x, a), 0);
    CU_ASSERT_EQUAL(cudaEventRecord(join, b), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(a, join, 0), 0);
    CU_ASSERT_EQUAL(cudaEventQuery(join), 907);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(a, count_up, &calls), 0);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 0);
    CU_ASSERT_EQUAL(cudaStreamIsCapturing(b, &status), 0);
    CU_ASSERT_EQUAL(status, 0);
    set(0);
    CU_ASSERT_EQUAL(cudaMemset(y, 0, 4), 0);
    CU_ASSERT_EQUAL(calls, 0); /* nothing has run yet */
    CU_ASSERT_EQUAL(cudaGraphGetNodes(graph, nodes, &count), 0);
    CU_ASSERT_EQUAL(count, 4);
    CU_ASSERT_EQUAL(cudaGraphNodeGetType(nodes[3], &type), 0);
    CU_ASSERT_EQUAL(type, 3);
    count = 0;
    CU_ASSERT_EQUAL(cudaGraphGetRootNodes(graph, NULL, &count), 0);
    CU_ASSERT_EQUAL(count, 1);
    CU_ASSERT_EQUAL(cudaGraphInstantiate(&exec, graph, 0), 0);
    CU_ASSERT_EQUAL(cudaGraphDestroy(graph), 0);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, a), 0);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, b), 0); /* after the first launch */
    CU_ASSERT_EQUAL(cudaStreamSynchronize(b), 0);
    CU_ASSERT_EQUAL(value(x), 9 * 5 + 5);
    CU_ASSERT_EQUAL(value(y), 20);
    CU_ASSERT_EQUAL(calls, 2);
    CU_ASSERT_EQUAL(cudaGraphExecDestroy(exec), 0);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, a), 1);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaGetLastError();
}

/* A graph of all kinds of nodes, whose last edge leads from a later to an earlier node. */
static void test_nodes(void)
{
    void *graph, *clone, *exec, *zero, *one, *two, *back, *host, *end, *odd, *child;
    uint32_t seen = 0, y1 = 1, y2 = 2, y7 = 7;
    void *first[] = {&x, &y1}, *second[] = {&x, &y2}, *other[] = {&x, &y7};
    int calls = 0;
    struct kernel_parameters p = step_of(first), q;
    struct memset_parameters m = {x, 0, 0, 4, 1, 1};
    struct host_parameters h = {count_up, &calls};
    struct update_result result;
    CU_ASSERT_EQUAL(cudaGraphCreate(&graph, 0), 0);
    p = step_of(second);
    CU_ASSERT_EQUAL(cudaGraphAddKernelNode(&two, graph, NULL, 0, &p), 0);
    CU_ASSERT_EQUAL(cudaGraphAddMemsetNode(&zero, graph, NULL, 0, &m), 0);
    p = step_of(first);
    CU_ASSERT_EQUAL(cudaGraphAddKernelNode(&one, graph, &zero, 1, &p), 0);
    CU_ASSERT_EQUAL(cudaGraphAddDependencies(graph, &one, &two, NULL, 1), 0);
    CU_ASSERT_EQUAL(cudaGraphAddMemcpyNode1D(&back, graph, &two, 1, &seen, x, 4, 2), 0);
    CU_ASSERT_EQUAL(cudaGraphAddHostNode(&host, graph, &two, 1, &h), 0);
    void *both[] = {back, host};
    CU_ASSERT_EQUAL(cudaGraphAddEmptyNode(&end, graph, both, 2), 0);
    CU_ASSERT_EQUAL(cudaGraphInstantiate(&exec, graph, 0), 0);
    set(99);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(seen, 5); /* 3 (3 0 + 1) + 2 */
    CU_ASSERT_EQUAL(calls, 1);

    /* Changes of the executable graph, and of the graph. */
    CU_ASSERT_EQUAL(cudaGraphKernelNodeGetParams(one, &q), 0);
    CU_ASSERT_PTR_EQUAL(q.function, &step_host);
    CU_ASSERT_EQUAL(*(uint32_t *)q.parameters[1], 1);
    p = step_of(other);
    CU_ASSERT_EQUAL(cudaGraphExecKernelNodeSetParams(exec, one, &p), 0);
    CU_ASSERT_EQUAL(cudaGraphNodeSetEnabled(exec, host, 0), 0);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(seen, 23);
    CU_ASSERT_EQUAL(calls, 1);
    CU_ASSERT_EQUAL(cudaGraphClone(&clone, graph), 0);
    CU_ASSERT_EQUAL(cudaGraphExecUpdate(exec, clone, &result), 0);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(seen, 5);
    CU_ASSERT_EQUAL(cudaGraphNodeFindInClone(&odd, zero, clone), 0);
    CU_ASSERT_EQUAL(cudaGraphDestroyNode(odd), 0);
    CU_ASSERT_EQUAL(cudaGraphExecUpdate(exec, clone, &result), 910);
    CU_ASSERT_EQUAL(result.result, 3);

    /* Without the fill: two steps from the present value; as a part of another graph, twice. */
    CU_ASSERT_EQUAL(cudaGraphExecDestroy(exec), 0);
    CU_ASSERT_EQUAL(cudaGraphDestroy(graph), 0);
    CU_ASSERT_EQUAL(cudaGraphCreate(&graph, 0), 0);
    CU_ASSERT_EQUAL(cudaGraphAddChildGraphNode(&child, graph, NULL, 0, clone), 0);
    CU_ASSERT_EQUAL(cudaGraphAddChildGraphNode(&end, graph, &child, 1, clone), 0);
    CU_ASSERT_EQUAL(cudaGraphDestroy(clone), 0);
    CU_ASSERT_EQUAL(cudaGraphInstantiate(&exec, graph, 0), 0);
    set(1);
    CU_ASSERT_EQUAL(cudaGraphLaunch(exec, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(seen, 9 * 14 + 5);
    CU_ASSERT_EQUAL(cudaGraphAddDependencies(graph, &end, &child, NULL, 1), 0);
    CU_ASSERT_EQUAL(cudaGraphInstantiate(&odd, graph, 0), 1); /* a circle */
    CU_ASSERT_EQUAL(cudaGraphExecDestroy(exec), 0);
    CU_ASSERT_EQUAL(cudaGraphDestroy(graph), 0);
    CU_ASSERT_EQUAL(cudaGraphDestroy(graph), 1);
    cudaGetLastError();
}

/* Calls that cannot be captured end the capture. */
static void test_limits(void)
{
    void *a, *b, *event, *outside, *graph;
    int status = 0;
    CU_ASSERT_EQUAL(cudaStreamCreate(&a), 0);
    CU_ASSERT_EQUAL(cudaStreamCreate(&b), 0);
    CU_ASSERT_EQUAL(cudaEventCreate(&event), 0);
    CU_ASSERT_EQUAL(cudaEventCreate(&outside), 0);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 401);
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(NULL, 0), 900);
    int (*const calls[])(void *) = {cudaStreamSynchronize, cudaStreamQuery};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
        CU_ASSERT_EQUAL(calls[i](a), 900);
        CU_ASSERT_EQUAL(cudaStreamIsCapturing(a, &status), 0);
        CU_ASSERT_EQUAL(status, 2);
        CU_ASSERT_EQUAL(launch(1, x, a), 901);
        CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 901);
        CU_ASSERT_PTR_NULL(graph);
    }
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
    CU_ASSERT_EQUAL(launch(1, x, NULL), 906);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 901);
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
    CU_ASSERT_EQUAL(cudaMallocAsync(&graph, 64, a), 900);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 901);
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
    CU_ASSERT_EQUAL(cudaEventRecord(outside, b), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(a, outside, 0), 905);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 901);
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
    CU_ASSERT_EQUAL(cudaEventRecord(event, a), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(b, event, 0), 0);
    CU_ASSERT_EQUAL(launch(1, x, b), 0);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(b, &graph), 903);
    CU_ASSERT_EQUAL(cudaStreamEndCapture(a, &graph), 904);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(b, event, 0), 907);
    CU_ASSERT_EQUAL(cudaEventRecord(event, b), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(a, event, 0), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(cudaStreamBeginCapture(a, 0), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 900);
    cudaStreamEndCapture(a, &graph);
    cudaEventDestroy(event);
    cudaEventDestroy(outside);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaGetLastError();
}

/* The structures of the driver interface: an area of 2 x 1 words, of which the second goes to x, then a step. */
static void test_driver(void)
{
    static const uint32_t from[6] = {0, 1, 2, 3, 4, 5};
    void *context, *module, *function, *graph, *exec, *copy, *fill, *step;
    struct {
        uint64_t x;
        uint32_t y;
    } packed = {(uint64_t)(uintptr_t)x, 4};
    size_t bytes = 12;
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, NULL};
    uint32_t y = 1;
    CU_ASSERT_EQUAL(cuDevicePrimaryCtxRetain(&context, 0), 0);
    CU_ASSERT_EQUAL(cuCtxSetCurrent(context), 0);
    CU_ASSERT_EQUAL(cuModuleLoadData(&module, ptx_text), 0);
    CU_ASSERT_EQUAL(cuModuleGetFunction(&function, module, "step"), 0);
    struct driver_kernel k = {function, {1, 1, 1}, {1, 1, 1}, 0, NULL, extra, NULL, NULL};
    struct memset_parameters m = {x + 1, 0, 9, 4, 1, 1};
    struct driver_copy c = {.from = {.x = 4, .y = 1, .type = 1, .host = from, .pitch = 8},
                            .to = {.type = 2, .device = x},
                            .width = 4,
                            .height = 1,
                            .depth = 1};
    CU_ASSERT_EQUAL(cuGraphCreate(&graph, 0), 0);
    CU_ASSERT_EQUAL(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &m, context), 0);
    CU_ASSERT_EQUAL(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &c, context), 0);
    CU_ASSERT_EQUAL(cuGraphAddKernelNode_v2(&step, graph, &copy, 1, &k), 0);
    CU_ASSERT_EQUAL(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
    packed.y = 100; /* the node has copied it */
    CU_ASSERT_EQUAL(cuGraphLaunch(exec, NULL), 0);
    CU_ASSERT_EQUAL(value(x), 3 * 3 + 4);
    CU_ASSERT_EQUAL(value(x + 1), 9);
    void *parameters[] = {&packed.x, &y};
    k.parameters = parameters;
    k.extra = NULL;
    CU_ASSERT_EQUAL(cuGraphExecKernelNodeSetParams_v2(exec, step, &k), 0);
    CU_ASSERT_EQUAL(cuGraphLaunch(exec, NULL), 0);
    CU_ASSERT_EQUAL(value(x), 10);
    CU_ASSERT_EQUAL(cuGraphExecDestroy(exec), 0);
    CU_ASSERT_EQUAL(cuGraphDestroy(graph), 0);
    CU_ASSERT_EQUAL(cuGraphDestroy(graph), 400);
    CU_ASSERT_EQUAL(cuModuleUnload(module), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"the driver interface", test_driver},
                                        {"capture", test_capture},
                                        {"nodes", test_nodes},
                                        {"what cannot be captured", test_limits}};
    size_t size = 0;
    unsigned char *container =
        cuda_entry(NULL, &size, CUDA_PTX, 75, ptx_text, sizeof ptx_text, 0, 0);
    struct cuda_wrapper wrapper = {0x466243b1, 1, container, NULL};
    unsetenv("WARPSCOPE_MEMTRACE");
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &step_host, NULL, "step", -1, NULL, NULL, NULL, NULL, NULL);
    if (cudaMalloc((void **)&x, 8) != 0) {
        return 1;
    }
    int status = suite_run("CUDA graphs", tests, sizeof tests / sizeof tests[0]);
    __cudaUnregisterFatBinary(handle);
    free(container);
    return status;
}
