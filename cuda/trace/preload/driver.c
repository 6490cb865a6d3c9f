/* SPDX-License-Identifier: BSD-3-Clause
 *
 * driver.c - struct ws_calls, made of functions of CUDA's driver.
 */
#define _GNU_SOURCE
#include "trace/preload/driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "trace/say.h"

void *ws_driver_find_any(const char *name)
{
    static void *driver; /* atomic */
    void *library = __atomic_load_n(&driver, __ATOMIC_ACQUIRE);
    if (library == NULL) {
        library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&driver, library, __ATOMIC_RELEASE);
    }
    return library == NULL ? NULL : dlsym(library, name);
}

void *ws_driver_find(const char *name)
{
    void *function = ws_driver_find_any(name);
    if (function == NULL) {
        ws_trace_say("the CUDA driver (libcuda.so.1) has no function %s: update the driver, or run "
                     "the program without LD_PRELOAD and untraced",
                     name);
        abort();
    }
    return function;
}

static uint64_t place(void)
{
    void *context = NULL;
    CU_CALL(cuCtxGetCurrent, (void **), (&context));
    return (uint64_t)(uintptr_t)context;
}

static void apart(int on)
{
    void *function = ws_driver_find_any("warpscope_cuda_tool_memory");
    if (function == NULL) {
        function = dlsym(RTLD_DEFAULT, "warpscope_cuda_tool_memory");
    }
    if (function != NULL) {
        ((void (*)(int))(uintptr_t)function)(on);
    }
}

static int host_alloc(void **host, uint64_t *device, size_t bytes)
{
    int error = CU_CALL(cuMemHostAlloc, (void **, size_t, unsigned),
                        (host, bytes, HOST_PORTABLE | HOST_MAPPED));
    return error != 0 ? error
                      : CU_CALL(cuMemHostGetDevicePointer_v2, (uint64_t *, void *, unsigned),
                                (device, *host, 0));
}

static int host_free(void *host)
{
    return CU_CALL(cuMemFreeHost, (void *), (host));
}

static int device_alloc(uint64_t *address, size_t bytes)
{
    return CU_CALL(cuMemAlloc_v2, (uint64_t *, size_t), (address, bytes));
}

static int copy_in(uint64_t to, const void *from, size_t bytes, void *stream)
{
    return CU_CALL(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, void *),
                   (to, from, bytes, stream));
}

static int copy_out(void *to, uint64_t from, size_t bytes, void *stream)
{
    return CU_CALL(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, void *),
                   (to, from, bytes, stream));
}

static int host_function(void *stream, void (*function)(void *user), void *user)
{
    return CU_CALL(cuLaunchHostFunc, (void *, void (*)(void *), void *), (stream, function, user));
}

static bool is_capturing(void *stream)
{
    int status = 0;
    int error = CU_CALL(cuStreamIsCapturing, (void *, int *), (stream, &status));
    return error == GPU_CAPTURE_IMPLICIT || (error == 0 && status != 0);
}

static int query(uint64_t at, void *stream)
{
    void *context = NULL;
    int error = CU_CALL(cuCtxPushCurrent_v2, (void *), ((void *)(uintptr_t)at));
    if (error != 0) {
        return error;
    }
    error = CU_CALL(cuStreamQuery, (void *), (stream == NULL ? STREAM_LEGACY : stream));
    CU_CALL(cuCtxPopCurrent_v2, (void **), (&context));
    return error == GPU_NOT_READY ? 0 : error;
}

static const char *error_text(int error)
{
    const char *text = NULL;
    CU_CALL(cuGetErrorString, (int, const char **), (error, &text));
    return text == NULL ? "an unknown error" : text;
}

static int relax(int mode)
{
    return CU_CALL(cuThreadExchangeStreamCaptureMode, (int *), (&mode)) == 0 ? mode : 0;
}

const struct ws_calls ws_driver_calls = {.kind = WS_DRIVER,
                                         .place = place,
                                         .apart = apart,
                                         .host_alloc = host_alloc,
                                         .host_free = host_free,
                                         .device_alloc = device_alloc,
                                         .copy_in = copy_in,
                                         .copy_out = copy_out,
                                         .host_function = host_function,
                                         .is_capturing = is_capturing,
                                         .query = query,
                                         .error_text = error_text,
                                         .relax = relax};
