#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run whose recording was changed while it went on: streams with several files, switched off for a while and with
# other kinds of records. Each command reads the parts as one stream; what it prints is compared with the parts read
# one by one, and with a run without changes.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 --event-trace=3 --stats-path=whole

# Parts of the trace: committed events, (off), events, rollbacks, events; of samples: PEs, all kinds, (off), all kinds.
gated_start 2 6 --synch=3 --max-opt-lookahead=0.5 --random-rollbacks=2 \
    --enable-gvt-stats=1 --num-gvt=1 --event-trace=3
open_gate
request set granularity=1 event-trace=0
open_gate
request set event-trace=3
open_gate
request set event-trace=2
open_gate
request set enable-gvt-stats=0 event-trace=3
open_gate
request set enable-gvt-stats=1
open_gate
gated_end
assert_eq "status" 0 "$gated_status"
assert_eq "files" "rec/warpscope-2-evtrace.bin rec/warpscope-2-gvt.bin rec/warpscope-3-evtrace.bin \
rec/warpscope-3-gvt.bin rec/warpscope-4-evtrace.bin rec/warpscope-evtrace.bin rec/warpscope-gvt.bin" \
    "$(echo rec/*.bin)"
traces="rec/warpscope-evtrace.bin rec/warpscope-2-evtrace.bin rec/warpscope-3-evtrace.bin rec/warpscope-4-evtrace.bin"
samples="rec/warpscope-gvt.bin rec/warpscope-2-gvt.bin rec/warpscope-3-gvt.bin"

# fact FILE NAME: a fact of a file.
fact() {
    "$warpscope" info --json "$(alone "$1")" >info.json
    json_get info.json "files.0.run.$2"
}
# end_gvt FILE: GVT at the end of a file.
end_gvt() {
    "$warpscope" info --json "$(alone "$1")" >info.json
    json_get info.json files.0.end_gvt
}

# ---- Records: those of the parts, PE by PE, part by part

# one_by_one KIND FIELDS FILE...: the records of a kind as CSV, from each file on its own.
one_by_one() {
    kind=$1 fields=$2
    shift 2
    echo "$fields"
    for pe in 0 1; do
        for file in "$@"; do
            "$warpscope" dump --pe=$pe --type="$kind" --fields="$fields" "$(alone "$file")" 2>dump.err | sed 1d
        done
    done
}

