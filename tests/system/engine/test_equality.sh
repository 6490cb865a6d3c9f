#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The chaos model commits the same events, ends in the same states and writes the same lines under every
# scheduler, on any number of ranks (also more ranks than LPs), mapping, number of KPs and batch size.
# test: processors=2 timeout=600 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

# Each rank's standard output in its own file: launchers may split lines of several ranks.
cat >capture.sh <<'SH'
#!/bin/sh
exec "$@" >"out.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}"
SH
chmod +x capture.sh

# run_chaos RANKS OPTIONS...: sets net, events, states, lines (the output, sorted).
run_chaos() {
    ranks=$1
    shift
    rm -f out.*
    run_model "$ranks" ./capture.sh "$WS_TEST_BIN/chaos" --output=1 "$@"
    cat out.* | grep -E '^(at|    received)' >lines.txt
    lines=$(sort lines.txt | cksum)
}

reference() {
    run_chaos 1 --synch=1 "$@"
    wanted_net=$net wanted_events=$events wanted_states=$states wanted_lines=$lines
    cp lines.txt reference_lines.txt
    assert_num "events of chaos $*" "${net:-0}" '>' 1000
    assert_num "lines of chaos $*" "$(wc -l <lines.txt)" '>' 100
}

compare() {
    run_chaos "$@"
    assert_eq "net events of chaos $*" "$wanted_net" "$net"
    assert_eq "committed events of chaos $*" "$wanted_events" "$events"
    assert_eq "final states of chaos $*" "$wanted_states" "$states"
    assert_eq "output of chaos $*" "$wanted_lines" "$lines"
}

reference
for synch in 2 3 5; do
    compare 1 --synch=$synch
    # on one rank, lines are exactly in the order of the events
    assert_same "lines of --synch=$synch" reference_lines.txt lines.txt
done
# Ranks, mappings, KPs and batches: all combinations, or in a part of this test each value at least once.
if [ -z "${WS_PART:-}" ]; then
    places='1:0 1:1 1:2 2:0 2:1 2:2 3:0 3:1 3:2 4:0 4:1 4:2'
    groups='1:1 1:1000 3:1 3:1000 1000:1 1000:1000'
else
    places='1:0 2:1 3:2 4:0'
    groups='1:1000 3:1 1000:1'
fi
for place in $places; do
    compare "${place%:*}" --synch=2 --mapping="${place#*:}"
    compare "${place%:*}" --synch=3 --mapping="${place#*:}"
done
for group in $groups; do
    compare 2 --synch=3 --nkp="${group%:*}" --batch="${group#*:}" --gvt-interval=3
done
compare 2 --synch=3 --max-opt-lookahead=0.25
compare 3 --synch=5 --gvt-interval=2
compare 2 # no --synch: optimistic
assert_eq "default scheduler on 2 ranks" optimistic "$(json_get run.json scheduler)"
compare 1
assert_eq "default scheduler on 1 rank" sequential "$(json_get run.json scheduler)"

reference --lps=3
compare 4 --synch=2 --lps=3
compare 4 --synch=3 --lps=3

reference --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4 --end=20
compare 2 --synch=3 --rng-seed1=1 --rng-seed2=2 --rng-seed3=3 --rng-seed4=4 --end=20
finish
