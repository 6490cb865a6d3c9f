// SPDX-License-Identifier: BSD-3-Clause
// printf() on the device.
#include "program.h"

enum { BLOCK = 32, BLOCKS = 2 };

FILL(int, BLOCK, threadIdx.x)

extern "C" __global__ void show(const int *x, int *sum)
{
    int t = threadIdx.x, value = x[BLOCK + t];
    atomicAdd(sum, value);
    __syncthreads();
    if (t == 0) {
        printf("%d of %u threads in %s: %5.2f, %c, %lld%%, 0x%04x\n", *sum, blockDim.x, "a block",
               value + 0.5, 'x', 1234567890123ll, 0xabu);
    }
}

int main()
{
    int *x = device<int>("x", BLOCK * BLOCKS), *sum = device<int>("sum", 1);
    fill<<<BLOCKS, BLOCK>>>(x);
    show<<<1, BLOCK>>>(x, sum);
    CUDA(cudaDeviceSynchronize());
    same("sum", 0, host(sum, 1)[0], BLOCK * (BLOCK - 1) / 2);
    return finish();
}
