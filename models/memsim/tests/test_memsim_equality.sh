#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# memsim commits the same events, ends in the same states, prints the same results and writes the same traces
# under every scheduler on 1 to 4 ranks, also with random rollbacks. The checks of reverse handlers find no
# mistake. A replayed trace is written again unchanged. A run continues from a checkpoint.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"

# run RANKS OPTIONS...: sets net, events, states; leaves results.txt and the traces out-1, out-2.
run() {
    rm -f out-*
    run_of=$1
    shift
    run_model "$run_of" "$WS_BIN/memsim" "$@" --trace-out=out </dev/null
    sed -n '/^memsim: accesses/,$p' last.out >results.txt
}

# check_equal CELLS OPTIONS...: compares runs with the sequential one; a cell is "ranks,options".
check_equal() {
    cells=$1
    shift
    rm -f wanted-*
    run 1 --synch=1 "$@"
    # shellcheck disable=SC2154 # set by run_model
    wanted_net=$net wanted_events=$events wanted_states=$states
    assert_num "events of $*" "$net" '>' 300
    assert_contains "end of $*" results.txt "all launches have ended"
    mv results.txt wanted.txt
    for trace in out-*; do mv "$trace" "wanted-${trace#out-}"; done
    for cell in $cells; do
        # shellcheck disable=SC2046 # words
        run "${cell%%,*}" "$@" $(echo "${cell#*,}" | tr , ' ')
        assert_eq "net events of $* ($cell)" "$wanted_net" "$net"
        assert_eq "committed events of $* ($cell)" "$wanted_events" "$events"
        assert_eq "final states of $* ($cell)" "$wanted_states" "$states"
        assert_same "results of $* ($cell)" wanted.txt results.txt
        for trace in wanted-*; do
            assert_same "trace of $* ($cell)" "$trace" "out-${trace#wanted-}"
        done
        case $cell in
        *random*) assert_num "rollbacks of $* ($cell)" \
            "$(json_get run.json counters.primary_rollbacks)" '>' 10 ;;
        esac
    done
}

# A cache that is much too small: lines are written back, requests wait for MSHRs, and requests span several
# lines.
small='--l2-size=8192 --slices=4 --channels=2 --ways=4 --mshrs=2 --outstanding=16 --sms=6'
# shellcheck disable=SC2086 # options
check_equal '1,--synch=6 1,--synch=2 1,--synch=3,--random-rollbacks=1 2,--synch=2 2,--synch=3 3,--synch=3 4,--synch=2 4,--synch=3,--random-rollbacks=3 2,--synch=5' \
    --workload=transpose --ctas=20 --repeat=1 --element-size=100 $small
assert_num "requests that were stalled" "$(awk '$1 == "stalled" { print $2 }' wanted.txt)" '>' 100
assert_num "lines that were written back" \
    "$(awk '$1 == "written" { print $3 }' wanted.txt)" '>' 100
assert_ok "all of it undone" "$WS_BIN/memsim" --synch=4 --quiet --workload=stencil --ctas=2 \
    --elements=4 --sms=3
mv wanted-1 transpose.trc
# shellcheck disable=SC2086 # options
check_equal '3,--synch=3' --workload=reduction --ctas=30 --elements=9 --no-hash $small
mv wanted-1 reduction.trc

# Two streams at the same addresses, with CTAs as recorded: the output equals the input.
assert_ok "a stencil" "$WS_BIN/memsim" --synch=1 --quiet --workload=stencil --ctas=3 --elements=8 --repeat=2 \
    --element-size=40 --sms=6 --trace-out=stencil
# shellcheck disable=SC2086 # options
check_equal '1,--synch=6 2,--synch=2 4,--synch=3' --trace=transpose.trc,stencil-1 $small --outstanding=5
assert_same "a trace that was replayed" transpose.trc wanted-1
assert_same "the second stream" stencil-1 wanted-2

# Loads, stores and atomics at random in a few lines: 20 launches of up to 70 accesses by 5 SMs.
random_trace() {
    awk -v seed="$1" '
        function below(n) { return int(rand() * n) }
        function byte(v) { out = out sprintf("\\0%03o", v) }
        function zeros(n) { while (n-- > 0) byte(0) }
        BEGIN {
            srand(seed)
            byte(24)
            for (launch = 0; launch < 20; launch++) {
                out = out "\\nk\\n"
                for (n = below(70); n > 0; n--) { # size, type; SM; address; CTA, whose x is byte 4
                    byte(1 + below(200)); zeros(2); byte(16 * below(3)); byte(below(5)); zeros(3)
                    byte(below(256)); byte(below(16)); zeros(10); byte(below(9)); zeros(3)
                }
                zeros(24)
            }
            print out
        }' >random.txt
    printf '%b' "$(cat random.txt)"
}
random_trace 1 >random-1.trc
random_trace 2 >random-2.trc
tiny='--l2-size=512 --slices=2 --channels=1 --ways=2 --mshrs=2 --outstanding=7'
# shellcheck disable=SC2086 # options
check_equal '1,--synch=6 1,--synch=3,--random-rollbacks=1 2,--synch=2 3,--synch=3,--random-rollbacks=2' \
    --trace=random-1.trc,random-2.trc $tiny
