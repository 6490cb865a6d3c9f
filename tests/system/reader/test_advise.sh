#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope advise": runs with one bad setting get the advice for it and no other, a good run gets none, and the
# next run with the options advised has fewer of what was counted. Times are not looked at.
# test: processors=2 timeout=200
# shellcheck disable=SC2086,SC2046 # lists
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"

warpscope=$WS_BIN/warpscope
phold="$WS_BIN/phold --nlp=64 --quiet"

# advised NAME RANKS COMMAND...: records a run. The options advised go to options.txt, all of it to NAME.json.
advised() {
    advised_name=$1
    advised_ranks=$2
    shift 2
    rm -rf "$advised_name"
    assert_ok "run $advised_name" run_mpi "$advised_ranks" "$@" \
        --stats-path="$advised_name" --report-json="$advised_name-run.json"
    assert_ok "options of $advised_name" "$warpscope" advise --options "$advised_name"
    cp last.out options.txt
    assert_ok "advice for $advised_name" "$warpscope" advise --json "$advised_name"
    cp last.out "$advised_name.json"
}

# subjects NAME LIST: the subjects of a list, but for those that depend on the processors of the machine, and on how it
# shares them.
subjects() {
    awk -f "$WS_SRC/tests/support/json.awk" "$1.json" |
        sed -n "s/^$2\.[0-9]*\.subject=//p" | tr -d '"' |
        grep -v -x -E 'ranks|shared|waiting|network-time|recording-time|state-saving|efficiency-period|undo-slow|synch|rollback-.*' |
        sort | xargs
}

# of NAME SUBJECT MEMBER: a member of the advice on a subject; nothing if there is none.
of() {
    awk -f "$WS_SRC/tests/support/json.awk" "$1.json" | tr -d '"' | awk -F= -v subject="$2" -v member="$3" '
        /^advice\.[0-9]*\.subject=/ { on = $2 == subject }
        on && $1 ~ "^advice\\.[0-9]*\\." member "$" { sub("^[^=]*=", ""); print; exit }'
}

# Prints the options advised in the order of their names: which one saves more time depends on the machine.
options_sorted() {
    tr ' ' '\n' <options.txt | sort | xargs
}

# wanted NAME OPTIONS RANKS COMMAND...: repeats the run until it gets these options, since rollbacks depend on
# which rank is late, and asserts that it gets no others.
wanted() {
    wanted_name=$1
    wanted_options=$2
    shift 2
    repeat_until "[ \"\$(options_sorted)\" = \"$wanted_options\" ]" advised "$wanted_name" "$@"
    assert_eq "options for $wanted_name" "$wanted_options" "$(options_sorted)"
}

# The bound that the critical path sets is one number, and so is the measure of load, whichever command is asked:
# times of handlers, or numbers of events where the handlers are too short to tell.
one_account() {
    assert_ok "run $1" run_mpi 2 $phold --synch=3 --hot-lps=8 --event-trace=3 --event-times=1 --stats-path="$1" $3
    "$warpscope" analyze "$1" | tr -s '\n ' ' ' >account.out
    account_bound=$(sed -n 's/.*number of ranks this can run at most \([0-9.]*\) times.*/\1/p' account.out)
    assert_num "a bound for $1" "$account_bound" ">" 1
    "$warpscope" advise --json "$1" | tr -s '\n ' ' ' >account.out
    assert_contains "the bound that advise names for $1" account.out "$account_bound times"
    "$warpscope" partition --force "$1" >account.out
    assert_contains "the bound that partition names for $1" account.out "critical path ($account_bound)"
    assert_contains "the measure of load of $1" account.out "weighed by $2"
}

wanted kps "--nkp=16" 2 $phold --synch=3 --nkp=1 --remote=0.9 --end=300 --enable-gvt-stats=1
assert_eq "subjects of few KPs" "nkp" "$(subjects kps advice)"
assert_contains "evidence of few KPs" kps.json "64 LPs share a KP"

# By MPI, GVT takes much of the time also where ranks share processors, and no rank waits for the other one.
tiny="$phold --synch=3 --gvt-interval=1 --batch=1 --remote=0 --end=100 --enable-gvt-stats=1 --transport=mpi"
wanted tiny "--batch=16 --gvt-interval=64" 2 $tiny
assert_ok "the next run" run_mpi 2 $tiny \
    --stats-path=next --report-json=next.json $(cat options.txt)
assert_num "GVT computations with the options advised" "$(counter next gvt_rounds)" "<" \
    "$(counter tiny-run gvt_rounds)"

wanted batch "--batch=16" 2 $phold --synch=3 --batch=4096 --remote=0.9 --end=600 --enable-gvt-stats=1
wanted huge "--gvt-interval=64" 2 $phold --synch=3 --gvt-interval=5000 --remote=0.0005 --end=2000 \
    --enable-gvt-stats=1

# Rollbacks on purpose hide the others.
wanted purpose "--random-rollbacks=0" 2 $phold --synch=3 --random-rollbacks=2 --end=100 --event-trace=2
assert_eq "what such rollbacks hide" "hot-lps max-opt-lookahead nkp placement slow-rank" "$(subjects purpose not_judged)"

# One busy LP: no option helps, but fewer ranks, as the advice says. METIS complains about such a graph, which must not show.
wanted hot "" 2 $phold --synch=3 --hot-lps=1 --end=1500 --event-trace=3
assert_eq "ranks for one busy LP" "-n 1" "$(of hot ranks launcher)"
assert_eq "subjects of one busy LP" "hot-lps" "$(subjects hot advice)"
assert_contains "one busy LP" hot.json "LP 0 has 100 % of the events: whatever the placement, no run is faster"
assert_contains "one busy LP" hot.json "No option mends that"
"$warpscope" partition -o - hot >hot.map
assert_eq "first line of a map" "warpscope-lp-map 1" "$(head -n 1 hot.map)"

