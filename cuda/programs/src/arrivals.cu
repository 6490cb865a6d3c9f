// SPDX-License-Identifier: BSD-3-Clause
// cuda::barrier, a bulk copy that it waits for, and a bulk reduction. For sm_90.
#include "program.h"
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { BLOCK = 64, CTAS = 4, N = BLOCK * CTAS };

FILL(int, BLOCK, 5 * i)

// Each CTA copies its part of x to shared memory, reverses it there, and adds it to sums and to y.
extern "C" __global__ void add(const int *x, int *y, int *sums)
{
    __shared__ alignas(16) int part[BLOCK], turned[BLOCK];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier all;
    if (threadIdx.x == 0) {
        init(&all, BLOCK);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(part, x + blockIdx.x * BLOCK, sizeof part, all);
        token = cuda::device::barrier_arrive_tx(all, 1, sizeof part);
    } else {
        token = all.arrive();
    }
    all.wait(std::move(token));
    turned[BLOCK - 1 - threadIdx.x] = part[threadIdx.x];
    y[blockIdx.x * BLOCK + threadIdx.x] = part[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    all.arrive_and_wait();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sums),
                     "r"((uint32_t)__cvta_generic_to_shared(turned)), "r"((uint32_t)sizeof turned)
                     : "memory");
        cuda::device::experimental::cp_async_bulk_commit_group();
        cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
    }
}

extern "C" __global__ void look(const int *sums, int *copy)
{
    copy[threadIdx.x] = sums[threadIdx.x];
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", N), *sums = device<int>("sums", BLOCK);
    int *copy = device<int>("copy", BLOCK);
    fill<<<CTAS, BLOCK>>>(x);
    add<<<CTAS, BLOCK>>>(x, y, sums);
    look<<<1, BLOCK>>>(sums, copy);
    check("y", y, N, [](int i) { return 5 * i; });
    check("sums", copy, BLOCK, [](int i) {
        int expected = 0;
        for (int c = 0; c < CTAS; c++) {
            expected += 5 * (c * BLOCK + BLOCK - 1 - i);
        }
        return expected;
    });
    return finish();
}
