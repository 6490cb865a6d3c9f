#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# System calls fail on one rank while a request changes what is recorded, and for the files of requests: the
# run goes on to the same results, and no rank waits for another.
# test: processors=2 timeout=240
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

[ "$WS_SANITIZE" != 1 ] || skip "the library that makes calls fail does not go with sanitizers"
warpscope="$WS_BIN/warpscope"
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150
truth="$events $states"

# struck PATH CALL RANK ERRNO: a run of two ranks in which these calls fail from the first on.
struck() {
    what="$2 of $1 on rank $3, $4"
    LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_PATH=$1 FAULT_CALL=$2 FAULT_RANK=$3 FAULT_ERRNO=$4 \
        FAULT_COUNT=0 gated_start 2 3 --synch=3 --enable-gvt-stats=1
    request set event-trace=3 real-time-samp=5
    open_gate
    request set num-gvt=3
    open_gate
    request set event-trace=0
    await_gate
    answers=$(grep -c '^answer ' rec/warpscope-control.answers)
    first=$(sed -n '1s/^answer [^ ]* \([a-z]*\) .*/\1/p' rec/warpscope-control.answers)
    cp rec/warpscope-control.answers answers.txt
    open_gate
    gated_end
    cat gated.err >>answers.txt
    assert_eq "$what: results" "$truth" "$events $states"
    assert_eq "$what: answers" 2 "$answers"
}

for rank in 0 1; do
    for call in open write fallocate mmap; do
        struck evtrace $call $rank ENOSPC
        assert_contains "$what: message" answers.txt evtrace
        for file in rec/*-gvt.bin; do
            assert_ok "$what: verify $file" "$warpscope" verify "$file"
        done
        case $call-$rank in
        open-* | write-0) assert_eq "$what: answer" refused "$first" ;;
        mmap-*) assert_eq "$what: answer" done "$first" ;; # only the journal is missing
        esac
    done
done

# The files of requests cannot be made, or not written.
for call in open flock; do
    LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_PATH=-control FAULT_CALL=$call FAULT_COUNT=0 \
        FAULT_ERRNO=EACCES run_mpi 1 "$WS_TEST_BIN/gated" --synch=3 --lps=32 --end=150 --quiet --fingerprint \
        --enable-gvt-stats=1 --stats-path="no-$call" >out.txt 2>err.txt
    assert_eq "control files and $call: status" 0 $?
    assert_contains "control files and $call: results" out.txt "${truth% *}"
    assert_eq "control files and $call: messages" "$([ $call = flock ] && echo 0 || echo 1)" \
        "$(grep -c 'goes on without requests of warpscope ctl' err.txt)"
done
finish
