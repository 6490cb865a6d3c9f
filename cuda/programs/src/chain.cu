// SPDX-License-Identifier: BSD-3-Clause
// A chain within a launch: each CTA waits for a flag of the CTA before it (acquire and release).
#include "program.h"
#include <cuda/atomic>

enum { BLOCKS = 8 };

extern "C" __global__ void chain(int *values, int *flags)
{
    if (threadIdx.x != 0) {
        return;
    }
    int b = blockIdx.x, sum = b;
    if (b > 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[b - 1]);
        while (before.load(cuda::memory_order_acquire) == 0) {
        }
        sum += values[b - 1];
    }
    values[b] = sum;
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[b]);
    mine.store(1, cuda::memory_order_release);
}

int main()
{
    int *values = device<int>("values", BLOCKS), *flags = device<int>("flags", BLOCKS);
    chain<<<BLOCKS, 32>>>(values, flags);
    check("values", values, BLOCKS, [](int b) { return b * (b + 1) / 2; });
    return finish();
}
