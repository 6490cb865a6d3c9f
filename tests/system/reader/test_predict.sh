#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope predict: runs on 2 and 4 ranks with the map of partition commit exactly the events between ranks that it
# predicts, and one rank needs what advise says. Costs come from files; what cannot be used is refused.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
warpscope=$WS_BIN/warpscope
[ -x "$WS_BIN/agents" ] || skip "built without the models"
"$warpscope" partition /nowhere 2>&1 | grep -q "built without METIS" && skip "built without METIS"

agents="$WS_BIN/agents --width=12 --height=12 --end=60"
# shellcheck disable=SC2086 # options
run_model 1 $agents --synch=1 --event-trace=3 --event-times=1 --stats-path=rec
events=$(sed -n 's/.*Net Events Processed *//p' last.out)
printf 'jitter = 0 # the same in each run\n' >still
assert_ok "predict" "$warpscope" predict rec --ranks=2,4 --machine=still --json
mv last.out p.json
assert_eq "events" "$events" "$(json_get p.json events)"

# counted ROW RANKS SYNCH: a run with the map that predict used has as many events between ranks.
counted() {
    assert_ok "map" "$warpscope" partition rec --ranks="$2" --force -o "$2.map"
    # shellcheck disable=SC2086
    run_model "$2" $agents --synch="$3" --lp-map="$2.map"
    assert_eq "events between $2 ranks" "$(json_get p.json "counts.$1.remote")" "$(sed -n \
        's/.*Total Remote (network) Events Processed *//p' last.out)"
}
assert_eq "rows" "optimistic 2 conservative 4" "$(json_get p.json counts.0.scheduler) $(json_get p.json \
    counts.0.ranks) $(json_get p.json counts.3.scheduler) $(json_get p.json counts.3.ranks)"
counted 0 2 3
counted 3 4 2
for row in 0 1 2 3; do
    next=$((row + 1))
    assert_num "time beside its bound" "$(json_get p.json predictions.$next.seconds)" ">=" \
        "$(json_get p.json predictions.0.seconds) / $(json_get p.json predictions.$next.ranks)"
done
assert_eq "undone by conservative ranks" 0 "$(json_get p.json counts.1.undone)"

# Without what differs between runs, equal costs give equal predictions; slower messages take longer.
assert_ok "save" "$warpscope" predict rec --ranks=2 --machine=still --json --save=costs --csv=tables
mv last.out a.json
assert_file "a table" tables/predictions.csv
assert_ok "saved costs" "$warpscope" predict rec --ranks=2 --machine=costs --json
assert_eq "the same" "$(json_get a.json predictions.1.seconds)" "$(json_get last.out predictions.1.seconds)"
printf 'ranks-per-host = 1\n' >>still
assert_ok "a cluster of hosts with one rank" "$warpscope" predict rec --ranks=2 --machine=still --latency=100000 --json
assert_num "time with latency" "$(json_get last.out predictions.2.seconds)" ">" \
    "$(json_get a.json predictions.2.seconds) + $(json_get last.out counts.1.rounds) * 0.0001"

# Numbers of ranks are sorted; where all ranks are on one host, latency does not count, which is said.
printf 'ranks-per-host = 4\n' >four
assert_ok "ranks in another order" "$warpscope" predict rec --ranks=4,2 --machine=four --scheduler=optimistic --json
assert_eq "the first number" 2 "$(json_get last.out predictions.1.ranks)"
assert_contains "the latency" last.out "All ranks are on one host"

# What one rank needs is one figure in advise and predict.
assert_ok "advise" "$warpscope" advise rec
assert_ok "predict as text" "$warpscope" predict rec --ranks=2 --scheduler=optimistic
assert_contains "text" last.out "what the run would need"

# A run whose end comes before its first event has none to predict from.
run_model 1 "$WS_BIN/phold" --end=1e-9 --synch=1 --event-trace=3 --event-times=1 --stats-path=none
assert_status "no events" 1 "$warpscope" predict none
assert_contains "no events" last.err "there are no events in it: record a run that commits events"
finish
