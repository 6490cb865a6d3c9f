#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hosts that record on their own disks: requests that change the recording, a host that dies, flight recorders,
# what needs a common disk, checkpoints.
# test: processors=2 timeout=300 labels=long
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/system/hosts/hosts.sh"
[ "$WS_MPI_KIND" != mpich ] || skip "the messages are those of Open MPI"
hosts_enter "$0"
hosts_make 3
all=node1:2,node2:2,node3:2
reader=$WS_BIN/warpscope
phold="$WS_BIN/phold --synch=3 --nlp=16 --remote=0.5 --lookahead=0.1"

# collect: copies the directories of all hosts to parts.
collect() {
    rm -rf parts
    mkdir parts
    for node in node1 node2 node3; do
        hosts_on $node cp -r /tmp/rec "$PWD/parts/$node"
        hosts_on $node rm -rf /tmp/rec
    done
}

# refused WHAT STATUS TEXT OPTIONS...
refused() {
    refused_what=$1 refused_status=$2 refused_text=$3
    shift 3
    hosts_run $all $phold --end=10 --quiet "$@" >last.out 2>last.err
    assert_eq "status, $refused_what" "$refused_status" $?
    assert_eq "$refused_what" 1 "$(grep -cF "$refused_text" last.err)"
}

# ---- What needs a common disk
for format in ross8 both; do
    refused "files of ROSS 8" 2 "phold: --stats-format: files of ROSS 8 need a directory that all ranks share" \
        --event-trace=3 --stats-path=/tmp/rec --stats-format=$format
    for node in node1 node2 node3; do
        assert_eq "directories on $node" "" "$(hosts_on $node ls -A /tmp | grep rec)"
    done
done
hosts_on node2 touch /tmp/rec
refused "a file in the way on one host" 2 "phold: --stats-path=/tmp/rec: exists and is not a directory" \
    --event-trace=3 --stats-path=/tmp/rec
hosts_on node2 rm /tmp/rec
for node in node1 node2 node3; do
    assert_eq "directories on $node" "" "$(hosts_on $node ls -A /tmp | grep rec)"
done
if ldd "$WS_BIN/netsim" | grep -q sqlite; then
    hosts_run $all "$WS_BIN/netsim" --synch=3 --end=0.001 --tracer=database --stats-path=/tmp/rec --quiet \
        >last.out 2>last.err
    assert_eq "status, databases" 1 $?
    assert_contains "databases" last.err "there is no /tmp/rec/tasks.sqlite: --stats-path is on a disk of each host"
    collect
fi

# ---- A request begins new files on all disks
hosts_start $all $phold --end=1e9 --quiet --stats-path=/tmp/rec --enable-gvt-stats=1 >run.out 2>run.err
wait_for $pid hosts_on node1 test -s /tmp/rec/warpscope-control
assert_ok "a request" hosts_on node1 "$reader" ctl /tmp/rec set event-trace=3 --timeout=200
assert_ok "another" hosts_on node1 "$reader" ctl /tmp/rec set event-trace=1 --timeout=200
assert_ok "stop" hosts_on node1 "$reader" ctl /tmp/rec stop --timeout=200
wait $pid
collect
assert_ok "verify" "$reader" verify parts/node1 parts/node2 parts/node3
assert_ok "info" "$reader" info --merge parts/node1 parts/node2 parts/node3
assert_eq "files" 3 "$(grep -c 'complete  *yes' last.out)"
assert_ok "stats" "$reader" stats parts
assert_lacks "stats" last.err "note"

# ---- A host dies
hosts_start $all $phold --end=1e9 --quiet --stats-path=/tmp/rec --event-trace=3 --buffer-size=200000 \
    >run.out 2>run.err
wait_for $pid hosts_on node2 "test \$(wc -c </tmp/rec/warpscope-evtrace.bin) -gt 4000000"
kill -9 $pid
for node in node1 node2 node3; do
    wait_for $$ hosts_on $node "! ps -e -o comm= | grep -q '^phold'"
done
collect
assert_status "before recovery" 1 "$reader" info parts
for node in node1 node2 node3; do
    assert_ok "recover $node" "$reader" recover parts/$node
    assert_ok "verify $node" "$reader" verify parts/$node
    assert_eq "journals of $node" "" "$(ls parts/$node | grep journal)"
done
assert_ok "all" "$reader" info --merge --json parts
assert_num "records" "$(json_get last.out files.0.records)" '>' 10000

# ---- Flight recorders, saved at the end and when the launcher is killed
flight="--stats-path=/tmp/rec --event-trace=3 --buffer-overwrite=100000 --quiet"
for end in 2000 1e9; do
    hosts_start $all $phold --end=$end $flight >run.out 2>run.err
    if [ $end = 1e9 ]; then
        wait_for $pid hosts_on node2 test -s /tmp/rec/warpscope-evtrace.bin
        sleep 2
        kill -9 $pid
        for node in node1 node2 node3; do
            wait_for $$ hosts_on $node "! ps -e -o comm= | grep -q '^phold'"
        done
    fi
    wait $pid
    collect
    assert_ok "verify flights to $end" "$reader" verify parts/node1 parts/node2 parts/node3
    assert_ok "info of flights to $end" "$reader" info --merge --json parts
    assert_eq "complete, to $end" true "$(json_get last.out files.0.complete)"
    assert_num "records to $end" "$(json_get last.out files.0.records)" '>' 6000
    assert_ok "flights to $end" "$reader" info --merge parts
    assert_contains "flights to $end" last.out "older were overwritten"
done
finish
