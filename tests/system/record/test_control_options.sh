#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope ctl DIR set: options that overlap, values out of range, values that withdraw an option, settings
# of the engine, and the answers to all of these.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope="$WS_BIN/warpscope"
box=rec/warpscope-control

# answer_text NUMBER: prints the text of an answer, with blanks and line feeds.
answer_text() {
    sed -n "$1s/^answer [^ ]* \([a-z]*\) [^ ]* [^ ]* [^ ]* \(.*\) end\$/\1: \2/p" $box.answers |
        sed -e 's/%20/ /g' -e 's/%0a/; /g' -e 's/%25/%/g'
}

# ask WORDS...: leaves a set request at the gate. is TEXT: what its answer has to be; has TEXT: a part of
# it. Both are checked by checked(), in the order of the requests.
asked=0
: >expected.txt
ask() {
    asked=$((asked + 1))
    request set "$@"
    what="$*"
}
is() {
    printf '%s\t%s\t%s\t%s\n' "$asked" is "$what" "$1" >>expected.txt
}
has() {
    printf '%s\t%s\t%s\t%s\n' "$asked" has "$what" "$1" >>expected.txt
}

# checked: opens the gate, waits for the next one, and checks all answers.
checked() {
    open_gate
    await_gate
    assert_eq "answers" "$asked" "$(grep -c '^answer ' $box.answers)"
    tab=$(printf '\t')
    while IFS=$tab read -r number kind request text; do
        answer_text "$number" >answer.txt
        case $kind in
        is) assert_eq "set $request" "$text" "$(cat answer.txt)" ;;
        has) assert_contains "set $request" answer.txt "$text" ;;
        esac
    done <expected.txt
    : >expected.txt
}

run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150
truth="$events $states"

# ---- The latest request counts ------------------------------------------------------------------------

gated_start 1 6 --synch=3 --real-time-samp=10 --checkpoint-path=saved
ask rt-interval=20
is 'done: real-time-samp=20'
ask real-time-samp=0
is 'done: real-time-samp=0'
ask rt-interval=30 enable-gvt-stats=1
is 'done: enable-gvt-stats=1 real-time-samp=30'
ask rt-interval=0
is 'done: enable-gvt-stats=1 real-time-samp=0'
ask real-time-samp=5 rt-interval=6
has 'refused: --real-time-samp=5 and --rt-interval=6 contradict each other'
ask engine-stats=2
is 'done: engine-stats=2'
ask real-time-samp=7
is 'done: enable-gvt-stats=0 real-time-samp=7'
ask engine_stats=4
is 'done: engine-stats=4 rt-interval=7'
ask enable-gvt-stats=0
is 'done: enable-gvt-stats=0 real-time-samp=7 vt-interval=1.5'
ask vt-interval=0
is 'done: enable-gvt-stats=0 real-time-samp=7'
ask granularity=1
is 'done: enable-gvt-stats=0 real-time-samp=7 granularity=1'
ask kp-data=0
is 'done: enable-gvt-stats=0 real-time-samp=7 kp-data=0 lp-data=1'
ask granularity=0 engine-stats=0
is 'done: granularity=0 engine-stats=0 rt-interval=7; --granularity has no effect: the run records nothing that it applies to'
ask enable-gvt-stats=1
is 'done: enable-gvt-stats=1 granularity=0'
checked

# ---- The model's samples by wall clock keep their interval ------------------------------------------------

ask model-stats=2 rt-interval=50
is 'done: enable-gvt-stats=1 granularity=0 rt-interval=50 model-stats=2'
ask real-time-samp=60
is 'done: enable-gvt-stats=1 real-time-samp=60 granularity=0 model-stats=2'
ask real-time-samp=0
is 'done: enable-gvt-stats=1 real-time-samp=0 granularity=0 model-stats=2'
ask rt-interval=70
is 'done: enable-gvt-stats=1 granularity=0 rt-interval=70 model-stats=2'
ask model-stats=0 rt-interval=0
has 'done: enable-gvt-stats=1'
checked

# ---- Virtual times ---------------------------------------------------------------------------------------

for value in -3 0; do
    ask vt-samp-end=$value
    is "refused: --vt-samp-end=$value: give a virtual time larger than 0"
