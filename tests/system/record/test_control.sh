#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope ctl: requests change what a running simulation records, on all ranks at the same GVT. What was
# recorded is exact, and the committed results stay the same, under every scheduler.
# test: processors=2 timeout=240
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope="$WS_BIN/warpscope"

# The undisturbed run, with all that can be recorded of it.
record_all() {
    run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 "$@"
}
record_all --stats-path=whole --event-trace=3 --engine-stats=3 --vt-interval=0.1 --granularity=1
truth="$events $states"
record_all --stats-path=models --model-stats=4 --vt-interval=0.1
assert_eq "a run that samples models" "$truth" "$events $states"

# committed FILE...: the events of traces, in order, without what differs from run to run.
committed() {
    "$warpscope" dump "$@" --fields=recv_ts,dest_lp,src_lp,send_ts,payload
}

# change_gvt FILE NUMBER: GVT at which a change took effect, by the file.
change_gvt() {
    "$warpscope" info --json "$1" >info.json
    json_get info.json "files.0.changes.$(($2 - 1)).gvt"
}

# between FROM TO: the lines whose first field is in [FROM, TO), sorted.
between() {
    awk -F, -v from="$1" -v to="$2" '$1 >= from + 0 && $1 < to + 0' | sort
}

# check_trace WHAT: the trace of changes 2 to 4 has exactly the events of the whole run between them.
check_trace() {
    from=$(change_gvt rec/warpscope-evtrace.bin 2)
    to=$(change_gvt rec/warpscope-evtrace.bin 4)
    assert_num "$1: GVT of the changes" "$from" '<' "$to"
    committed rec/warpscope-evtrace.bin | between "$from" "$to" >some.txt
    committed whole/warpscope-evtrace.bin | between "$from" "$to" >all.txt
    assert_file "$1: events" some.txt
    assert_same "$1: events between the changes" all.txt some.txt
    assert_eq "$1: events elsewhere" "$(grep -c '' some.txt)" \
        "$(($("$warpscope" dump rec/warpscope-evtrace.bin | grep -c '') - 1))"
    "$warpscope" dump rec/warpscope-evtrace.bin --fields=send_ts,recv_ts,send_order >orders.txt
    assert_eq "$1: causes before the trace, and others, with the wrong number" "" "$(awk '
        NR == 1 && $1 + 0 != $1 { next }
        { gsub(",", " "); n++; sent[n] = $1; order[n] = $3; if (first == "" || $2 < first) first = $2 }
        END { for (i = 1; i <= n; i++) if (sent[i] != first && (sent[i] < first) != (order[i] == -2)) print sent[i], order[i], first }
    ' orders.txt | head -n 3)"
}

# samples FILE: the samples of LPs with events, in order, without what differs from run to run. (The first point of a
# recording also has those of idle LPs.)
samples() {
    "$warpscope" dump "$1" --type=vt_lp --fields=vt,lp,sample,events_committed | sed '/,0$/d'
}

for run in "1 1" "1 6" "2 2" "1 3" "2 3" "2 5" "4 3"; do
    ranks=${run% *}
    what="--synch=${run#* } on $ranks ranks"
    # With GVT by wall clock there may be few computations, unless ranks wait for them.
    gated_start "$ranks" 6 --synch="${run#* }" --max-opt-lookahead=0.5 --enable-gvt-stats=1 --num-gvt=2
    open_gate
    request set vt-interval=0.1 granularity=1
    request set event-trace=3 trace-lps=0-31
    open_gate
    request set real-time-samp=1
    open_gate
    open_gate
    request set event-trace=0
    request set vt-interval=0
    open_gate
    request set no-such-thing=1
    request checkpoint
    open_gate
    gated_end
    assert_eq "$what: status" 0 "$gated_status"
    assert_eq "$what: results" "$truth" "$events $states"
    check_files "$what"
    check_trace "$what"
    samples rec/warpscope-vt.bin | sort >some.txt
    samples whole/warpscope-vt.bin | sort >all.txt
    assert_num "$what: samples at virtual times" "$(grep -c '' some.txt)" '>' 32
    assert_eq "$what: samples that differ" "" "$(comm -23 some.txt all.txt | head -n 3)"
    # The first point of a recording has records of idle LPs, too.
    "$warpscope" diff whole/warpscope-vt.bin rec/warpscope-vt.bin >last.out 2>&1
    assert_contains "$what: samples of both" last.out "vt_lp: equal: "
    assert_ok "$what: info" "$warpscope" info rec
    assert_contains "$what: change" last.out '2. set event-trace=3 trace-lps=0-31'
    assert_contains "$what: author" last.out ", by $(id -un) on "
    assert_lacks "$what: request refused" last.out 'no-such-thing'
    "$warpscope" info rec/warpscope-rt.bin >info.txt
    began=$(sed -n '/ set real-time-samp=1$/ { n; s/.*at GVT \([^,]*\),.*/\1/p; }' info.txt)
    "$warpscope" stats --json rec/warpscope-rt.bin >stats.json
    assert_num "$what: GVT at which samples by wall clock begin" "$began" '>' 0
    assert_eq "$what: where their statistics begin" "$began" "$(json_get stats.json files.0.virtual_from)"
    assert_num "$what: seconds of their statistics" "$(json_get stats.json files.0.seconds)" '<' \
        "$(sed -n 's/^  outcome .*, \([0-9.e-]*\) s$/\1/p' info.txt)"
    "$warpscope" rerun rec >last.out 2>&1
    assert_contains "$what: command of the run" last.out '/gated --gate='
