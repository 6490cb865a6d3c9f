#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --synch=6 and --synch=4: correct models pass and commit the same as a sequential run, down to every record.
# Each kind of mistake in a reverse handler is found and located.
# test: processors=1 timeout=120 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
wrong=$WS_TEST_BIN/wrong_reverse

# ---- Models that are right

# right PROGRAM OPTIONS...
right() {
    run_model 1 "$@" --synch=1
    wanted_events=$events wanted_states=$states
    run_model 1 "$@" --synch=6
    assert_eq "events of $*" "$wanted_events" "$events"
    assert_eq "states of $*" "$wanted_states" "$states"
    assert_eq "rollbacks of $*" 0 "$(json_get run.json counters.events_rolled_back)"
    assert_contains "verdict on $*" last.out "were undone and executed again: no difference."
    run_model 1 "$@" --synch=4 --max-memory=200
    assert_contains "verdict on $*" last.out "every LP is as it was at the start."
    assert_contains "how far $* went" last.out "; no events were left before the end."
    assert_eq "net events of $*" 0 "$net"
    assert_eq "committed events of $*" 0 "$(json_get run.json counters.events_committed)"
    assert_num "events of $* that were undone" \
        "$(json_get run.json counters.events_rolled_back)" '>' 100
}

right "$WS_BIN/phold" --nlp=40 --end=20 --remote=0.5 --nkp=5
right "$WS_BIN/netsim" --end=0.0005
right "$WS_BIN/qnet" --end=100
right "$WS_BIN/torus" --dims=4x3 --end=200 --buffers=2
right "$WS_BIN/agents" --width=9 --height=5 --end=20 --overgrazed=5
right "$WS_BIN/airport" --airports=10 --end=100 --storms=20
right "$WS_TEST_BIN/chaos" --end=8
assert_ok "types without reverse handlers" "$WS_TEST_BIN/chaos" --end=2 --synch=6 --quiet
assert_contains "LPs not checked" last.out "40 of 60 LPs were not checked"
checked=$(sed -n 's/^--synch=6: \([0-9]*\) events were undone.*/\1/p' last.out)
assert_num "events checked" "$checked" '>' 100
assert_num "events checked, of all" "$checked" '<' \
    "$(awk '/Total Events Committed/ { print $NF }' last.out)"
assert_contains "messages" last.out "messages came back changed, of no consequence"
right "$wrong" --end=20

# ---- Recorded data equals that of a sequential run

for synch in 1 6 4; do
    assert_ok "recording, --synch=$synch" "$WS_BIN/qnet" --end=300 --synch=$synch --quiet --task-trace=1 \
        --event-trace=3 --vt-interval=50 --engine-stats=4 --model-stats=4 --stats-path=r$synch
    assert_ok "tasks, --synch=$synch" "$WS_TEST_BIN/chores" --nlp=12 --end=60 --synch=$synch --quiet \
        --counts=c$synch --task-trace=1 --tracer='busy:kind=work;count' --stats-path=t$synch
    sed -n '/^Tracer/,/^$/p' last.out >tracer$synch
done
for file in r?/*-evtrace.bin r?/*-vt.bin r?/*-model.bin r?/*-task.bin t?/*-task.bin; do
    "$warpscope" dump --merge "$file" >"$file.csv" || fail "dump $file"
done
for file in r1/*.csv t1/*.csv; do
    other=6/${file#*/}
    assert_num "lines of $file" "$(wc -l <"$file")" '>' 5
    assert_same "${file#*/}" "$file" "${file%%1*}$other"
