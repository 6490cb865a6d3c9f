#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGTERM and SIGINT end a run at a GVT: the report appears and says so, its parts agree on the committed
# events, and the exit status is 128 + signal. Only a second SIGINT, or a SIGTERM more than 5 s after the
# first signal, kills the run.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# stop_run SIGNAL STATUS OPTIONS...: one rank, so that the signal goes to the program itself.
stop_run() {
    signal=$1 status=$2
    shift 2
    rm -f run.json
    env -u OMPI_MCA_ess_singleton_isolated "$WS_TEST_BIN/chaos" --quiet --end=1e9 --report-json=run.json "$@" >run.out 2>run.err &
    pid=$!
    wait_until_heard $pid
    children=$(ps -o comm= --ppid $pid 2>&1)
    kill -"$signal" $pid
    wait $pid
    assert_eq "status after $signal, $*" "$status" $?
    # The one rank of a run without a launcher has none of MPI's daemons.
    env | grep -qE '^(PMI|OMPI_COMM|SLURM_)' || assert_eq "processes of a rank" "" "$children"
    assert_contains "report after $signal" run.out "Run Ended: stopped by a signal"
    assert_num "events after $signal" "$(json_get run.json net_events)" '>' 1000
    assert_eq "committed after $signal" "$(json_get run.json net_events)" \
        "$(json_get run.json counters.events_committed)"
}
# ends STATUS SIGNALS OPTIONS...: the model raises these signals; the run ends in order.
ends() {
    ends_status=$1 ends_raise=$2
    shift 2
    assert_status "after $ends_raise, $*" "$ends_status" "$WS_TEST_BIN/signalled" --quiet \
        --raise="$ends_raise" "$@"
    assert_contains "report after $ends_raise, $*" last.out "Run Ended: stopped by a signal"
}
# killed STATUS SIGNALS OPTIONS...: the signals end the program at once.
killed() {
    killed_status=$1 killed_raise=$2
    shift 2
    assert_status "after $killed_raise, $*" "$killed_status" "$WS_TEST_BIN/signalled" --quiet \
        --raise="$killed_raise" "$@"
    assert_lacks "report after $killed_raise, $*" last.out "Run Ended"
}
# The only test that takes long runs in the background.
("$WS_TEST_BIN/signalled" --quiet --synch=1 --raise=15,+6,15 >late.out 2>&1; echo $? >late.status) &
# Schedulers and timeout(1) send several signals close together.
ends 143 15,15 --synch=1
ends 143 15,1,15,2 --synch=2
ends 129 1,1,1,15,15 --synch=3
ends 131 3,3,15 --synch=1
ends 152 24,24,24 --synch=3
ends 130 2,15,15,1 --synch=4 --end=100
ends 130 2,15,15 --synch=6
# No other event is executed after the signal, however many are left before the next GVT.
for synch in 1 2 3 4 5 6; do
    for ranks in 1 2; do
        case $ranks$synch in 21 | 24 | 26) continue ;; esac
        run_mpi $ranks "$WS_TEST_BIN/signalled" --quiet --raise=15 --lps=200 --end=1000 \
            --synch=$synch --gvt-interval=1000
        assert_eq "events after the signal, --synch=$synch on $ranks ranks" \
            "events after the signal: 0" "$(grep '^events after' last.out)"
    done
done
killed 130 2,2 --synch=1
killed 130 15,2,2 --synch=3

stop_run TERM 143 --synch=1
stop_run INT 130 --synch=2
stop_run TERM 143 --synch=3
wait
assert_eq "status after SIGTERM, 6 s and SIGTERM" 143 "$(cat late.status)"
assert_lacks "report after SIGTERM, 6 s and SIGTERM" late.out "Run Ended"
finish
