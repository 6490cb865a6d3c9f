// SPDX-License-Identifier: BSD-3-Clause
// Parameters of kernels: none, many, and a large structure by value.
#include "program.h"

enum { N = 64 };

struct settings {
    char flag;
    short deltas[3];
    long long offset;
    float weights[20];
    int *to;
};

extern "C" __global__ void nothing()
{
}

extern "C" __global__ void store(struct settings s, char a, short b, int c, long long d, float e,
                                 double f, unsigned char g)
{
    int i = threadIdx.x;
    s.to[i] = s.flag + s.deltas[i % 3] + (int)s.offset + (int)s.weights[i % 20] + a + b + c + (int)d +
              (int)e + (int)f + g;
}

extern "C" __global__ void __launch_bounds__(64, 2) load(const int *__restrict__ from,
                                                         int *__restrict__ to)
{
    to[threadIdx.x] = 2 * from[threadIdx.x];
}

int main()
{
    struct settings s = {};
    int *y = device<int>("y", N);
    s.to = device<int>("x", N);
    s.flag = 1;
    s.offset = 1000;
    for (int i = 0; i < 20; i++) {
        s.deltas[i % 3] = 10 * (i % 3);
        s.weights[i] = i;
    }
    nothing<<<1, 1>>>();
    store<<<1, N>>>(s, 'a', -5, 7, 1ll << 12, 2.5f, 3.5, 200);
    load<<<1, N>>>(s.to, y);
    nothing<<<dim3(2, 2), 64>>>();
    check("y", y, N, [](int i) { return 2 * (1 + 10 * (i % 3) + 1000 + i % 20 + 'a' - 5 + 7 + 4096 + 2 + 3 + 200); });
    return finish();
}
