#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Findings of "warpscope report" in recordings of real runs: each is made to have some, and has none of those that
# do not depend on how long things take. test_findings_long.sh has those that depend on chance.
# test: processors=2 timeout=200
# shellcheck disable=SC2086 # lists
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/findings.sh"

phold="$WS_BIN/phold --nlp=64 --quiet"

# ---- One rank: the same events in each run.
recorded plain "" $phold --synch=1 --end=60 --event-trace=1
recorded hot "hot-lps" $phold --synch=1 --hot-lps=1 --end=1500 --event-trace=1
assert_contains "one busy LP" found.json "LP 0 has 100 % of the events"
"$WS_BIN/warpscope" report --force --format=json --lp=0 -o chosen.json hot >/dev/null
assert_lacks "an LP of those chosen" chosen.json '"rule":"hot-lps"'
recorded undone "random-rollbacks rollback-kp phases-exact" $phold --synch=3 --hot-lps=4 --end=300 \
    --random-rollbacks=2 --phase-times=exact --enable-gvt-stats=1 --granularity=1
assert_contains "one busy KP" found.json "KP 0 of PE 0 takes part in 100 % of all rollbacks"
recorded alone "synch" $phold --synch=3 --end=4000 --enable-gvt-stats=1

# Times of phases: where the machine pauses a run, they are uneven.
timed="--phase-times=exact --real-time-samp=5 --synch=3"
seen state-saving 1 "$WS_BIN/pcs" --quiet --end=30 --random-rollbacks=1 $timed
seen recording-time 1 "$WS_BIN/phold" --nlp=10000 --quiet --end=96 --gvt-interval=16 --enable-gvt-stats=1 \
    --granularity=1 $timed
seen undo-slow 1 "$WS_TEST_BIN/heavy" --quiet --random-rollbacks=1 --undo=40 $timed
unseen undo-slow 1 "$WS_TEST_BIN/heavy" --quiet --random-rollbacks=1 --undo=0 $timed

# ---- Two ranks: counts that do not depend on which rank is late.
awk 'BEGIN { print "warpscope-lp-map 1"; for (i = 0; i < 33; i++) print i, i % 2 }' >apart.map
seen type-traffic 2 "$WS_BIN/netsim" --quiet --synch=3 --end=0.01 --load=0.1 --event-trace=3 --lp-map=apart.map
assert_contains "traffic of types" found.json "% of the events between ranks go from"
# On a busy machine only a bounded lead keeps the GVT computations close together.
seen placement 2 $phold --remote=1 --synch=3 --gvt-interval=1 --batch=1 --max-opt-lookahead=0.5 --end=200 \
    --enable-gvt-stats=1
assert_contains "events from other ranks" found.json "of the executed events came from another rank"
# Ranks that take turns on one processor need little time for GVT.
seen gvt-interval 2 $phold --remote=0 --synch=3 --share-cores=off --gvt-interval=1 --batch=1 --end=200 --enable-gvt-stats=1
recorded uneven "placement synch" run_mpi 2 $phold --hot-lps=64 --synch=2 --lookahead=0.05 --cons-lookahead=0.05 \
    --end=20 --event-trace=1 --enable-gvt-stats=1
assert_contains "uneven" found.json "The load is uneven: PE 0"
assert_lacks "a lookahead that cannot be greater" found.json '"rule":"lookahead"'
recorded near "lookahead" run_mpi 2 $phold --synch=2 --lookahead=0.0001 --end=2 --event-trace=1
assert_contains "lookahead" found.json "The lookahead, 0.0001, is small"

# ---- A run that is killed, and one that loses records.
$phold --synch=3 --end=1e9 --enable-gvt-stats=1 --stats-path=killed >killed.out 2>&1 &
pid=$!
wait_for $pid has_size killed/warpscope-gvt.bin 1000
kill -KILL "$pid"
wait "$pid" 2>/dev/null
found_in killed
assert_contains "a run that was killed" found.txt "incomplete"
assert_status "a run that loses records" 1 $phold --synch=1 --end=3000 --event-trace=1 --buffer-full=drop \
    --buffer-size=4096 --stats-path=lost
found_in lost
assert_eq "a run that loses records" "records-lost" "$(only_certain)"
finish
