#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope partition: the map from a trace of a bad placement keeps most events on their ranks, and runs count
# exactly the remote events that it predicts, for the recorded, the linear and the new placement. What cannot be
# used is refused.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
warpscope=$WS_BIN/warpscope
[ -x "$WS_BIN/agents" ] || skip "built without the models"
"$warpscope" partition /nowhere 2>&1 | grep -q "built without METIS" && skip "built without METIS"

# run MAP OPTIONS...: agents on 2 ranks; sets states (fingerprint) and remote (events between ranks).
run() {
    run_map=$1
    shift
    run_model 2 "$WS_BIN/agents" --width=12 --height=12 --end=60 "$@" ${run_map:+"--lp-map=$run_map"}
    remote=$(sed -n 's/.*Total Remote (network) Events Processed *//p' last.out)
}

awk 'BEGIN { print "warpscope-lp-map 1"; for (i = 0; i < 144; i++) print i, (i * 7919 % 1013) % 2 }' >bad.map
run bad.map --event-trace=3 --stats-path=rec
wanted=$states
bad=$remote
assert_ok "partition" "$warpscope" partition rec --json
mv last.out p.json
assert_file "map" lp.map
assert_eq "predicted for the recorded placement" "$bad" "$(json_get p.json placements.recorded.remote_events)"
run lp.map
assert_eq "states with the map" "$wanted" "$states"
assert_eq "predicted for the map" "$remote" \
    "$(json_get p.json "placements.$(json_get p.json chosen).remote_events")"
assert_num "remote events" "$remote" '<' "$bad / 4"
assert_num "balance" "$(json_get p.json placements.metis.balance)" '<=' 1.04
run ""
assert_eq "predicted for blocks of LPs" "$remote" "$(json_get p.json placements.linear.remote_events)"

# Again the same; as text; for other ranks; LPs without events.
assert_status "no file is replaced" 1 "$warpscope" partition rec
assert_contains "message" last.err "lp.map"
cp lp.map first.map
assert_ok "with --force" "$warpscope" partition rec --force
assert_contains "text" last.out "<- the map"
assert_num "columns of the bounds" "$(awk '$1 == "linear" { print $6; exit }' last.out)" ">=" 1
assert_same "equal maps" first.map lp.map
assert_ok "more ranks than LPs" "$warpscope" partition rec --ranks=1000 --kps=0 -o many.map
assert_contains "more ranks than LPs" last.err \
    "--ranks=1000: there are 144 LPs, so that 856 ranks get none"
assert_ok "to standard output" "$warpscope" partition rec --ranks=3 --kps=0 --output=-
assert_eq "LPs of the map" 144 "$(awk '/^[0-9]/ { n += split($1, r, "-") == 2 ? r[2] - r[1] + 1 : 1
    if (NF != 2 || $2 > 2) exit 1 } END { print n }' last.out)"
"$WS_BIN/phold" --nlp=40 --hot-lps=10 --end=50 --event-trace=1 --stats-path=hot --quiet >/dev/null
assert_ok "LPs without events" "$warpscope" partition hot --ranks=4 -o hot.map
assert_contains "text" last.out "30 LPs have no events"
assert_contains "no bounds" last.out "bounds of the speed-up are unknown: record with --event-trace=3"
run_model 4 "$WS_BIN/phold" --nlp=10 --hot-lps=10 --end=50 --lp-map=hot.map

# Terminals and their routers exchange events without delay: conservative ranks need them on one rank.
torus="$WS_BIN/torus --dims=4x4 --end=5000"
# shellcheck disable=SC2086 # options
run_model 1 $torus --synch=1 --event-trace=3 --stats-path=near
wanted=$states
assert_ok "a map within the lookahead" "$warpscope" partition near --ranks=2 --lookahead=20 -o within.map
# shellcheck disable=SC2086
run_model 2 $torus --synch=2 --lp-map=within.map
assert_eq "states of conservative ranks" "$wanted" "$states"
assert_ok "all LPs within a large lookahead" "$warpscope" partition near --ranks=2 --lookahead=1e9 --json -o one.map
assert_contains "an uneven map" last.err "make the map uneven"
assert_num "events between ranks" "$(awk '/^[0-9]/ { seen[$2] = 1 } END { n = 0; for (r in seen) n++; print n }' one.map)" \
    "==" 1
assert_status "a lookahead below 0" 2 "$warpscope" partition near --lookahead=-1 -o no.map

"$WS_TEST_BIN/make_causal" some.bin lps=60000 events=100 || fail make_causal
assert_ok "few events" "$warpscope" partition some.bin --ranks=2 -o some.map
finish
