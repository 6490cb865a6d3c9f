#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope top" beside a run that is stopped, continued, killed and restarted at random: its numbers never
# decrease, those of a killed run are what recovery saves, and it follows each restart. Then two ranks, of
# which one is stopped: it is named.
#
#   WS_STEPS       number of random steps; default 2
#   WS_TEST_SEED   repeats the choices of this seed, which is printed
# test: processors=2 timeout=240
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/watch.sh"

steps=${WS_STEPS:-2}
echo "WS_TEST_SEED=$seed steps=$steps"

# last_is DIR STATE: the newest line is about that directory and state.
last_is() {
    tail -n 1 lines.json | grep -q "\"directory\":\"$1\",\"state\":\"$2\""
}
start() {
    random 4
    live_start live 1e9 --event-trace=2 --buffer-size=$((65536 * (1 + random)))
    assert_ok "runs in $1" wait_for $live last_is "$1" running
}

"$warpscope" top --json --wait --interval=0.1 live >lines.json 2>lines.err &
watcher=$!
dir=live kills=0
start $dir
for step in $(seq "$steps"); do
    random 2
    if [ "$step" -eq "$steps" ] || [ "$random" -eq 0 ]; then # the last step is a kill
        live_kill
        assert_ok "killed: $dir" wait_for $watcher last_is $dir killed
        kills=$((kills + 1))
        dir=live-$kills
        start $dir
    else
        kill -STOP $live
        assert_ok "stopped: $dir" wait_for $watcher last_is $dir silent
        kill -CONT $live
        assert_ok "goes on: $dir" wait_for $watcher last_is $dir running
    fi
done
kill -TERM $live
wait $live
live=
wait $watcher
watcher=
assert_ok "ended: $dir" last_is $dir ended
assert_eq "words on stderr" "" "$(cat lines.err)"

# A line for each refresh: directory, state, GVT, committed events.
sed -n 's/.*"directory":"\([^"]*\)","state":"\([^"]*\)".*"gvt":\([^,]*\),"end_time".*"events_committed":\([0-9]*\),"pes".*/\1 \2 \3 \4/p' \
    lines.json >lines.txt
assert_num "lines" "$(wc -l <lines.txt)" ">" 10
assert_eq "numbers that decrease" "" \
    "$(awk '$1 == dir && ($3 < gvt || $4 < committed) { print NR ": " $0 } { dir = $1; gvt = $3; committed = $4 }' lines.txt)"
for n in $(seq 0 $((kills - 1))); do
    dir=live$([ "$n" -eq 0 ] || echo "-$n")
    assert_ok "recover $dir" "$warpscope" recover "$dir"
    assert_status "stats $dir" 1 "$warpscope" stats --json --type=rt_pe "$dir/warpscope-rt.bin"
    committed=$(json_get last.out files.0.totals.events_committed) # none: killed before its first sample
    assert_eq "committed events of $dir" "${committed:-0}" \
        "$(awk -v dir="$dir" '$1 == dir && $2 == "killed" { last = $4 } END { print last }' lines.txt)"
done

# ---- Two ranks ------------------------------------------------------------------------------------

"$WS_MPIEXEC" -n 2 "$WS_BIN/phold" --nlp=64 --nkp=4 --lookahead=0.1 --remote=0.5 --synch=3 --quiet --end=1e9 \
    --real-time-samp=50 --stats-path=two >two.out 2>&1 &
launcher=$!
is_known() {
    top_json two
    [ "$(json_get top.json state)" = running ] && [ -n "$(json_get top.json pes.1.process)" ]
}
assert_ok "two ranks" wait_for $launcher is_known
rank0=$(json_get top.json pes.0.process) rank1=$(json_get top.json pes.1.process)
assert_ne "processes" "$rank0" "$rank1"
"$warpscope" top --lines --interval=0.2 two >two.txt 2>two.err &
watcher=$!
kill -STOP "$rank1"
assert_ok "the stopped PE is named" wait_for $watcher grep -q "PE 1 (process $rank1) is stopped" two.txt
kill -CONT "$rank1"
assert_ok "goes on" wait_for $watcher sh -c 'tail -n 1 two.txt | grep " running " | grep -v stopped'
kill -KILL "$rank0" "$rank1"
wait $watcher
assert_eq "status of the watcher" 1 $?
watcher=
assert_contains "killed" two.txt " killed "
assert_contains "killed" two.err "warpscope recover two"
wait $launcher
finish
