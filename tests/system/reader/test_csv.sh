#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --csv=FILE: a row per run under one header line, also from runs that end at the same time. A file that
# cannot be written, or is another table, is refused before the run. A full disk loses no earlier row.
# test: processors=2 timeout=100
. "$WS_SRC/tests/support/lib.sh"

phold="$WS_BIN/phold --quiet"
# cell FILE LINE COLUMN: of a table whose other cells have no quotes or commas
cell() {
    awk -v line="$2" -v column="$3" '
        NR == 1 { n = split($0, names, ","); next }
        NR == line {
            m = 0; text = ""; quoted = 0
            for (i = 1; i <= length($0) + 1; i++) {
                c = substr($0, i, 1)
                if (c == "\"") { if (quoted && substr($0, i + 1, 1) == "\"") { text = text c; i++ } else quoted = !quoted }
                else if ((c == "," && !quoted) || i > length($0)) { if (names[++m] == column) print text; text = "" }
                else text = text c
            }
            if (m != n) print "cells: " m " instead of " n
        }' "$1"
}

# shellcheck disable=SC2086 # the program and its options are words
{
    assert_ok "a first run" $phold --synch=1 --end=50 --csv=runs.csv --fingerprint --report-json=1.json
    assert_ok "a second run" $phold --synch=3 --end=70 --csv=runs.csv "--stats-prefix=a, \"b\"" --report-json=2.json
    assert_ok "a run on two ranks" run_mpi 2 $phold --synch=2 --end=50 --csv=runs.csv --report-json=3.json
}
assert_eq "lines" 4 "$(wc -l <runs.csv)"
for run in 1 2 3; do
    for name in net_events events_committed events_processed ranks total_lps run_end scheduler \
        final_gvt gvt_rounds lps_suspended version; do
        value=$(json_get $run.json $name || json_get $run.json counters.$name)
        assert_eq "run $run: $name" "$value" "$(cell runs.csv $((run + 1)) $name)"
    done
done
assert_eq "fingerprint" "$(json_get 1.json committed_fingerprint)" "$(cell runs.csv 2 committed_fingerprint)"
assert_eq "no fingerprint" "" "$(cell runs.csv 3 committed_fingerprint)"
assert_eq "command line" "$(json_get 2.json command_line | sed 's/\\"/"/g')" "$(cell runs.csv 3 command_line)"
assert_eq "why it ended" "reached the end time" "$(cell runs.csv 2 run_end)"
case $(cell runs.csv 2 date) in 20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:*Z) date=good ;; *) date=bad ;; esac
assert_eq "date" good $date

# Runs that end at the same time.
for i in 1 2 3 4 5 6 7 8; do
    $phold --synch=1 --end=$i --csv=together.csv >/dev/null 2>&1 &
done
wait
assert_eq "rows of parallel runs" 9 "$(wc -l <together.csv)"
assert_eq "lines of names" 1 "$(grep -c '^date,' together.csv)"
assert_eq "rows that are whole" "" "$(for i in 2 3 4 5 6 7 8 9; do cell together.csv $i cells; done)"

# An empty file, one whose last line is incomplete, another table, a path that does not exist.
: >empty.csv
assert_ok "an empty file" $phold --end=5 --csv=empty.csv
assert_eq "its lines" 2 "$(wc -l <empty.csv)"
cp runs.csv cut.csv
printf '"2026-01-' >>cut.csv
assert_ok "a last line without end" $phold --end=5 --csv=cut.csv
assert_eq "its last row is whole" 32 "$(cell cut.csv 6 net_events)"

# Pipes: the reader may come before the run, or after it has ended.
mkfifo pipe.csv
for option in csv report-json; do
    cat pipe.csv >early.txt &
    reader=$!
    timeout -s KILL 200 $phold --end=5 --$option=pipe.csv >/dev/null 2>&1 || fail "$option into a pipe"
    wait "$reader"
    assert_contains "$option to a reader" early.txt net_events
    : >late.err # without the messages of the previous run
    timeout -s KILL 200 $phold --end=5 --$option=pipe.csv >/dev/null 2>late.err &
    run=$!
    wait_for "$run" grep -q "is a pipe without a reader" late.err
    timeout 200 cat pipe.csv >late.txt
    wait "$run"
    assert_eq "$option into a pipe that waits" 0 $?
    assert_contains "what is said" late.err "pipe.csv is a pipe without a reader; the report waits"
    assert_contains "$option to a late reader" late.txt net_events
