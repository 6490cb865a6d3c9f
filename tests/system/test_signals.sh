#!/bin/sh
# SIGTERM and SIGINT end a run at a GVT: the report appears and says so, what was committed agrees
# between its parts, and the exit status is 128 + signal.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# stop_run SIGNAL STATUS OPTIONS...: one rank, so that the signal goes to the program itself.
stop_run() {
    signal=$1 status=$2
    shift 2
    rm -f run.json
    "$WS_TEST_BIN/chaos" --quiet --end=1e9 --report-json=run.json "$@" >run.out 2>run.err &
    pid=$!
    wait_until_heard $pid
    kill -"$signal" $pid
    wait $pid
    assert_eq "status after $signal, $*" "$status" $?
    assert_contains "report after $signal" run.out "Run Ended: stopped by a signal"
    assert_num "events after $signal" "$(json_get run.json net_events)" '>' 1000
    assert_eq "committed after $signal" "$(json_get run.json net_events)" \
        "$(json_get run.json counters.events_committed)"
}
stop_run TERM 143 --synch=1
stop_run INT 130 --synch=2
stop_run TERM 143 --synch=3
finish
