#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A file system that reports an error when a file is closed: the reader says the same about the file as the
# report of the run says about the records.
# test: timeout=60
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"

# The library precedes that of the sanitizers.
ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0"
export ASAN_OPTIONS

# with_fault N COMMAND...: the Nth close of the trace's file fails.
with_fault() {
    nth=$1
    shift
    env LD_PRELOAD="$WS_TEST_BIN/libfault_io.so" FAULT_CALL=close FAULT_PATH=warpscope-evtrace.bin \
        FAULT_NTH="$nth" "$@"
}

incomplete=0
for nth in 1 2 3 4; do
    rm -rf run run.json
    # shellcheck disable=SC2086 # usual is a list
    with_fault $nth "$phold" $usual --synch=1 --nlp=20 --end=50 --event-trace=1 --stats-path=run \
        --report-json=run.json >run.out 2>run.err
    run_status=$?
    if [ ! -e run.json ]; then # the file could not be created
        assert_eq "status without a run, close $nth" 2 $run_status
        assert_contains "message, close $nth" run.err "warpscope-evtrace.bin: cannot close: Input/output error"
        continue
    fi
    complete=$(member run evtrace complete)
    "$warpscope" info --json run >info.json 2>last.err
    assert_eq "complete, by report and reader, close $nth" "$complete" "$(json_get info.json files.0.complete)"
    if [ "$complete" = true ]; then
        assert_eq "status, close $nth" 0 $run_status
        assert_ok "verify, close $nth" "$warpscope" verify run
        continue
    fi
    incomplete=$((incomplete + 1))
    assert_eq "status, close $nth" 1 $run_status
    assert_contains "message, close $nth" run.err "cannot close: Input/output error"
    assert_contains "report, close $nth" run.out "warpscope-evtrace.bin is incomplete"
    assert_status "verify, close $nth" 1 "$warpscope" verify run
    assert_contains "verify, close $nth" last.out "valid but incomplete"
    assert_contains "verify, close $nth" last.err "an unknown number of records"
    assert_status "info, close $nth" 1 "$warpscope" info run
    assert_contains "info, close $nth" last.out "NO: an unknown number of records may be missing"
done
assert_num "runs that found an error in the end" $incomplete ">=" 1
finish
