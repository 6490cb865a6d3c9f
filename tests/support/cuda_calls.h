/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuda_calls.h - what a program without NVIDIA's headers needs of CUDA: prototypes, and fat binaries that it makes
 * itself.
 */
#ifndef WARPSCOPE_TESTS_CUDA_CALLS_H
#define WARPSCOPE_TESTS_CUDA_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cuda_dim3 {
    unsigned x, y, z;
};

struct cuda_wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *more;
};

struct cuda_function_attributes { /* the beginning of cudaFuncAttributes */
    size_t shared, constant, local;
    int max_threads, registers, ptx_version, binary_version;
    int more[64];
};

void **__cudaRegisterFatBinary(void *fatbin);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int external, size_t size, int constant, int global);
unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid, struct cuda_dim3 block, size_t shared,
                                     void *stream);
int __cudaPopCallConfiguration(struct cuda_dim3 *grid, struct cuda_dim3 *block, size_t *shared,
                               void *stream);
int __cudaGetKernel(void **kernel, const void *function);
int __cudaLaunchKernel(void *kernel, struct cuda_dim3 grid, struct cuda_dim3 block,
                       void **arguments, size_t shared, void *stream);
int cudaLaunchKernel(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block,
                     void **arguments, size_t shared, void *stream);
int cudaMalloc(void **pointer, size_t bytes);
int cudaMallocAsync(void **pointer, size_t bytes, void *stream);
int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
int cudaMemPoolCreate(void **pool, const int *properties);
int cudaMemPoolDestroy(void *pool);
int cudaMemPoolSetAttribute(void *pool, int attribute, void *value);
int cudaMemPoolGetAttribute(void *pool, int attribute, void *value);
int cudaMallocFromPoolAsync(void **pointer, size_t bytes, void *pool, void *stream);
int cudaFree(void *pointer);
int cudaFreeAsync(void *pointer, void *stream);
int cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
int cudaFreeHost(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                 size_t height, int kind);
int cudaMemset(void *to, int value, size_t bytes);
int cudaMemsetAsync(void *to, int value, size_t bytes, void *stream);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind);
int cudaGetSymbolSize(size_t *size, const void *symbol);
int cudaStreamCreate(void **stream);
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamDestroy(void *stream);
int cudaStreamSynchronize(void *stream);
int cudaStreamQuery(void *stream);
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int cudaStreamAddCallback(void *stream, void (*callback)(void *, int, void *), void *user,
                          unsigned flags);
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *user);
int cudaEventCreate(void **event);
int cudaEventDestroy(void *event);
int cudaEventRecord(void *event, void *stream);
int cudaEventQuery(void *event);
int cudaEventSynchronize(void *event);
int cudaEventElapsedTime(float *milliseconds, void *begin, void *end);
int cudaDeviceSynchronize(void);
int cudaDeviceReset(void);
int cudaSetDevice(int device);
int cudaGetDevice(int *device);
int cudaGetDeviceCount(int *count);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
const char *cudaGetErrorName(int code);
const char *cudaGetErrorString(int code);
int cudaGraphCreate(void **graph, unsigned flags);
int cudaGraphicsUnregisterResource(void *resource);
int cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                     unsigned long long flags, int *status);
int cudaFuncGetAttributes(struct cuda_function_attributes *attributes, const void *function);
int cudaFuncSetAttribute(const void *function, int attribute, int value);
int cuInit(unsigned flags);
int cuThreadExchangeStreamCaptureMode(int *mode);
int cuDeviceGetPCIBusId(char *id, int length, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxGetCurrent(void **context);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name);
int cuModuleUnload(void *module);
int cuLinkCreate_v2(unsigned count, int *options, void **values, void **state);
int cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                     unsigned count, int *options, void **values);
int cuLinkComplete(void *state, void **image, size_t *size);
int cuLinkDestroy(void *state);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra);
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size);
int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemFree_v2(uint64_t address);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuMemsetD32_v2(uint64_t to, unsigned value, size_t count);
int cuMemsetD2D8_v2(uint64_t to, size_t pitch, unsigned char value, size_t width, size_t height);
int cuMemsetD2D8_v2_ptds(uint64_t to, size_t pitch, unsigned char value, size_t width,
                         size_t height);
int cuMemsetD2D8Async(uint64_t to, size_t pitch, unsigned char value, size_t width, size_t height,
                      void *stream);
int cuMemsetD2D8Async_ptsz(uint64_t to, size_t pitch, unsigned char value, size_t width,
                           size_t height, void *stream);

static inline void cuda_put(unsigned char *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

enum { CUDA_HEADER = 16, CUDA_ENTRY = 64, CUDA_PTX = 1, CUDA_ELF = 2 };

/* Adds an entry to a container of *size bytes, which begins as NULL. compressed: bytes of the payload that are
 * compressed, with the flags of their kind, or 0; original: their bytes after decompression. Returns the container. */
static inline unsigned char *cuda_entry(unsigned char *container, size_t *size, unsigned kind,
                                        unsigned architecture, const void *payload, size_t bytes,
                                        uint64_t flags, uint64_t original)
{
    size_t begin = container != NULL ? *size : CUDA_HEADER, padded = (bytes + 7) / 8 * 8;
    unsigned char *c = realloc(container, begin + CUDA_ENTRY + padded);
    if (c == NULL) {
        abort();
    }
    memset(container != NULL ? c + begin : c, 0,
           begin + CUDA_ENTRY + padded - (container != NULL ? begin : 0));
    *size = begin + CUDA_ENTRY + padded;
    cuda_put(c, 0xBA55ED50, 4);
    cuda_put(c + 4, 1, 2);
    cuda_put(c + 6, CUDA_HEADER, 2);
    cuda_put(c + 8, *size - CUDA_HEADER, 8);
    cuda_put(c + begin, kind, 2);
    cuda_put(c + begin + 2, 0x101, 2);
    cuda_put(c + begin + 4, CUDA_ENTRY, 4);
    cuda_put(c + begin + 8, padded, 8);
    cuda_put(c + begin + 16, flags != 0 ? bytes : 0, 4);
    cuda_put(c + begin + 26, 7, 2); /* PTX 7.5 */
    cuda_put(c + begin + 24, 5, 2);
    cuda_put(c + begin + 28, architecture, 4);
    cuda_put(c + begin + 40, flags | 0x11, 8);
    cuda_put(c + begin + 56, flags != 0 ? original : 0, 8);
    memcpy(c + begin + CUDA_ENTRY, payload, bytes);
    return c;
}

#endif