done
assert_ok "diff" "$warpscope" diff r1 r6
assert_same "tracers" tracer1 tracer6
assert_eq "committed events recorded by --synch=4" 1 "$(wc -l <"$(echo r4/*-evtrace.bin.csv)")"
assert_eq "tasks recorded by --synch=4" 1 "$(wc -l <"$(echo t4/*-task.bin.csv)")"

# ---- Mistakes

# found SYNCH MISTAKE TEXT...: stderr, with joined lines, contains the texts.
found() {
    found_synch=$1 found_mistake=$2
    shift 2
    assert_status "--synch=$found_synch, mistake $found_mistake" 3 "$wrong" --quiet \
        --synch="$found_synch" --mistake="$found_mistake" --stats-path=none
    sed -n '/^wrong_reverse: error/,$p' last.err | tr '\n' ' ' | sed 's/  */ /g' >said.txt
    assert_eq "errors of $found_mistake" 1 "$(grep -c '^wrong_reverse: error' last.err)"
    for text; do
        assert_contains "--synch=$found_synch, mistake $found_mistake" said.txt "$text"
    done
    assert_num "widest line of $found_mistake" "$(awk 'length > most { most = length }
        /rcheck_report/ { exit } END { print most }' last.err)" '<=' 80
}

place='LP 7 at time 0.55603875194416552, event from LP 1: after the event was'
found 6 state "$place undone the state is not as before: the byte at offset 0 of 24 was 00 and is 01"
found 6 draw "$place undone random stream 0 is 1 draw ahead: too few were given back"
found 6 twice "$place undone random stream 0 is 1 draw behind: too many were given back"
found 6 order "$place undone the state is not as before: the byte at offset 8 of 24 was 08 and is 8c"
found 6 message "$place undone its message is not as before: the byte at offset 0 of 8 was 81 and is 82" \
    "executed again the event did something else: the message of its event no. 1, to LP 16"
found 6 commit "$place committed the state is not as before: the byte at offset 16 of 24 was 81" \
    "see the commit handler"
found 6 hidden "executed again it did something else" "a variable that is in neither the state"
found 4 state "LP 7: after all events were rolled back the state" "at offset 0 of 24"
found 4 draw "LP 7: after all events were rolled back random stream 0 is 171 draws ahead"
found 4 twice "LP 7: after all events were rolled back random stream 0 is 171 draws behind"
found 4 order "LP 7: after all events were rolled back the state" "at offset 8 of 24"
# The event before it was correct, so its committed records are on disk.
assert_status "recording until the mistake" 3 "$wrong" --quiet --synch=6 --mistake=order --event-trace=3 \
    --stats-path=order
assert_ok "what was recorded until then" "$warpscope" dump order/*-evtrace.bin
assert_num "records until then" "$(wc -l <last.out)" '>' 5

# ---- Ways without reverse handlers: snapshots of states, or states saved by the engine

run_model 1 "$wrong" --synch=1
wanted_events=$events wanted_states=$states
for undo in snapshot saved; do
    assert_ok "--undo=$undo" "$wrong" --quiet --synch=6 --mistake=order --undo=$undo
    run_model 1 "$wrong" --synch=3 --random-rollbacks=2 --mistake=order --undo=$undo
    assert_eq "events with --undo=$undo" "$wanted_events" "$events"
    assert_eq "states with --undo=$undo" "$wanted_states" "$states"
done

assert_status "a commit handler that changes a state, without a reverse handler" 3 "$wrong" --quiet \
    --synch=6 --mistake=commit --undo=saved
assert_contains "where" last.err "16 of 24 was 81 and is 82; see the commit handler"

# ---- The end of a run with --synch=4

assert_ok "little memory" "$WS_BIN/phold" --nlp=1000 --end=1e6 --synch=4 --max-memory=4 --quiet
assert_contains "why it stopped" last.out "the memory for events was nearly exhausted"
assert_ok "observers are full" "$WS_TEST_BIN/emitter" --synch=4 --observer-memory=100000 --end=1e6 --work=0 \
    --quiet --max-memory=100
assert_contains "why it stopped" last.out "observers had used their memory"
# stop_run TEXT OPTION...: SIGTERM ends a run, whose last line contains the text.
stop_run() {
    said=$1
    shift
    "$WS_BIN/phold" --nlp=100 --end=1e9 --quiet "$@" >signal.out 2>&1 &
    wait_until_heard $!
    kill -TERM $!
    wait $!
    assert_eq "status after SIGTERM, $*" 143 $?
    assert_contains "verdict after SIGTERM, $*" signal.out "$said"
}

stop_run "no difference." --synch=6
# Slow events, and few at a time, so that memory lasts until the signal.
stop_run "a signal came" --synch=4 --work=100000 --max-memory=64
finish