assert_same "random accesses" random-1.trc wanted-1
assert_same "more of them" random-2.trc wanted-2
for row in stalled written merged; do
    assert_num "$row" "$(awk -v row=$row '$1 == "stalled" && row == $1 { print $2 }
        $1 == "written" && row == $1 { print $3 }
        $1 == "misses" && row == "merged" { print $(NF - 2) }' wanted.txt)" '>' 20
done

# Cycles are long and lines arrive in bursts. MSHRs thus become free while requests are already retried, and
# lines are replaced while answers for them are still to be sent.
slow='--clock=0.1 --dram-bandwidth=1000 --t-cl=1 --t-rcd=50 --t-rp=50'
# shellcheck disable=SC2086 # options
check_equal '1,--synch=6 1,--synch=3,--random-rollbacks=1' --trace=random-1.trc,random-2.trc $slow \
    --l2-size=512 --slices=1 --channels=1 --ways=1 --line=512 --mshrs=3 --outstanding=7

# A run continues from a checkpoint on another number of ranks, and its trace is complete. Another input is
# refused.
from="--trace=random-1.trc,random-2.trc $tiny"
# shellcheck disable=SC2086 # options
run 1 --synch=1 $from --checkpoint-every=9000 --checkpoint-keep=9 --checkpoint-path=checkpoints
mv results.txt wanted.txt
wanted_states=$states
for at in checkpoints/at-1 checkpoints/at-2; do
    # shellcheck disable=SC2086 # options
    run 3 --synch=3 $from --restart=$at
    assert_eq "states after $at" "$wanted_states" "$states"
    assert_same "results after $at" wanted.txt results.txt
    assert_same "trace after $at" random-1.trc out-1
    assert_same "second trace after $at" random-2.trc out-2
done
# Just behind a checkpoint, what had no answer then has none yet.
# shellcheck disable=SC2086 # options
run 1 --synch=1 $from --end=9010
mv out-1 wanted-1
mv out-2 wanted-2
# shellcheck disable=SC2086 # options
run 3 --synch=2 $from --end=9010 --restart=checkpoints/at-1
assert_same "trace up to just behind a checkpoint" wanted-1 out-1
assert_same "second trace up to there" wanted-2 out-2
for other in --trace=random-2.trc,random-1.trc "$from --no-hash"; do
    # shellcheck disable=SC2086 # options
    assert_status "restart with $other" 2 "$WS_BIN/memsim" --synch=1 $from $other --restart=checkpoints
    assert_contains "restart with $other" last.err "the checkpoint is of a run with another input"
done

# With other SMs: the communication of CTAs and kernels is the same.
check_equal '3,--synch=3' --trace=transpose.trc --cta-schedule=round-robin --sms=5
for what in volumes transfers; do
    "$WS_BIN/warpscope" memtrace $what --csv transpose.trc >before.csv
    "$WS_BIN/warpscope" memtrace $what --csv wanted-1 >after.csv
    assert_file "$what" before.csv
    assert_same "$what on other SMs" before.csv after.csv
done
assert_ne "SMs" "$(cksum <transpose.trc)" "$(cksum <wanted-1)"
assert_ok "round robin" "$WS_BIN/memsim" --synch=1 --quiet --trace=random-1.trc --cta-schedule=round-robin --sms=3 \
    --trace-out=robin
"$WS_BIN/warpscope" memtrace dump --csv robin-1 | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { launch = $at["superstep"]; cta = launch "/" $at["cta_x"]
      if (!(cta in sm)) sm[cta] = n[launch]++ % 3
      if ($at["sm"] != sm[cta]) bad++ }
    END { print NR, bad + 0 }' >robin.txt
assert_num "accesses, round robin" "$(cut -d' ' -f1 robin.txt)" '>' 400
assert_eq "CTAs on other SMs than in turn" 0 "$(cut -d' ' -f2 robin.txt)"

# A run that is cut off has executed a part, and writes a complete trace of it.
assert_ok "a run that is cut off" "$WS_BIN/memsim" --synch=1 --quiet --trace=transpose.trc --end=2000 \
    --trace-out=cut
assert_contains "a run that is cut off" last.out "launches were cut off by --end=2000 ns"
assert_ok "its trace" "$WS_BIN/warpscope" memtrace info cut-1
assert_num "bytes of its trace" "$(wc -c <cut-1)" '<' "$(wc -c <transpose.trc)"
# While requests are under way and no answer has arrived, no access is done.
assert_ok "a run that is cut off at once" "$WS_BIN/memsim" --synch=1 --quiet --trace=random-1.trc \
    --end=230 --trace-out=begun
assert_ok "its trace" "$WS_BIN/warpscope" memtrace dump --csv begun-1
assert_eq "lines of its trace, with the heading" 1 "$(wc -l <last.out)"
finish
