/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of CUDA's driver that the preloaded library uses. They are declared here, so that the
 * library compiles without CUDA. Layouts and numbers are those of CUDA 12 and 13 (CUDA Driver API,
 * "Data types used by CUDA driver").
 */
#ifndef WARPSCOPE_CUDA_PRELOAD_DRIVER_H
#define WARPSCOPE_CUDA_PRELOAD_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/calls.h"

typedef int cu_result;

enum { CU_RESULT_NOT_READY = 600 };
enum { CU_INPUT_PTX = 1 };
enum { CU_LAUNCH_END = 0, CU_LAUNCH_BUFFER = 1, CU_LAUNCH_BUFFER_SIZE = 2 };
#define CU_LEGACY     ((void *)1)
#define CU_PER_THREAD ((void *)2)

/* CUlaunchConfig */
struct cu_config {
    unsigned grid[3], block[3], shared;
    void *stream;
    void *attributes;
    unsigned attribute_count;
};

/* CUDA_KERNEL_NODE_PARAMS_v2 */
struct cu_node {
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters;
    void **extra;
    void *kernel;
    void *context;
};

/* Returns the driver's own function of that name. If there is none, prints a message and ends the
 * program. */
void *ws_driver_find(const char *name);
/* Like ws_driver_find(), but returns NULL if there is none. */
void *ws_driver_find_any(const char *name);

/* Calls a function of the driver, as in CU_CALL(cuCtxGetCurrent, (void **), (&context)). */
#define CU_CALL(name, types, arguments)                                                            \
    (((cu_result(*) types)(uintptr_t)ws_driver_find(#name))arguments)

extern const struct ws_calls ws_driver_calls;

#endif
