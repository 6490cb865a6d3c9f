#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs on four hosts with two ranks each commit the events of a sequential run, also when they continue on
# fewer hosts. What the hosts record on their own disks is read as one recording.
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

# Each host records into its own /tmp. On the third, the name is taken.
reader=$WS_BIN/warpscope
netsim="$WS_BIN/netsim --end=0.004 --event-trace=3"
run_model 1 $netsim --synch=1 --stats-path=one
sequential="$net $events $states"
hosts_on node3 mkdir /tmp/rec
hosts_model $all $netsim --synch=3 --stats-path=/tmp/rec
assert_eq "netsim, each host with its own disk" "$sequential" "$net $events $states"
assert_eq "directories" 4 "$(json_get run.json recorded.places)"
mkdir parts
for node in node1 node2 node3 node4; do
    hosts_on $node cp -r "/tmp/rec$([ $node != node3 ] || echo -1)" "$PWD/parts/$node"
done
assert_ok "the joined trace" "$reader" diff one parts
assert_contains "diff" last.out "equal"
assert_ok "info --merge" "$reader" info --merge parts/node3 parts/node2 parts/node4 parts/node1
assert_eq "streams" 1 "$(grep -c 'complete  *yes' last.out)"
assert_ok "verify" "$reader" verify parts/node2
assert_contains "verify" last.out "blocks of 2 PEs"
for node in node1 node2; do
    assert_ok "top of $node" "$reader" top --once --json parts/$node
    assert_eq "state" ended "$(json_get last.out state)"
done
assert_eq "recorded PEs" 2-3 "$(json_get last.out recorded_pes)"
said=$(grep -o '"rule":"[^"]*","verdict":"[^"]*"' last.out)
assert_status "statistics of node2" 1 "$reader" stats --json parts/node2
assert_eq "findings of node2" "$said" "$(grep -o '"rule":"[^"]*","verdict":"[^"]*"' last.out)"
assert_status "advice for node2" 1 "$reader" advise --json parts/node2
assert_contains "advice for node2" last.out "not judged, since some PEs recorded on disks of other hosts"
assert_eq "what advice for node2 says of kills" 0 "$(grep -c 'was killed' last.out)"
assert_status "a host is missing" 1 "$reader" stats parts/node1 parts/node2 parts/node4
assert_contains "a host is missing" last.err "the records of 2 of 8 PEs are on disks of other hosts"

# ---- Checkpoints need a directory that all hosts share
# refused TEXT OPTIONS...: all ranks end with this message.
refused() {
    text=$1
    shift
    hosts_run node1:2,node2:2 $phold --nlp=16 --synch=3 --quiet "$@" >last.out 2>last.err
    assert_eq "status of $*" 2 $?
    assert_eq "$text" 1 "$(grep -cF -- "$text" last.err)"
    assert_eq "errors of $*" 1 "$(grep -c '^phold: ' last.err)"
}
refused "--checkpoint-path=/tmp/own: rank 2, on host node2, does not see this directory of rank 0, on host node1" \
    --checkpoint-every=6 --checkpoint-path=/tmp/own
assert_eq "what is left" "" "$(hosts_on node1 ls -A /tmp/own)"
hosts_on node1 cp -r "$PWD/saved" /tmp/saved
refused "--restart=/tmp/saved: rank 2, on host node2, does not see /tmp/saved/at-3, which rank 0, on host node1," \
    --restart=/tmp/saved
# The checkpoint of another time is there by the same name.
hosts_on node2 mkdir /tmp/saved
hosts_on node2 cp -r "$PWD/saved/at-2" /tmp/saved/at-3
refused "--restart=/tmp/saved: rank 2, on host node2, has another checkpoint in /tmp/saved/at-3 than rank 0" \
    --restart=/tmp/saved

finish
