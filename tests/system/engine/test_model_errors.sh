#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An error of a model gives one message with the error, the LP and the time, and exit status 3 on any number
# of ranks. An invalid option gives exit status 2 before the run.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"

# With a launcher, the end of several ranks after an error takes seconds, so most cases run on one rank.
#
# run_ranks RANKS OPTIONS...
run_ranks() {
    run_n=$1
    shift
    if [ "$run_n" -eq 1 ]; then
        "$WS_TEST_BIN/mischief" --quiet "$@"
    else
        run_mpi "$run_n" "$WS_TEST_BIN/mischief" --quiet "$@"
    fi
}

# mistake RANKS NAME TEXT OPTIONS...: the last rank makes the mistake.
mistake() {
    ranks=$1 name=$2 text=$3
    shift 3
    assert_status "$name on $ranks ranks" 3 run_ranks "$ranks" --mistake="$name" "$@"
    assert_contains "$name on $ranks ranks" last.err "mischief: error: "
    assert_contains "$name on $ranks ranks" last.err "$text"
    assert_eq "$name on $ranks ranks: messages" 1 "$(grep -c 'mischief: error' last.err)"
}

for synch in 2 3; do
    mistake 2 negative 'offset -1: offsets must be finite and not negative' --synch=$synch
    mistake 1 nan 'offsets must be finite' --synch=$synch
    mistake 1 infinite 'offset inf: offsets must be finite' --synch=$synch
    mistake 1 dest 'but there are only' --synch=$synch
    mistake 1 prio 'priorities lie in [0, 1]' --synch=$synch
    mistake 1 twice 'sent before' --synch=$synch
    mistake 1 sender 'in the name of LP' --synch=$synch
    mistake 2 tw_error 'the model says 42' --synch=$synch
done
for synch in 1 3; do
    mistake 1 observer-event 'spy.so, called to observe, makes an event' --synch=$synch
    mistake 1 observer-outer 'outer.so, called to observe, makes an event' --synch=$synch
    mistake 1 observer-send 'spy.so, called to observe, sends an event' --synch=$synch
    mistake 1 observer-output 'spy.so, called to observe, calls tw_output()' --synch=$synch
    mistake 1 observer-draw 'spy.so, called to observe LP 3, has drawn' --synch=$synch
    mistake 1 observer-normal 'spy.so, called to observe LP 3, has drawn' --synch=$synch
    assert_status 'an observer that looks only' 0 run_ranks 1 --mistake=observer --end=14 \
        --synch=$synch
done
mistake 2 chain 'a chain of more than 20 events with offset 0' --synch=3
assert_status "sequential" 3 "$WS_TEST_BIN/mischief" --quiet --synch=1 --mistake=negative
assert_contains "the place" last.err "LP 3 at time 10."
assert_status "lookahead" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=2 --mistake=lookahead
assert_contains "lookahead, the sender" last.err 'LP 7 at time 10.'
assert_contains "lookahead, a warning" last.err 'less than the lookahead 0.5'
assert_contains "lookahead, the receiver" last.err \
    'lookahead violation: an event from LP 7 at time 1'
# An event in time is valid, and the run goes on.
run_model 1 "$WS_TEST_BIN/mischief" --lps=8 --mistake=short --end=12 --synch=1
short="$net $events"
run_model 2 "$WS_TEST_BIN/mischief" --lps=4 --mistake=short --end=12 --synch=2
assert_eq "a short offset in time" "$short" "$net $events"
assert_contains "a short offset in time" last.err 'less than the lookahead 0.5'
assert_status "less lookahead" 0 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=2 \
    --mistake=lookahead --cons-lookahead=0.125
assert_status "lookahead lost in rounding" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=2 \
    --cons-lookahead=1e-17