# check_records KIND FIELDS FILE...: dump, export and the library give the records of all parts.
check_records() {
    one_by_one "$@" >parts.csv
    [ "$(wc -l <parts.csv)" -gt 1 ] || fail "no records $1"
    assert_ok "dump of $1" "$warpscope" dump --type="$1" --fields="$2" rec
    grep -v '^#' last.out >records.csv
    assert_same "records $1" parts.csv records.csv
    shuffled=$(printf '%s\n' "$@" | sed 1,2d | sort)
    # shellcheck disable=SC2086 # paths
    assert_ok "dump of files with $1" "$warpscope" dump --type="$1" --fields="$2" $shuffled
    assert_same "records $1 of files in the order of the shell" parts.csv last.out
    assert_ok "dump of one file with $1" "$warpscope" dump --type="$1" --fields="$2" "$4"
    assert_same "records $1 of the stream of one file" parts.csv last.out
    assert_ok "export of $1" "$warpscope" export --format=csv --type="$1" --fields="$2" --force --output=$1.csv rec
    assert_same "exported $1" parts.csv "$1.csv"
    assert_ok "library, $1" "$WS_TEST_BIN/read_library" rec "$1" fields="$2"
    sed 1d parts.csv >records.csv
    assert_same "records $1 by the library" records.csv last.out
}
# shellcheck disable=SC2086 # paths
check_records event pe,kp,dest_lp,recv_ts,lp_type $traces
# shellcheck disable=SC2086 # paths
check_records rollback pe,kp,dest_lp,recv_ts,lp_type,cause_name $traces
# shellcheck disable=SC2086 # paths
check_records gvt_pe pe,gvt,real_time,events_committed $samples
# shellcheck disable=SC2086 # paths
check_records gvt_kp pe,kp,gvt,total_rollbacks $samples
assert_ok "dump of all" "$warpscope" dump rec
# shellcheck disable=SC2086 # words
assert_eq "files that dump names" "$(echo $traces $samples)" "$(echo $(sed -n 's/^# //p' last.out))"
assert_ok "JSON lines" "$warpscope" dump --format=jsonl --type=rollback rec
assert_eq "files that JSON lines name" rec/warpscope-3-evtrace.bin \
    "$(sed -n 's/^{"file":"\([^"]*\)".*/\1/p' last.out | sort -u)"

# Conditions decide by names of the whole stream, though parts use the same numbers for other types.
assert_ok "by type" "$warpscope" dump --type=left --where="events_undone>0" --fields=lp_type rec
assert_eq "types" "lp_type left" "$(echo $(grep -v '^#' last.out | sort -ur))"

# Merged, the events of the parts are those of the whole run at their times.
for file in rec/warpscope-evtrace.bin rec/warpscope-2-evtrace.bin rec/warpscope-4-evtrace.bin; do
    "$warpscope" dump --merge --type=event --fields=recv_ts,dest_lp,src_lp,send_ts "$(alone $file)" | sed 1d
done >parts.csv
assert_ok "dump --merge" "$warpscope" dump --merge --type=event --fields=recv_ts,dest_lp,src_lp,send_ts rec
grep -v -e '^#' -e '^recv_ts' last.out >merged.csv
assert_same "merged records" parts.csv merged.csv

# In the wide layout, samples without records of KPs have empty cells.
assert_ok "wide layout" "$warpscope" dump --layout=wide rec
assert_eq "lines" "$("$warpscope" dump --type=gvt_pe rec | grep -vc '^#')" "$(grep -vc '^#' last.out)"

# ---- Sums

"$warpscope" stats --json rec >stats.json
for name in events rollbacks events_undone; do
    sum=0
    for file in $traces; do
        "$warpscope" stats --json "$(alone $file)" >part.json
        sum=$((sum + $(json_get part.json files.0.totals.$name)))
    done
    assert_eq "sum of $name" $sum "$(json_get stats.json files.0.totals.$name)"
done
committed=0
for file in $samples; do
    "$warpscope" stats --json "$(alone $file)" >part.json
    committed=$((committed + $(json_get part.json files.0.totals.events_committed)))
done
assert_eq "sum of events committed" $committed "$(json_get stats.json files.1.totals.events_committed)"
assert_eq "kind of the sums" gvt_pe "$(json_get stats.json files.1.records_of)"
assert_eq "streams" "" "$(json_get stats.json files.2.path)"
from=$(end_gvt rec/warpscope-2-gvt.bin)
to=$(fact rec/warpscope-3-gvt.bin begins_gvt)
assert_eq "the gap begins" "$from" "$(json_get stats.json files.1.gaps.0.virtual_from)"
assert_eq "the gap ends" "$to" "$(json_get stats.json files.1.gaps.0.virtual_to)"
assert_eq "one gap" "" "$(json_get stats.json files.1.gaps.1.virtual_to)"
assert_near "length without the gap" "$(json_get stats.json files.1.virtual_time)" \
    "$(awk "BEGIN { printf \"%.15g\", 150 - ($to - $from) }")" 1e-9
# Events and rollbacks cover different parts.
trace_off=$(awk "BEGIN { printf \"%.15g\", $(fact rec/warpscope-2-evtrace.bin begins_gvt) - $(end_gvt rec/warpscope-evtrace.bin) }")
rollbacks=$(awk "BEGIN { printf \"%.15g\", $(end_gvt rec/warpscope-3-evtrace.bin) - $(end_gvt rec/warpscope-2-evtrace.bin) }")
assert_near "rate of events" "$(json_get stats.json files.0.per_virtual_time.events)" \
    "$(awk "BEGIN { printf \"%.15g\", $(json_get stats.json files.0.totals.events) / (150 - $trace_off - $rollbacks) }")" 1e-4
assert_near "rate of rollbacks" "$(json_get stats.json files.0.per_virtual_time.rollbacks)" \
    "$(awk "BEGIN { printf \"%.15g\", $(json_get stats.json files.0.totals.rollbacks) / $rollbacks }")" 1e-4
assert_ok "stats" "$warpscope" stats rec
assert_contains "the gap" last.out 'not from GVT'
assert_contains "kinds in parts" last.out 'gvt_kp only in parts, from GVT'
assert_ok "sums by the library" "$WS_TEST_BIN/read_library" rec stats
cp last.out library.json
assert_ok "the same sums" cmp stats.json library.json

# Any one file stands for all parts of its stream, and info counts them.
assert_ok "stats of a later file" "$warpscope" stats --json rec/warpscope-3-gvt.bin
json_get stats.json files.1.totals.events_committed >whole.txt
assert_eq "sums of a later file" "$(cat whole.txt)" "$(json_get last.out files.0.totals.events_committed)"
assert_eq "parts of a later file" rec/warpscope-2-gvt.bin "$(json_get last.out files.0.parts.1.path)"
assert_ok "info of a later file" "$warpscope" info rec/warpscope-3-gvt.bin
assert_contains "info of a later file" last.out "part            3; the stream has 3 parts here"
assert_ok "verify of a file" "$warpscope" verify rec/warpscope-gvt.bin
assert_eq "files that verify checks" 3 "$(grep -c 'complete and valid' last.out)"
assert_ok "two files of a stream" "$warpscope" stats --json "$PWD/rec/warpscope-gvt.bin" rec/warpscope-2-gvt.bin
assert_eq "one stream" "" "$(json_get last.out files.1.path)"

# ---- Comparison with the run without changes: equal where both recorded

assert_ok "diff" "$warpscope" diff whole rec
assert_contains "diff" last.out "event: equal: $(json_get stats.json files.0.totals.events) records"
assert_contains "diff" last.out "compared only where both recorded: virtual time to before $(end_gvt rec/warpscope-evtrace.bin),"
assert_ok "diff of a part" "$warpscope" diff whole "$(alone rec/warpscope-2-evtrace.bin)"
assert_contains "diff of a part" last.out 'event: equal'
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 --event-trace=3 --stats-path=other \
    --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4
assert_status "diff of different runs" 3 "$warpscope" diff other rec
mkdir rollbacks
cp rec/warpscope-3-evtrace.bin rollbacks
assert_status "diff of rollbacks" 1 "$warpscope" diff whole rollbacks
assert_contains "diff of rollbacks" last.err 'not a trace of committed events'

# An analysis needs a whole trace.
assert_status "analyze" 1 "$warpscope" analyze rec
assert_contains "analyze" last.err 'warpscope-2-evtrace.bin: a request had switched the trace off before it'
assert_status "analyze a later part" 1 "$warpscope" analyze "$(alone rec/warpscope-2-evtrace.bin)"
assert_contains "analyze a later part" last.err "begins in the midst of the run: record with --event-trace=3 from the"
assert_ok "analyze the first part" "$warpscope" analyze "$(alone rec/warpscope-evtrace.bin)"
assert_eq "analyze the first part" "part of the run: up to GVT" "$(sed -n '1s/ [0-9.]* .*//p' last.out)"
assert_ok "stats" "$warpscope" stats rec
whole_line last.out >covers.txt
assert_contains "what stats covers" covers.txt "; gvt not from GVT "
assert_eq "what stats covers, first" "part of the run: " "$(head -n 1 last.out | cut -c1-17)"

# What a recording covers is the same in all commands.
assert_ok "stats --json" "$warpscope" stats --json $traces
covers="$(json_get last.out covers.text) $(json_get last.out covers.virtual_from)"
for command in info verify; do
    # shellcheck disable=SC2086 # paths
    assert_ok "$command --json" "$warpscope" $command --json $traces
    assert_eq "what $command --json covers" "$covers" "$(json_get last.out covers.text) $(json_get last.out covers.virtual_from)"
done

# A placement needs the events from the beginning on, without a gap.
if ! "$warpscope" partition /nowhere 2>&1 | grep -q 'built without METIS'; then
    assert_status "partition of parts with a gap" 1 "$warpscope" partition rec
    assert_contains "partition of parts with a gap" last.err \
        "switched the trace off before it: record with --event-trace=3 all the time"
    assert_ok "partition of the first part" "$warpscope" partition "$(alone rec/warpscope-evtrace.bin)" --json
    mv last.out p.json
    one_by_one event pe rec/warpscope-evtrace.bin >parts.csv
    assert_eq "events of the part" "$(grep -c '^[0-9]' parts.csv)" "$(json_get p.json events)"
    assert_eq "committed events only" true "$(json_get p.json committed)"
    assert_file "map" lp.map
    assert_status "a part is not replaced" 1 "$warpscope" partition rec --force -o rec/warpscope-3-evtrace.bin
fi

# ---- Timelines, a report, other exports

mkdir exports
for format in chrome perfetto ctf sqlite parquet npy; do
    "$warpscope" export --format=$format /nowhere 2>&1 | grep -q 'built without' && continue
    assert_ok "export --format=$format" "$warpscope" export --format=$format --output=exports rec
done
assert_eq "slices of events" "$(json_get stats.json files.0.totals.events)" \
    "$(grep -o '"cat":"event"' exports/warpscope.json | wc -l)"
assert_status "export --format=ross" 1 "$warpscope" export --format=ross --output=ross.dir rec
assert_contains "parts that ROSS cannot hold" last.err 'rec/warpscope-3-evtrace.bin with --event-trace=2'
# shellcheck disable=SC2086 # paths
assert_ok "export of samples --format=ross" "$warpscope" export --format=ross --output=ross.dir $samples

assert_ok "report" "$warpscope" report --format=json --output=report.json rec
assert_contains "gap in the report" report.json '"gvt not from GVT '
assert_contains "gap in the trace" report.json '"evtrace not from GVT '
awk -f "$WS_SRC/tests/support/json.awk" report.json >report.txt
bin=$(awk "BEGIN { printf \"%.15g\", int(($from + $to) / 2 / 150 * 240) }")
for k in 0 1 2 3 4 5 6 7; do
    name=$(json_get report.json runs.0.series.virtual.$k.name)
    value=$(sed -n "s/^runs\.0\.series\.virtual\.$k\.values\.$bin=//p" report.txt)
    [ "$name" != committed ] || assert_eq "committed events in the gap" null "$value"
    [ "$name" != events ] || assert_ne "events of the trace beside it" null "$value"
done
# shellcheck disable=SC2086 # paths
assert_ok "report of files" "$warpscope" report --format=json --output=files.json $traces $samples
assert_eq "one run" "" "$(json_get files.json runs.1.name)"

# ---- A killed run: the last parts have records in crash-safe buffers

mv rec changed
gated_start 1 4 --synch=1 --enable-gvt-stats=1 --event-trace=3
open_gate
request set trace-lps=0-15
open_gate
request set trace-lps=0-23
open_gate
await_gate

# While the run goes on, all commands read its journals, and say so in one line instead of what looks like damage.
for command in "stats" "info" "verify" "advise" "dump --type=event" "report --format=json --force -o report.json"; do
    # shellcheck disable=SC2086 # words
    assert_status "$command, running" 1 "$warpscope" $command rec
    case $command in
    verify) assert_eq "$command, running" "" "$(grep -v -e 'complete and valid' -e 'the run is still going on' last.out)" ;;
    dump*) grep '^[0-9]' last.out >dumped.csv ;;
    report*) assert_contains "$command, running" report.json '"covers":{"what":"running","text":"still running, up to GVT' ;;
    *) assert_eq "$command, running" "still running, up to GVT" "$(head -n 1 last.out | cut -c1-24)" ;;
    esac
    case $command in
    dump* | report*)
        assert_eq "$command, running, lines" 1 "$(grep -c '' last.err)"
        assert_contains "$command, running" last.err "rec: still running, up to GVT"
        ;;
    *) assert_eq "$command, running" "" "$(cat last.err)" ;;
    esac
