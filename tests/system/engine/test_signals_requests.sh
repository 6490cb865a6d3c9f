#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGUSR1 prints the state of the run. SIGUSR2 and --checkpoint-on=term write checkpoints, from which runs
# continue to the same end as the undisturbed run. Under every scheduler, with the signal on any rank.
# test: processors=2 timeout=180
. "$WS_SRC/tests/support/lib.sh"

model="$WS_TEST_BIN/signalled"
often="--gvt-interval=1 --batch=4"

# states: number of states of the run that the last run printed.
states() {
    grep -c '^signalled: status after' last.err
}

# The undisturbed run of four LPs, one or two ranks.
run_model 1 "$model" --synch=1 --lps=4 --end=2000
truth="$net $events $states"

# SIGUSR1 does not disturb the run, and may come again.
for synch in 1 2 3 6; do
    run_model 1 "$model" --synch=$synch --lps=4 --end=2000 --at=500 --raise=10 --times=2 $often
    assert_eq "after SIGUSR1, --synch=$synch" "$truth" "$net $events $states"
    assert_eq "answers to SIGUSR1, --synch=$synch" 2 "$(states)"
    assert_contains "GVT, --synch=$synch" last.err ' of 2000'
    assert_contains "rate, --synch=$synch" last.err 'since the last status'
done
assert_ok "SIGUSR1 without GVT" "$model" --synch=4 --end=100 --raise=10,12 --quiet
assert_contains "SIGUSR1 without GVT" last.err 'time reached'
assert_contains "SIGUSR2 without GVT" last.err '--synch=4 computes no GVT'
run_model 2 "$model" --synch=3 --lps=2 --end=2000 --at=500 --raise=10 --times=2 --on=last $often
assert_eq "after SIGUSR1 on rank 1" "$truth" "$net $events $states"
# Signals that come before one GVT computation get one answer.
assert_num "answers to SIGUSR1 on rank 1" "$(states)" '>=' 1
assert_contains "extremes of ranks" last.err '(rank 1)'

# goes_on DIR OPTIONS...: continues from the checkpoint there, to the end of the undisturbed run.
goes_on() {
    goes_folder=$1
    shift
    assert_eq "checkpoints in $goes_folder" at-1 "$(ls "$goes_folder")"
    run_model 1 "$model" --lps=4 --end=2000 --restart="$goes_folder" "$@"
    assert_eq "on from $goes_folder" "$truth" "$net $events $states"
}

for synch in 1 2 3 6; do
    run_model 1 "$model" --synch=$synch --lps=4 --end=2000 --raise=12 --checkpoint-path=usr$synch $often
    assert_eq "after SIGUSR2, --synch=$synch" "$truth" "$net $events $states"
    goes_on usr$synch --synch=$((4 - synch % 4))
    assert_status "SIGTERM, --synch=$synch" 143 "$model" --synch=$synch --lps=4 --end=2000 --raise=15,15 \
        --checkpoint-on=term --checkpoint-path=term$synch --fingerprint --quiet $often
    assert_contains "end, --synch=$synch" last.out 'Run Ended: stopped by a signal'
    goes_on term$synch --synch=1
done
# A requested checkpoint is written at once; checkpoints planned for later remain planned.
run_model 1 "$model" --synch=1 --lps=4 --end=2000 --raise=12 --checkpoint-path=planned --checkpoint-keep=9 \
    --checkpoint-every=900 $often
assert_eq "checkpoints planned and asked for" "at-1 at-2 at-3" "$(echo $(ls planned))"
for on in all last; do
    assert_ne "SIGTERM on $on" 0 "$(run_mpi 2 "$model" --synch=3 --lps=2 --end=2000 --raise=15 --on=$on \
        --checkpoint-on=term --checkpoint-path=end-$on --fingerprint --quiet $often >out 2>&1; echo $?)"
    goes_on end-$on --synch=2
done
run_model 2 "$model" --synch=2 --lps=2 --end=2000 --raise=12 --on=last --checkpoint-path=usr-last
goes_on usr-last --synch=1

# Without a directory a warning says what to do, and the run goes on.
run_model 2 "$model" --synch=3 --lps=2 --end=2000 --raise=12 --on=last
assert_contains "SIGUSR2 without a directory" last.err 'start it with --checkpoint-path=DIR'
assert_eq "after SIGUSR2 without a directory" "$truth" "$net $events $states"
assert_refused "--checkpoint-on=never: must be term" 1 "$model" --checkpoint-on=never
finish