assert_contains "lookahead lost in rounding" last.err 'is lost in rounding at time 0.5; raise g_tw_lookahead (--cons-lookahead) or'
# A model that sets it has an option of its own for that, or none: not --cons-lookahead.
for pair in phold:lookahead pcs:handover agents:rest; do
    assert_status "$pair" 3 run_mpi 2 "$WS_BIN/${pair%:*}" --quiet --synch=2 "--${pair#*:}=1e-17"
    assert_contains "advice of ${pair%:*}" last.err "is lost in rounding"
    assert_contains "advice of ${pair%:*}" last.err "; raise --${pair#*:} or use --synch=3"
done
assert_status "a model without such an option" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=2 \
    --mistake=rounding
assert_contains "a model without such an option" last.err "; raise g_tw_lookahead, which the model sets, or use"

# Set-up: exit status 2, one message, from one rank.
refused() {
    what=$1 text=$2 ranks=$3
    shift 3
    assert_status "$what" 2 run_ranks "$ranks" "$@"
    assert_contains "$what" last.err "$text"
    assert_eq "$what: messages" 1 "$(grep -c 'mischief: ' last.err)"
}
refused 'no LPs' 'there are no LPs to simulate' 2 --lps=0
refused 'unknown option' "end" 2 --endd=5
refused 'end 0' '--end' 1 --end=0
refused 'end NaN' '--end' 1 --end=nan
refused 'negative end' '--end' 1 --end=-5
refused 'batch 0' '--batch' 1 --batch=0
refused 'nkp 0' '--nkp' 1 --nkp=0
refused 'scheduler 9' '--synch' 1 --synch=9
for synch in 1 4 6; do
    refused "--synch=$synch on 2 ranks" "--synch=$synch (" 2 --synch=$synch
    assert_contains "--synch=$synch on 2 ranks" last.err 'runs on one rank'
done
refused 'phase times' 'off, sampled or exact' 2 --phase-times=some
refused 'no lookahead' 'needs a lookahead' 2 --synch=2 --cons-lookahead=0
refused 'two seeds of four' 'all four or none' 1 --rng-seed1=1 --rng-seed2=2
refused 'end set by the model' 'g_tw_ts_end is nan' 1 --mistake=global-end
refused 'batch set by the model' 'g_tw_mblock is 0' 1 --mistake=global-batch
refused 'scheduler set by the model' 'g_tw_synchronization_protocol is 9' 1 --mistake=global-synch
refused 'KPs set by the model' 'g_tw_nkp is 0' 2 --mistake=global-nkp
refused 'streams set by the model' 'g_tw_nRNG_core_per_lp 0' 1 --mistake=global-core-streams
refused 'run without LPs' 'tw_run() before tw_define_lps()' 1 --mistake=no-lps
refused 'LPs twice' 'tw_define_lps() a second time' 1 --mistake=define-twice
refused 'run twice' 'tw_run() a second time' 1 --mistake=run-twice
# Calls of the API without a simulation: one message, no crash.
for call in pe_settype run end; do
    assert_status "tw_$call() too late" 3 run_ranks 1 --mistake=late-$call
    assert_contains "tw_$call() too late" last.err "tw_$call() before tw_init() or after tw_end()"
done
assert_status 'no types' 2 run_ranks 1 --mistake=no-type
assert_contains 'no types' last.err 'call tw_lp_settype()'

# Events larger than a transport buffer; and too little memory.
assert_ok 'large messages' run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=3 --message-kib=300 \
    --end=20 --max-memory=600
for kib in 4 20 100; do # the last part of the memory is used, too
    assert_ok "large messages, little memory" "$WS_TEST_BIN/mischief" --quiet --synch=3 \
        --message-kib=$kib --end=200 --max-memory=2
done
assert_status 'out of memory' 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=3 --burst=1000 \
    --end=100000 --max-memory=20
assert_contains 'out of memory' last.err 'or use more ranks'

# When a rank is killed, the others end instead of waiting.
timeout 240 "$WS_MPIEXEC" -n 2 "$WS_TEST_BIN/mischief" --quiet --synch=3 --mistake=kill \
    >last.out 2>last.err
killed=$?
assert_ne 'status after a killed rank' 0 $killed
assert_ne 'status after a killed rank, 124 if others wait for it' 124 $killed
finish
