// SPDX-License-Identifier: BSD-3-Clause
//
// Common parts of the programs: memory, checks of results, and the end of a program.
//
// A program prints "ok" and exits with status 0 if all results are right. Otherwise it prints the
// first differences and their total number, and exits with status 1. Errors of CUDA end it with status 2. A program
// appends one line per array (name, address, size in bytes) to the file in the environment variable PROGRAM_ARRAYS.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CUDA(call) program_must((call), #call, __FILE__, __LINE__)

static inline void program_must(cudaError_t error, const char *call, const char *file, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
        exit(2);
    }
}

static int program_differences;

template <class T> static inline void same(const char *name, size_t i, T got, T expected)
{
    if (got != expected && program_differences++ < 5) {
        printf("%s[%zu] is %.17g instead of %.17g\n", name, i, (double)got, (double)expected);
    }
}

// Appends a line that describes the array to the file that PROGRAM_ARRAYS names.
static inline void report(const char *name, const void *address, size_t bytes)
{
    const char *path = getenv("PROGRAM_ARRAYS");
    FILE *f = path != nullptr ? fopen(path, "a") : nullptr;
    if (f != nullptr) {
        fprintf(f, "%s 0x%llx %zu\n", name, (unsigned long long)(uintptr_t)address, bytes);
        fclose(f);
    }
}

// Returns a new array of zeros in device memory, and reports it.
template <class T> static inline T *device(const char *name, size_t count)
{
    void *p;
    CUDA(cudaMalloc(&p, count * sizeof(T)));
    CUDA(cudaMemset(p, 0, count * sizeof(T)));
    report(name, p, count * sizeof(T));
    return static_cast<T *>(p);
}

template <class T> static inline T *device(const char *name, const std::vector<T> &values)
{
    T *p = device<T>(name, values.size());
    CUDA(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

// The same for an array whose element i is value(i).
template <class T, class F> static inline T *device(const char *name, size_t count, F value)
{
    std::vector<T> values(count);
    for (size_t i = 0; i < count; i++) {
        values[i] = (T)value((int)i);
    }
    return device(name, values);
}

template <class T> static inline std::vector<T> host(const T *p, size_t count)
{
    std::vector<T> values(count);
    CUDA(cudaMemcpy(values.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

// Checks that element i of an array in device memory is expected(i).
template <class T, class F>
static inline void check(const char *name, const T *p, size_t count, F expected)
{
    std::vector<T> values = host(p, count);
    for (size_t i = 0; i < count; i++) {
        same<T>(name, i, values[i], (T)expected((int)i));
    }
}

static inline int finish()
{
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    if (program_differences > 0) {
        printf("%d differences\n", program_differences);
        return 1;
    }
    puts("ok");
    return 0;
}

// The kernel "fill": each thread of CTAs of `block` threads stores value, which may depend on its number i, in x[i].
#define FILL(T, block, value)                                                                      \
    extern "C" __global__ void fill(T *x)                                                          \
    {                                                                                              \
        int i = blockIdx.x * block + threadIdx.x;                                                  \
        x[i] = value;                                                                              \
    }

#endif
