/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of CUDA's runtime that the hooks replace or call. They are declared here, so that the
 * hooks compile without CUDA (abi/abi.h).
 *
 * The hook of function X is __wrap_X. With the option --wrap=X, the linker directs calls of X to
 * __wrap_X, and calls of __real_X to X. Without the option, real.c defines __real_X.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_CUDART_H
#define WARPSCOPE_CUDA_HOOKS_CUDART_H

#include "abi/abi.h"

/* Lists of functions with a hook, as X(name, parameters, arguments). All these functions return an
 * error number. Functions that launch have the stream as well, and a variant name_ptsz, in which stream
 * 0 is the default stream of the thread. */
#define CU_LAUNCH_PARAMETERS                                                                       \
    (const void *function, struct gpu_dim3 grid, struct gpu_dim3 block, void **args,               \
     size_t shared, void *stream)
#define CU_LAUNCH_ARGUMENTS (function, grid, block, args, shared, stream)
#define CU_LAUNCHES(X)                                                                             \
    X(__cudaLaunchKernel, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS, stream)                       \
    X(cudaLaunchKernel, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS, stream)                         \
    X(cudaLaunchCooperativeKernel, CU_LAUNCH_PARAMETERS, CU_LAUNCH_ARGUMENTS, stream)              \
    X(cudaLaunchKernelExC,                                                                         \
      (const struct runtime_launch *config, const void *function, void **args),                    \
      (config, function, args), config == NULL ? NULL : config->stream)

/* Functions that allocate, with address and bytes of the memory, and functions that free. */
#define CU_ALLOCATIONS(X)                                                                          \
    X(cudaMalloc, (void **place, size_t bytes), (place, bytes), *place, bytes)                     \
    X(cudaMallocManaged, (void **place, size_t bytes, unsigned flags), (place, bytes, flags),      \
      *place, bytes)                                                                               \
    X(cudaMallocHost, (void **place, size_t bytes), (place, bytes), *place, bytes)                 \
    X(cudaHostAlloc, (void **place, size_t bytes, unsigned flags), (place, bytes, flags), *place,  \
      bytes)                                                                                       \
    X(cudaHostRegister, (void *memory, size_t bytes, unsigned flags), (memory, bytes, flags),      \
      memory, bytes)                                                                               \
    X(cudaMallocPitch, (void **place, size_t *pitch, size_t width, size_t height),                 \
      (place, pitch, width, height), *place, *pitch *height)                                       \
    X(cudaMalloc3D, (struct runtime_pitched * place, struct runtime_extent extent),                \
      (place, extent), place->pointer, place->pitch *extent.height *extent.depth)                  \
    X(cudaMallocAsync, (void **place, size_t bytes, void *stream), (place, bytes, stream), *place, \
      bytes)                                                                                       \
    X(cudaMallocAsync_ptsz, (void **place, size_t bytes, void *stream), (place, bytes, stream),    \
      *place, bytes)                                                                               \
    X(cudaMallocFromPoolAsync, (void **place, size_t bytes, void *pool, void *stream),             \
      (place, bytes, pool, stream), *place, bytes)                                                 \
    X(cudaMallocFromPoolAsync_ptsz, (void **place, size_t bytes, void *pool, void *stream),        \
      (place, bytes, pool, stream), *place, bytes)
#define CU_FREES(X)                                                                                \
    X(cudaFree, (void *memory), (memory))                                                          \
    X(cudaFreeHost, (void *memory), (memory))                                                      \
    X(cudaHostUnregister, (void *memory), (memory))                                                \
    X(cudaFreeAsync, (void *memory, void *stream), (memory, stream))                               \
    X(cudaFreeAsync_ptsz, (void *memory, void *stream), (memory, stream))

