// SPDX-License-Identifier: BSD-3-Clause
// A producer and a consumer in two streams. CUDA events keep their rounds in order.
#include "program.h"

enum { C = 4, E = 64, ROUNDS = 4 };

extern "C" __global__ void produce(int *x, int round)
{
    int i = blockIdx.x * E + threadIdx.x;
    x[i] = round + i;
}

extern "C" __global__ void consume(const int *x, int *sums)
{
    int i = blockIdx.x * E + threadIdx.x;
    sums[i] += x[C * E - 1 - i];
}

int main()
{
    int *x = device<int>("x", C * E), *sums = device<int>("sums", C * E);
    cudaStream_t producer, consumer;
    cudaEvent_t full, empty;
    CUDA(cudaStreamCreate(&producer));
    CUDA(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&full));
    CUDA(cudaEventCreateWithFlags(&empty, cudaEventDisableTiming));
    CUDA(cudaDeviceSynchronize()); // the arrays are zero now
    for (int round = 0; round < ROUNDS; round++) {
        produce<<<C, E, 0, producer>>>(x, round);
        CUDA(cudaEventRecord(full, producer));
        CUDA(cudaStreamWaitEvent(consumer, full, 0));
        consume<<<C, E, 0, consumer>>>(x, sums);
        CUDA(cudaEventRecord(empty, consumer));
        CUDA(cudaStreamWaitEvent(producer, empty, 0));
    }
    CUDA(cudaStreamSynchronize(consumer));
    check("sums", sums, C * E, [](int i) { return ROUNDS * (C * E - 1 - i) + ROUNDS * (ROUNDS - 1) / 2; });
    CUDA(cudaEventDestroy(full));
    CUDA(cudaEventDestroy(empty));
    CUDA(cudaStreamDestroy(producer));
    CUDA(cudaStreamDestroy(consumer));
    return finish();
}
