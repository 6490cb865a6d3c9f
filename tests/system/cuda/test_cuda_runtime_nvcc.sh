#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that nvcc compiled, unchanged, on the CUDA library of the interpreter: fat binaries of all forms, linked
# device code of two files, all kinds of variables, streams, faults, and the traces of their accesses.
# test: processors=2 timeout=120 labels=long
. "$WS_SRC/tests/support/lib.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip "no nvcc"
cpu=$(find "$WS_BUILD"/lib* -path '*/warpscope/cuda/cpu' -type d | head -n 1)
assert_ne "directory of the library" "" "$cpu"
LD_LIBRARY_PATH=$cpu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
unset WARPSCOPE_MEMTRACE

cat >whole.cu <<'EOF'
#include <cstdio>
__constant__ int c[4];
__managed__ int m = 5;
__device__ float dv[10];
static __device__ int sdv = 3;
template<class T> __global__ void add(T *x, T y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += y + c[0] + sdv;
    dv[0] = 1;
}
static __global__ void bump(int *x) { x[threadIdx.x] += m; }
__global__ void wild(int *x) { *x = 1; }
int main(int argc, char **argv)
{
    float *x, r[100];
    int h[4] = {1, 2, 3, 4};
    if (cudaMalloc(&x, 400) != cudaSuccess)
        return 2;
    cudaMemset(x, 0, 400);
    cudaMemcpyToSymbol(c, h, 16);
    add<float><<<4, 32>>>(x, 2.f, 100);
    bump<<<1, 4>>>((int *)x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(r, x, 400, cudaMemcpyDeviceToHost);
    m = 7;
    printf("%g %d\n", r[50], m);
    if (argc > 1) {
        wild<<<1, 1>>>((int *)8);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    }
    return cudaFree(x) != cudaSuccess;
}
EOF
cat >half.cu <<'EOF'
extern __device__ int ext;
static __device__ int hidden = 100;
__device__ int f(int x) { return x + ext + hidden; }
EOF
cat >other.cu <<'EOF'
#include <cstdio>
__device__ int ext = 9;
static __device__ int hidden = 1000;
extern __device__ int f(int);
__global__ void k(int *x) { x[threadIdx.x] = f(threadIdx.x) + hidden; }
int main()
{
    int *x;
    cudaMallocManaged(&x, 400);
    cudaStream_t s;
    cudaStreamCreate(&s);
    k<<<1, 32, 0, s>>>(x);
    cudaStreamSynchronize(s);
    printf("%d\n", x[3]);
}
EOF
cat >plain.cu <<'EOF'
#include <cstdio>
__global__ void k() {}
int main()
{
    k<<<1, 1>>>();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
EOF
compile() { # compile OUTPUT OPTION...
    program=$1
    shift
    "$nvcc" -cudart shared -o "$program" "$@" >"$program.txt" 2>&1 || fail "nvcc $*: $(cat "$program.txt")"
}
compile whole -arch=sm_75 whole.cu &
compile fast -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=compute_90 -G --compress-mode=speed whole.cu
wait
compile machine -gencode arch=compute_75,code=sm_75 plain.cu &
compile linked -arch=sm_75 -rdc=true half.cu other.cu
wait

"$nvcc" -arch=sm_75 -o default whole.cu >default.txt 2>&1 || fail "nvcc: $(cat default.txt)"
"$WS_BIN/warpscope" memtrace record --on=cpu -o default_traces -- ./default fault >last.out 2>last.err
assert_eq "output with the runtime in the program" "no error,6 7,cudaErrorIllegalAddress" "$(paste -sd, last.out)"

for program in whole fast; do
    assert_ok "$program" "./$program"
    assert_eq "output of $program" "no error
6 7" "$(cat last.out)"
done
assert_ok "a program of linked device code" ./linked
assert_eq "output of linked device code" 1112 "$(cat last.out)"

./machine >out 2>err
assert_eq "output with machine code alone" "no kernel image is available for execution on the device" "$(head -n 1 out)"
assert_contains "message for machine code alone" err "gencode arch=compute_75,code=compute_75"

# Traces: in add, 100 threads load and store x, all 128 store dv; sdv, which nothing writes, is no load. bump loads m.
WARPSCOPE_MEMTRACE=traces ./whole fault >out 2>err
assert_eq "output of a fault" "cudaErrorIllegalAddress" "$(tail -n 1 out)"
assert_contains "message of a fault" err "kernel _Z4wildPi"
assert_eq "files" "MemTrace-memory MemTrace-pipe-1" "$(ls traces | paste -sd' ')"
for text in "add<float>(float*, float, int)" "bump(int*)" "wild(int*)" "[trace incomplete] "; do
    assert_contains "the trace" traces/MemTrace-pipe-1 "$text"
done
WARPSCOPE_MEMTRACE=again ./whole fault >out 2>err
assert_same "traces of two runs" traces/MemTrace-pipe-1 again/MemTrace-pipe-1
assert_same "traces of shared and static runtime" traces/MemTrace-pipe-1 default_traces/MemTrace-pipe-1
finish
