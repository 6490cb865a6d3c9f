#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --buffer-overwrite: a flight recorder keeps the last records and writes them at the end, after an error, when asked
# to and when a condition holds; after kill -9 they are recovered. The results of the run stay the same.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=512 --end=60 --event-trace=3 --stats-path=whole
truth="$events $states"

gated() {
    ranks=$1
    shift
    rm -rf rec
    assert_status "$*" "$wanted" run_mpi "$ranks" "$WS_TEST_BIN/gated" --lps=$((512 / ranks)) --end=60 \
        --fingerprint --report-json=run.json --event-trace=3 --enable-gvt-stats=1 --stats-path=rec \
        --buffer-overwrite=100K "$@"
    events=$(json_get run.json committed_fingerprint)
    states=$(json_get run.json state_fingerprint)
}

# check_last WHAT: the files are valid and have exactly the events of the whole run where they say so.
check_last() {
    assert_ok "$1: verify" "$warpscope" verify rec
    "$warpscope" diff whole rec >last.out 2>&1
    assert_contains "$1: diff" last.out "compared only where both recorded: virtual time from"
    assert_contains "$1: diff" last.out "event: equal:"
    assert_lacks "$1: diff" last.out "event: equal: 0 records"
}

# outcomes FILE: how the parts of the stream of a file ended.
outcomes() {
    "$warpscope" info "$1" | sed -n 's/^  outcome  *\([^;]*\);.*/\1/p' | tr '\n' '|'
}

# ---- The end, and a call of the model, which may be undone and repeated

wanted=0
for run in "1 1" "2 2" "2 3" "4 5"; do
    what="--synch=${run#* } on ${run% *} ranks"
    gated "${run% *}" --synch="${run#* }" --random-rollbacks=5 --save-at=30
    assert_eq "$what: results" "$truth" "$events $states"
    assert_eq "$what: files" "saved: LP 0 is there|reached the end time|" \
        "$(outcomes rec/warpscope-evtrace.bin)"
    assert_contains "$what: notice" last.err "saved the last records at GVT"
    assert_contains "$what: report" last.out "older records of rec/warpscope-2-evtrace.bin were overwritten"
    check_last "$what"
done
"$warpscope" info --json rec/warpscope-evtrace.bin >info.json
assert_num "overwritten" "$(json_get info.json files.0.records_overwritten)" '>' 1000
assert_eq "lost" 0 "$(json_get info.json files.0.records_dropped)"
assert_ok "info" "$warpscope" info rec/warpscope-evtrace.bin
assert_contains "info" last.out "flight recorder all records after GVT "
assert_ok "stats" "$warpscope" stats rec
assert_contains "stats" last.out "only the last records of evtrace, from GVT "
assert_ok "report" "$warpscope" report --format=json --force -o report.json rec
assert_contains "report" report.json '"only the last records of evtrace, from GVT '

# ---- Errors, kills, conditions

wanted=3
gated 2 --synch=3 --crash-at=40
assert_eq "after tw_error()" "fatal error|" "$(outcomes rec/warpscope-evtrace.bin)"
assert_ok "after tw_error(): verify" "$warpscope" verify rec

wanted=0
WARPSCOPE_FLIGHT_MS=0 gated 2 --synch=3 --random-rollbacks=1 --flight-trigger=efficiency:100%
assert_eq "efficiency: results" "$truth" "$events $states"
assert_contains "efficiency" last.err "saved the last records at GVT"
assert_contains "efficiency" last.err "below 1 from GVT"
gated 1 --synch=3 --flight-trigger=gvt-stuck:1000s,efficiency:1%
assert_eq "no condition" 1 "$(ls rec/*evtrace.bin | grep -c '')"
gated 2 --synch=3 --task-trace=1 --crash-safe=0 --buffer-overwrite=1 --model-stats=3
assert_eq "a tiny ring: results" "$truth" "$events $states"
assert_ok "a tiny ring" "$warpscope" verify rec

# ---- A run that goes on: requests, SIGUSR1, kill -9

gated_start 2 3 --synch=3 --max-opt-lookahead=0.5 --event-trace=3 --real-time-samp=1 --buffer-overwrite=20000 \
    --task-trace=1
