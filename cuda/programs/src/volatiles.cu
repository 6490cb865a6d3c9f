// SPDX-License-Identifier: BSD-3-Clause
// Volatile accesses, accesses with cache hints, and fences.
#include "program.h"

enum { N = 128, BLOCK = 32, BLOCKS = N / BLOCK };

extern "C" __global__ void fill(volatile int *x, int *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    x[i] = 1;
    x[i] = i; // a second store to the same address
    __threadfence();
    switch (i % 4) {
    case 0:
        __stcg(y + i, 10 * i);
        break;
    case 1:
        __stcs(y + i, 10 * i);
        break;
    case 2:
        __stwt(y + i, 10 * i);
        break;
    default:
        __stwb(y + i, 10 * i);
    }
    __threadfence_system();
}

extern "C" __global__ void add(const volatile int *x, const int *y, long long *z)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, j = (i + 32) % N;
    long long sum = x[j];
    sum += x[j]; // volatile: two loads
    sum += __ldg(y + i) + __ldca(y + i) + __ldcg(y + i) + __ldcs(y + i);
    sum += __ldlu(y + i) + __ldcv(y + i);
    __threadfence_block();
    z[i] = sum;
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", N);
    long long *z = device<long long>("z", N);
    fill<<<BLOCKS, BLOCK>>>(x, y);
    add<<<BLOCKS, BLOCK>>>(x, y, z);
    check("z", z, N, [](int i) { return 2 * ((i + 32) % N) + 60 * i; });
    return finish();
}
