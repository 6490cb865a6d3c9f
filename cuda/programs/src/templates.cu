// SPDX-License-Identifier: BSD-3-Clause
// Templates: one kernel for several types, operations and CTA sizes.
#include "program.h"

enum { N = 192 };

template <class T> struct square {
    __device__ T operator()(T a) const { return a * a; }
};

template <class T> struct plus_one {
    T one;
    __device__ T operator()(T a) const { return a + one; }
};

template <class T, int BLOCK, class F> __global__ void map(T *to, const T *from, F f)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    to[i] = f(from[N - 1 - i]);
}

template <class T> static void run(const char *name, T one)
{
    T *a = device<T>(name, N, [](int i) { return i % 9; }), *b = device<T>(name, N);
    map<T, 32><<<N / 32, 32>>>(b, a, square<T>());
    map<T, 64><<<N / 64, 64>>>(a, b, plus_one<T>{one});
    check(name, a, N, [](int i) { return (i % 9) * (i % 9) + 1; });
}

int main()
{
    run<int>("int", 1);
    run<double>("double", 1);
    run<unsigned char>("char", 1);
    return finish();
}
