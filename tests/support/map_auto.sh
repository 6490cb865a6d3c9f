# SPDX-License-Identifier: BSD-3-Clause
# For tests of --map=auto: random maps to begin with, and comparison with the sequential run.
. "$WS_SRC/tests/support/random.sh"

# make_map FILE LPS RANKS: a random map without KPs.
make_map() {
    random 1000000
    awk -v n="$2" -v ranks="$3" -v seed="$random" 'BEGIN {
        srand(seed)
        print "warpscope-lp-map 1"
        for (i = 0; i < n; i++)
            print i, int(rand() * ranks)
    }' >"$1"
}

# run RANKS MODEL OPTIONS...: sets net, events, states; leaves results.txt, with all digits where the model
# writes them to the file exact.
run() {
    run_ranks=$1 run_name=$2
    shift 2
    rm -f exact
    run_model "$run_ranks" "$WS_BIN/$run_name" "$@" </dev/null
    sed -n "/^$run_name: \(packets\|stations\|after\|accesses\)/,\$p" last.out >results.txt
    [ ! -f exact ] || cat exact >>results.txt
}

# sequential MODEL OPTIONS...: the run to compare with. Sets lps.
sequential() {
    run 1 "$@" --synch=1
    # shellcheck disable=SC2154 # set by run_model
    wanted_net=$net wanted_events=$events wanted_states=$states
    mv results.txt wanted.txt
    lps=$(sed -n 's/.*Total LPs *//p' last.out)
}

# check RANKS MODEL OPTIONS...: compares a run with the sequential one. Sets moved to the number of LPs that moved.
check() {
    run "$@"
    assert_eq "net events of $*" "$wanted_net" "$net"
    assert_eq "committed events of $*" "$wanted_events" "$events"
    assert_eq "final states of $*" "$wanted_states" "$states"
    assert_same "results of $*" wanted.txt results.txt
    moved=$(json_get run.json placement.lps_moved)
}
