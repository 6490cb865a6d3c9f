#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_mpi_calls.sh - the MPI calls of runs: collective calls at start, end and GVT only, as many on
# 2 ranks as on 4, and none at GVT where ranks vote through shared memory.
#
# test: timeout=120
. "$WS_SRC/tests/support/lib.sh"
library=$WS_BIN/libbench_count_calls.so
[ -e "$library" ] || skip "the benchmark programs are not built"
[ "${WS_SANITIZE:-0}" = 0 ] || skip "sanitizers do not allow another library before them"

# count RANKS NAME OPTIONS...: runs phold, and counts its calls in NAME.calls.
count() {
    count_ranks=$1 name=$2
    shift 2
    run_mpi "$count_ranks" env LD_PRELOAD="$library" COUNT_CALLS="$PWD/$name.calls" "$WS_BIN/phold" \
        --nlp=8 --end=20 --remote=0.5 --lookahead=0.1 --cons-lookahead=0.1 --stall-warning=600s \
        --quiet --report-json="$name.json" "$@" >"$name.out"
    assert_eq "status of $name" 0 $?
}

# collective STAGE NAME: lists the collective functions called in a stage, with the calls of a rank.
collective() {
    awk -v stage="$1" '$1 == "calls" && $2 == stage && $3 ~ /^MPI_/ &&
        $3 !~ /MPI_(I?s?send|Isend|Send|I?recv|Recv|Iprobe|Test|Testall)$/ { print $3, $4 }' "$2.calls"
}

# check NAME RANKS OPTIONS...: only reductions during the run, and as many as the report says.
check() {
    check_name=$1$2 check_ranks=$2
    shift 2
    count "$check_ranks" "$check_name" "$@"
    assert_num "rounds of $check_name" "$(json_get "$check_name.json" counters.gvt_rounds)" '>' 2
    assert_eq "$check_name during the run" \
        "MPI_Iallreduce $(json_get "$check_name.json" counters.all_reduces)" \
        "$(collective run "$check_name")"
}

for ranks in 2 4; do
    check conservative $ranks --synch=2 --transport=mpi --end=5
    check recording $ranks --synch=3 --transport=mpi --event-trace=1 --engine-stats=4 \
        --stats-path="rec$ranks"
    count $ranks shared$ranks --synch=3 --transport=shm
    assert_eq "$ranks ranks in shared memory" "" "$(collective run shared$ranks)"
done
for stage in start end; do
    for name in conservative recording shared; do
        assert_ne "$name, $stage" "" "$(collective $stage ${name}2)"
        assert_eq "$name, $stage" "$(collective $stage ${name}2)" "$(collective $stage ${name}4)"
    done
done
finish
