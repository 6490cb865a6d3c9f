#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope-nvcc with the real nvcc: programs give the same output as those of plain nvcc, on the CUDA runtime for
# the CPU, and traces of the same accesses; names with blanks, several files, -rdc, make, failing compilations.
# test: processors=2 timeout=300 labels=long
. "$WS_SRC/tests/support/lib.sh"

wrapper=$WS_BIN/warpscope-nvcc
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$wrapper" ] || skip "built without WARPSCOPE_CUDA"
[ -x "$nvcc" ] || skip "nvcc is not installed"
export WARPSCOPE_NVCC="$nvcc" TMPDIR="$PWD/temporary"
mkdir temporary "a b"

cat >"a b/main x.cu" <<'E'
#include <cstdio>
__global__ void first(int n, const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}
__global__ void second(int n, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[i & 3], y[i]);
}
int other(int x);
int main(int argc, char **argv)
{
    const int n = 100;
    int host[n], *x, *y;
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    first<<<4, 32>>>(n, x, y);
    second<<<1, 4>>>(n, y);
    cudaError_t error = cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s %d %d %s\n", cudaGetErrorString(error), host[3], host[99], argc > 1 ? argv[1] : "");
    return other(argc);
}
E
echo 'int other(int x) { return x + 3; }' >other.cpp

# accesses DIR: kinds and counts of the accesses, without addresses, which depend on the run.
accesses() {
    "$WS_BIN/warpscope" memtrace dump --csv "$1"/MemTrace-pipe-* | sed 1d | cut -d, -f2-8,11 | sort
}
run() {
    "$WS_BIN/warpscope" memtrace record --on=cpu --sms=4 -o "$@"
}

"$nvcc" -cudart=shared -o plain "a b/main x.cu" other.cpp || fail "plain nvcc"
run t0 ./plain "an argument" >plain.out 2>plain.err
assert_eq "status of the plain program" 5 $?
accesses t0 >plain.csv
assert_num "accesses" "$(wc -l <plain.csv)" ">=" 200

i=0
while read -r options; do
    i=$((i + 1))
    # shellcheck disable=SC2086 # several options
    assert_ok "compiling with $options" "$wrapper" $options -o "prog $i" "a b/main x.cu" other.cpp
    run "t$i" "./prog $i" "an argument" >got.out 2>got.err
    assert_eq "status with $options" 5 $?
    assert_same "output with $options" plain.out got.out
    accesses "t$i" >got.csv
    [ "$options" = "-G" ] || assert_same "accesses with $options" plain.csv got.csv
done <<'E'
-O2
-rdc=true -arch=sm_90 -cudart=shared
E
assert_ok "an object" "$wrapper" -c -cudart=shared "a b/main x.cu" -o main.o
assert_ok "an archive" "$wrapper" -lib -o libmain.a main.o
cat >Makefile <<'E'
prog: main.o other.o
	$(NVCC) -cudart=shared -o $@ main.o other.o
other.o: other.cpp
	$(NVCC) -c -o $@ $<
E
assert_ok "make" make NVCC="$wrapper"
run tm ./prog "an argument" >got.out 2>got.err
assert_same "output of make's program" plain.out got.out

echo 'syntax error' >bad.cu
"$nvcc" -c bad.cu >plain.out 2>&1
status=$?
"$wrapper" -c bad.cu >got.out 2>&1
assert_eq "status of a failing compilation" $status $?
assert_same "messages of a failing compilation" plain.out got.out
assert_eq "temporary files" "" "$(ls temporary)"
assert_eq "files beside the sources" "main x.cu" "$(ls "a b")"
finish
