#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warp agrees with closed forms: cases without rollbacks, the time of a reduction, the time of a rank alone. The
# machine changes how often events are undone, and never which events are committed. Invalid options are refused.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# warp OPTIONS...: the results in last.out. value ROW: the number of a row.
warp() {
    assert_ok "warp $*" "$WS_BIN/warp" --synch=1 --quiet "$@"
}
value() {
    awk -v row="$1" 'index($0, "  " row " ") == 1 { sub("  " row, ""); print $1 + 0; exit }' last.out
}

# A rank alone: nothing is sent or undone, and its time is that of its events.
warp --ranks=1 --events=500 --turn-cost=0.001 --vote-cost=0 --event-cost=100 --interval=16
assert_eq "efficiency of one rank" 1 "$(value efficiency)"
assert_eq "messages of one rank" 0 "$(value sent)"
assert_near "events of one rank" 10000 "$(value committed)" 0.05
assert_near "time of one rank in us" "$(value committed) * 0.1" "$(value time)" 0.02
"$WS_BIN/warp" --synch=1 --quiet --ranks=2 --span=1 --report-json=run.json >last.out
assert_eq "end time: none" "$(awk 'BEGIN { printf "%.17g", 1.7976931348623157e308 }')" "$(json_get run.json end_time)"
# Nothing remote.
warp --ranks=20 --events=50 --remote=0 --uneven=0.5
assert_eq "events undone without remote events" 0 "$(value undone)"
assert_eq "messages without remote events" 0 "$(value sent)"
# Ranks vote after they have executed everything before the bound: messages come later than that.
warp --ranks=20 --events=50 --remote=1 --lookahead=0.3 --bound=0.3 --interval=1000 --prepare=0 --noise=5000 --noise-every=50000
assert_eq "events undone with a bound of a lookahead" 0 "$(value undone)"
assert_num "messages with a bound of a lookahead" "$(value sent)" '>' 10000

# One reduction without events: 300 ns to vote, hops up and down the tree, 50 ns of a turn, and 350 ns of the
# turn that takes the result.
for tree in '5 4 2' '21 4 4' '6 1 10' '1 4 0'; do
    # shellcheck disable=SC2086 # words
    set -- $tree
    warp --ranks="$1" --fanout="$2" --span=0.05 --hop=1000
    assert_eq "time of a reduction in us, $tree" "$(awk "BEGIN { print $3 + 0.7 }")" "$(value time)"
    assert_eq "reductions, $tree" 1 "$(value reductions)"
done

# The events of a run do not depend on the machine; rollbacks do.
options='--ranks=24 --events=60 --remote=0.4 --span=6'
# shellcheck disable=SC2086 # options are words
warp $options --latency=0 --bound=4 --interval=8
committed=$(value committed) near=$(value efficiency)
# shellcheck disable=SC2086
warp $options --latency=20000 --bound=4 --interval=8
assert_eq "events with another latency" "$committed" "$(value committed)"
assert_num "efficiency with a long latency" "$(value efficiency)" '<' "$near - 0.1"
# shellcheck disable=SC2086
warp $options --cores=5 --kps=3 --events-per-batch=7 --jitter=1
assert_eq "events on few cores" "$committed" "$(value committed)"
assert_num "rollbacks on few cores" "$(value rollbacks)" '>' 100
assert_eq "events executed" $((committed + $(value undone))) "$(value executed)"

# The end before the end; too few slots.
# shellcheck disable=SC2086
warp $options --end=5000
assert_contains "an early end" last.out "warp: the run ended first: 24 ranks had not finished"
assert_status "no slot" 3 "$WS_BIN/warp" --synch=1 --quiet --ranks=24 --cores=1 --events=2 --slots=16 --remote=1
assert_contains "no slot" last.err "has no slot for a message: give --slots=32 or more"
assert_refused "--cores=65 is out of range" 1 "$WS_BIN/warp" --cores=65
for wrong in remote=1.1 remote=nan lookahead=1 span=0 bound=-1 bandwidth=0 latency=-1 turn-cost=0 jitter=1.5 \
    event-cost=inf ranks=0; do
    assert_refused "--$wrong" 1 "$WS_BIN/warp" --$wrong
done
assert_refused "--slots=100 is too small" 1 "$WS_BIN/warp" --slots=100
assert_refused "stray" 1 "$WS_BIN/warp" stray

# Its records, by the names of their fields.
assert_ok "records" "$WS_BIN/warp" --synch=1 --quiet --ranks=4 --events=20 --span=5 --model-stats=4 \
    --vt-interval=1000 --event-trace=3 --end=1e5 --stats-path=records
"$WS_BIN/warpscope" dump --merge records/warpscope-model.bin >model.csv
assert_contains "model statistics" model.csv gvt,executed,undone,committed,messages,rounds,pending,uncommitted
"$WS_BIN/warpscope" dump --merge records/warpscope-evtrace.bin >events.csv
assert_contains "event trace" events.csv at,rank,kind
finish
