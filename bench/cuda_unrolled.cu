/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 288 kernels whose loops nvcc unrolls up to 16 times, so that each has up to 48 accesses in a row: a module for
 * measuring how long ptxas takes for rewritten kernels.
 */
template <int UNROLL, int KIND>
__device__ __forceinline__ void loop(int n, const float *a, float *b, const float *c)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll UNROLL
    for (int i = 0; i < UNROLL * 2; i++) {
        if (KIND == 0) {
            b[t + i * n] = a[t + i] * c[t * i] + b[t + i];
        } else if (KIND == 1) {
            b[t + i] += a[t + i];
        } else {
            b[t * 2 + i] = a[t + i * 33] + c[i * n];
        }
    }
}

#define KERNEL(name, unroll, kind)                                                                 \
    extern "C" __global__ void name(int n, const float *a, float *b, const float *c)               \
    {                                                                                              \
        loop<unroll, kind>(n, a, b, c);                                                            \
    }
#define SIX(n)                                                                                     \
    KERNEL(k##n##0, 1, 0)                                                                          \
    KERNEL(k##n##1, 1, 1)                                                                          \
    KERNEL(k##n##2, 2, 2) KERNEL(k##n##3, 4, 0) KERNEL(k##n##4, 8, 1) KERNEL(k##n##5, 16, 2)
#define FOUR(n) SIX(n##0) SIX(n##1) SIX(n##2) SIX(n##3)
FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7) FOUR(8) FOUR(9) FOUR(10) FOUR(11)
