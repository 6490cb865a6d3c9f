// SPDX-License-Identifier: BSD-3-Clause
// wmma: a product of halves, tile by tile, from global memory, and one of bytes of another shape.
#include "program.h"
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

enum { N = 32, TILE = 16 };

extern "C" __global__ void fill(uint32_t *to, const uint32_t *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

// A CTA of one warp for each tile of c. a: row by row; b: column by column.
extern "C" __global__ void halves(const half *a, const half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 1.0f);
    for (int k = 0; k < N; k += TILE) {
        wmma::load_matrix_sync(x, a + blockIdx.y * TILE * N + k, N);
        wmma::load_matrix_sync(y, b + blockIdx.x * TILE * N + k, N);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + blockIdx.y * TILE * N + blockIdx.x * TILE, sum, N, wmma::mem_row_major);
}

// One product of 8 x 16 and 16 x 32 bytes. a: column by column; b: row by row.
extern "C" __global__ void bytes(const signed char *a, const signed char *b, int *c)
{
    wmma::fragment<wmma::matrix_a, 8, 32, 16, signed char, wmma::col_major> x;
    wmma::fragment<wmma::matrix_b, 8, 32, 16, signed char, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 8, 32, 16, int> sum;
    wmma::fill_fragment(sum, 3);
    wmma::load_matrix_sync(x, a, 8);
    wmma::load_matrix_sync(y, b, 32);
    wmma::mma_sync(sum, x, y, sum);
    wmma::store_matrix_sync(c, sum, 8, wmma::mem_col_major);
}

extern "C" __global__ void total(const float *c, const int *d, int *sum)
{
    int i = threadIdx.x;
    atomicAdd(sum, (int)c[8 * i] + d[2 * i]);
}

int main()
{
    std::vector<half> a(N * N), b(N * N);
    std::vector<signed char> p(8 * 16), q(16 * 32);
    for (int i = 0; i < N * N; i++) {
        a[i] = __float2half((float)(i * 7 % 11 - 5));
        b[i] = __float2half((float)(i * 5 % 13 - 6));
    }
    for (size_t i = 0; i < q.size(); i++) {
        p[i % p.size()] = (signed char)(i % p.size() * 37);
        q[i] = (signed char)(i * 91);
    }
    half *a_in = device("a_in", a), *b_in = device("b_in", b), *x = device<half>("a", N * N), *y = device<half>("b", N * N);
    signed char *p_in = device("p", p), *q_in = device("q", q);
    float *c = device<float>("c", N * N);
    int *d = device<int>("d", 8 * 32), *sum = device<int>("sum", 1);
    fill<<<4, 128>>>((uint32_t *)x, (const uint32_t *)a_in);
    fill<<<4, 128>>>((uint32_t *)y, (const uint32_t *)b_in);
    halves<<<dim3(N / TILE, N / TILE), 32>>>(x, y, c);
    bytes<<<1, 32>>>(p_in, q_in, d);
    total<<<1, 128>>>(c, d, sum);
    int all = 0;
    check("c", c, N * N, [&](int i) {
        float expected = 1;
        for (int k = 0; k < N; k++) {
            expected += __half2float(a[i / N * N + k]) * __half2float(b[i % N * N + k]);
        }
        all += i % 8 == 0 ? (int)expected : 0;
        return expected;
    });
    check("d", d, 8 * 32, [&](int i) {
        int row = i % 8, column = i / 8, expected = 3;
        for (int k = 0; k < 16; k++) {
            expected += p[k * 8 + row] * q[k * 32 + column];
        }
        all += i % 2 == 0 ? expected : 0;
        return expected;
    });
    same("sum", 0, host(sum, 1)[0], all);
    return finish();
}
