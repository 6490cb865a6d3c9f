#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Words on the command line that are not options: probable misspellings are refused, words that the model may
# not read give a warning, and the model's own words reach it.
# test: processors=2 timeout=60
. "$WS_SRC/tests/support/lib.sh"

model="$WS_TEST_BIN/misuse" # reads any words
netsim="$WS_BIN/netsim"     # reads none

en_dash=$(printf '\342\200\223')
em_dash=$(printf '\342\200\224')
minus=$(printf '\342\210\222')
for word in synch=3 -synch=3 "${en_dash}synch=3" "${em_dash}synch=3" "$minus${minus}synch=3" \
    "-${en_dash}synch=3"; do
    assert_refused "$word: options start with two hyphens: write --synch=3" 1 "$model" "$word"
    assert_refused "$word: options start with two hyphens: write --synch=3" 2 "$netsim" "$word"
done
assert_refused "two hyphens: write --help" 1 "$model" "${en_dash}help"
echo "${en_dash}synch=3" >args
assert_refused "args:1: ${en_dash}synch=3: options start with two hyphens" 1 "$model" --args-file=args

# Options from pipes. A pipe without a writer is waited for, and a message says so.
printf '%s\n' --end=5 --synch=1 | "$model" --quiet --args-file=/dev/stdin >pipe.out
assert_eq "status with options from a pipe" 0 $?
if command -v bash >/dev/null; then
    assert_ok "options of a process" bash -c "'$model' --quiet --args-file=<(echo --end=5; echo --synch=1)"
    assert_eq "options of a process" "" "$(cat last.err)"
fi
mkfifo fifo
timeout -s KILL 300 "$model" --quiet --args-file=fifo >fifo.out 2>fifo.err &
pid=$!
wait_for $pid grep -q "misuse: waiting for options from fifo, into which nothing has been written" fifo.err ||
    fail "no message about the pipe: $(cat fifo.err)"
! is_running $pid || echo --end=5 >fifo
wait $pid
assert_eq "status after the options came" 0 $?
assert_refused "--args-file=.: Is a directory" 1 "$model" --args-file=.

assert_refused 'unexpected argument "-v"' 2 "$netsim" -v

# A word that might be an option of other programs: one warning, also in a quiet run, on any number of ranks.
for ranks in 1 2; do
    assert_ok "-v on $ranks ranks" run_mpi $ranks "$model" --quiet --synch=2 -v case.conf -w
    assert_eq "-v on $ranks ranks" 1 "$(grep -c 'misuse: warning: -v is not an option' last.err)"
    assert_eq "-w on $ranks ranks" 0 "$(grep -c -e "-w is" last.err)"
done

# Words that the model reads: no warning.
for words in case.conf "--" "-- -v synch=3" "alpha=3" "-- $en_dash"; do
    # shellcheck disable=SC2086 # words
    assert_ok "words $words" "$model" --quiet --synch=1 $words
    assert_eq "words $words" "" "$(cat last.err)"
done
assert_ok "for ROSS 8" "$WS_TEST_BIN/as_for_ross8" --sync=1 --quiet -v depots.conf
assert_lacks "for ROSS 8" last.err warning

# A model that declares how many words it reads.
for words in "" "-v" "case.conf" "-- case.conf" "--"; do
    # shellcheck disable=SC2086 # words
    assert_ok "at most one word: $words" "$model" --quiet --synch=1 --misuse=one-word $words
    assert_eq "at most one word: $words" "" "$(cat last.err)"
done
assert_refused 'unexpected argument "two"' 1 "$model" --misuse=one-word one two
assert_refused 'unexpected argument "two"' 2 "$model" --misuse=one-word one -- two
finish
