#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --random-rollbacks does not change the committed events, on any number of ranks and with few or many KPs. It
# rolls back on one rank, too, and finds a wrong reverse handler.
# test: processors=2 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

reference() {
    run_model 1 "$@" --synch=1
    wanted_net=$net wanted_events=$events wanted_states=$states
}

# compare RANKS PROGRAM OPTIONS...: equal to the previous sequential run; with rollbacks.
compare() {
    compared=$1
    run_model "$@"
    shift
    assert_eq "net events of $* on $compared" "$wanted_net" "$net"
    assert_eq "events of $* on $compared" "$wanted_events" "$events"
    assert_eq "states of $* on $compared" "$wanted_states" "$states"
    assert_num "rollbacks of $* on $compared" "$(json_get run.json counters.primary_rollbacks)" '>' 10
}

# A part of this test takes some of the sizes.
if [ -z "${WS_PART:-}" ]; then
    chaos_ranks='1 2 3 4' phold_lps='60 300' netsim_ranks='1 2'
else
    chaos_ranks='1 3' phold_lps=60 netsim_ranks=2
fi

chaos=$WS_TEST_BIN/chaos
reference "$chaos" --end=20
for ranks in $chaos_ranks; do
    compare "$ranks" "$chaos" --end=20 --synch=3 --random-rollbacks=1
    compare "$ranks" "$chaos" --end=20 --synch=3 --random-rollbacks=10
done
compare 1 "$chaos" --end=20 --synch=3 --random-rollbacks=1 --nkp=1
compare 2 "$chaos" --end=20 --synch=3 --random-rollbacks=1 --nkp=1000 --batch=1
compare 2 "$chaos" --end=20 --synch=3 --random-rollbacks=1 --max-opt-lookahead=0.25
compare 2 "$chaos" --end=20 --synch=5 --gvt-interval=2 --random-rollbacks=1

for nlp in $phold_lps; do
    reference "$WS_BIN/phold" --nlp=$nlp --end=60
    for every in 1 10; do
        compare 1 "$WS_BIN/phold" --synch=3 --nlp=$nlp --end=60 --random-rollbacks=$every
        compare 3 "$WS_BIN/phold" --synch=3 --nlp=$((nlp / 3)) --end=60 --random-rollbacks=$every
    done
done

reference "$WS_BIN/netsim" --end=0.002
for ranks in $netsim_ranks; do
    compare $ranks "$WS_BIN/netsim" --end=0.002 --synch=3 --random-rollbacks=1
    compare $ranks "$WS_BIN/netsim" --end=0.002 --synch=3 --random-rollbacks=10
done

# One rank has no stragglers, so mistakes of reverse handlers show only with random rollbacks.
wrong=$WS_TEST_BIN/wrong_reverse
for mistake in state draw order message; do
    reference "$wrong" --mistake=$mistake
    run_model 1 "$wrong" --mistake=$mistake --synch=3
    assert_eq "unseen mistake $mistake" "$wanted_states" "$states"
    run_model 1 "$wrong" --mistake=$mistake --synch=3 --random-rollbacks=2
    assert_ne "states with mistake $mistake" "$wanted_states" "$states"
done
reference "$wrong"
compare 1 "$wrong" --synch=3 --random-rollbacks=2
finish
