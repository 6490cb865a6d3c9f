// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations of all kinds and sizes, with and without use of the old value.
#include "program.h"

enum { BLOCK = 32, BLOCKS = 4, N = BLOCK * BLOCKS, WORDS = 10 };

extern "C" __global__ void change(int *w, unsigned *u, unsigned long long *l, float *f, double *d,
                                  int *old)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    atomicAdd(&w[0], i);
    atomicSub(&w[1], i);
    atomicMin(&w[2], -i);
    atomicMax(&w[3], i * i % 101);
    atomicAnd(&w[4], ~(1 << i % 30));
    atomicOr(&w[5], 1 << i % 31);
    atomicXor(&w[6], i);
    atomicInc(&u[0], 49);
    atomicDec(&u[1], 30);
    atomicMin(&u[2], 1000u - i);
    atomicAdd(&l[0], 1ull << 33);
    atomicMax(&l[1], (unsigned long long)i << 40);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    atomicAdd(&w[7], atomicExch(&old[i], i) + 1);
    atomicCAS(&w[8], 0, 77);
    atomicAdd_block(&w[9], 1);
    atomicAdd_system(&u[3], 1);
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], 2;" ::"l"(u + 4) : "memory");
    asm volatile("red.or.b32 [%0], %1;" ::"l"(u + 5), "r"(1u << i % 32) : "memory");
}

extern "C" __global__ void look(const int *w, int *copy)
{
    copy[threadIdx.x] = w[threadIdx.x];
}

int main()
{
    int *w = device<int>("w", WORDS), *old = device<int>("old", N), *copy = device<int>("copy", WORDS);
    unsigned *u = device("u", std::vector<unsigned>{0, 0, 5000, 0, 0, 0});
    unsigned long long *l = device<unsigned long long>("l", 2);
    float *f = device<float>("f", 1);
    double *d = device<double>("d", 1);
    CUDA(cudaMemset(w + 4, 0xff, sizeof(int)));
    CUDA(cudaDeviceSynchronize());
    change<<<BLOCKS, BLOCK>>>(w, u, l, f, d, old);
    look<<<1, WORDS>>>(w, copy);
    int all = N * (N - 1) / 2;
    int words[WORDS] = {all, -all, 1 - N, 100, (int)(~0u << 30), 0x7fffffff, 0, N, 77, N};
    unsigned unsigneds[6] = {N % 50, (31 - N % 31) % 31, 1001 - N, N, 2 * N, ~0u};
    words[3] = 0;
    for (int i = 0; i < N; i++) {
        words[3] = i * i % 101 > words[3] ? i * i % 101 : words[3];
    }
    check("w", copy, WORDS, [&](int i) { return words[i]; });
    check("u", u, 6, [&](int i) { return unsigneds[i]; });
    check("l", l, 2, [](int i) { return i == 0 ? (unsigned long long)N << 33 : (unsigned long long)(N - 1) << 40; });
    same<float>("f", 0, host(f, 1)[0], N / 2);
    same<double>("d", 0, host(d, 1)[0], N / 4);
    return finish();
}