# Schedulers.
wanted one "--synch=1" 1 $phold --synch=3 --end=60 --event-trace=1
wanted windows "" 2 $phold --synch=2 --lookahead=0.01 --cons-lookahead=0.01 --end=20 --enable-gvt-stats=1
# Where the run took long, since other programs used the machine, one rank is advised first.
if [ "$(of windows ranks launcher)" = "-n 1" ]; then
    assert_eq "advice on narrow windows, on one rank" "--synch=1" "$(of windows ranks options)"
else
    assert_eq "advice on narrow windows" "--synch=3" "$(of windows synch options)"
fi

# All commands say the same of all these, and of one that is damaged.
cp -r windows damaged
dd if=/dev/zero of=damaged/warpscope-gvt.bin bs=1 seek=20000 count=200 conv=notrunc 2>/dev/null
assert_ok "what stats, top, report and advise say" python3 "$WS_SRC/tests/system/python/statements.py" "$warpscope" \
    kps tiny batch huge purpose hot one windows damaged

# Many rollbacks in spite of good options, and wide windows.
stormy="$phold --transport=mpi --nlp=256 --nkp=256 --remote=1 --end=40 --batch=1023 --gvt-interval=4 --lookahead=0.5 --work=1000"
repeat_until '[ -n "$(of stormy synch options)" ]' advised stormy 2 $stormy --synch=3 --event-trace=3
assert_eq "other subjects of many rollbacks" "" "$(subjects stormy advice)"
assert_eq "options with a condition" "" "$(cat options.txt)"
conservative=$(of stormy synch options)
assert_eq "options of many rollbacks" "--synch=2" "${conservative%% *}"
assert_ok "the conservative run" run_mpi 2 $stormy --synch=3 $conservative --report-json=next.json
assert_eq "its rollbacks" 0 "$(counter next events_rolled_back)"
assert_eq "its events" "$(json_get stormy-run.json net_events)" "$(json_get next.json net_events)"

# Good runs.
wanted good "" 2 "$WS_BIN/phold" --quiet --synch=3 --nlp=512 --nkp=128 --remote=0.01 --end=20 --event-trace=3
assert_eq "subjects of a good run" "" "$(subjects good advice)"
wanted sequential "" 1 $phold --synch=1 --end=60 --event-trace=1
assert_ok "a sequential run" "$warpscope" advise sequential
assert_contains "nothing to change" last.out "Nothing to change"
assert_contains "what to record" last.out "not judged"

# A random placement.
if "$warpscope" partition -o - hot 2>&1 | grep -q 'built without'; then
    echo "built without METIS: placements are not tested"
else
    torus="$WS_BIN/torus --quiet --dims=6x6x2 --synch=3 --end=300"
    # 72 nodes of two LPs each.
    awk 'BEGIN { s = 4711; print "warpscope-lp-map 1"
        for (i = 0; i < 144; i += 2) { s = s * 48271 % 2147483647; r = int(s / 2147483647 * 2)
            print i, r; print i + 1, r } }' >random.map
    advised scattered 2 $torus --event-trace=3 --lp-map=random.map
    assert_contains "a random placement" scattered.json '"placement"'
    assert_lacks "no option without a map" options.txt "--lp-map"
    assert_ok "a map" "$warpscope" advise --options --map=found.map scattered
    assert_contains "the option for it" last.out "--lp-map=found.map"
    assert_ok "the run with the map" run_mpi 2 $torus --event-trace=3 --lp-map=random.map $(cat last.out) \
        --stats-path=placed --report-json=placed.json
    assert_num "remote events with the map" "$(counter placed remote_events)" "<" \
        "$(($(counter scattered-run remote_events) * 7 / 10))"
    # More ranks, where the machine has processors for them.
    advised more 1 $phold --synch=1 --remote=0.05 --work=20000 --end=30 --event-trace=3 --phase-times=exact
    if [ "$(nproc)" -ge 2 ]; then
        more=$(of more ranks launcher)
        assert_num "ranks advised" "${more#-n }" ">=" 2
    fi

    # A slow rank: the map gives it less work.
    slow="$phold --synch=3 --work=4000 --slow-rank=1 --end=150"
    advised slow 2 $slow --event-trace=3 --event-times=1
    assert_eq "subjects of a slow rank" "placement slow-rank" "$(subjects slow advice)"
    assert_contains "which rank is slow" slow.json "Rank 1 takes "
    assert_ok "a map for it" "$warpscope" advise --options --map=slow.map slow
    assert_eq "options for a slow rank" "--lp-map=slow.map" "$(cat last.out)"
    assert_num "its share of the LPs" "$(awk '$2 == 1 { n += split($1, r, "-") > 1 ? r[2] - r[1] + 1 : 1 }
        END { print n / 128 }' slow.map)" "<" 0.4
    assert_ok "the run with the map" run_mpi 2 $slow --lp-map=slow.map --report-json=next.json
    assert_eq "its events" "$(json_get slow-run.json net_events)" "$(json_get next.json net_events)"
    one_account long "the times of handlers" "--work=20000 --end=100"
    one_account short events "--end=300"
    assert_status "a map that is there" 1 "$warpscope" advise --map=found.map scattered
fi

finish
