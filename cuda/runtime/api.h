/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common to the functions that programs call. Their prototypes are those of NVIDIA's headers; the files cudart_*.c
 * have the runtime interface, cu_*.c the driver interface.
 */
#ifndef WARPSCOPE_CUDA_API_H
#define WARPSCOPE_CUDA_API_H

#include "runtime/module.h"
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* they are in NVIDIA's headers */

/* Notes an error for cudaGetLastError(). */
static inline int done(int code)
{
    if (code)
        gpu_thread()->error = code;
    return code;
}

/* The code of the driver interface for one of ours. */
static inline int driver(int code)
{
    switch (code) {
    case GPU_INVALID_CONFIGURATION:
    case GPU_INVALID_DIRECTION:
    case GPU_INVALID_PITCH:
        return GPU_INVALID_VALUE;
    case GPU_INVALID_FUNCTION:
    case GPU_INVALID_SYMBOL:
        return GPU_NOT_FOUND;
    default:
        return code;
    }
}

static inline uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static inline void *pointer_to(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* A second form of a function, in which stream 0 is the per-thread default stream. */
#define PER_THREAD(name, suffix, parameters, arguments)                                            \
    int name##suffix parameters                                                                    \
    {                                                                                              \
        struct gpu_thread *thread = gpu_thread();                                                  \
        thread->per_thread = true;                                                                 \
        int code = name arguments;                                                                 \
        thread->per_thread = false;                                                                \
        return code;                                                                               \
    }

/* The function of the library that has this name, of the driver interface in its newest form, or NULL. */
void *gpu_function_named(const char *name, bool newest);
/* Sets the calling thread's mode, and stores the one before in *mode. */
int gpu_exchange_capture_mode(int *mode);
/* The current device, with its error. */
int gpu_device_ready(struct gpu_device **device);

#endif