#define CU_OTHERS(X)                                                                               \
    CU_FREES(X)                                                                                    \
    X(__cudaGetKernel, (void **kernel, const void *function), (kernel, function))                  \
    X(cudaGetKernel, (void **kernel, const void *function), (kernel, function))                    \
    X(cudaStreamDestroy, (void *stream), (stream))                                                 \
    X(cudaDeviceReset, (void), ())                                                                 \
    X(cudaGraphLaunch, (void *exec, void *stream), (exec, stream))                                 \
    X(cudaGraphLaunch_ptsz, (void *exec, void *stream), (exec, stream))                            \
    X(cudaGraphExecUpdate, (void *exec, void *graph, void *result), (exec, graph, result))         \
    X(cudaGraphExecDestroy, (void *exec), (exec))                                                  \
    X(cudaGraphExecKernelNodeSetParams,                                                            \
      (void *exec, void *node, const struct kernel_node *kernel), (exec, node, kernel))            \
    X(cudaGraphExecNodeSetParams, (void *exec, void *node, struct graph_node *any),                \
      (exec, node, any))                                                                           \
    CU_INSTANTIATIONS(X)                                                                           \
    CU_EXEC_CHANGES(X)                                                                             \
    CU_KERNEL_NODES(X)                                                                             \
    CU_ANY_NODES(X)

/* Functions that take a node of a graph: `kernel`, and `any` of any type. */
#define CU_KERNEL_NODES(X)                                                                         \
    X(cudaGraphAddKernelNode,                                                                      \
      (void **node, void *graph, void *const *before, size_t count,                                \
       const struct kernel_node *kernel),                                                          \
      (node, graph, before, count, kernel))                                                        \
    X(cudaGraphKernelNodeSetParams, (void *node, const struct kernel_node *kernel), (node, kernel))

#define CU_ANY_NODES(X)                                                                            \
    X(cudaGraphAddNode,                                                                            \
      (void **node, void *graph, void *const *before, const void *edges, size_t count,             \
       struct graph_node *any),                                                                    \
      (node, graph, before, edges, count, any))                                                    \
    X(cudaGraphNodeSetParams, (void *node, struct graph_node *any), (node, any))

/* Functions that make an executable graph, and that change one, but not a kernel of it. */
#define CU_INSTANTIATIONS(X)                                                                       \
    X(cudaGraphInstantiate, (void **exec, void *graph, unsigned long long flags),                  \
      (exec, graph, flags))                                                                        \
    X(cudaGraphInstantiateWithFlags, (void **exec, void *graph, unsigned long long flags),         \
      (exec, graph, flags))                                                                        \
    X(cudaGraphInstantiateWithParams, (void **exec, void *graph, void *p), (exec, graph, p))       \
    X(cudaGraphInstantiateWithParams_ptsz, (void **exec, void *graph, void *p), (exec, graph, p))
#define CU_EXEC_CHANGE_PARAMETERS (void *exec, void *node, void *p)
#define CU_EXEC_CHANGES(X)                                                                         \
    X(cudaGraphExecMemcpyNodeSetParams, CU_EXEC_CHANGE_PARAMETERS, (exec, node, p))                \
    X(cudaGraphExecMemcpyNodeSetParams1D,                                                          \
      (void *exec, void *node, void *to, const void *from, size_t bytes, int kind),                \
      (exec, node, to, from, bytes, kind))                                                         \
    X(cudaGraphExecMemcpyNodeSetParamsToSymbol,                                                    \
      (void *exec, void *node, const void *symbol, const void *from, size_t bytes, size_t offset,  \
       int kind),                                                                                  \
      (exec, node, symbol, from, bytes, offset, kind))                                             \
    X(cudaGraphExecMemcpyNodeSetParamsFromSymbol,                                                  \
      (void *exec, void *node, void *to, const void *symbol, size_t bytes, size_t offset,          \
       int kind),                                                                                  \
      (exec, node, to, symbol, bytes, offset, kind))                                               \
    X(cudaGraphExecMemsetNodeSetParams, CU_EXEC_CHANGE_PARAMETERS, (exec, node, p))                \
    X(cudaGraphExecHostNodeSetParams, CU_EXEC_CHANGE_PARAMETERS, (exec, node, p))                  \
    X(cudaGraphExecChildGraphNodeSetParams, CU_EXEC_CHANGE_PARAMETERS, (exec, node, p))            \
    X(cudaGraphExecEventRecordNodeSetEvent, CU_EXEC_CHANGE_PARAMETERS, (exec, node, p))            \
    X(cudaGraphExecEventWaitNodeSetEvent, CU_EXEC_CHANGE_PARAMETERS, (exec, node, p))              \
    X(cudaGraphNodeSetEnabled, (void *exec, void *node, unsigned on), (exec, node, on))

