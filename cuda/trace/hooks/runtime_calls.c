/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runtime_calls.c - struct ws_calls, made of functions of CUDA's runtime.
 */
#define _GNU_SOURCE /* required for RTLD_DEFAULT */
#include <dlfcn.h>
#include <string.h>

#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"

/* Type of a function of the interpreter's runtime that keeps memory of tools apart from that of the
 * program, so that addresses of the program do not change. */
typedef void tool_memory(int on);

static void memory_apart(int on)
{
    void *symbol = dlsym(RTLD_DEFAULT, "warpscope_cuda_tool_memory");
    tool_memory *apart = NULL;
    memcpy(&apart, &symbol, sizeof apart);
    if (apart != NULL) {
        apart(on);
    }
}

static int host_alloc(void **host, uint64_t *device, size_t bytes)
{
    void *address = NULL;
    memory_apart(1);
    int error = cudaHostAlloc(host, bytes, CU_HOST_ALLOC_PORTABLE | CU_HOST_ALLOC_MAPPED);
    memory_apart(0);
    if (error == 0) {
        error = cudaHostGetDevicePointer(&address, *host, 0);
        *device = (uint64_t)(uintptr_t)address;
    }
    return error;
}

static int device_alloc(uint64_t *address, size_t bytes)
{
    void *memory = NULL;
    memory_apart(1);
    int error = cudaMalloc(&memory, bytes);
    memory_apart(0);
    *address = (uint64_t)(uintptr_t)memory;
    return error;
}

static int copy_in(uint64_t to, const void *from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync((void *)(uintptr_t)to, from, bytes, CU_HOST_TO_DEVICE, stream);
}

static int copy_out(void *to, uint64_t from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync(to, (const void *)(uintptr_t)from, bytes, CU_DEVICE_TO_HOST, stream);
}

static bool is_capturing(void *stream)
{
    int status = 0;
    int error = cudaStreamIsCapturing(stream, &status);
    return error == CU_CAPTURE_IMPLICIT || (error == 0 && status != 0);
}

static int query(uint64_t place, void *stream)
{
    int device = -1;
    bool is_other = cudaGetDevice(&device) == 0 && (uint64_t)device != place;
    if (is_other) {
        cudaSetDevice((int)place);
    }
    int error = cudaStreamQuery(stream == NULL ? CU_STREAM_LEGACY : stream);
    if (is_other) {
        cudaSetDevice(device);
    }
    return error == CU_NOT_READY ? 0 : error;
}

static int relax(int mode)
{
    return cudaThreadExchangeStreamCaptureMode(&mode) == 0 ? mode : 0;
}

const struct ws_calls ws_runtime_calls = {.kind = WS_RUNTIME,
                                          .host_alloc = host_alloc,
                                          .host_free = cudaFreeHost,
                                          .device_alloc = device_alloc,
                                          .copy_in = copy_in,
                                          .copy_out = copy_out,
                                          .host_function = cudaLaunchHostFunc,
                                          .is_capturing = is_capturing,
                                          .query = query,
                                          .error_text = cudaGetErrorString,
                                          .relax = relax};
