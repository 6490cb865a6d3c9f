#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --map=auto: LPs move during the run, and it commits the same events, ends in the same states and prints the
# same results; recordings and checkpoints stay whole. Good placements stay. Runs that cannot move LPs are refused.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/lp_map.sh"
echo "seed $seed"

assert_refused '--map=foo: must be auto' 1 "$WS_BIN/phold" --map=foo
assert_refused '--map-at: must be a virtual time, not negative' 1 "$WS_BIN/phold" --map=auto --map-at=-1
assert_refused '--map-at without --map=auto' 2 "$WS_TEST_BIN/chaos" --map-at=3
assert_ok "one rank" run_mpi 1 "$WS_BIN/phold" --map=auto --end=5
assert_contains "one rank" last.err '--map=auto has no effect on one rank'

run_mpi 2 "$WS_BIN/phold" --nlp=20 --end=2 --map=auto --quiet >last.out 2>last.err
if grep -q 'the library METIS' last.err; then
    partly "no METIS, which finds placements"
    assert_contains "without METIS" last.err 'phold: --map=auto: '
    finish
fi
assert_refused '--map=auto: this model has a mapping of its own (CUSTOM)' 2 "$WS_TEST_BIN/chaos" --mapping=2 --map=auto
assert_refused '--map=auto: this model gives its LPs several types by tw_lp_settype(), perhaps by' 2 \
    "$WS_TEST_BIN/meter" --lps=20 --end=10 --map=auto
assert_refused '--map=auto: this model does not state that its LPs may move' 2 "$WS_TEST_BIN/burst" --map=auto
assert_status "pointers" 2 run_mpi 2 "$WS_TEST_BIN/pointing" --pointers=init --map=auto
assert_contains "pointers" last.err '--map=auto: the state of LP '

# Types by gid, states that are saved, ties, commit handlers.
run_model 1 "$WS_TEST_BIN/chaos" --lps=60 --end=20
chaos=$net/$events/$states
make_map 3.map 60 3 0
run_model 3 "$WS_TEST_BIN/chaos" --lps=60 --end=20 --lp-map=3.map --map=auto --map-at=8
assert_eq "chaos" "$chaos" "$net/$events/$states"

# A placement without events between ranks stays, and says so.
printf 'warpscope-lp-map 1\n0-19 0\n20-39 1\n' >good.map
assert_ok "no remote events" run_mpi 2 "$WS_BIN/phold" --nlp=20 --remote=0 --end=40 --map=auto --report-json=run.json
assert_contains "no remote events" last.err 'phold: --map=auto: LPs stay where they are: no placement'
assert_eq "no LP moves" 0 "$(json_get run.json placement.lps_moved)"
assert_ok "a late move" run_mpi 2 "$WS_BIN/phold" --nlp=20 --end=4 --map=auto --map-at=50
assert_contains "a late move" last.out 'LPs Not Moved: the run ended before the time of the move'

# Models in turn: end of the run, time of the move, ranks, options, model and its options.
table='
1500 400  2 --synch=3 torus --dims=4x2x2 --rate=0.9 --buffers=2
1200 400  3 --synch=5 torus --dims=4x2x2 --rate=0.9
120  30   4 --synch=2 qnet --network=open3 --copies=12 --cross=0.3 --transit=0.1 --results=exact
'
while read -r end at ranks options model; do
    [ -n "$end" ] || continue
    [ -x "$WS_BIN/${model%% *}" ] || { partly "no ${model%% *} in this build"; continue; }
    # shellcheck disable=SC2086 # model and options
    set -- $model --end="$end"
    wanted "$@"
    make_map random.map "$lps" "$ranks" 0
    check_move "$ranks" "$@" "$options" --lp-map=random.map --map=auto --map-at="$at"
    assert_num "LPs of $model that move" "${moved:-0}" '>' 0
done <<EOT
$table
EOT

# A recording of a run whose LPs move: two parts, together the trace of the sequential run. Then a restart from a
# checkpoint of that run, whose LPs move again.
if [ -x "$WS_BIN/netsim" ]; then
    set -- netsim --hosts=3 --load=0.015 --buffer=3000 --end=0.03
    wanted "$@" --event-trace=3 --stats-path=alone
    make_map random.map "$lps" 3 0
    check_move 3 "$@" --random-rollbacks=3 --lp-map=random.map --map=auto --map-at=0.01 --event-trace=3 \
        --engine-stats=4 --lp-data=1 --num-gvt=4 --vt-interval=0.002 --stats-path=moved \
        --checkpoint-every=0.02 --checkpoint-path=saved
    assert_num "LPs of netsim that move" "${moved:-0}" '>' 0
    assert_num "files of the second part" "$(find moved -name 'warpscope-2-*.bin' | wc -l)" '==' 4
    assert_ok "complete" run_mpi 1 "$WS_BIN/warpscope" verify moved
    # Its counters are those of the last part.
    assert_ok "advice for a run of two parts" run_mpi 1 "$WS_BIN/warpscope" advise moved
    assert_contains "advice for a run of two parts" last.out "random-rollbacks"
    mkdir trace
    mv moved/*evtrace.bin trace
    assert_ok "the same trace" run_mpi 1 "$WS_BIN/warpscope" diff alone trace
    # Each LP counts once.
    for folder in alone trace; do
        "$WS_BIN/warpscope" stats --json --top=1000 $folder >$folder.json
        grep -o '"lp":[0-9]*,\("lp_name":"[^"]*",\)*"events":[0-9]*' $folder.json | sort >$folder.txt
    done
    assert_num "LPs with events" "$(grep -c . alone.txt)" '>' 5
    assert_same "events of each LP" alone.txt trace.txt
    assert_eq "LPs" "$(grep -c . alone.txt)" "$(json_get trace.json files.0.lps.different)"
    assert_ok "stats" "$WS_BIN/warpscope" stats trace
    assert_contains "stats" last.out "Some LPs moved during the run: PE is their last one."
    assert_ok "analyze" "$WS_BIN/warpscope" analyze --json trace
    assert_num "LPs that moved" "$(json_get last.out lps_moved)" '<=' "$moved"
    assert_num "LPs that moved" "$(json_get last.out lps_moved)" '>' 0
    assert_contains "analyze" last.out "to other ranks (--map=auto): each event counts on its rank at that time"
    "$WS_BIN/warpscope" info trace >info.txt
    assert_contains "the move" info.txt "1. --map=auto: $moved of $lps LPs move at time 0.01"
    assert_contains "the move" info.txt 'by the run itself'
    check_move 2 "$@" --restart=saved --map=auto --map-at=0.025
fi
finish
