#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs on four hosts with two ranks each commit the events of a sequential run, also when they continue on
# fewer hosts.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/system/hosts/hosts.sh"
hosts_enter "$0"
hosts_make 4
all=node1:2,node2:2,node3:2,node4:2
transport="shared memory and MPI"

phold="$WS_BIN/phold --end=20 --remote=0.5 --lookahead=0.1"
run_model 1 $phold --nlp=64 --synch=1
sequential="$net $events $states"
hosts_model $all $phold --nlp=8 --synch=3 --checkpoint-every=6 --checkpoint-path=saved \
    --event-trace=3 --stats-path=recorded
assert_eq "phold on four hosts" "$sequential" "$net $events $states"
assert_eq "transport" "$transport" "$(json_get run.json transport)"
assert_ok "verify" "$WS_BIN/warpscope" verify recorded
"$WS_BIN/warpscope" info recorded >info.txt
assert_contains "hosts" info.txt "node1 0-1, node2 2-3, node3 4-5, node4 6-7"
hosts_model node2:2,node4:2 $phold --nlp=16 --synch=2 --restart=saved
assert_eq "phold continued on two other hosts" "$sequential" "$net $events $states"

finish
