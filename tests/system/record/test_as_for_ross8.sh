#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A model in the style of real models for ROSS 8: all interfaces that it uses exist and behave as in ROSS, and
# scripts start it in the same way.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

model="$WS_TEST_BIN/as_for_ross8"

# value LINE: prints the rest of this line of the last run's output.
value() {
    sed -n "s/^$1 //p" last.out
}

# Every scheduler on the same LPs commits the same. CODES says --sync, others --max-opt.
wanted=
for run in 3,2 3,3 3,5 2,2 2,3 2,5 1,1 1,2 1,3 1,6 4,2 4,3; do
    ranks=${run%,*} synch=${run#*,}
    rm -f ross.csv
    assert_ok "run $run" run_mpi "$ranks" "$model" --sync="$synch" --fingerprint --quiet \
        --max-opt=0 --avl-size=14 --buddy_size=3 --extramem=100 -- depots.conf
    assert_eq "run $run, the word behind --" "1 depots.conf" "$(value argv)"
    assert_contains "run $run, nothing is wrong" last.out " bad 0"
    assert_eq "run $run, rows of ross.csv" "2 lines" "$(value csv)"
    here="$ranks $(value parcels) $(sed -n 's/.*Events Fingerprint *//p' last.out)"
    case $wanted in
    "$ranks "*) assert_eq "run $run, the same" "$wanted" "$here" ;;
    *) wanted=$here ;;
    esac
    assert_lacks "run $run, stderr" last.err warning
done

# Without "--" the model gets the word as well, and a second run adds its row.
assert_ok "no dashes" run_mpi 1 "$model" --sync=1 depots.conf --quiet
assert_eq "no dashes, the word" "0 depots.conf" "$(value argv)"
assert_eq "rows of ross.csv" "3 lines" "$(value csv)"
assert_ok "no row" run_mpi 1 "$model" --sync=1 --quiet --csv=none -- depots.conf
assert_eq "no row of ross.csv" "3 lines" "$(value csv)"

# A file that is not a table of Warpscope stays unchanged; the run itself succeeds.
echo "a,b" >ross.csv
assert_ok "a table of others" run_mpi 1 "$model" --sync=1 --quiet -- depots.conf
assert_contains "a table of others" last.err "ross.csv"
assert_eq "a table of others" "1 lines" "$(value csv)"
rm ross.csv

# Options of characters: as long as an array, and of any length behind a pointer.
long=abcdefghijklmnopqrstuvwxyz-0123456789
assert_ok "texts" run_mpi 1 "$model" --sync=1 --quiet --name=north --comment=$long --place=there -- x
assert_eq "texts" "north $long there" "$(value text)"
assert_status "too long for its array" 2 run_mpi 1 "$model" --sync=1 --name=$long -- x
assert_contains "too long for its array" last.err "--name="

# A prefix of several options is accepted, with a warning.
assert_ok "a prefix of several" run_mpi 1 "$model" --sync=1 --quiet --s=3 -- x
assert_contains "a prefix of several" last.err "is taken as --starts"

# Samples have the sizes that init sets.
assert_ok "samples" run_mpi 2 "$model" --sync=3 --quiet --model-stats=1 --num-gvt=1 --event-trace=1 \
    --stats-path=samples -- x
assert_ok "samples, ours" "$WS_BIN/warpscope" dump samples/warpscope-model.bin --limit=5
assert_eq "bytes of a sample" 16 "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++)
    if ($i == "payload_size") at = i } NR == 2 { print $at }' last.out)"
assert_file "samples, ROSS 8's" samples/ross-stats-model.bin
assert_file "trace, ROSS 8's" samples/ross-stats-evtrace.bin

# Types without names have those of CODES, if it maps the LPs, and else those of their variables.
for run in 1,0,crane,ports:0,ports:1 2,1,harbour-crane,harbour-gate,harbour-terminal,ports:1; do
    ranks=${run%%,*} names=${run#*,}
    assert_ok "types $run" run_mpi "$ranks" "$WS_TEST_BIN/named_types" --registered="${names%%,*}" --quiet \
        --csv=none --event-trace=1 --stats-path="types-$ranks" --stats-format=warpscope
    assert_eq "types $run" "${names#*,}" "$("$WS_BIN/warpscope" info "types-$ranks/warpscope-evtrace.bin" |
        sed -n 's/.*(event, \(.*\)): 0 bytes.*/\1/p' | sort | paste -sd, -)"
    "$WS_BIN/warpscope" stats "types-$ranks" >stats.txt 2>stats.err
    assert_lacks "types $run" stats.txt "not known"
done
assert_ok "events of a type" run_mpi 2 "$WS_TEST_BIN/named_types" --registered=1 --quiet --csv=none \
    --event-trace=1 --trace-lps='harbour*' --stats-path=chosen
assert_eq "events of a type" "0 2" "$("$WS_BIN/warpscope" dump chosen/warpscope-evtrace.bin | awk -F, '
    NR > 1 { print $2 % 3 }' | sort -u | xargs)"

# An event for a type without a handler is an error of the model, not a crash.
assert_status "no handler" 3 run_mpi 1 "$WS_TEST_BIN/mischief" --quiet --mistake=handler --synch=1
assert_contains "no handler" last.err "its type has no event handler"
finish
