#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --rng=fast: the same events and states under every scheduler on any number of ranks, as with CLCG4; other
# events than CLCG4's; they depend on the seeds of the model's streams and of tie breaking.
# test: processors=2 timeout=600 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

# phold RANKS OPTIONS...: 60 LPs in all, many rollbacks and ties.
phold() {
    phold_ranks=$1
    shift
    run_model "$phold_ranks" "$WS_BIN/phold" --nlp=$((60 / phold_ranks)) --remote=0.5 \
        --lookahead=0.1 --end=40 --start-events=3 --rng=fast "$@"
}

# compare MODEL RANKS OPTIONS...: with the previous sequential run.
compare() {
    "$@"
    assert_eq "net events of $*" "$wanted_net" "$net"
    assert_eq "committed events of $*" "$wanted_events" "$events"
    assert_eq "final states of $*" "$wanted_states" "$states"
}

remember() {
    wanted_net=$net wanted_events=$events wanted_states=$states
}

phold 1 --synch=1
remember
assert_num "events of phold" "$net" '>' 5000
assert_eq "generator in the report" fast "$(json_get run.json rng)"
assert_contains "generator in the text" last.out "Random Generator: fast"
for ranks in 1 2 3 4; do
    compare phold $ranks --synch=2 --cons-lookahead=0.1
    compare phold $ranks --synch=3 --batch=4 --gvt-interval=4
    compare phold $ranks --synch=3 --nkp=1
done

# The seeds of the model, those of the engine, and the generator each change the results.
phold 1 --synch=1 --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4
assert_ne "events with other seeds" "$wanted_events" "$events"
phold 1 --synch=1 --core-rng-seed1=1 --core-rng-seed2=2 --core-rng-seed3=3 --core-rng-seed4=4
assert_ne "events with other core seeds" "$wanted_events" "$events"
assert_eq "net events with other core seeds" "$wanted_net" "$net"
phold 1 --synch=1 --rng=clcg4
assert_ne "events with CLCG4" "$wanted_events" "$events"
assert_eq "generator in the report" clcg4 "$(json_get run.json rng)"
clcg4=$events
run_model 1 "$WS_BIN/phold" --nlp=60 --remote=0.5 --lookahead=0.1 --end=40 --start-events=3 --synch=1
assert_eq "CLCG4 is the default" "$clcg4" "$events"

# The chaos model draws from all distributions, also in pairs, with state saving and offsets of 0.
chaos() {
    chaos_ranks=$1
    shift
    run_model "$chaos_ranks" "$WS_TEST_BIN/chaos" --rng=fast "$@"
}
chaos 1 --synch=1
remember
assert_num "events of chaos" "$net" '>' 1000
for ranks in 1 2 3 4; do
    compare chaos $ranks --synch=2 --mapping=1
    compare chaos $ranks --synch=3 --mapping=2
done

for wrong in CLCG4 fast1 mrg; do
    assert_status "--rng=$wrong" 2 "$WS_BIN/phold" --rng="$wrong"
    assert_contains "values of --rng" last.err "--rng=$wrong: must be clcg4 or fast"
done
finish