/* Parameters of __cudaRegisterFunction(), whose result is void. */
#define CU_REGISTER_PARAMETERS                                                                     \
    (void **handle, const char *host, char *device, const char *name, int limit, void *thread_id,  \
     void *block_id, void *block, void *grid, int *size)
#define CU_REGISTER_ARGUMENTS                                                                      \
    (handle, host, device, name, limit, thread_id, block_id, block, grid, size)

/* Functions that register variables, with their parameters and arguments. */
#define CU_VARIABLES(X)                                                                            \
    X(__cudaRegisterVar)                                                                           \
    X(__cudaRegisterManagedVar)
#define CU_VARIABLE_PARAMETERS                                                                     \
    (void **handle, void *host, char *device, const char *name, int external, size_t size,         \
     int constant, int global)
#define CU_VARIABLE_ARGUMENTS (handle, host, device, name, external, size, constant, global)
#define CU_DECLARE_VARIABLE(name)                                                                  \
    void __real_##name CU_VARIABLE_PARAMETERS;                                                     \
    void __wrap_##name CU_VARIABLE_PARAMETERS;
CU_VARIABLES(CU_DECLARE_VARIABLE)

#define CU_DECLARE(name, parameters, arguments)                                                    \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;
#define CU_DECLARE_LAUNCH(name, parameters, arguments, handle)                                     \
    CU_DECLARE(name, parameters, arguments) CU_DECLARE(name##_ptsz, parameters, arguments)
#define CU_DECLARE_ALLOCATION(name, parameters, arguments, address, size)                          \
    CU_DECLARE(name, parameters, arguments)
CU_LAUNCHES(CU_DECLARE_LAUNCH)
CU_ALLOCATIONS(CU_DECLARE_ALLOCATION)
CU_OTHERS(CU_DECLARE)
void __real___cudaRegisterFunction CU_REGISTER_PARAMETERS;
void __wrap___cudaRegisterFunction CU_REGISTER_PARAMETERS;

/* ---- Functions without a hook ---------------------------------------------------------------- */

int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaLaunchHostFunc(void *stream, void (*function)(void *user), void *user);
int cudaStreamIsCapturing(void *stream, int *status);
int cudaStreamQuery(void *stream);
int cudaThreadExchangeStreamCaptureMode(int *mode);
const char *cudaGetErrorString(int error);
int cudaGetSymbolAddress(void **address, const void *symbol);
int cudaGetSymbolSize(size_t *bytes, const void *symbol);
int cudaGraphClone(void **copy, void *graph);
int cudaGraphDestroy(void *graph);
int cudaGraphGetNodes(void *graph, void **nodes, size_t *count);
int cudaGraphNodeGetDependencies(void *node, void **nodes, void *edges, size_t *count);
int cudaGraphNodeGetType(void *node, int *type);
int cudaGraphNodeFindInClone(void **twin, void *node, void *copy);
int cudaGraphDestroyNode(void *node);
int cudaGraphChildGraphNodeGetGraph(void *node, void **graph);
int cudaGraphKernelNodeGetParams(void *node, struct kernel_node *kernel);
int cudaGraphKernelNodeGetAttribute(void *node, int id, union launch_value *value);
int cudaEventCreateWithFlags(void **event, unsigned flags);
int cudaEventRecord(void *event, void *stream);
int cudaEventDestroy(void *event);
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int cudaPeekAtLastError(void);
int cudaGetLastError(void);

#endif