done
assert_ok "library, a running simulation" "$WS_TEST_BIN/read_library" rec event fields=pe,dest_lp,recv_ts journals=1
assert_eq "events of buffers and files" "$(grep -c '' last.out)" "$(grep -c '' dumped.csv)"

kill -9 "$(gated_process)"
wait "$gated_pid"
chosen=fields=pe,dest_lp,recv_ts,lp_type
assert_ok "library, a killed run" "$WS_TEST_BIN/read_library" rec event $chosen journals=1
cp last.out live.csv
"$WS_TEST_BIN/read_library" rec event $chosen >files.csv
assert_num "records in the buffers" "$(wc -l <live.csv)" '>' "$(wc -l <files.csv)"
assert_ok "recover" "$warpscope" recover rec
assert_ok "library, a recovered run" "$WS_TEST_BIN/read_library" rec event $chosen
assert_same "records of buffers and of recovered files" last.out live.csv

# ---- Which files are parts

# A file is a part by its name and its facts; a copy under another name is a stream of its own.
mkdir copies
cp changed/*-gvt.bin copies
cp changed/warpscope-2-gvt.bin copies/copy-gvt.bin
cp whole/warpscope-evtrace.bin copies/warpscope-2-evtrace.bin
assert_ok "stats of copies" "$warpscope" stats --json copies
cp last.out stats.json
assert_eq "a copy" "copies/copy-gvt.bin" "$(json_get stats.json files.0.path)"
assert_eq "a number that is none of a part" "copies/warpscope-2-evtrace.bin" "$(json_get stats.json files.1.path)"
assert_eq "the stream" "copies/warpscope-3-gvt.bin" "$(json_get stats.json files.2.parts.2.path)"
assert_status "report of two runs" 1 "$warpscope" report --format=json --output=none.json copies
assert_contains "report of two runs" last.err "are of two runs"
rm copies/*evtrace.bin copies/copy-gvt.bin copies/warpscope-2-gvt.bin
assert_ok "a part is missing" "$warpscope" stats copies
assert_contains "a part is missing" last.err 'warpscope-3-gvt.bin: note: 1 part of the stream before it is not among'
printf 'no record file' >copies/warpscope-2-gvt.bin
assert_status "a part is damaged" 1 "$warpscope" stats copies
finish
