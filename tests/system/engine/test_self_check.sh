#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# WS_CHECK=N: runs of every scheduler pass the checks and commit the same events; invalid values are
# refused.
# test: processors=2 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

# compare RANKS SYNCH PROGRAM OPTIONS...: the same as of the sequential run without checks.
compare() {
    ranks=$1 synch=$2
    shift 2
    run_model "$ranks" "$@" --synch=$synch --event-trace=2 --enable-gvt-stats=1 --stats-path=stats
    assert_eq "net events, $ranks ranks, --synch=$synch" "$wanted_net" "$net"
    assert_eq "events, $ranks ranks, --synch=$synch" "$wanted_events" "$events"
    assert_eq "states, $ranks ranks, --synch=$synch" "$wanted_states" "$states"
}

set -- "$WS_TEST_BIN/chaos" --end=10
run_model 1 "$@" --synch=1
wanted_net=$net wanted_events=$events wanted_states=$states
export WS_CHECK=5
compare 1 1 "$@"
compare 1 6 "$@"
compare 1 3 "$@" --random-rollbacks=3
compare 2 3 "$@"
compare 3 5 "$@" --batch=4

set -- "$WS_BIN/phold" --nlp=24 --end=12 --lookahead=0.25
WS_CHECK= run_model 1 "$@" --synch=1
wanted_net=$net wanted_events=$events wanted_states=$states
set -- "$WS_BIN/phold" --nlp=12 --end=12 --lookahead=0.25
compare 2 2 "$@"

# A broken invariant ends the run at the next check, and only with checks.
assert_ok 'no check of a damaged PE' env WS_CHECK= "$WS_TEST_BIN/stopped" --damage --quiet
(ulimit -c 0; WS_CHECK=1 "$WS_TEST_BIN/stopped" --damage --quiet >damaged.out 2>damaged.err)
assert_ne 'status of a damaged PE' 0 $?
assert_contains 'the broken invariant' damaged.err 'WS_CHECK: broken invariant: S1: every event is in one place'

for value in 0 -1 x 3x 99999999999999999999999; do
    export WS_CHECK=$value
    assert_status "WS_CHECK=$value" 2 "$WS_BIN/phold" --end=1
    assert_contains "message" last.err "WS_CHECK=$value: give the number of events"
done
finish
