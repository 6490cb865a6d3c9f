#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the CUDA programs are expected to communicate: the enumeration of their accesses agrees with numbers worked
# out by hand, and with memsim, which generates four of the workloads.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"

. "$WS_SRC/cuda/programs/compare.sh"
by_hand=$WS_SRC/cuda/programs/by_hand.txt

rm -rf expected # of an earlier run
"$cuda_expect" >programs
while read -r program; do
    sed -n "s/^$program: //p" "$by_hand" | sort >hand.csv
    expect "$program"
    "$WS_BIN/warpscope" memtrace matrix --csv "expected/$program"/MemTrace-pipe-* | sed 1d | sort >enumerated.csv
    assert_same "bytes from kernel to kernel in $program" hand.csv enumerated.csv
done <programs
sed -n 's/^\([a-z0-9]*\): .*/\1/p' "$by_hand" | sort -u >named
assert_eq "programs by hand that do not exist" "" "$(sort programs | comm -13 - named)"
assert_num "programs" "$(wc -l <programs)" ">=" 25

# Each program has its source, its PTX without nvcc, and its expectation.
(cd "$WS_SRC/cuda/programs/src" && ls -d ./*.cu parts) | sed 's|^./||; s/[.]cu$//' | sort >sources
sort programs >expectations
assert_same "programs and expectations" sources expectations
for kind in 'sm_75-O3 sm_90-O3' sm_90-O0; do
    # shellcheck disable=SC2086 # words
    (cd "$WS_SRC/cuda/programs/ptx" && ls $kind) | sed '/:$/d; /^$/d' | sed 's/_.*//; s/[.]ptx$//' | sort -u >kept
    assert_same "programs and kept PTX of $kind" sources kept
done

# memsim NAME CTAS ELEMENTS ROUNDS
compare_memsim() {
    run_model 1 "$WS_BIN/memsim" --synch=1 --workload="$1" --ctas="$2" --elements="$3" --element-size=4 \
        --repeat="$4" --fan-in=4 --trace-out="$1" --quiet </dev/null
    for table in volumes transfers matrix; do
        "$WS_BIN/warpscope" memtrace $table --csv "$1-1" | sort >memsim.csv
        "$WS_BIN/warpscope" memtrace $table --csv "expected/$1"/MemTrace-pipe-* | sort >expected.csv
        assert_same "$table of $1 and of memsim" memsim.csv expected.csv
    done
}
compare_memsim stencil 4 4 4
compare_memsim producer 8 32 3
compare_memsim transpose 16 16 2
compare_memsim reduction 16 8 1
finish
