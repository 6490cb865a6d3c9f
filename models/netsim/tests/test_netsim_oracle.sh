#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# netsim commits the same events, ends in the same states and prints and writes the same results under
# every scheduler on any number of ranks, with drops, without time between hosts and routers, and with
# more ranks than routers.
# test: processors=2 timeout=600
. "$WS_SRC/tests/support/lib.sh"

data=$WS_SRC/models/netsim/data

# run_netsim NAME RANKS OPTIONS...: one run; writes NAME.json, NAME.txt (netsim's own output), NAME.links.csv
# and NAME.flows.csv.
run_netsim() {
    name=$1 ranks=$2
    shift 2
    rm -f "$name".*
    assert_ok "netsim $* on $ranks ranks" \
        run_mpi "$ranks" "$WS_BIN/netsim" "$@" --fingerprint=1 --quiet=1 \
        --report-json="$name.json" --links-csv="$name.links.csv" --flows-csv="$name.flows.csv" \
        </dev/null
    sed -n '/^netsim: packets/,$p' last.out >"$name.txt"
    [ -s "$name.json" ] || echo '{}' >"$name.json"
}

# check_network "RANKS:SCHEDULER..." OPTIONS...: compares runs with the sequential one.
check_network() {
    all_ways=$1
    shift
    run_netsim reference 1 --synch=1 "$@"
    for print in committed_fingerprint state_fingerprint; do
        case $(json_get reference.json $print) in
        *[!0-9a-f]* | '') fail "$print of the sequential run $*" ;;
        esac
    done
    assert_file "tables of $*" reference.txt
    for way in $all_ways; do
        run_netsim run "${way%:*}" --synch="${way#*:}" "$@"
        cell="--synch=${way#*:} on ${way%:*} ranks, $*"
        for what in net_events committed_fingerprint state_fingerprint; do
            assert_eq "$what of $cell" "$(json_get reference.json $what)" \
                "$(json_get run.json $what)"
        done
        assert_same "tables of $cell" reference.txt run.txt
        assert_same "links of $cell" reference.links.csv run.links.csv
        assert_same "flows of $cell" reference.flows.csv run.flows.csv
    done
}

# drops: prints the dropped packets of the last reference, by link and by flow.
check_drops() {
    links=$(awk -F, 'NR > 1 { n += $9 } END { print n }' reference.links.csv)
    flows=$(awk -F, 'NR > 1 { n += $8 } END { print n }' reference.flows.csv)
    assert_num "drops counted by links" "$links" '>' 1000
    assert_num "drops counted by flows" "$flows" '>' 1000
}

check_network '1:2 1:3 2:2 2:3 3:2 3:3 4:2 4:3' --end=0.02
assert_num "net events" "$(json_get reference.json net_events)" '>' 100000

# Overload, drops, and hosts without a delay to their routers: chains of events at one time.
check_network '1:2 2:3 3:2 4:3' --end=0.01 --warmup=0.002 --load=1.5 --buffer=20000 --hosts=3 \
    --access-rate=0 --access-delay=0
check_drops

# Two sites on up to four ranks: hosts live apart from their routers.
check_network '2:2 3:3 4:2 4:3' --topology="$data/bottleneck.gml" --hosts=1 --end=2 --load=1.2 --buffer=3000 \
    --access-rate=2e7 --access-delay=1e-3
check_drops
finish
