// SPDX-License-Identifier: BSD-3-Clause
// Divergence: threads return early, differ in their numbers of loop iterations, and take different cases of a switch.
#include "program.h"

enum { N = 200, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK };

extern "C" __global__ void fill(int *x)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= N) {
        return;
    }
    x[i] = i % 10;
}

extern "C" __global__ void wander(const int *x, int *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, sum = 0;
    if (i >= N || i % 16 == 5) {
        return;
    }
    for (int k = 0; k < i % 7; k++) {
        int v = x[(i + 10 * k) % N];
        if (v == 3) {
            continue;
        }
        if (v == 8) {
            break;
        }
        switch (v & 3) {
        case 0:
            sum += 1;
            break;
        case 1:
            sum += 10;
            break;
        default:
            sum += v > 5 ? 100 : 1000;
        }
    }
    y[i] = sum;
}

static int expected(int i)
{
    int sum = 0, v = i % 10;
    if (i % 16 == 5 || v == 3 || v == 8) {
        return 0;
    }
    for (int k = 0; k < i % 7; k++) {
        sum += (v & 3) == 0 ? 1 : (v & 3) == 1 ? 10 : v > 5 ? 100 : 1000;
    }
    return sum;
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", N);
    fill<<<BLOCKS, BLOCK>>>(x);
    wander<<<BLOCKS, BLOCK>>>(x, y);
    check("y", y, N, expected);
    return finish();
}
