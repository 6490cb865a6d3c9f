#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures memory traces of CUDA programs: the speed of the rewriter and of the interpreter, and on a machine with a
# GPU what tracing costs there. On a GPU it also compares the traces of the whole corpus (cuda/programs) with
# what is expected of them. Needs nvcc, and a build with WARPSCOPE_CUDA and the tests.
#
#   sh bench/cuda_gpu.sh [BUILD-DIRECTORY]
#
# Exit status: 0 if all was measured and agrees, 1 after an error or a difference, 77 without nvcc or without a GPU.
set -u
source_tree=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$source_tree/build}" && pwd) || exit 1
bin=$build/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
if ! command -v nvcc >/dev/null; then
    echo "not measured: no nvcc"
    exit 77
fi

# seconds COMMAND...: of the clock.
seconds() {
    begin=$(date +%s.%N)
    "$@" >command.out 2>&1 || {
        cat command.out >&2
        exit 1
    }
    echo "$begin $(date +%s.%N)" | awk '{ printf "%.2f", $2 - $1 }'
}

# module COPIES: a module of that many copies of two kernels of the corpus, renamed.
kept=$source_tree/cuda/programs/ptx/sm_75-O3/local.ptx
sed '1,/^\.address_size/d' "$kept" >body.ptx
module() {
    awk '/^\.version/, /^\.address_size/' "$kept"
    awk -v n="$1" '
    { line[NR] = $0 }
    END {
        for (i = 0; i < n; i++)
            for (l = 1; l <= NR; l++) {
                text = line[l]
                gsub(/fill/, "fill" i, text)
                gsub(/sort/, "sort" i, text)
                print text
            }
    }' body.ptx
}

# The rewriter: a module of more than 20 MB.
module $((20000000 / $(wc -c <body.ptx) + 1)) >big.ptx
time=$(seconds "$bin/warpscope-ptx" --quiet big.ptx -o rewritten.ptx) || exit 1
echo "rewriter: $(wc -c <big.ptx) bytes of PTX in $time s, $(echo "$(wc -c <big.ptx) $time" | awk '{ printf "%.0f", $1 / $2 / 1e6 }') MB/s"

# ptxas: processor time of 200 copied kernels and of 288 with unrolled loops, as they are and rewritten, as
# warpscope-nvcc assembles them; medians of five.
processor() {
    for i in 1 2 3 4 5; do /usr/bin/time -f %U "$@" 2>&1 | tail -n 1; done | sort -n | sed -n 3p
}
module 100 >copies.ptx
nvcc -O3 -arch=sm_75 -ptx -o unrolled.ptx "$source_tree/bench/cuda_unrolled.cu" || exit 1
for kind in copies unrolled; do
    "$bin/warpscope-ptx" --quiet "$kind.ptx" -o traced.ptx || exit 1
    plain=$(processor ptxas -arch=sm_75 "$kind.ptx" -o kernels.cubin)
    time=$(processor "$bin/warpscope-nvcc" --warpscope-step ptxas -arch=sm_75 traced.ptx -o traced.cubin)
    echo "ptxas: $(grep -c '\.entry' "$kind.ptx") kernels ($kind) in $plain s of processor time, rewritten in $time s," \
        "$(echo "$time $plain" | awk '{ printf "%.2f", $1 / $2 }') times"
done

nvcc -O3 -arch="${CUDA_ARCH:-sm_75}" -cudart=shared -o native "$source_tree/bench/cuda_access.cu" || exit 1
"$bin/warpscope-nvcc" -O3 -arch="${CUDA_ARCH:-sm_75}" -cudart=shared -o traced "$source_tree/bench/cuda_access.cu" || exit 1

# The interpreter, to files: the original program, whose accesses it observes, and the rewritten one.
for program in native traced; do
    time=$(seconds "$bin/warpscope" memtrace record --on=cpu -o "cpu-$program" -- ./$program 100000) || exit 1
    records=$("$bin/warpscope" memtrace info --csv "cpu-$program"/MemTrace-pipe-* |
        awk -F, 'NR > 1 { n += $4 + $5 + $6 } END { print n }')
    echo "interpreter, $program program: $records records to a file in $time s, $(echo "$records $time" | awk '{ printf "%.1f", $1 / $2 / 1e6 }') million/s"
done

if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "GPU: not measured: no GPU"
    exit 77
fi

./native >native.txt && "$bin/warpscope" memtrace record --on=gpu -o gpu -- ./traced >traced.txt || exit 1
echo "kernel        accesses   native ms   traced ms      ratio  ns/access"
paste -d' ' native.txt traced.txt |
    awk '{ printf "%-10s %11d %11.4f %11.4f %10.1f %10.3f\n", $1, $2, $3, $6, $6 / $3, ($6 - $3) * 1e6 / $2 }'

# The corpus on the GPU, against the expectations that the interpreter meets as well.
export WS_SRC="$source_tree"
WS_BIN=$bin
WS_TEST_BIN=$build/tests/bin
. "$source_tree/tests/support/lib.sh"
. "$source_tree/cuda/programs/compare.sh"
for program in $("$cuda_expect" | grep -vxE "textures|tensors"); do # which are not traced on a GPU
    set -- "$source_tree/cuda/programs/src/$program.cu"
    [ "$program" != parts ] || set -- -rdc=true "$source_tree"/cuda/programs/src/parts/*.cu
    assert_ok "compiling $program" "$bin/warpscope-nvcc" -arch="${CUDA_ARCH:-native}" -cudart=shared -o "$program" "$@"
    assert_ok "$program" env PROGRAM_ARRAYS="$program.arrays" "$bin/warpscope" memtrace record --on=gpu -o "$program.traces" -- "./$program"
    compare_program "$program" "$program.traces" "$program.arrays"
done
finish