done
ask vt-interval=-1
is 'refused: --vt-interval=-1: give a virtual time larger than 0'
ask vt-interval=2 vt-samp-end=1
has 'refused: --vt-samp-end=1: is before the first sampling point'
ask vt-interval=2 vt-samp-end=100
has 'vt-interval=2 vt-samp-end=100'
ask vt-interval=0
is 'done: enable-gvt-stats=1 granularity=0 rt-interval=0 model-stats=0'
ask model-stats=4
has 'model-stats=4'
ask vt-interval=0
is 'refused: --vt-interval=0: --model-stats=4 samples at virtual times; change it in the same request'
ask vt-interval=0 model-stats=0
has 'done: '
checked

# ---- Limits, and values that withdraw an option --------------------------------------------------------------

for pair in event-trace:3 model-stats:4 engine-stats:4; do
    for value in -1 9 x; do
        ask "${pair%:*}=$value"
        is "refused: --${pair%:*}=$value: must be a whole number from 0 to ${pair#*:}"
    done
done
ask num-gvt=0
is 'refused: --num-gvt=0: must be a whole number from 1 to 4294967295'
ask real-time-samp=-1
is 'refused: --real-time-samp=-1: must be a whole number from 0 to 4294967295'
ask pe-data=2
is 'refused: --pe-data=2: is a flag: it must be 0 or 1'
ask trace-lps=0-3
is 'done: enable-gvt-stats=1 granularity=0 rt-interval=0 trace-lps=0-3 model-stats=0; --trace-lps has no effect: the run records nothing that it applies to'
ask trace-lps=
is 'done: enable-gvt-stats=1 granularity=0 rt-interval=0 model-stats=0'
checked

# ---- Settings of the engine -------------------------------------------------------------------------------

ask stall-warning=x
is 'refused: --stall-warning=x: must be seconds, such as 60s, or 0'
ask checkpoint-every=x event-trace=3
is 'refused: --checkpoint-every=x: must be a virtual time greater than 0, or seconds such as 600s, or 0 for none'
ask checkpoint-keep=9
has 'refused: --checkpoint-keep cannot change while the run goes on'
ask checkpoint-every=40
has 'done: enable-gvt-stats=1 granularity=0 rt-interval=0 model-stats=0 checkpoint-every=40'
ask stall-warning=0.02s
has 'stall-warning=0.02s'
checked
gated_end_late=$(wait_for "$gated_pid" grep -q 'GVT has not moved' gated.err && echo warned)
assert_eq "warning of a run that stands at its gate" warned "$gated_end_late"
assert_eq "event-trace of a request that was refused" "" "$(ls rec | grep evtrace)"
open_gate
gated_end
assert_eq "results" "$truth" "$events $states"
check_files "all requests"
assert_eq "checkpoints at multiples of the interval, of which two are kept" 2 "$(ls saved | grep -c '^at-')"
assert_ok "changes" "$warpscope" info rec
assert_contains "changes" last.out 'set checkpoint-every=40'
run_model 1 "$WS_TEST_BIN/gated" --synch=1 --lps=32 --end=150 --restart=saved
assert_eq "on from such a checkpoint" "$truth" "$events $states"

# Without a directory for checkpoints, and in a run without end.
rm -rf saved
asked=0
gated_start 1 2 --synch=1 --enable-gvt-stats=1 --end=1e308
ask checkpoint-every=10
is 'refused: --checkpoint-every=10: this run has no directory for checkpoints; start it with --checkpoint-path=DIR'
ask checkpoint-every=0
has 'done: '
ask model-stats=4
is 'refused: --model-stats=4: in a run without end, give --vt-interval=T, the virtual time between two samples'
ask model-stats=4 vt-interval=1
has 'done: '
checked
"$warpscope" ctl --no-wait rec stop >/dev/null
open_gate
gated_end

# ---- The reason for the end --------------------------------------------------------------------------------

assert_contains "end of a run that a request stopped" gated.out 'Run Ended: stopped by a request of warpscope ctl'
assert_eq "exit status" 143 "$gated_status"
assert_ok "info" "$warpscope" info rec
assert_contains "info" last.out 'stopped by a request of warpscope ctl'
assert_status "top" 1 "$warpscope" top --once rec
assert_contains "top" last.out 'was stopped by a request of warpscope ctl'
finish
