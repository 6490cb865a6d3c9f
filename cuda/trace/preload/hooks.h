/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of CUDA's driver that the preloaded library replaces. The file exports.map makes
 * the linker export them.
 */
#ifndef WARPSCOPE_CUDA_PRELOAD_HOOKS_H
#define WARPSCOPE_CUDA_PRELOAD_HOOKS_H

#include "trace/preload/driver.h"

/* Calls the driver's own function that a hook replaces, as in CU_REAL(cuModuleLoad)(module, path). */
#define CU_REAL(hook) ((__typeof__(&(hook)))(uintptr_t)ws_driver_find(#hook))

cu_result cuModuleLoadData(void **module, const void *image);
cu_result cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                             void **values);
cu_result cuModuleLoadFatBinary(void **module, const void *image);
cu_result cuModuleLoad(void **module, const char *path);
cu_result cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                           unsigned count, int *options, void **values);
cu_result cuLinkAddFile_v2(void *state, int type, const char *path, unsigned count, int *options,
                           void **values);
cu_result cuLibraryLoadData(void **library, const void *code, int *options, void **values,
                            unsigned count, int *library_options, void **library_values,
                            unsigned library_count);
cu_result cuLibraryLoadFromFile(void **library, const char *path, int *options, void **values,
                                unsigned count, int *library_options, void **library_values,
                                unsigned library_count);

#define CU_LAUNCH_PARAMETERS                                                                       \
    (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,          \
     unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters,         \
     void **extra)
#define CU_COOPERATIVE_PARAMETERS                                                                  \
    (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,          \
     unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **parameters)
#define CU_EX_PARAMETERS                                                                           \
    (const struct cu_config *config, void *function, void **parameters, void **extra)

cu_result cuLaunchKernel CU_LAUNCH_PARAMETERS;
cu_result cuLaunchKernel_ptsz CU_LAUNCH_PARAMETERS;
cu_result cuLaunchKernelEx CU_EX_PARAMETERS;
cu_result cuLaunchKernelEx_ptsz CU_EX_PARAMETERS;
cu_result cuLaunchCooperativeKernel CU_COOPERATIVE_PARAMETERS;
cu_result cuLaunchCooperativeKernel_ptsz CU_COOPERATIVE_PARAMETERS;

/* Functions that take a kernel node of a graph, as X(name, parameters, arguments). */
#define CU_KERNEL_NODES(X)                                                                         \
    X(cuGraphAddKernelNode_v2,                                                                     \
      (void **node, void *graph, void *const *before, size_t count, const struct cu_node *kernel), \
      (node, graph, before, count, kernel))                                                        \
    X(cuGraphKernelNodeSetParams_v2, (void *node, const struct cu_node *kernel), (node, kernel))   \
    X(cuGraphExecKernelNodeSetParams_v2, (void *graph, void *node, const struct cu_node *kernel),  \
      (graph, node, kernel))
#define CU_DECLARE(name, parameters, arguments) cu_result name parameters;
CU_KERNEL_NODES(CU_DECLARE)

cu_result cuStreamDestroy_v2(void *stream);
cu_result cuCtxDestroy_v2(void *context);
cu_result cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                              int *status);

#endif
