#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# memsim replays the traces of tests/data/memtrace and writes them again unchanged, so that their analysis is
# that of the original; also two streams at a time, and with CTAs on other SMs. It refuses the traces that the
# reader refuses.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
data=$WS_SRC/tests/data/memtrace

# replay NAME RANKS OPTIONS...: leaves out-1, out-2.
replay() {
    rm -f out-*
    name=$1
    ranks=$2
    shift 2
    run_model "$ranks" "$WS_BIN/memsim" --trace-out=out "$@" </dev/null
    assert_contains "end of $name" last.out "all launches have ended"
}

for trace in rules empty_kernel bad_atomic_first; do
    assert_ok "analysis of $trace" "$warpscope" memtrace all --json "$data/$trace.trc"
    cp last.out expected.json
    for cell in "1 --synch=1" "2 --synch=2" "3 --synch=3"; do
        # shellcheck disable=SC2086 # words
        replay "$trace, $cell" $cell --trace="$data/$trace.trc"
        assert_same "the trace of $trace ($cell)" "$data/$trace.trc" out-1
        assert_ok "what is written of $trace ($cell)" "$warpscope" memtrace all --json out-1
        assert_same "its analysis ($cell)" expected.json last.out
    done
done

# Two streams.
replay "two streams" 2 --synch=3 --trace="$data/empty_kernel.trc,$data/rules.trc"
assert_same "the first of two" "$data/empty_kernel.trc" out-1
assert_same "the second of two" "$data/rules.trc" out-2

# CTAs on other SMs: the transfers between CTAs are the same. Numbers of SMs are part of the trace.
replay "round robin" 2 --synch=3 --cta-schedule=round-robin --sms=3 --trace="$data/rules.trc"
assert_status "other SMs" 1 cmp -s "$data/rules.trc" out-1
for what in transfers "volumes --by=cta"; do
    # shellcheck disable=SC2086 # words
    "$warpscope" memtrace $what --csv "$data/rules.trc" >expected.csv
    # shellcheck disable=SC2086 # words
    assert_ok "$what, CTAs round robin" "$warpscope" memtrace $what --csv out-1
    assert_same "$what, CTAs round robin" expected.csv last.out
done

for name in bad_midrecord bad_no_kernel bad_type15; do
    "$warpscope" memtrace info "$data/$name.trc" 2>reader.err
    assert_status "$name" 2 "$WS_BIN/memsim" --synch=1 --trace="$data/$name.trc" --trace-out=bad
    assert_contains "what is said of $name" last.err "$(sed "s/^warpscope memtrace: //" reader.err)"
    assert_eq "files left of $name" "" "$(ls | grep '^bad')"
done
finish
