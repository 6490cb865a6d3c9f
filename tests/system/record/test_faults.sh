#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# System calls that fail while a run writes: records, journals, checkpoints, reports, results, the files of
# ROSS 8, databases. The run ends in order with the documented status, commits the same events as without the
# fault, reports what it could not write, and what it reports as written exists.
#
# Each kind of run first lists its calls for files (support/faults.sh). Then one of them fails, or all from
# one on, as on a full disk: chosen calls first, then random ones.
#
#   WS_FAULTS      number of random faults; default 0
#   WS_TEST_SEED   repeats the choices of this seed, which is printed at the start
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/faults.sh"
. "$WS_SRC/tests/support/fault_checks.sh"

faults=${WS_FAULTS:-0}
echo "WS_TEST_SEED=$seed faults=$faults"

# ---- One fault -----------------------------------------------------------------------------------

choose_fault() {
    choose_call
    count=1 short=0
    case $call in
    write) choose EIO ENOSPC EDQUOT ;;
    open) choose EACCES ENOSPC EMFILE EIO ;;
    fallocate) choose ENOSPC EDQUOT EOPNOTSUPP EIO ;;
    mkdir) choose ENOSPC EACCES EIO ;;
    mmap) choose ENOMEM EIO ;;
    *) choose EIO ENOSPC ;;
    esac
    error=$chosen
    if [ "$call" = write ]; then
        random 3
        [ "$random" != 0 ] || short=1
    fi
    random 3
    [ "$random" != 0 ] || count=0
    random 4
    if [ "$random" = 0 ]; then # the whole disk is full from here on
        call=open,write,fallocate,mkdir file=case/ error=ENOSPC count=0
        random "$(count_calls "$rank" "$call" "$file")"
        nth=$((random + 1))
    fi
}

# ---- Chosen faults -------------------------------------------------------------------------------

n=0 silent=0

# try_fault [VARIABLE=VALUE...]: one fault, as chosen; its files remain if a check fails.
try_fault() {
    before=$failures
    fault="$call $nth of $file, $error, count $count, short $short, rank $rank of $name"
    run_fault "$@"
    [ -s struck.txt ] || silent=$((silent + 1))
    check_fault
    n=$((n + 1))
    [ -z "${WS_FAULTS_TELL:-}" ] || echo "$n: status $run_status, $fault: $(tail -n 1 run.err)"
    [ "$failures" -gt "$before" ] || return 0
    echo "    the $n-th fault: $fault; its files are in failed-$n"
    rm -rf "failed-$n"
    mv case "failed-$n"
    cp run.out run.err struck.txt "failed-$n"
}

# chosen STATUS CONFIGURATION CALL NTH FILE ERROR [COUNT [SHORT]]
chosen() {
    wanted_status=$1
    configure "$2"
    list_once
    rank=0 call=$3 nth=$4 file=$5 error=$6 count=${7:-1} short=${8:-0}
    try_fault
    assert_eq "status, $fault" "$wanted_status" "$run_status"
}
chosen 1 0 write 4 case/run/warpscope-evtrace.bin ENOSPC 0 1
chosen 0 0 fallocate 1 case/run/warpscope-evtrace.0.journal ENOSPC
chosen 0 0 write 3 case/saved/at-2/rank-0-of-1.ckpt EIO
chosen 0 0 rename 1 case/saved/at-1 EIO
chosen 1 0 open 1 case/table.csv EACCES
chosen 1 0 write 1 case/table.csv EDQUOT 0 1
chosen 1 0 open,write,fallocate,mkdir 30 case/ ENOSPC 0
chosen 0 1 mmap 1 case/run/warpscope-gvt.0.journal ENOMEM
chosen 1 1 rename 2 case/run/ross-stats- EIO
chosen 2 2 mkdir 1 case/run EIO
chosen 1 2 close 1 case/links.csv EIO
chosen 1 2 write 1 s.csv ENOSPC 0
# A file without records lost none when its descriptions could not be written.
chosen 0 6 write 4 case/run/warpscope-evtrace.bin EIO
assert_eq "chosen faults that were not met" 0 $silent

# Rank 1 has no space for its records while the journals of rank 0 take it: these are released.
configure 3
list_once
rank=1 call=write nth=2 file=case/run/warpscope-evtrace.bin error=ENOSPC count=0 short=0
try_fault FAULT_WHILE=case/run/warpscope-evtrace.0.journal
assert_eq "status, $fault" 0 "$run_status"
assert_contains "that journals give way, $fault" run.err "PE 0: another rank has no space left"

# ---- Random faults -------------------------------------------------------------------------------

[ "$faults" = 0 ] || "$WS_TEST_BIN/chores" --synch=1 --nlp=1 --end=1 --stats-path=try \
    --tracer=database >last.out 2>&1 || configurations=7 # without SQLite
while [ "$n" -lt "$faults" ] && [ "$failures" -lt 20 ]; do
    random $configurations
    configure "$random"
    list_once
    choose_fault
    try_fault
done
echo "$n faults, $silent of them not met; status 0: $ended_0, 1: $ended_1, 2: $ended_2; $restarts restarts"
assert_num "faults that were met" $((n - silent)) ">=" $((n * 9 / 10))
finish
