#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whole CUDA programs on the interpreter: each is compiled by nvcc and by warpscope-nvcc, for several GPUs and
# kinds of optimisation, with the CUDA runtime in the program for sm_80. Output and status are the same, and both
# traces agree with what is expected.
# CUDA_PROGRAMS, CUDA_TARGETS and CUDA_KINDS limit the test to lists of words.
# test: processors=2 timeout=3600 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/cuda/programs/compare.sh"

PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || skip "no nvcc"
[ -x "$WS_BIN/warpscope-nvcc" ] || skip "built without WARPSCOPE_CUDA"

# run COMPILER NAME WORDS...: compiles the program and runs it; leaves NAME.out, NAME.traces and NAME.arrays.
run() {
    compiler=$1
    name=$2
    shift 2
    rm -rf "$name.traces" "$name.arrays"
    assert_ok "$compiler $*" "$compiler" -Wno-deprecated-gpu-targets "-cudart=$runtime" -o "$name" "$@"
    PROGRAM_ARRAYS=$name.arrays "$WS_BIN/warpscope" memtrace record --on=cpu -o "$name.traces" -- "./$name" >"$name.out" 2>"$name.err"
    assert_eq "exit status of $name, $*" 0 $?
}

for program in ${CUDA_PROGRAMS:-$("$cuda_expect")}; do
    for target in ${CUDA_TARGETS:-sm_75 sm_80 sm_90}; do
        [ "$target" = sm_90 ] || [ ! -e "$WS_SRC/cuda/programs/ptx/sm_90-O3/$program.ptx" ] || continue
        runtime=shared
        [ "$target" != sm_80 ] || runtime=static # nvcc's default
        for kind in ${CUDA_KINDS:-O0 O3 G}; do
            set -- "$WS_SRC/cuda/programs/src/$program.cu"
            [ "$program" != parts ] || set -- -rdc=true "$WS_SRC"/cuda/programs/src/parts/*.cu
            case $kind in
            O0) set -- -Xcicc -O0 "$@" ;; # nvcc's own -O0 does not change device code
            *) set -- "-$kind" "$@" ;;
            esac
            run nvcc native "-arch=$target" "$@"
            run "$WS_BIN/warpscope-nvcc" traced "-arch=$target" "$@"
            assert_same "output of $program, $target $kind" native.out traced.out
            for name in native traced; do # without addresses, which differ from run to run for memory of the host
                "$WS_BIN/warpscope" memtrace allocations --csv "$name.traces" 2>note.txt | cut -d, -f1,3-6,8- |
                    sort >"$name.memory"
            done
            case $program in
            textures | tensors) ;; # rewritten kernels do not record these accesses
            *)
                grep -q '^unordered' "$WS_SRC/cuda/programs/launches/$program.txt" ||
                    assert_same "allocations of $program, $target $kind" native.memory traced.memory
                ;;
            esac
            unoptimised=
            [ "$kind" = O3 ] || unoptimised=unoptimised
            compare_program "$program" native.traces native.arrays $unoptimised
            compare_program "$program" traced.traces traced.arrays $unoptimised
        done
    done
done
finish
