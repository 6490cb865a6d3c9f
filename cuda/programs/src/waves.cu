// SPDX-License-Identifier: BSD-3-Clause
// Eight streams at once, each with two arrays of its own.
#include "program.h"

enum { STREAMS = 8, N = 64, BLOCK = 32, STEPS = 3 };

extern "C" __global__ void fill(int *x, int stream)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    x[i] = stream * 100 + i;
}

extern "C" __global__ void reverse(const int *from, int *to)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    to[i] = from[N - 1 - i] + 1;
}

int main()
{
    cudaStream_t streams[STREAMS];
    int *x[STREAMS][2];
    for (int s = 0; s < STREAMS; s++) {
        CUDA(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        x[s][0] = device<int>("even", N);
        x[s][1] = device<int>("odd", N);
    }
    CUDA(cudaDeviceSynchronize()); // the arrays are zero now
    for (int s = 0; s < STREAMS; s++) {
        fill<<<N / BLOCK, BLOCK, 0, streams[s]>>>(x[s][0], s);
    }
    for (int step = 0; step < STEPS; step++) {
        for (int s = 0; s < STREAMS; s++) {
            reverse<<<N / BLOCK, BLOCK, 0, streams[s]>>>(x[s][step % 2], x[s][1 - step % 2]);
        }
    }
    for (int s = 0; s < STREAMS; s++) {
        std::vector<int> result(N);
        CUDA(cudaMemcpyAsync(result.data(), x[s][STEPS % 2], N * sizeof(int), cudaMemcpyDeviceToHost,
                             streams[s]));
        CUDA(cudaStreamSynchronize(streams[s]));
        for (int i = 0; i < N; i++) {
            same("x", s * N + i, result[i], s * 100 + (STEPS % 2 ? N - 1 - i : i) + STEPS);
        }
        CUDA(cudaStreamDestroy(streams[s]));
    }
    return finish();
}
