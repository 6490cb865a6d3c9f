/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common code of the functions that programs call. Their prototypes are those of NVIDIA's headers.
 * The files cudart_*.c have the runtime interface, cu_*.c the driver interface.
 */
#ifndef WARPSCOPE_CUDA_API_H
#define WARPSCOPE_CUDA_API_H

#include "runtime/module.h"
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the prototypes are in NVIDIA's headers */

/* Stores `code` for cudaGetLastError() unless it is 0. Returns `code`. */
static inline int done(int code)
{
    if (code) {
        gpu_thread()->error = code;
    }
    return code;
}

/* Converts an error code of the runtime interface to the code that the driver interface uses. */
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

/* Defines the variant name##suffix of a function, in which stream 0 is the per-thread default
 * stream. */
#define PER_THREAD(name, suffix, parameters, arguments)                                            \
    int name##suffix parameters                                                                    \
    {                                                                                              \
        struct gpu_thread *thread = gpu_thread();                                                  \
        thread->per_thread = true;                                                                 \
        int code = name arguments;                                                                 \
        thread->per_thread = false;                                                                \
        return code;                                                                               \
    }

/* Returns the function of this library that has the name, or NULL. newest: true to return the
 * newest version of a driver function, such as name_v2. */
void *gpu_function_named(const char *name, bool newest);
/* Sets the capture mode of the calling thread, and stores the former mode in *mode. */
int gpu_exchange_capture_mode(int *mode);
/* Sets *device to the current device. Returns 0 or an error code, possibly that of the device's
 * fault. */
int gpu_device_ready(struct gpu_device **device);

#endif
