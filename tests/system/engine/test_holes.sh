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
