#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Committed records do not depend on how a run is carried out. The records that a subscriber library prints,
# the trace of tasks and the results of tracers are equal byte for byte, under every scheduler on any number
# of ranks, with random rollbacks and with very little memory for deferred records. Observers do not change
# the committed events.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"

collector=$WS_BUILD/lib/warpscope/st_collector.so
[ -f "$collector" ] || skip "no $collector"
tracers='busy:kind=transmission;busy:kind=stay;average:kind=journey;average:kind=trip;count;total;steps'
tab=$(printf '\t')

# observe NAME RANKS PROGRAM OPTIONS...: runs with all observers. Leaves NAME.log (records), NAME.tasks,
# NAME.tracers (as CSV) and NAME.json.
observe() {
    name=$1 ranks=$2
    shift 2
    rm -rf "$name" "$name".*
    assert_ok "$* on $ranks ranks" run_mpi "$ranks" "$@" --fingerprint --quiet \
        --report-json="$name.json" --stats-path="$name" --subscribers="$collector" --task-trace=1 \
        --tracer="$tracers" </dev/null
    sort -t "$tab" -k1,1g -k2,2n -k4,4 -k3,3n "$name"/collector-*.txt >"$name.log"
    for what in task tracer; do
        "$WS_BIN/warpscope" dump --merge "$name/warpscope-$what.bin" >"$name.${what}s" ||
            fail "the reader does not read $name/warpscope-$what.bin"
    done
    [ -s "$name.json" ] || echo '{}' >"$name.json"
}

# check_model "SCHEDULER:RANKS..." PROGRAM OPTIONS...: compares all runs with the sequential run.
check_model() {
    places=$1
    shift
    observe reference 1 "$@" --synch=1
    assert_ok "$* without observers" "$@" --synch=1 --fingerprint --quiet \
        --report-json=alone.json </dev/null
    for what in net_events committed_fingerprint state_fingerprint; do
        assert_eq "$what of $* with observers" "$(json_get alone.json $what)" \
            "$(json_get reference.json $what)"
    done
    assert_num "records of $*" "$(wc -l <reference.log)" '>' 3000
    assert_num "tasks of $*" "$(wc -l <reference.tasks)" '>' 3000
    assert_num "results of tracers of $*" "$(wc -l <reference.tracers)" '>' 20
    for place in $places; do
        compare "${place#*:}" "$@" --synch="${place%:*}"
    done
    compare 1 "$@" --synch=3 --random-rollbacks=2
    assert_num "events rolled back at random" "$(json_get run.json counters.events_rolled_back)" '>' 100
    compare 2 "$@" --synch=3 --random-rollbacks=2 --observer-memory=20000
    compare 3 "$@" --synch=3 --observer-memory=20000 --nkp=1
    compare 4 "$@" --synch=3 --random-rollbacks=3 --buffer-size=65536 --batch=2 --gvt-interval=2
}

compare() {
    observe run "$@"
    for what in net_events committed_fingerprint state_fingerprint; do
        assert_eq "$what of $*" "$(json_get reference.json $what)" "$(json_get run.json $what)"
    done
    assert_same "records of $*" reference.log run.log
    assert_same "tasks of $*" reference.tasks run.tasks
    assert_same "results of tracers of $*" reference.tracers run.tracers
}

# Each scheduler on each number of ranks, by one model or the other.
check_model '2:1 3:2 2:3 3:4' "$WS_BIN/netsim" --end=0.012 --warmup=0.001 --load=0.05 --mix=1500:1 --buffer=1500
assert_num "packets dropped" "$(grep -c ',drop,' reference.tasks)" '>' 10
check_model '3:1 2:2 3:3 2:4' "$WS_BIN/qnet" --network=open3 --copies=3 --cross=0.4 --end=150

observe reference 1 "$WS_BIN/qnet" --network=central --end=150 --synch=1
compare 2 "$WS_BIN/qnet" --network=central --end=150 --synch=3 --random-rollbacks=4
compare 3 "$WS_BIN/qnet" --network=central --end=150 --synch=2
finish
