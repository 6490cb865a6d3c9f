/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common code of the functions that programs call. Their prototypes are those of NVIDIA's headers.
 * The files cudart_*.c have the runtime interface, cu_*.c the driver interface; both.h has the
 * functions that are the same in both.
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

/* Begins the definition of a function, whose body follows, and of its variant name##suffix, in
 * which stream 0 is the per-thread default stream. */
#define PER_THREAD(name, suffix, parameters, arguments)                                            \
    PER_THREAD_NAMED(name, JOINED(name, suffix), parameters, arguments)
#define JOINED(a, b)       JOINED_NAMES(a, b)
#define JOINED_NAMES(a, b) a##b
#define PER_THREAD_NAMED(name, variant, parameters, arguments)                                     \
    int name parameters;                                                                           \
    int variant parameters                                                                         \
    {                                                                                              \
        struct gpu_thread *thread = gpu_thread();                                                  \
        thread->per_thread = true;                                                                 \
        int code = name arguments;                                                                 \
        thread->per_thread = false;                                                                \
        return code;                                                                               \
    }                                                                                              \
    int name parameters

/* Defines a function that waits for its work on stream 0, a function that submits the same work to
 * the stream of an additional parameter, and the per-thread variants of both. work: expression for
 * the result, with `handle` for the stream and `wait`. */
#define WAITING_AND_ASYNC(name, async_name, parameters, arguments, work)                           \
    PER_THREAD_NAMED(name, name##_ptds, parameters, arguments)                                     \
    {                                                                                              \
        void *const handle = NULL;                                                                 \
        const bool wait = true;                                                                    \
        return work;                                                                               \
    }                                                                                              \
    PER_THREAD_NAMED(async_name, async_name##_ptsz, (LIST parameters, void *handle),               \
                     (LIST arguments, handle))                                                     \
    {                                                                                              \
        const bool wait = false;                                                                   \
        return work;                                                                               \
    }
#define LIST(...) __VA_ARGS__

/* Gives a function of this file a further name. */
#define ALIAS(name, function)                                                                      \
    extern __typeof__(function) name __attribute__((alias(NAME_TEXT(function))));
#define NAME_TEXT(name)  NAME_TEXT_(name)
#define NAME_TEXT_(name) #name

/* Defines a function that has no effect. It does not read its arguments. */
#define NO_EFFECT(name)                                                                            \
    int name(void)                                                                                 \
    {                                                                                              \
        return GPU_OK;                                                                             \
    }

/* Defines a function that stores a fact which is the same for all programs. */
#define CONSTANT(name, fact)                                                                       \
    int name(int *value)                                                                           \
    {                                                                                              \
        *value = fact;                                                                             \
        return GPU_OK;                                                                             \
    }

/* Returns the function of this library that has the name, or NULL. newest: true to return the
 * newest version of a driver function, such as name_v2. */
void *gpu_function_named(const char *name, bool newest);
/* Sets *device to the current device. Returns 0 or an error code, possibly that of the device's
 * fault. */
int gpu_device_ready(struct gpu_device **device);
/* Sets *device to the device of the current context. Returns an error if no context is current:
 * unlike the runtime interface, the driver interface never makes one current by itself. */
int driver_device(struct gpu_device **device);
/* Sets *stream to the stream that a handle refers to in the current context. */
int driver_stream(void *handle, struct gpu_stream **stream);

#endif
