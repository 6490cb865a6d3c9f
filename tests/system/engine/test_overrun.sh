#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes beyond the end: of messages and states with --synch=6, of the blocks of instrumentation callbacks
# under every scheduler. The message names the LP, its type, the function, and the number of bytes.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

overrun=$WS_TEST_BIN/overrun

# found OPTIONS TEXT...: exit status 3 and one error; its lines, joined, contain each text.
found() {
    options=$1
    shift
    # shellcheck disable=SC2086
    assert_status "$options" 3 "$overrun" --quiet --stats-path=none $options
    sed -n '/^overrun: error/,/\.c:[0-9]*)$/p' last.err | tr '\n' ' ' | sed 's/  */ /g' >said.txt
    assert_eq "errors of $options" 1 "$(grep -c '^overrun: error' last.err)"
    for text; do
        assert_contains "$options" said.txt "$text"
    done
    rm -rf none
}

for synch in 1 2 3 4 6; do
    assert_ok "no mistake, --synch=$synch" "$overrun" --quiet --synch=$synch
done
assert_contains "verdict" last.out "were undone and executed again: no difference."

# ---- Messages and states

of_message='16 bytes beyond the end of its message, which has 8: offset 8 to 23'
for handler in message:forward reverse:reverse commit:commit; do
    found "--synch=6 --overrun=${handler%:*}" 'LP 5 at time ' ", event from LP 4: its ${handler#*:} handler" \
        "has written $of_message"
    assert_contains "type" last.err 'LP type 2 of 2 (runner)'
    assert_contains "event" last.err '  event at '
done
found "--synch=6 --overrun=message --message-size=11 --bytes=1" \
    'its forward handler has written 1 byte beyond' 'which has 11: offset 11 to 11'
for odd in 5 13; do # also parts of words
    found "--synch=6 --overrun=sent --message-size=11 --bytes=$odd" \
        "has written $odd byte" 'the message of an event that it sends to LP 7, which has 11: offset 11 to'
done
found "--synch=6 --message-size=0" 'LP 0: its init function has written 8 bytes beyond the end of' \
    'an event that it sends to LP 2, which has 0: offset 0 to 7'
found "--synch=6 --overrun=unsent" '16 bytes beyond the end of the message of an event that it sends'
found "--synch=6 --overrun=past-end" '16 bytes beyond the end of the message of an event past the end'
found "--synch=6 --overrun=message --bytes=200000000" 'its forward handler has written 1024 bytes or more'
found "--synch=6 --overrun=message --bytes=4 --gap=1000" 'has written 4 bytes' 'offset 1008 to 1011'

of_state='16 bytes beyond the end of its state, which has 24: offset 24 to 39'
found "--synch=6 --overrun=state" 'LP 5 at time ' "its forward handler has written $of_state"
found "--synch=6 --overrun=init" "LP 5: its init function has written $of_state"
found "--synch=6 --overrun=pre-run" "LP 5: its pre_run function has written $of_state"
found "--synch=6 --overrun=final" "LP 5: its final function has written $of_state"
found "--synch=6 --overrun=front" 'has written in front of its state: 4 bytes, from offset -8'
found "--synch=6 --overrun=neighbour" 'before its forward handler was called, 16 bytes beyond the end of its' \
    'by a handler of another LP'
found "--synch=6 --overrun=state --lps=100000 --bytes=4 --gap=50 --end=5" 'written 4 bytes' 'offset 74 to 77'
found "--synch=6 --overrun=save_lp" 'save_lp of its' '16 bytes beyond the end of a checkpoint, which has 24'

# An address much farther away is not the program's: a crash, but with a message.
"$overrun" --quiet --synch=6 --overrun=message --gap=4000000000 >last.out 2>last.err
assert_num "status of a crash" $? '>' 128
assert_contains "a crash" last.err 'overrun: LP 5: its forward handler has touched memory at'

# ---- Contents of a checkpoint

beyond='LP 5: save of its type'\''s tw_state_io has written beyond the end of the 24 bytes'
found "--overrun=state_io --fingerprint" "$beyond"
found "--overrun=state_io --checkpoint-every=5 --checkpoint-path=points" "$beyond"
rm -rf points

# ---- Blocks of the instrumentation

# block NAME SIZE_MEMBER OPTIONS [BYTES]
block() {
    bytes=${4:-16}
    found "--overrun=$1 --bytes=$bytes $3" "$2" \
        "LP 5 of type runner: $1 has written $bytes byte" ' beyond the end of its block, which has 8'
}
for synch in 1 2 4 6; do
    block ev_trace ev_sz "--synch=$synch --event-trace=1"
done
for bytes in 1 4096 1000000; do
    block ev_trace ev_sz "--synch=3 --event-trace=3" $bytes
done
block rbev_trace rbev_sz "--synch=3 --event-trace=2 --random-rollbacks=2"
block model_stat_fn mstat_sz "--synch=3 --model-stats=1"
block model_stat_fn mstat_sz "--synch=2 --model-stats=2"
block model_stat_fn mstat_sz "--synch=3 --model-stats=4 --vt-interval=3"
block sample_event_fn sample_struct_sz "--synch=3 --model-stats=4 --vt-interval=3"
block sample_revent_fn sample_struct_sz "--synch=3 --model-stats=4 --vt-interval=3 --random-rollbacks=2"
found "--overrun=ev_trace --synch=6 --event-trace=3 --bytes=4 --gap=3000" 'ev_trace has written 3004 bytes'

# The records before the error are complete.
assert_status "recording until the mistake" 3 "$overrun" --quiet --synch=1 --overrun=ev_trace --bytes=100000 \
    --event-trace=3 --stats-path=until
assert_ok "what was recorded until then" "$WS_BIN/warpscope" dump until/*-evtrace.bin
assert_num "records until then" "$(wc -l <last.out)" '>' 5
finish
