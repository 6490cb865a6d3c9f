#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run that does not advance warns: of an event that takes long, and of a GVT that stands still. The test
# does not depend on time: the event waits until the warnings are there, or for ever.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

model="$WS_TEST_BIN/signalled"

# stall RANKS NAME TEXT TEXT OPTIONS...: waits until both texts are in the messages of the run, which goes on
# then.
stall() {
    stall_ranks=$1 stall_name=$2 stall_first=$3 stall_then=$4
    shift 4
    rm -f "$stall_name"
    run_mpi "$stall_ranks" "$model" --quiet --end=40 --until="$stall_name" --stall-warning=0.2s "$@" \
        >"$stall_name.out" 2>"$stall_name.err" &
    pid=$!
    wait_for $pid grep -q "$stall_first" "$stall_name.err"
    wait_for $pid grep -q "$stall_then" "$stall_name.err"
    : >"$stall_name"
    wait $pid
    assert_eq "status, $stall_name" 0 $?
    assert_contains "$stall_name" "$stall_name.err" "$stall_first"
    assert_contains "$stall_name" "$stall_name.err" "$stall_then"
    assert_contains "the end, $stall_name" "$stall_name.out" "Run Ended"
}

in_event="signalled: warning: LP 0 (token) has been in one event"
for synch in 1 3 4; do
    stall 1 event$synch "$in_event for 0.2 s at time 10." "$in_event for 0.4 s at time 10." \
        --synch=$synch
    assert_eq "lines of an event, $synch" 1 "$(grep -c 'one event for 0.2 s' event$synch.err)"
    assert_lacks "GVT, where the event is known, $synch" event$synch.err 'GVT has not moved'
done
for transport in shm mpi; do
    stall 2 gvt-$transport "signalled: warning: rank 0: GVT has not moved for 0.2 s from" \
        "signalled: warning: rank 1: LP 2 (token) has been in one event for 0.4 s" \
        --synch=3 --lps=2 --on=last --transport=$transport
done
assert_contains "the rank that is waited for" gvt-shm.err "; it waits for PE 1"
"$model" --quiet --end=40 --raise=+1 --stall-warning=0 >none.out 2>none.err
assert_eq "no warnings" "" "$(cat none.err)"

# --stall-limit ends the run: by the thread of the simulation, which names the ranks that do not answer.
assert_status "a limit on two ranks" 3 run_mpi 2 "$model" --quiet --end=40 --until=never --synch=3 \
    --lps=2 --on=last --stall-warning=0 --stall-limit=0.3s --event-trace=3 --stats-path=stopped
assert_eq "lines" 1 "$(grep -c '^signalled: error: ' last.err)"
assert_contains "the limit" last.err "signalled: error: rank 0: GVT has stood at "
assert_contains "the silent rank" last.err "for longer than --stall-limit=0.3s, so the run ends; no \
answer from rank 1; for what was recorded: warpscope recover stopped"
assert_ok "recover" "$WS_BIN/warpscope" recover stopped
assert_ok "verify" "$WS_BIN/warpscope" verify stopped
assert_refused "--stall-limit=soon: must be seconds" 1 "$model" --stall-limit=soon
assert_ok "a limit that is not reached" "$model" --quiet --end=40 --stall-limit=300s
assert_refused "--stall-warning=soon: must be seconds" 1 "$model" --stall-warning=soon
finish