done

# Models: their data at virtual times begin and end in the middle of a run.
for synch in 1 2 3; do
    gated_start 1 4 --synch=$synch --enable-gvt-stats=1
    open_gate
    request set model-stats=4 vt-interval=0.1
    open_gate
    open_gate
    request set model-stats=3
    open_gate
    gated_end
    assert_eq "models, --synch=$synch: results" "$truth" "$events $states"
    check_files "models, --synch=$synch"
    "$warpscope" dump "$(alone rec/warpscope-model.bin)" --fields=gvt,lp,sample,payload | sort >some.txt
    "$warpscope" dump models/warpscope-model.bin --fields=gvt,lp,sample,payload | sort >all.txt
    assert_num "models, --synch=$synch: samples" "$(grep -c '' some.txt)" '>' 32
    assert_eq "models, --synch=$synch: samples that differ" "" "$(comm -23 some.txt all.txt | head -n 3)"
    assert_file "models, --synch=$synch: samples at GVT" rec/warpscope-2-model.bin
    # A report shows all parts, or says which one it shows.
    assert_ok "report of all parts" "$warpscope" report --format=json --force -o report.json rec
    assert_contains "report of all parts" report.json 'a request changed what the run records at GVT '
    assert_ok "report of a part" "$warpscope" report --format=json --force -o report.json \
        "$(alone rec/warpscope-model.bin)"
    assert_contains "report of a part" report.json '"up to GVT '
    assert_ok "report of a part" "$warpscope" report --format=json --force -o report.json \
        "$(alone rec/warpscope-2-model.bin)"
    assert_contains "report of a part" report.json '"model only from GVT '
    assert_ok "report of all GVTs" "$warpscope" report --format=json --force -o report.json rec/warpscope-gvt.bin
    assert_contains "report of all GVTs" report.json 'a request changed what the run records at GVT '
done

# stop ends the run in order; checkpoint writes one, from which the run goes on to the same end.
gated_start 2 2 --synch=3 --enable-gvt-stats=1 --checkpoint-path=saved
request checkpoint
open_gate
request stop
open_gate
gated_end
assert_ne "status of a stopped run" 0 "$gated_status"
assert_contains "end of a stopped run" gated.out 'Run Ended: stopped by a request of warpscope ctl'
check_files "a stopped run"
assert_ok "info of a stopped run" "$warpscope" info rec
assert_contains "who stopped the run" last.out '. stop'
: >gate
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 --gate="$PWD/gate" --restart=saved
assert_eq "on from a requested checkpoint" "$truth" "$events $states"

# A run that records nothing takes requests if it has a --stats-path: records begin in the middle of it.
for ranks in 1 2; do
    what="nothing recorded at first, on $ranks ranks"
    gated_start $ranks 3 --synch=3
    request set event-trace=3
    open_gate
    request set event-trace=0 engine-stats=2
    open_gate
    request set engine-stats=0
    open_gate
    gated_end
    assert_eq "$what: results" "$truth" "$events $states"
    check_files "$what"
    from=$(change_gvt rec/warpscope-evtrace.bin 1)
    to=$(change_gvt rec/warpscope-evtrace.bin 2)
    committed rec/warpscope-evtrace.bin | between "$from" "$to" >some.txt
    committed whole/warpscope-evtrace.bin | between "$from" "$to" >all.txt
    assert_file "$what: events" some.txt
    assert_same "$what: events" all.txt some.txt
    assert_contains "$what: report" gated.out 'Recorded: rec'
done

# Without a request that records, its directory goes at the end.
gated_start 1 1 --synch=3
assert_status "top of a run that records nothing" 1 "$warpscope" top --once rec
assert_contains "top of a run that records nothing" last.err 'warpscope ctl rec set real-time-samp=1000'
await_gate
assert_contains "its README" rec/warpscope-README.txt 'warpscope ctl DIRECTORY set'
request stop
open_gate
gated_end
assert_contains "end of a run that records nothing" gated.out 'Run Ended: stopped by a request'
assert_lacks "its report" gated.out 'Recorded:'
assert_eq "what it leaves" "" "$(ls -d rec 2>/dev/null)"

# A directory that exists gets a number, which ctl finds.
gated_start 1 1 --synch=3 --enable-gvt-stats=1
mv rec rec-1
mkdir rec
assert_status "a directory with another number" 1 "$warpscope" ctl rec/ status
assert_contains "a directory with another number" last.err '; one does in rec-1'
rmdir rec
mv rec-1 rec
assert_ok "options with hyphens" "$warpscope" ctl --no-wait rec set --event-trace=1 --num_gvt=2
assert_status "an option that is mistyped" 2 "$warpscope" ctl rec status --timeot=3
assert_contains "an option that is mistyped" last.err 'did you mean --timeout?'
open_gate
gated_end
assert_ok "options with hyphens" "$warpscope" info rec
assert_contains "options with hyphens" last.out '1. set event-trace=1 num_gvt=2'

# No scheduler without GVT and no run with --no-control takes requests.
assert_ok "--synch=4" "$WS_TEST_BIN/gated" --synch=4 --end=10 --enable-gvt-stats=1 --stats-path=debug --quiet
assert_ok "--no-control" "$WS_TEST_BIN/gated" --end=10 --enable-gvt-stats=1 --stats-path=alone --no-control --quiet
for folder in debug alone; do
    assert_status "ctl of a run that has ended" 1 "$warpscope" ctl $folder status
    assert_contains "ctl of a run that has ended" last.err 'no running simulation takes requests here'
done
finish
