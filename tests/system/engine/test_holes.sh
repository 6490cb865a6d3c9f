#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Numbers of LPs with holes (CUSTOM mapping): a run commits the same events on any number of ranks, under each
# scheduler, and after a restart on other ranks. Wrong numbers of LPs are refused with one message.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
holes="$WS_TEST_BIN/holes"

# Rows: numbers; streams per LP; ranks and scheduler of runs.
while read -r numbers streams runs; do
    run_model 1 "$holes" --numbers="$numbers" --streams="$streams" --synch=1
    wanted=$net/$events/$states
    assert_num "events with $numbers" "$net" '>' 200
    for run in $runs; do
        run_model "${run%/*}" "$holes" --numbers="$numbers" --streams="$streams" --synch="${run#*/}"
        assert_eq "$numbers on $run" "$wanted" "$net/$events/$states"
    done
done <<EOT
tens   1 1/3 2/2 3/3 4/5
far    1 1/5 2/3 4/2
middle 1 2/5 3/2
far    3 3/3
EOT

# A checkpoint continues on other ranks, but not where the LPs have other numbers.
run_model 1 "$holes" --numbers=far --synch=1
wanted=$net/$events/$states
run_model 2 "$holes" --numbers=far --checkpoint-every=11 --checkpoint-path=checkpoints --synch=3
assert_eq "with checkpoints" "$wanted" "$net/$events/$states"
for ranks in 1 3; do
    run_model $ranks "$holes" --numbers=far --restart=checkpoints
    assert_eq "restart on $ranks" "$wanted" "$net/$events/$states"
done
assert_refused 'it has an LP 18446744073709551604; the largest number here is 103' 1 "$holes" --restart=checkpoints
run_model 1 "$holes" --numbers=dense --checkpoint-every=11 --checkpoint-path=dense
assert_refused 'there is no record of LP 13' 1 "$holes" --restart=dense

# Maps, with a restart under another map, and moves
run_model 1 "$holes" --numbers=far --synch=1
printf 'warpscope-lp-map 1\n0-6 1\n7-20 0\n21-18446744073709551604 1 2\n18446744073709551605-18446744073709551614 0\n' >2.map
printf 'warpscope-lp-map 1\n0-20 2\n21-18446744073709551594 0\n18446744073709551599-18446744073709551614 1\n' >3.map
run_model 2 "$holes" --numbers=far --maps=1 --lp-map=2.map --checkpoint-every=11 --checkpoint-path=placed
assert_eq "a map" "$wanted" "$net/$events/$states"
run_model 3 "$holes" --numbers=far --maps=1 --lp-map=3.map --restart=placed
assert_eq "a restart with another map" "$wanted" "$net/$events/$states"
printf 'warpscope-lp-map 1\n0-6 0\n0-7 0\n' >bad.map
assert_refused 'bad.map:3: LP 0 has a line already' 1 "$holes" --numbers=far --maps=1 --lp-map=bad.map
assert_refused 'bad.map:3: LP 3 has a line already' 1 "$holes" --maps=1 --lp-map=bad.map
printf 'warpscope-lp-map 1\n4-12 0\n' >bad.map
assert_refused 'bad.map:2: LP 4, but the model has 11 LPs, 3 to 103 with holes' 1 "$holes" --maps=1 --lp-map=bad.map
assert_refused 'two ranks have an LP with the number 3;' 2 "$holes" --maps=1 --mistake=2 --lp-map=2.map
run_mpi 2 "$WS_BIN/phold" --nlp=20 --end=2 --map=auto --quiet >/dev/null 2>metis.txt
if ! grep -q METIS metis.txt; then
    run_model 1 "$holes" --numbers=far --lps=100 --partners=1 --synch=1
    wanted=$net/$events/$states
    run_model 2 "$holes" --numbers=far --lps=100 --partners=1 --maps=1 --map=auto --map-at=10
    assert_eq "a move" "$wanted" "$net/$events/$states"
    assert_num "LPs that move" "$(json_get run.json placement.lps_moved)" '>' 10
fi

# mistake NUMBER RANKS TEXT
mistake() {
    assert_status "mistake $1 on $2 ranks" 3 run_mpi "$2" "$holes" --mistake="$1" --quiet
    assert_contains "mistake $1 on $2 ranks" last.err "$3"
    assert_eq "mistake $1 on $2 ranks: messages" 1 "$(grep -c '^holes: error' last.err)"
}
mistake 1 1 'gives two LPs of this rank the number 3;'
mistake 2 2 'LP 3 is on rank 1, but the map function of its type puts it on rank 0'
mistake 3 2 'LP 103 is on rank 1, but the map function of its type puts it on rank 0'
mistake 4 1 'left local LP 10 without a number below 18446744073709551615'
mistake 5 1 'left local LP 10 without a number below 18446744073709551615'
mistake 6 2 'does not know LP 102, which the map function puts on this rank'
mistake 7 1 'sends an event to LP 18446744073709551615, but there are only 11 LPs, with numbers up to 103'

# Selections of traced LPs
assert_ok "two LPs" "$holes" --event-trace=3 --trace-lps=0-9,13 --stats-path=few --quiet
assert_eq "traced LPs" "13 3" \
    "$("$WS_BIN/warpscope" dump few --fields=dest_lp --format=csv | grep -v lp | sort -u | tr '\n' ' ' | sed 's/ $//')"
assert_refused 'no LP has a number that it names; the numbers of the 11 LPs have holes, and the largest is 103' 1 \
    "$holes" --event-trace=3 --trace-lps=4-12,102 --stats-path=none
assert_refused '"104" has no LP' 1 "$holes" --event-trace=3 --trace-lps=104 --stats-path=none
finish
