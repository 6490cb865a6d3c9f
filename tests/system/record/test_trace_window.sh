#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --trace-from and --trace-to: a trace has the events of a window of virtual time, in every mode and under every
# scheduler, whatever is rolled back; the results of the run stay the same.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope
from=40 to=90.5

# committed FILE: the events of a trace, in order, without what differs from run to run.
committed() {
    "$warpscope" dump --merge "$1" --fields=recv_ts,dest_lp,src_lp,send_ts,send_order,payload
}

# outside FILE: how many records of a trace are not in the window.
outside() {
    "$warpscope" dump "$1" --fields=recv_ts | awk -v from=$from -v to=$to \
        'NR > 1 && !($1 >= from && $1 < to) { n++ } END { print n + 0 }'
}

gated() {
    ranks=$1
    shift
    run_model "$ranks" "$WS_TEST_BIN/gated" --lps=$((32 / ranks)) --end=150 "$@"
}

gated 1 --synch=1 --event-trace=3 --stats-path=whole
truth="$events $states"
committed whole/warpscope-evtrace.bin | awk -F, -v from=$from -v to=$to \
    'NR == 1 || ($1 >= from && $1 < to)' >expected.csv
assert_num "events in the window" "$(grep -c '' expected.csv)" '>' 1000

for run in "1 1" "1 6" "2 2" "2 3" "4 5"; do
    what="--synch=${run#* } on ${run% *} ranks"
    modes=3
    [ "$run" != "2 3" ] || modes="1 2 3"
    for mode in $modes; do
        rm -rf rec
        gated "${run% *}" --synch="${run#* }" --event-trace=$mode --event-times=3 --random-rollbacks=3 \
            --trace-from=$from --trace-to=$to --stats-path=rec
        assert_eq "$what, mode $mode: results" "$truth" "$events $states"
        assert_ok "$what, mode $mode: verify" "$warpscope" verify rec
        assert_eq "$what, mode $mode: outside" 0 "$(outside rec/warpscope-evtrace.bin)"
    done
    committed rec/warpscope-evtrace.bin >some.csv
    assert_same "$what: committed events" expected.csv some.csv
done
assert_ok "comparison" "$warpscope" diff whole rec
assert_contains "comparison" last.out "compared only where both recorded: virtual time from $from to before $to"
assert_ok "statistics" "$warpscope" stats rec
assert_contains "statistics" last.out "only events from virtual time 40 to before 90.5 (--trace-from"
assert_ok "report" "$warpscope" report --format=json --force -o report.json rec
assert_contains "report" report.json "only events from virtual time 40 to before 90.5 (--trace-from"

# What was narrowed on purpose says so first, and no conclusion about the whole run is drawn from it.
narrowed="part of the run: only events from virtual time 40 to before 90.5 (--trace-from, --trace-to)"
assert_contains "covers, report" report.json '"covers":{"what":"part",'
for command in stats advise; do
    assert_ok "covers, $command" "$warpscope" $command rec
    assert_eq "covers, $command" "$narrowed" "$(whole_line last.out)"
done
assert_contains "advice on ranks" last.out "Record without"
assert_ok "covers, stats --json" "$warpscope" stats --json rec
assert_eq "covers, stats --json" "part 40 90.5" "$(json_get last.out covers.what) \
$(json_get last.out covers.virtual_from) $(json_get last.out covers.virtual_to)"
for command in info verify; do
    assert_ok "covers, $command" "$warpscope" $command --json rec
    assert_eq "covers, $command" "$narrowed" "$(json_get last.out covers.text)"
done
for command in analyze partition; do
    ! "$warpscope" $command /nowhere 2>&1 | grep -q "built without" || continue
    assert_status "$command" 1 "$warpscope" $command rec
    assert_contains "$command" last.err \
        "of a window of virtual time only: record without --trace-from and --trace-to"
