/* SPDX-License-Identifier: BSD-3-Clause
 *
 * proc_address.c - hook of cuGetProcAddress(), so that programs that ask for functions by name also
 * call the hooks.
 */
#include <string.h>

#include "trace/preload/driver.h"
#include "trace/preload/hooks.h"

typedef void (*any_function)(void);

cu_result cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                              int *status)
{
    enum { PER_THREAD = 2 };
    static const struct {
        const char *name;
        any_function hook, per_thread;
    } hooks[] = {
#define HOOK(name, hook) {#name, (any_function)(hook), (any_function)(hook)}
#define LAUNCH(name)                                                                               \
    {                                                                                              \
#name, (any_function)(name), (any_function)(name##_ptsz)                                   \
    }
        HOOK(cuModuleLoadData, cuModuleLoadData),
        HOOK(cuModuleLoadDataEx, cuModuleLoadDataEx),
        HOOK(cuModuleLoadFatBinary, cuModuleLoadFatBinary),
        HOOK(cuModuleLoad, cuModuleLoad),
        HOOK(cuLinkAddData, cuLinkAddData_v2),
        HOOK(cuLinkAddFile, cuLinkAddFile_v2),
        HOOK(cuLibraryLoadData, cuLibraryLoadData),
        HOOK(cuLibraryLoadFromFile, cuLibraryLoadFromFile),
        LAUNCH(cuLaunchKernel),
        LAUNCH(cuLaunchKernelEx),
        LAUNCH(cuLaunchCooperativeKernel),
        HOOK(cuStreamDestroy, cuStreamDestroy_v2),
        HOOK(cuCtxDestroy, cuCtxDestroy_v2),
        HOOK(cuGraphAddKernelNode, cuGraphAddKernelNode_v2),
        HOOK(cuGraphKernelNodeSetParams, cuGraphKernelNodeSetParams_v2),
        HOOK(cuGraphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams_v2),
        HOOK(cuGetProcAddress, cuGetProcAddress_v2)};
    cu_result result = CU_REAL(cuGetProcAddress_v2)(symbol, function, version, flags, status);
    for (size_t i = 0; result == 0 && *function != NULL && i < sizeof hooks / sizeof hooks[0];
         i++) {
        if (strcmp(hooks[i].name, symbol) == 0) {
            any_function hook = (flags & PER_THREAD) != 0 ? hooks[i].per_thread : hooks[i].hook;
            memcpy(function, &hook, sizeof hook);
        }
    }
    return result;
}
