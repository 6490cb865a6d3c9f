// SPDX-License-Identifier: BSD-3-Clause
// A tree of atomic additions: memsim's workload "reduction" with 16 CTAs of 8 4-byte elements, fan-in 4.
#include "program.h"

enum { C = 16, E = 8, FAN_IN = 4 };

extern "C" __global__ void reduce(const int *from, int inputs, int *to)
{
    __shared__ int values[E];
    int t = threadIdx.x;
    if (t < inputs) {
        values[t] = from[blockIdx.x * inputs + t];
    }
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < inputs; i++) {
            sum += values[i];
        }
        if (gridDim.x == 1) {
            *to = sum;
        } else {
            atomicAdd(&to[blockIdx.x / FAN_IN], sum);
        }
    }
}

int main()
{
    int expected = 0, inputs = E, level = 0;
    int *from = device<int>("level0", C * E, [&](int i) {
        expected += i * 37 % 101;
        return i * 37 % 101;
    });
    for (int ctas = C;; ctas = (ctas + FAN_IN - 1) / FAN_IN) {
        char name[16];
        snprintf(name, sizeof name, "level%d", ++level);
        int *to = device<int>(name, (ctas + FAN_IN - 1) / FAN_IN);
        reduce<<<ctas, E>>>(from, inputs, to);
        from = to;
        inputs = 1;
        if (ctas == 1) {
            break;
        }
    }
    same("sum", 0, host(from, 1)[0], expected);
    return finish();
}
