/* SPDX-License-Identifier: BSD-3-Clause
 *
 * proc_address.c - hook of cuGetProcAddress(), so that programs that ask for functions by name also
 * call the hooks.
 */
#include <string.h>

#include "trace/preload/driver.h"

/* Functions as X(name, hook, hook for the per-thread default stream): programs ask for them by these
 * names. Only their addresses are needed here. */
#define HOOKS(X)                                                                                   \
    X(cuModuleLoadData, cuModuleLoadData, cuModuleLoadData)                                        \
    X(cuModuleLoadDataEx, cuModuleLoadDataEx, cuModuleLoadDataEx)                                  \
    X(cuModuleLoadFatBinary, cuModuleLoadFatBinary, cuModuleLoadFatBinary)                         \
    X(cuModuleLoad, cuModuleLoad, cuModuleLoad)                                                    \
    X(cuLinkAddData, cuLinkAddData_v2, cuLinkAddData_v2)                                           \
    X(cuLinkAddFile, cuLinkAddFile_v2, cuLinkAddFile_v2)                                           \
    X(cuLibraryLoadData, cuLibraryLoadData, cuLibraryLoadData)                                     \
    X(cuLibraryLoadFromFile, cuLibraryLoadFromFile, cuLibraryLoadFromFile)                         \
    X(cuLaunchKernel, cuLaunchKernel, cuLaunchKernel_ptsz)                                         \
    X(cuLaunchKernelEx, cuLaunchKernelEx, cuLaunchKernelEx_ptsz)                                   \
    X(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz)        \
    X(cuStreamDestroy, cuStreamDestroy_v2, cuStreamDestroy_v2)                                     \
    X(cuCtxDestroy, cuCtxDestroy_v2, cuCtxDestroy_v2)                                              \
    X(cuMemAlloc, cuMemAlloc_v2, cuMemAlloc_v2)                                                    \
    X(cuMemAllocManaged, cuMemAllocManaged, cuMemAllocManaged)                                     \
    X(cuMemAllocHost, cuMemAllocHost_v2, cuMemAllocHost_v2)                                        \
    X(cuMemHostAlloc, cuMemHostAlloc, cuMemHostAlloc)                                              \
    X(cuMemHostRegister, cuMemHostRegister_v2, cuMemHostRegister_v2)                               \
    X(cuMemAllocPitch, cuMemAllocPitch_v2, cuMemAllocPitch_v2)                                     \
    X(cuMemAllocAsync, cuMemAllocAsync, cuMemAllocAsync_ptsz)                                      \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz)              \
    X(cuModuleGetGlobal, cuModuleGetGlobal_v2, cuModuleGetGlobal_v2)                               \
    X(cuLibraryGetGlobal, cuLibraryGetGlobal, cuLibraryGetGlobal)                                  \
    X(cuLibraryGetManaged, cuLibraryGetManaged, cuLibraryGetManaged)                               \
    X(cuMemFree, cuMemFree_v2, cuMemFree_v2)                                                       \
    X(cuMemFreeHost, cuMemFreeHost, cuMemFreeHost)                                                 \
    X(cuMemHostUnregister, cuMemHostUnregister, cuMemHostUnregister)                               \
    X(cuMemFreeAsync, cuMemFreeAsync, cuMemFreeAsync_ptsz)                                         \
    X(cuGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, cuGraphInstantiateWithFlags)       \
    X(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams,                                  \
      cuGraphInstantiateWithParams_ptsz)                                                           \
    X(cuGraphLaunch, cuGraphLaunch, cuGraphLaunch_ptsz)                                            \
    X(cuGraphExecUpdate, cuGraphExecUpdate_v2, cuGraphExecUpdate_v2)                               \
    X(cuGraphExecDestroy, cuGraphExecDestroy, cuGraphExecDestroy)                                  \
    X(cuGraphExecMemcpyNodeSetParams, cuGraphExecMemcpyNodeSetParams,                              \
      cuGraphExecMemcpyNodeSetParams)                                                              \
    X(cuGraphExecMemsetNodeSetParams, cuGraphExecMemsetNodeSetParams,                              \
      cuGraphExecMemsetNodeSetParams)                                                              \
    X(cuGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams)    \
    X(cuGraphExecChildGraphNodeSetParams, cuGraphExecChildGraphNodeSetParams,                      \
      cuGraphExecChildGraphNodeSetParams)                                                          \
    X(cuGraphExecEventRecordNodeSetEvent, cuGraphExecEventRecordNodeSetEvent,                      \
      cuGraphExecEventRecordNodeSetEvent)                                                          \
    X(cuGraphExecEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent,                          \
      cuGraphExecEventWaitNodeSetEvent)                                                            \
    X(cuGraphExecNodeSetParams, cuGraphExecNodeSetParams, cuGraphExecNodeSetParams)                \
    X(cuGraphNodeSetEnabled, cuGraphNodeSetEnabled, cuGraphNodeSetEnabled)                         \
    X(cuGraphAddKernelNode, cuGraphAddKernelNode_v2, cuGraphAddKernelNode_v2)                      \
    X(cuGraphKernelNodeSetParams, cuGraphKernelNodeSetParams_v2, cuGraphKernelNodeSetParams_v2)    \
    X(cuGraphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams_v2,                           \
      cuGraphExecKernelNodeSetParams_v2)

#define DECLARE(name, hook, per_thread)                                                            \
    extern void hook(void);                                                                        \
    extern void per_thread(void);
HOOKS(DECLARE)

typedef void (*any_function)(void);

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                        int *status);
int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                        int *status)
{
    enum { PER_THREAD = 2 };
    static const struct {
        const char *name;
        any_function hook, per_thread;
    } hooks[] = {
#define ROW(name, hook, per_thread) {#name, hook, per_thread},
        HOOKS(ROW) ROW(cuGetProcAddress, (any_function)cuGetProcAddress_v2,
                       (any_function)cuGetProcAddress_v2)};
    int result = CU_REAL(cuGetProcAddress_v2)(symbol, function, version, flags, status);
    for (size_t i = 0; result == 0 && *function != NULL && i < sizeof hooks / sizeof hooks[0];
         i++) {
        if (strcmp(hooks[i].name, symbol) == 0) {
            any_function hook = (flags & PER_THREAD) != 0 ? hooks[i].per_thread : hooks[i].hook;
            memcpy(function, &hook, sizeof hook);
        }
    }
    return result;
}