done
# A reader that leaves during the report, or a signal while there is none: that report is lost, with a
# message, and no other. The command line makes reports longer than the capacity of a pipe.
long=$(yes -- --end=5 | head -n 12000)
for option in csv report-json; do
    [ $option = csv ] && other=report-json || other=csv
    timeout -s KILL 200 head -c 10 pipe.csv >/dev/null &
    reader=$!
    rm -f other.txt
    # shellcheck disable=SC2086 # words
    timeout -s KILL 200 $phold $long --$option=pipe.csv --$other=other.txt >/dev/null 2>left.err
    assert_eq "status when the reader of --$option leaves" 1 $?
    wait "$reader"
    assert_contains "the reader of --$option leaves" left.err "Broken pipe"
    assert_contains "the other report than --$option" other.txt net_events
    : >left.err
    timeout --foreground -s KILL 200 $phold --end=5 --$option=pipe.csv >/dev/null 2>left.err &
    run=$!
    wait_for "$run" grep -q "is a pipe without a reader" left.err
    kill -TERM "$run" # which passes it on, once in the foreground
    wait "$run"
    assert_eq "status when a signal ends waiting, --$option" 1 $?
    assert_contains "a signal ends waiting, --$option" left.err "Interrupted"
done
# A signal that ends a run also ends the wait for readers; a reader that is there gets its report.
$phold --end=1e9 --csv=pipe.csv --report-json=pipe.csv >ended.out 2>ended.err &
run=$!
wait_until_heard $run
kill -TERM $run
wait $run
assert_eq "status after a signal, is a pipe without a reader" 143 $?
assert_eq "reports that are lost then" 2 "$(grep -c Interrupted ended.err)"
assert_eq "notes about waiting" 0 "$(grep -c "is a pipe without a reader" ended.err)"
cat pipe.csv >ended.txt &
reader=$!
$phold --end=1e9 --report-json=pipe.csv >ended.out 2>&1 &
run=$!
wait_until_heard $run
kill -TERM $run
wait $run
assert_eq "status after a signal, somebody reads" 143 $?
wait $reader
assert_contains "the report after a signal" ended.txt net_events
echo "date,colour" >other.csv
cp other.csv other.before
assert_status "another table" 2 $phold --end=5 --csv=other.csv --report-json=never.json
assert_contains "another table" last.err "--csv=other.csv: is not a table of this version"
assert_same "another table" other.before other.csv
assert_status "no such directory" 2 $phold --end=5 --csv=no/such/folder.csv
assert_contains "no such directory" last.err "--csv=no/such/folder.csv: cannot be written"
assert_status "a directory" 2 $phold --end=5 --csv=.
run_mpi 2 "$WS_BIN/phold" --quiet --end=5 --csv=no/such/folder.csv >last.out 2>last.err
assert_eq "two ranks refuse" 2 $?
assert_eq "one message" 1 "$(grep -c 'cannot be written' last.err)"

# A disk that fills up: the run goes on to its end, reports the error, and fails.
if [ -w /dev/full ]; then
    assert_status "a full disk" 1 $phold --end=50 --csv=/dev/full
    assert_contains "a full disk" last.err "No space left"
    assert_contains "a full disk: the report" last.out "Net Events Processed"
fi
# A file that cannot grow by a whole row stays unchanged.
cp runs.csv limited.csv
(
    trap '' XFSZ
    ulimit -f $(($(wc -c <runs.csv) / 512 + 1))
    $phold --end=50 --csv=limited.csv --max-memory=16 >limited.out 2>limited.err
    echo $? >limited.status
)
case $(cat limited.status) in
0) ;; # the block was large enough
*)
    assert_contains "a file at its limit" limited.err "the row of this run is not in limited.csv"
    assert_same "a file at its limit" runs.csv limited.csv
    ;;
esac
finish
