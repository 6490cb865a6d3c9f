#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A host is cut off from the network, or dies, during a run: all ranks end, the run says so once, and what was
# recorded can be recovered.
# test: processors=2 timeout=300 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/system/hosts/hosts.sh"
[ "$WS_MPI_KIND" != mpich ] || skip "the messages are those of Open MPI"
hosts_enter "$0"
hosts_make 4
all=node1:2,node2:2,node3:2,node4:2

# begin OPTIONS...: starts a run without end, and waits until it has recorded something.
begin() {
    rm -rf rec run.err
    hosts_start $all "$WS_BIN/phold" --synch=3 --nlp=16 --end=1e9 --remote=0.5 --stats-path="$PWD/rec" \
        --event-trace=3 --buffer-size=200000 --quiet --stall-warning=0 "$@" >run.out 2>run.err
    wait_for $pid has_size rec/warpscope-evtrace.bin 4000000
}

ranks_on() {
    hosts_on "$1" "ps -e -o comm= | grep -c '^phold'"
}

is_empty() {
    [ "$(ranks_on "$1")" = 0 ]
}

# check WHAT NODE...: the ranks on these hosts end; each record of a rank is in the files.
check() {
    what=$1
    shift
    for node in "$@"; do
        wait_for $$ is_empty "$node"
        assert_eq "ranks on $node, $what" 0 "$(ranks_on "$node")"
    done
    # The launcher may wait for the daemon of a host that is cut off.
    kill $pid 2>/dev/null
    wait $pid
    assert_ok "recover, $what" "$WS_BIN/warpscope" recover rec
    assert_ok "verify, $what" "$WS_BIN/warpscope" verify rec
    "$WS_BIN/warpscope" info --json rec >info.json
    assert_num "records, $what" "$(json_get info.json files.0.records)" '>' 10000
}

# cut NODE SILENT-RANKS OTHER-NODE...
cut() {
    cut_node=$1 cut_ranks=$2
    shift 2
    begin --stall-limit=2s
    hosts_unplug "$cut_node"
    check "$cut_node cut off" "$@" "$cut_node"
    assert_eq "messages" 1 "$(grep -c '^phold: error' run.err)"
    assert_contains "$cut_node cut off" run.err "no answer from $cut_ranks; for what was recorded"
    hosts_plug "$cut_node"
}
cut node3 "ranks 4-5" node1 node2 node4
cut node1 "ranks 0-1" node2 node3 node4

begin
hosts_kill node4
check "node4 died" node1 node2 node3
assert_contains "the launcher names the host" run.err node4
finish
