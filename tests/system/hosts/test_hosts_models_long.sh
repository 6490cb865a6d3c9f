#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On four hosts with two ranks each, phold, netsim and qnet commit the same events as on one rank, under both
# parallel schedulers, and also if the network delays each packet.
# test: processors=2 timeout=300 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/system/hosts/hosts.sh"
hosts_enter "$0"
hosts_make 4
all=node1:2,node2:2,node3:2,node4:2

# compare MODEL OPTIONS...
compare() {
    model=$WS_BIN/$1
    shift
    run_model 1 "$model" --synch=1 "$@"
    sequential="$net $events $states"
    assert_num "events of $model $*" "$net" '>' 1000
    for synch in 2 3; do
        hosts_model $all "$model" --synch=$synch "$@"
        assert_eq "$model --synch=$synch $*$delayed" "$sequential" "$net $events $states"
    done
}

delayed=
for delay in 0 2; do
    if [ $delay -gt 0 ]; then
        hosts_delay $delay || { echo "not tested: delays (the kernel has no netem)"; break; }
        delayed=", delayed by $delay ms"
    fi
    compare netsim --end=0.01
    compare qnet --network=closed --end=300
done
run_model 1 "$WS_BIN/phold" --synch=1 --nlp=64 --end=60 --remote=0.5 --lookahead=0.1
sequential="$net $events $states"
for synch in 2 3; do
    hosts_model $all "$WS_BIN/phold" --synch=$synch --nlp=8 --end=60 --remote=0.5 --lookahead=0.1
    assert_eq "phold --synch=$synch" "$sequential" "$net $events $states"
done
finish
