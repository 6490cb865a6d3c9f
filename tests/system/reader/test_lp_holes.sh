#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of models whose numbers of LPs have holes and are larger than 2^63: each command names LPs by their
# numbers, and counts all events.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
holes="$WS_TEST_BIN/holes" ws="$WS_BIN/warpscope"

# The numbers of the 40 LPs, ascending, as the model's --numbers=far has them; and those of its LPs with records.
awk 'BEGIN { for (k = 0; k < 20; k++) print 7 * k
             for (k = 20; k < 40; k++) printf "184467440737095%05d\n", 51614 - 5 * (39 - k) }' >numbers.txt
# only_numbers WHAT FILE: all lines of the file, at least 20 different ones, are numbers of LPs.
only_numbers() {
    assert_num "$1: LPs" "$(sort -u "$2" | wc -l)" '>=' 20
    assert_eq "$1: other numbers" "" "$(grep -vxFf numbers.txt "$2" | head -n 3)"
}
# column FILE NAME: a column of a CSV file
column() {
    awk -F, -v name="$2" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$1"
}

run_model 2 "$holes" --numbers=far --lps=40 --synch=3 --random-rollbacks=3 --event-trace=3 --vt-interval=2 \
    --enable-gvt-stats=1 --num-gvt=1 --lp-data=1 --stats-path=rec
wanted=$net/$events/$states
run_model 2 "$holes" --numbers=far --lps=40 --synch=3 --random-rollbacks=3 --event-trace=2 --stats-path=undone
assert_ok "info" "$ws" info rec
assert_contains "info" last.out '18446744073709551614'
for command in verify stats advise 'top --once' 'diff rec'; do
    # shellcheck disable=SC2086 # a command and its options
    assert_ok "$command" "$ws" $command rec
done

assert_ok "dump" "$ws" dump rec/warpscope-evtrace.bin --format=csv
for side in dest_lp src_lp; do
    column last.out $side >seen.txt
    assert_eq "events in dump" "$net" "$(wc -l <seen.txt)"
    only_numbers "dump, $side" seen.txt
done
one=18446744073709551609
for selection in --lp=$one --lp=18446744073709551605-18446744073709551609 "--where=dest_lp==$one"; do
    assert_ok "$selection" "$ws" dump rec/warpscope-evtrace.bin --format=csv "$selection"
    assert_eq "$selection" "$one" "$(column last.out dest_lp | sort -u)"
done

assert_ok "analyze" "$ws" analyze rec --csv=tables --graph=graph.graphml --path=path.csv
column tables/lps.csv lp >seen.txt
only_numbers "analyze" seen.txt
assert_eq "analyze: LPs" 40 "$(sort -u seen.txt | wc -l)"
assert_eq "analyze: events" "$net" "$(column tables/lps.csv events | awk '{ n += $1 } END { print n }')"
for side in src dest; do
    column tables/edges.csv $side >seen.txt
    only_numbers "edges, $side" seen.txt
done
sed -n 's/^<node id="\([0-9]*\)".*/\1/p' graph.graphml >seen.txt
only_numbers "graph" seen.txt
column path.csv lp >seen.txt
assert_eq "path" "" "$(grep -vxFf numbers.txt seen.txt)"

assert_ok "rollbacks" "$ws" rollbacks undone --csv=causes
column causes/lp_pairs.csv src_lp >seen.txt
assert_eq "rollbacks" "" "$(grep -vxFf numbers.txt seen.txt)"
assert_file "rollbacks" seen.txt
assert_ok "types" "$ws" rollbacks undone --json
assert_contains "types" last.out '"odd"'

"$ws" top rec --json --once >last.out
grep -o '"lp":[0-9]*' last.out | sed 's/.*://' >seen.txt
assert_file "top" seen.txt
assert_eq "top" "" "$(grep -vxFf numbers.txt seen.txt)"

assert_ok "report" "$ws" report rec --output=page.html
assert_file "report" page.html
for format in csv jsonl chrome ctf parquet; do
    assert_ok "$format" "$ws" export rec/warpscope-evtrace.bin --format=$format --output=export-$format
done
column export-csv/*.csv dest_lp >seen.txt
only_numbers "export" seen.txt

# A map places LPs without events as well; the run with it commits the same events.
if "$ws" partition rec --ranks=3 -o 3.map >last.out 2>last.err; then
    run_model 3 "$holes" --numbers=far --lps=40 --maps=1 --lp-map=3.map
    assert_eq "with the map" "$wanted" "$net/$events/$states"
    assert_ok "analyze a map" "$ws" analyze rec --lp-map=3.map
    # One event per LP, and LPs that get none
    assert_ok "a short run" "$holes" --numbers=far --lps=40 --end=0.9 --event-trace=3 --stats-path=short
    assert_ok "events of a short run" "$ws" dump short --fields=src_lp,dest_lp --format=csv
    assert_num "LPs of a short run" "$(grep -o '[0-9]*' last.out | sort -u | wc -l)" '<' 40
    assert_ok "partition" "$ws" partition short --ranks=2 -o 2.map
    run_model 2 "$holes" --numbers=far --lps=40 --maps=1 --lp-map=2.map
    assert_eq "with the map of a short run" "$wanted" "$net/$events/$states"
else
    assert_contains "without METIS" last.err METIS
fi
finish
