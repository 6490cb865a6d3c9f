# SPDX-License-Identifier: BSD-3-Clause
# For tests of --lp-map and --map=auto: random maps, and runs that must equal a sequential one. Source it after
# random.sh.

# make_map FILE LPS RANKS KPS [TOGETHER]: a random map; KPS 0: without KPs. TOGETHER neighbouring LPs share a
# rank (default 1).
make_map() {
    random 1000000
    awk -v n="$2" -v ranks="$3" -v kps="$4" -v together="${5:-1}" -v seed="$random" 'BEGIN {
        srand(seed)
        print "warpscope-lp-map 1"
        for (i = 0; i < n; i++) {
            if (i % together == 0)
                rank = int(rand() * ranks)
            print i, rank, (kps > 0 && rand() < 0.9 ? int(rand() * kps) : "")
        }
    }' >"$1"
}

# run RANKS MODEL OPTIONS...: sets net, events, states; leaves results.txt, with all digits
# where the model writes them to the file exact.
run() {
    run_ranks=$1 run_name=$2
    shift 2
    rm -f exact
    run_model "$run_ranks" "$WS_BIN/$run_name" "$@" </dev/null
    sed -n "/^$run_name: \(packets\|stations\|after\|accesses\|results\)/,\$p" last.out >results.txt
    [ ! -f exact ] || cat exact >>results.txt
}

# wanted MODEL OPTIONS...: the sequential run, without a map. Sets wanted_..., and lps, the number of its LPs;
# leaves wanted.txt.
wanted() {
    run 1 "$@" --synch=1
    # shellcheck disable=SC2154 # set by run_model
    wanted_net=$net wanted_events=$events wanted_states=$states
    mv results.txt wanted.txt
    lps=$(sed -n 's/.*Total LPs *//p' last.out)
    assert_num "events of $*" "${net:-0}" '>' 300
}

# check RANKS MODEL OPTIONS...: compares a run with the sequential one.
check() {
    run "$@"
    assert_eq "net events of $*" "$wanted_net" "$net"
    assert_eq "committed events of $*" "$wanted_events" "$events"
    assert_eq "final states of $*" "$wanted_states" "$states"
    assert_same "results of $*" wanted.txt results.txt
}

# check_move RANKS MODEL OPTIONS...: like check, for a run with --map=auto. Sets moved to the number of LPs that moved.
check_move() {
    check "$@"
    moved=$(json_get run.json placement.lps_moved)
}
