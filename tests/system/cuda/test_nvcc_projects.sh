#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope-nvcc in builds with the real nvcc: parallel threads of nvcc (-t), several builds at once in one
# directory, make -j with dependency files and a link by g++, CMake; with and without separable compilation. Each
# program gives the output of plain nvcc's, and a trace of the same accesses.
# test: processors=2 timeout=400 labels=long
. "$WS_SRC/tests/support/lib.sh"

wrapper=$WS_BIN/warpscope-nvcc
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$wrapper" ] || skip "built without WARPSCOPE_CUDA"
[ -x "$nvcc" ] || skip "nvcc is not installed"
export WARPSCOPE_NVCC="$nvcc" TMPDIR="$PWD/temporary"
mkdir temporary

# ---- Sources: "parts" is compiled file by file, "whole" needs -rdc=true

cat >parts.cu <<'E'
#include <cstdio>
#include "parts.h"
__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}
int main()
{
    int *x, host[32];
    cudaMalloc(&x, sizeof host);
    fill<<<1, 32>>>(x);
    add(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %s\n", host[3], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
E
echo 'void add(int *x);' >parts.h
cat >add.cu <<'E'
#include "parts.h"
__global__ void add_two(int *x, int *surface)
{
    x[threadIdx.x] += 2;
    if (surface)
        asm volatile("suld.b.1d.b32.trap {%0}, [%1, {%2}];" : "=r"(x[0]) : "l"(surface), "r"(0));
}
void add(int *x)
{
    add_two<<<1, 32>>>(x, nullptr);
}
E
cat >whole.cu <<'E'
#include <cstdio>
extern __device__ int count;
__device__ void put(int *x, int value);
int counted();
__global__ void fill(int *x)
{
    put(x, threadIdx.x);
    atomicAdd(&count, 1);
}
int main()
{
    int *x, host[32];
    cudaMalloc(&x, sizeof host);
    fill<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", host[3], counted(), cudaGetErrorString(cudaGetLastError()));
    return 0;
}
E
cat >put.cu <<'E'
__device__ int count;
__device__ void put(int *x, int value)
{
    x[threadIdx.x] = value;
}
int counted()
{
    int n;
    cudaMemcpyFromSymbol(&n, count, sizeof n);
    return n;
}
E

# accesses DIR: kinds and counts of the accesses, without addresses, which depend on the run.
accesses() {
    "$WS_BIN/warpscope" memtrace dump --csv "$1"/MemTrace-pipe-* | sed 1d | cut -d, -f2-8,11 | sort
}
# compare WHAT KIND PROGRAM [LIBRARY]: the kernels of the program, and of its library, are rewritten; it runs and is
# traced as plain nvcc's of its KIND, parts or whole.
compare() {
    rm -rf traces
    assert_eq "rewritten files with kernels: $1" "$([ "$2" = parts ] && echo 2 || echo 1)" \
        "$(nm "$3" ${4:+"$4"} | grep -c __warpscope_kernels)"
    "$WS_BIN/warpscope" memtrace record --on=cpu --sms=4 -o traces -- "$3" >got.out 2>got.err
    assert_eq "status: $1" 0 $?
    assert_same "output: $1" "$2.out" got.out
    accesses traces >got.csv
    assert_same "accesses: $1" "$2.csv" got.csv
}

flags="-cudart=shared -arch=sm_80"
# shellcheck disable=SC2086 # several options
"$nvcc" $flags -o plain_parts parts.cu add.cu || fail "plain nvcc"
# shellcheck disable=SC2086
"$nvcc" $flags -rdc=true -o plain_whole whole.cu put.cu || fail "plain nvcc"
for kind in parts whole; do
    "$WS_BIN/warpscope" memtrace record --on=cpu --sms=4 -o traces_$kind -- ./plain_$kind >$kind.out 2>got.err
    accesses traces_$kind >$kind.csv
done
assert_eq "plain output" "5 no error|3 32 no error" "$(cat parts.out whole.out | paste -sd'|')"
assert_eq "plain accesses" "96 64" "$(wc -l <parts.csv) $(wc -l <whole.csv)"


# ---- Threads of nvcc: several files and architectures at once

architectures="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[compute_90,sm_90]"
for threads in "-t 4" "--threads=0"; do
    # shellcheck disable=SC2086
    "$wrapper" $threads -cudart=shared $architectures -o threads parts.cu add.cu >last.out 2>last.err ||
        fail "compiling with $threads"
    assert_eq "notes with $threads" \
        "warpscope-nvcc: add.cu: accesses that are not traced: suld.b.1d.b32.trap (1)" "$(cat last.err)"
    compare "$threads" parts ./threads
done
# shellcheck disable=SC2086
assert_ok "-t 4 with -rdc" "$wrapper" -t 4 -rdc=true -cudart=shared $architectures -o threads whole.cu put.cu
compare "-t 4 with -rdc" whole ./threads
echo 'syntax error' >bad.cu
# shellcheck disable=SC2086
"$wrapper" -t 4 $architectures -c bad.cu add.cu parts.cu >last.out 2>&1 && fail "bad.cu is compiled"
assert_contains "a failure among threads" last.out "bad.cu"

# ---- Builds at once, in one directory and of the same files

pids=
for i in 1 2 3 4; do
    # shellcheck disable=SC2086
    if [ $((i % 2)) = 0 ]; then
        "$wrapper" $flags -o "at_once_$i" parts.cu add.cu >"at_once_$i.log" 2>&1 &
    else
        "$wrapper" $flags -O0 -rdc=true -o "at_once_$i" whole.cu put.cu >"at_once_$i.log" 2>&1 &
    fi
    pids="$pids $!"
done
for pid in $pids; do
    wait "$pid" || fail "a build beside others: exit status $?"
done
for i in 1 2 3 4; do
    [ $((i % 2)) = 0 ] && kind=parts || kind=whole
    compare "build $i of several" "$kind" "./at_once_$i"
    assert_eq "messages of build $i of several" $((1 - i % 2)) "$(wc -l <"at_once_$i.log")"
done

# ---- Make

cat >Makefile <<'E'
NVCC = nvcc
FLAGS = -cudart=shared -arch=sm_80
all: parts whole
parts: parts.o add.o
	$(NVCC) $(FLAGS) -o $@ $^
whole: whole.o put.o linked.o
	g++ -o $@ $^ $(LINK)
linked.o: whole.o put.o
	$(NVCC) $(FLAGS) -dlink -o $@ $^
whole.o put.o: FLAGS += -rdc=true
%.o: %.cu
	$(NVCC) $(FLAGS) -MMD -MP -MF $*.d -c -o $@ $<
-include $(wildcard *.d)
E
libraries=$(dirname "$(dirname "$nvcc")")/lib64
link="$("$wrapper" --warpscope-link-options) -L$libraries -lcudart"
assert_ok "make" make -j4 NVCC="$wrapper" LINK="$link"
compare "make" parts ./parts
compare "make, linked by g++" whole ./whole
assert_contains "a dependency file" parts.d "parts.h"
sed 's/^all:.*/all: parts/' Makefile >again.mk
assert_ok "make without a change" make -q -f again.mk NVCC="$wrapper"
touch -d '+1 minute' parts.h
assert_status "make with a new header" 1 make -q -f again.mk NVCC="$wrapper"

# ---- CMake

if have cmake; then
    cat >CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.18)
project(traced LANGUAGES CXX CUDA)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
add_executable(parts parts.cu add.cu)
add_library(add SHARED add.cu)
add_executable(dynamic parts.cu)
target_link_libraries(dynamic PRIVATE add)
add_library(put STATIC put.cu)
add_executable(whole whole.cu)
target_link_libraries(whole PRIVATE put)
set_target_properties(put whole PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
E
    (PATH=$WS_BIN:$PATH && cmake -S . -B cmake -DCMAKE_CUDA_COMPILER=warpscope-nvcc -DCMAKE_CUDA_ARCHITECTURES=80) \
        >last.out 2>&1 || fail "cmake: $(tail -n 5 last.out)"
    cmake --build cmake --parallel 2 >last.out 2>&1 || fail "cmake --build: $(tail -n 5 last.out)"
    assert_contains "notes in the build" last.out "add.cu: accesses that are not traced"
    compare "CMake" parts cmake/parts
    compare "CMake with a shared library" parts cmake/dynamic cmake/libadd.so
    compare "CMake with separable compilation" whole cmake/whole
fi
assert_eq "temporary files" "" "$(ls temporary)"
finish