open_gate
request save
request set real-time-samp=5
open_gate
await_gate
assert_contains "answer" rec/warpscope-control.answers "saved,%20number%201"
kill -USR1 "$(gated_process)"
open_gate
gated_end
assert_eq "status" 0 "$gated_status"
check_files "requests"
assert_eq "requests" "saved: warpscope ctl|saved: SIGUSR1|reached the end time|" \
    "$(outcomes rec/warpscope-3-evtrace.bin)"

# descriptions FILE: the descriptions of payloads in one file of a stream.
descriptions() {
    "$warpscope" info --json "$(alone "$1")" >info.json
    awk -f "$WS_SRC/tests/support/json.awk" info.json | grep '^files\.0\.payloads\.'
}
for stream in evtrace task; do
    descriptions rec/warpscope-$stream.bin >first
    descriptions rec/warpscope-3-$stream.bin >third
    assert_contains "descriptions of the first file" first owner
    assert_same "descriptions of the third file, $stream" first third
done

gated_start 1 2 --synch=3 --event-trace=3 --buffer-overwrite=5000
open_gate
await_gate
kill -9 "$(gated_process)"
gated_end
assert_ok "recover" "$warpscope" recover rec
assert_ok "recovered" "$warpscope" verify rec
assert_status "recovered: stats" 1 "$warpscope" stats rec
assert_eq "recovered: stats" "INCOMPLETE: only the last records of evtrace, from GVT; the run was killed at GVT" \
    "$(whole_line last.out | sed -n 's/ (--buffer-overwrite); /; /; s/GVT [0-9.]* on/GVT /; s/ *; /; /; s/ [0-9.]*$//p')"
assert_ok "recovered" "$warpscope" info rec/warpscope-evtrace.bin
assert_contains "recovered" last.out "flight recorder all records after"
assert_contains "recovered" last.out "killed; what was in its buffers was recovered"

gated_start 1 2 --synch=3 --event-trace=3
open_gate
request save
open_gate
gated_end
assert_eq "without a flight recorder" 0 "$gated_status"

# ---- Bad values

refused() {
    text=$1
    shift
    assert_refused "$text" 1 "$WS_TEST_BIN/gated" --end=1 --event-trace=3 --stats-path=bad "$@"
    assert_eq "$*: directory" "" "$(ls -d bad 2>/dev/null)"
}
refused "--buffer-overwrite=-1" --buffer-overwrite=-1
refused "--buffer-overwrite=1E99" --buffer-overwrite=1E99
refused "the buffers of all files: this takes" --buffer-overwrite=99999999G
refused "add --stats-format=warpscope" --buffer-overwrite=1M --stats-format=both
refused "needs --buffer-overwrite=SIZE" --flight-trigger=efficiency:0.5
refused '"efficiency:2": give a share over 0 and up to 1' --buffer-overwrite=1M --flight-trigger=efficiency:2
refused '"gvt-stuck:1e-300s": give at least one second' --buffer-overwrite=1M --flight-trigger=gvt-stuck:1e-300s
refused '"slow" is no condition' --buffer-overwrite=1M --flight-trigger=slow
refused '"efficiency:0.3": this condition is given twice' --buffer-overwrite=1M \
    --flight-trigger=efficiency:0.5,gvt-stuck:1s,efficiency:0.3
refused "1 ranks save up to 4.312 MiB at once in 1 files, more than --stats-limit=1048576 permits" \
    --buffer-overwrite=4M --stats-limit=1M
for idle in "--buffer-overwrite=1M --flight-trigger=gvt-stuck:1s" "--event-trace=3 --disable-output=1 --buffer-overwrite=1M" \
    --stats-limit=1M; do
    assert_ok "$idle" "$WS_TEST_BIN/gated" --end=1 --quiet $idle
    assert_contains "$idle" last.err "has no effect: this run records nothing that it applies to"
done
assert_ok "0 is off" "$WS_TEST_BIN/gated" --end=1 --event-trace=3 --buffer-overwrite=0 --stats-path=off --quiet
finish
