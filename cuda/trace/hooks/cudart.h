/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of CUDA's runtime that the hooks use. They are declared here, so that the hooks compile
 * without CUDA. Layouts and numbers are those of CUDA 12 and 13 (CUDA Runtime API, "Data types used
 * by CUDA Runtime").
 *
 * The hook of function X is __wrap_X. With the option --wrap=X, the linker directs calls of X to
 * __wrap_X, and calls of __real_X to X. Without the option, real.c defines __real_X.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_CUDART_H
#define WARPSCOPE_CUDA_HOOKS_CUDART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int cu_error; /* cudaError_t */
typedef void *cu_stream;

enum { CU_NOT_READY = 600, CU_CAPTURE_IMPLICIT = 906 };
#define CU_STREAM_LEGACY     ((cu_stream)1)
#define CU_STREAM_PER_THREAD ((cu_stream)2)

struct cu_dim3 {
    unsigned x, y, z;
};

/* cudaLaunchConfig_t */
struct cu_launch_config {
    struct cu_dim3 grid, block;
    size_t shared;
    cu_stream stream;
    void *attributes;
    unsigned attribute_count;
};

/* cudaKernelNodeParams, and its second version */
struct cu_kernel_node {
    const void *function;
    struct cu_dim3 grid, block;
    unsigned shared;
    void **parameters;
    void **extra;
};

/* cudaGraphNodeParams */
struct cu_graph_node {
    int type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cu_kernel_node kernel;
    } of;
    long long reserved2;
};
enum { CU_NODE_KERNEL = 0 };

/* Lists of functions with a hook, as X(name, parameters, arguments). All these functions return a
 * cu_error. */
#define CU_LAUNCH_PARAMETERS                                                                       \
    (const void *function, struct cu_dim3 grid, struct cu_dim3 block, void **args, size_t shared,  \
     cu_stream stream)
#define CU_LAUNCH_ARGUMENTS (function, grid, block, args, shared, stream)
#define CU_LAUNCHES(X)                                                                             \
    X(__cudaLaunchKernel, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS)                               \
    X(__cudaLaunchKernel_ptsz, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS)                          \
    X(cudaLaunchKernel, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS)                                 \
    X(cudaLaunchKernel_ptsz, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS)                            \
    X(cudaLaunchCooperativeKernel, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS)                      \
    X(cudaLaunchCooperativeKernel_ptsz, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS)

#define CU_OTHERS(X)                                                                               \
    X(cudaLaunchKernelExC,                                                                         \
      (const struct cu_launch_config *config, const void *function, void **args),                  \
      (config, function, args))                                                                    \
    X(cudaLaunchKernelExC_ptsz,                                                                    \
      (const struct cu_launch_config *config, const void *function, void **args),                  \
      (config, function, args))                                                                    \
    X(__cudaGetKernel, (void **kernel, const void *function), (kernel, function))                  \
    X(cudaGetKernel, (void **kernel, const void *function), (kernel, function))                    \
    X(cudaStreamDestroy, (cu_stream stream), (stream))                                             \
    X(cudaDeviceReset, (void), ())                                                                 \
    CU_KERNEL_NODES(X)                                                                             \
    CU_ANY_NODES(X)

/* Functions that take a node of a graph: `kernel`, and `any` of any type. */
#define CU_KERNEL_NODES(X)                                                                         \
    X(cudaGraphAddKernelNode,                                                                      \
      (void **node, void *graph, void *const *before, size_t count,                                \
       const struct cu_kernel_node *kernel),                                                       \
      (node, graph, before, count, kernel))                                                        \
    X(cudaGraphKernelNodeSetParams, (void *node, const struct cu_kernel_node *kernel),             \
      (node, kernel))                                                                              \
    X(cudaGraphExecKernelNodeSetParams,                                                            \
      (void *graph, void *node, const struct cu_kernel_node *kernel), (graph, node, kernel))

#define CU_ANY_NODES(X)                                                                            \
    X(cudaGraphAddNode,                                                                            \
      (void **node, void *graph, void *const *before, const void *edges, size_t count,             \
       struct cu_graph_node *any),                                                                 \
      (node, graph, before, edges, count, any))                                                    \
    X(cudaGraphNodeSetParams, (void *node, struct cu_graph_node *any), (node, any))                \
    X(cudaGraphExecNodeSetParams, (void *graph, void *node, struct cu_graph_node *any),            \
      (graph, node, any))

/* Parameters of __cudaRegisterFunction(), whose result is void. */
#define CU_REGISTER_PARAMETERS                                                                     \
    (void **handle, const char *host, char *device, const char *name, int limit, void *thread_id,  \
     void *block_id, void *block, void *grid, int *size)
#define CU_REGISTER_ARGUMENTS                                                                      \
    (handle, host, device, name, limit, thread_id, block_id, block, grid, size)

#define CU_DECLARE(name, parameters, arguments)                                                    \
    cu_error __real_##name parameters;                                                             \
    cu_error __wrap_##name parameters;
CU_LAUNCHES(CU_DECLARE)
CU_OTHERS(CU_DECLARE)
void __real___cudaRegisterFunction CU_REGISTER_PARAMETERS;
void __wrap___cudaRegisterFunction CU_REGISTER_PARAMETERS;

/* ---- Functions without a hook ---------------------------------------------------------------- */

enum { CU_HOST_ALLOC_PORTABLE = 1, CU_HOST_ALLOC_MAPPED = 2 };
enum { CU_HOST_TO_DEVICE = 1, CU_DEVICE_TO_HOST = 2 };

extern cu_error cudaGetDevice(int *device);
extern cu_error cudaSetDevice(int device);
extern cu_error cudaHostAlloc(void **host, size_t bytes, unsigned flags);
extern cu_error cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
extern cu_error cudaFreeHost(void *host);
extern cu_error cudaMalloc(void **device, size_t bytes);
extern cu_error cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                                cu_stream stream);
extern cu_error cudaLaunchHostFunc(cu_stream stream, void (*function)(void *user), void *user);
extern cu_error cudaStreamIsCapturing(cu_stream stream, int *status);
extern cu_error cudaStreamQuery(cu_stream stream);
extern cu_error cudaThreadExchangeStreamCaptureMode(int *mode);
extern const char *cudaGetErrorString(cu_error error);

#endif
