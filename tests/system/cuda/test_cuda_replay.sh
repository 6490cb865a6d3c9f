#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The CUDA programs' kernels on the interpreter, from kept PTX: for each, the rewritten kernels record the accesses that
# the interpreter observes in the original ones, per CTA in order, and compute the same. The analysis of these
# traces finds the expected communication. No nvcc is needed.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/cuda/programs/compare.sh"

LD_LIBRARY_PATH=$(find "$WS_BUILD"/lib* -path '*/warpscope/cuda/cpu' -type d | head -n 1)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH WARPSCOPE_MEMTRACE_RING=256

# replay_one KIND PROGRAM SUFFIX HOST: leaves traces in KIND/PROGRAMSUFFIX; .csv: records, those of a CTA in order.
replay_one() {
    one=$1/$2$3
    assert_ok "$one" env WARPSCOPE_MEMTRACE="$one" "$WS_TEST_BIN/$4" --arrays="$one.arrays" --contents="$one.contents" \
        "$WS_SRC/cuda/programs/ptx/$1" "$WS_SRC/cuda/programs/launches/$2.txt"
    for trace in "$one"/MemTrace-pipe-*; do
        "$WS_BIN/warpscope" memtrace dump --csv "$trace" 2>>note.txt
    done | sed 's/"[^"]*"/K/' | sort -s -t, -k1,2 -k4,6 >"$one.csv"
}

# replay KIND PROGRAM: leaves the traces in KIND/PROGRAM and KIND/PROGRAM-rewritten.
replay() {
    mkdir -p "$1"
    replay_one "$1" "$2" "" cuda_replay
    replay_one "$1" "$2" -rewritten cuda_replay_traced
    assert_same "places of the arrays of $2 of $1" "$1/$2.arrays" "$1/$2-rewritten.arrays"
    for one in "$1/$2" "$1/$2-rewritten"; do # the driver's library does not know variables that the program does not ask for
        grep -v '^line\|variable' "$one/MemTrace-memory" >"$one.memory"
    done
    assert_same "allocations of $2 of $1" "$1/$2.memory" "$1/$2-rewritten.memory"
    if [ "$2" = tensors ]; then # rewritten kernels have no records of copies of tensors, and say so
        assert_contains "notes of $2 of $1" note.txt 'cp.reduce.async.bulk.tensor.1d'
        compare_program "$2" "$1/$2" "$1/$2.arrays"
        assert_same "contents of the arrays of $2 of $1" "$1/$2.contents" "$1/$2-rewritten.contents"
    elif ! grep -q '^unordered' "$WS_SRC/cuda/programs/launches/$2.txt"; then
        assert_same "records of $2 of $1" "$1/$2.csv" "$1/$2-rewritten.csv"
        assert_same "contents of the arrays of $2 of $1" "$1/$2.contents" "$1/$2-rewritten.contents"
    fi
}

rm -rf sm_* odd expected # of an earlier run
"$cuda_expect" | grep -vx textures >programs # rewritten kernels have no records of texels
while read -r program; do
    kind=sm_75-O3
    [ ! -e "$WS_SRC/cuda/programs/ptx/sm_90-O3/$program.ptx" ] || kind=sm_90-O3
    replay $kind "$program"
    compare_program "$program" "$kind/$program-rewritten" "$kind/$program.arrays"
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

# Lines and allocations, worked out by hand from warps.cu: 256 threads load x and store a vote, 8 warps store their total.
# Then 8 threads load these, and one stores their sum.
hot() { # TABLE TRACES
    "$WS_BIN/warpscope" memtrace "$1" --csv "sm_80-O3-lineinfo/$2" | sed '1d; s/,0[.][0-9]*,/,/; s/,[0-9]*,cuMemAlloc,/,/'
}
assert_eq "lines of warps" 'warps.cu:10,1,sums,cuMemAlloc 1,1024,0,0,256
warps.cu:21,1,sums,cuMemAlloc 2,0,32,0,8
warps.cu:23,1,sums,cuMemAlloc 4,0,1024,0,256
warps.cu:30,1,last,cuMemAlloc 2,32,0,0,8
warps.cu:35,1,last,cuMemAlloc 3,0,4,0,1' "$(hot lines warps)"
assert_eq "lines of rewritten kernels" "" "$(hot lines warps-rewritten)"
for traces in warps warps-rewritten; do
    assert_eq "allocations of $traces" 'cuMemAlloc 1,1024,0,0,1024,,,1,sums
cuMemAlloc 2,32,32,0,32,1,sums,1,last
cuMemAlloc 3,0,4,0,4,1,last,,
cuMemAlloc 4,0,1024,0,1024,1,sums,,' "$(hot allocations $traces)"
done
mkdir -p odd # nvcc writes bytes of a name that are not ASCII, and some others, with backslashes
sed 's/warps\.cu"/w\\303\\274\\"\\t.cu"/' "$WS_SRC/cuda/programs/ptx/sm_80-O3-lineinfo/warps.ptx" >odd/warps.ptx
assert_ok "a path with escapes" env WARPSCOPE_MEMTRACE=odd/traces "$WS_TEST_BIN/cuda_replay" odd "$WS_SRC/cuda/programs/launches/warps.txt"
assert_eq "a path with escapes" 'wü"\t.cu:10' "$(sed -n 's/^line.*\(w[^ ]*:10\).*/\1/p' odd/traces/MemTrace-memory)"
# The words of the barrier of gridsync are no allocation of the program.
replay sm_80-O3-lineinfo gridsync
assert_eq "lines of gridsync" 'gridsync.cu:12,1,ring,cuMemAlloc 1,0,1024,0,128
gridsync.cu:16,1,ring,cuMemAlloc 1,2048,1024,0,384
gridsync.cu:16,1,ring,cuMemAlloc 2,1024,2048,0,384' "$(hot lines gridsync | grep '^gridsync')"
bytes=$("$WS_BIN/warpscope" memtrace volumes --csv sm_80-O3-lineinfo/gridsync | awk -F, '{ b += $5 } END { print b }')
assert_eq "bytes of all lines of gridsync" "$bytes" "$(hot lines gridsync | awk -F, '{ b += $5 + $6 } END { print b }')"
assert_eq "bytes of all its allocations" "$bytes" "$("$WS_BIN/warpscope" memtrace allocations --csv sm_80-O3-lineinfo/gridsync |
    awk -F, '{ b += $3 + $4 } END { print b }')"
finish
