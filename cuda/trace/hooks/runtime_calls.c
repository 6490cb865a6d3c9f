/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runtime_calls.c - struct ws_calls, made of functions of CUDA's runtime.
 */
#define _GNU_SOURCE /* required for RTLD_DEFAULT */
#include <dlfcn.h>
#include <string.h>

#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"

static uint64_t place(void)
{
    int device = 0;
    cudaGetDevice(&device);
    return (uint64_t)device;
}

static void apart(int on)
{
    void (*function)(int) = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "warpscope_cuda_tool_memory");
    memcpy(&function, &symbol, sizeof function);
    if (function != NULL) {
        function(on);
    }
}

static int host_alloc(void **host, uint64_t *device, size_t bytes)
{
    void *address = NULL;
    int error = __real_cudaHostAlloc(host, bytes, HOST_PORTABLE | HOST_MAPPED);
    if (error == 0) {
        error = cudaHostGetDevicePointer(&address, *host, 0);
        *device = (uint64_t)(uintptr_t)address;
    }
    return error;
}

static int device_alloc(uint64_t *address, size_t bytes)
{
    void *memory = NULL;
    int error = __real_cudaMalloc(&memory, bytes);
    *address = (uint64_t)(uintptr_t)memory;
    return error;
}

static int copy_in(uint64_t to, const void *from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync((void *)(uintptr_t)to, from, bytes, COPY_HOST_DEVICE, stream);
}

static int copy_out(void *to, uint64_t from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync(to, (const void *)(uintptr_t)from, bytes, COPY_DEVICE_HOST, stream);
}

static bool is_capturing(void *stream)
{
    int status = 0;
    int error = cudaStreamIsCapturing(stream, &status);
    return error == GPU_CAPTURE_IMPLICIT || (error == 0 && status != 0);
}

static int query(uint64_t at, void *stream)
{
    int device = -1;
    bool is_other = cudaGetDevice(&device) == 0 && (uint64_t)device != at;
    if (is_other) {
        cudaSetDevice((int)at);
    }
    int error = cudaStreamQuery(stream == NULL ? STREAM_LEGACY : stream);
    if (is_other) {
        cudaSetDevice(device);
    }
    return error == GPU_NOT_READY ? 0 : error;
}

static int relax(int mode)
{
    return cudaThreadExchangeStreamCaptureMode(&mode) == 0 ? mode : 0;
}

const struct ws_calls ws_runtime_calls = {.kind = WS_RUNTIME,
                                          .place = place,
                                          .apart = apart,
                                          .host_alloc = host_alloc,
                                          .host_free = __real_cudaFreeHost,
                                          .device_alloc = device_alloc,
                                          .copy_in = copy_in,
                                          .copy_out = copy_out,
                                          .host_function = cudaLaunchHostFunc,
                                          .is_capturing = is_capturing,
                                          .query = query,
                                          .error_text = cudaGetErrorString,
                                          .relax = relax};
