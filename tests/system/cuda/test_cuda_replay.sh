#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The CUDA programs' kernels on the interpreter, from kept PTX: for each, the rewritten kernels record the accesses that
# the interpreter observes in the original ones, per CTA in order, and compute the same. The analysis of these
# traces finds the expected communication. No nvcc is needed.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/cuda/programs/compare.sh"

# replay KIND PROGRAM [OPTIONS...]: leaves the traces in KIND/PROGRAM and KIND/PROGRAM-rewritten.
replay() {
    kind=$1
    program=$2
    shift 2
    mkdir -p "$kind"
    assert_ok "$program of $kind" "$WS_TEST_BIN/cuda_replay" --original="$kind/$program" --rewritten="$kind/$program-rewritten" \
        --arrays="$kind/$program.arrays" "$@" "$WS_SRC/cuda/programs/ptx/$kind" "$WS_SRC/cuda/programs/launches/$program.txt"
}

rm -rf sm_* # of an earlier run
"$cuda_expect" >programs
while read -r program; do
    replay sm_75-O3 "$program"
    compare_program "$program" "sm_75-O3/$program-rewritten" "sm_75-O3/$program.arrays"
done <programs

# Code without optimisation, with generic addresses only; and with debug information.
[ -z "${WS_PART:-}" ] || printf 'generic\ncalls\nwarps\n' >programs
while read -r program; do
    replay sm_90-O0 "$program"
    compare_program "$program" "sm_90-O0/$program-rewritten" "sm_90-O0/$program.arrays" unoptimised
done <programs
replay sm_80-G saxpy
replay sm_80-G generic
replay sm_80-O3-lineinfo warps
replay sm_80-O3-lineinfo gridsync
finish
