// SPDX-License-Identifier: BSD-3-Clause
// Copies of structures: the compiler chooses the sizes of accesses, on which results with --match=bytes do not depend.
#include "program.h"

enum { N = 64, BLOCK = 16, BLOCKS = N / BLOCK };

struct particle {
    double mass;
    float position[3], velocity[3];
    int number;
    short kind;
    char name[2];
};

extern "C" __global__ void fill(struct particle *p)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    struct particle a;
    a.mass = i + 0.5;
    for (int k = 0; k < 3; k++) {
        a.position[k] = i + k;
        a.velocity[k] = i - k;
    }
    a.number = i;
    a.kind = -i;
    a.name[0] = 'p';
    a.name[1] = i;
    p[i] = a;
}

extern "C" __global__ void copy(const struct particle *from, struct particle *to)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    to[i] = from[N - 1 - i];
}

extern "C" __global__ void masses(const struct particle *p, double *sums)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    sums[i] = p[i].mass + p[i].kind;
}

int main()
{
    struct particle *p = device<struct particle>("p", N), *q = device<struct particle>("q", N);
    double *sums = device<double>("sums", N);
    fill<<<BLOCKS, BLOCK>>>(p);
    copy<<<BLOCKS, BLOCK>>>(p, q);
    masses<<<BLOCKS, BLOCK>>>(q, sums);
    std::vector<struct particle> result = host(q, N);
    for (int i = 0; i < N; i++) {
        int j = N - 1 - i;
        same<double>("mass", i, result[i].mass, j + 0.5);
        same<float>("velocity", i, result[i].velocity[2], j - 2);
        same<int>("name", i, result[i].name[1], j);
    }
    check("sums", sums, N, [](int i) { return 0.5; });
    return finish();
}