done
mkdir copied
cp rec/*.bin copied
assert_ok "covers, diff" "$warpscope" diff whole copied
assert_eq "covers, diff" "B: $narrowed" "$(whole_line last.out)"

# A window that begins with the run and has no end has all rollbacks that the engine counts.
gated 2 --synch=3 --event-trace=2 --random-rollbacks=3 --trace-from=0 --stats-path=all
assert_ok "rollbacks" "$warpscope" rollbacks all
assert_contains "rollbacks of all times" last.out "The sums of the trace equal the totals of the engine."

# A request moves the window: each file states its own, and has its part of it, once.
gated_start 2 3 --synch=3 --max-opt-lookahead=0.5 --event-trace=3 --trace-to=140
open_gate
request set trace-from=145 trace-to=
request set trace-from=150
request set trace-from=100 trace-to=100
open_gate
await_gate
answers=$(sed -n 's/^answer [^ ]* \([a-z]*\) .*/\1/p' rec/warpscope-control.answers | tr '\n' ' ')
assert_eq "a moving window: answers" "done refused refused " "$answers"
request set trace-from=
open_gate
gated_end
assert_eq "a moving window: status" 0 "$gated_status"
assert_eq "a moving window: results" "$truth" "$events $states"
check_files "a moving window"
lines() {
    "$warpscope" dump "$(alone "$1")" | grep -c ''
}
assert_num "first window" "$(lines rec/warpscope-evtrace.bin)" '>' 1
assert_eq "window in the future" 1 "$(lines rec/warpscope-2-evtrace.bin)"
assert_num "no window" "$(lines rec/warpscope-3-evtrace.bin)" '>' 1
assert_ok "all windows" "$warpscope" diff whole rec

# ---- Bad windows, and one without a trace

# refused TEXT OPTIONS...: the run ends before it makes anything.
refused() {
    text=$1
    shift
    assert_refused "$text" 1 "$WS_TEST_BIN/gated" --end=150 --event-trace=3 --stats-path=bad "$@"
    assert_eq "$*: directory" "" "$(ls -d bad 2>/dev/null)"
}
refused "--trace-from=-1: give a virtual time, 0 or later" --trace-from=-1
refused "--trace-from=1e+99: the run ends at virtual time 150" --trace-from=1E99
refused "--trace-from=nan: must be a finite number" --trace-from=nan
refused "--trace-to=0: is not after the beginning of the window, 0" --trace-to=0
refused "--trace-to=-1: is not after the beginning of the window, 0" --trace-to=-1
refused "--trace-to=5: is not after the beginning of the window, 5" --trace-from=5 --trace-to=5
refused "--trace-to=5: is not after the beginning of the window, 7" --trace-from=7 --trace-to=5
assert_ok "a window without a trace" "$WS_TEST_BIN/gated" --end=1 --trace-from=0.5 --quiet
assert_contains "a window without a trace" last.err "--trace-from has no effect"

# A window that is over when a run is continued
phold="$WS_BIN/phold --nlp=8 --quiet --event-trace=3"
assert_ok "checkpoints" $phold --end=20 --checkpoint-every=9 --checkpoint-path=saved --stats-path=before --trace-to=5
assert_lacks "before" last.err "no event is recorded"
assert_ok "continued" $phold --end=20 --restart=saved --stats-path=after --trace-to=5
assert_contains "continued" last.err "--trace-to=5: the run goes on at virtual time 18, so no event is recorded"

# What a restarted run records begins where it goes on: it is not the whole run, and diff compares the rest.
assert_ok "the whole" $phold --end=20 --stats-path=uncut --vt-interval=1
assert_ok "the rest" $phold --end=20 --restart=saved --stats-path=rest --vt-interval=1
assert_ok "stats of the rest" "$WS_BIN/warpscope" stats rest
assert_eq "what the rest covers" "part of the run: from virtual time 18 on, where the run was restarted" \
    "$(head -n 1 last.out)"
assert_ok "stats of the rest as JSON" "$WS_BIN/warpscope" stats --json rest
assert_eq "what the rest covers" "part 18" "$(json_get last.out covers.what) $(json_get last.out covers.virtual_from)"
assert_status "analyze the rest" 1 "$WS_BIN/warpscope" analyze rest
assert_contains "analyze the rest" last.err "begins in the midst of the run: record a run that was not restarted"
assert_ok "diff of the rest" "$WS_BIN/warpscope" diff uncut rest
assert_contains "diff of the rest" last.out "compared only where both recorded: virtual time from 18"
finish
