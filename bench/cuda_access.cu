// SPDX-License-Identifier: BSD-3-Clause
// cuda_access.cu - runs kernels that do little but access global memory, for bench/cuda_gpu.sh.
// Each line of the output has the name of a kernel, the number of its accesses in one launch, and
// the duration of a launch in milliseconds, measured by CUDA's events (the median of five).
//
//   cuda_access [ELEMENTS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "cuda_access: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

extern "C" __global__ void copy(const unsigned *x, unsigned *y, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = x[i];
    }
}

extern "C" __global__ void gather(const unsigned *x, unsigned *y, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = x[i * 2654435761u % n];
    }
}

extern "C" __global__ void count(const unsigned *x, unsigned *y, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&y[x[i] + i % 1024], 1u);
    }
}

extern "C" __global__ void compute(const unsigned *x, unsigned *y, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = x[i];
        for (int k = 0; k < 64; k++) {
            v = v * 1664525u + 1013904223u;
        }
        y[i] = v;
    }
}

typedef void (*kernel)(const unsigned *, unsigned *, unsigned);

static void run(const char *name, kernel k, const unsigned *x, unsigned *y, unsigned n)
{
    cudaEvent_t begin, end;
    float times[5];
    must(cudaEventCreate(&begin));
    must(cudaEventCreate(&end));
    for (float &time : times) {
        must(cudaEventRecord(begin, 0));
        k<<<256, 256>>>(x, y, n);
        must(cudaEventRecord(end, 0));
        must(cudaEventSynchronize(end));
        must(cudaEventElapsedTime(&time, begin, end));
    }
    std::sort(times, times + 5);
    printf("%s %u %.4f\n", name, 2 * n, times[2]);
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1 << 20, *x, *y;
    must(cudaMalloc(&x, n * sizeof *x));
    must(cudaMalloc(&y, n * sizeof *y));
    must(cudaMemset(x, 0, n * sizeof *x));
    run("copy", copy, x, y, n);
    run("gather", gather, x, y, n);
    run("count", count, x, y, n);
    run("compute", compute, x, y, n);
    must(cudaGetLastError());
    return 0;
}
