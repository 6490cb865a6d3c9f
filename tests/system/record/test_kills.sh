#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed at a system call, before it or in the middle of a write: in a record file, a journal, a
# checkpoint, a report, and at the renames and removals of the end. The recovered records are a prefix of the
# records of the whole run. The run continues from the newest checkpoint on 1 to 3 ranks, and may be killed
# again. If the newest checkpoint is damaged, the run continues from the one before. It ends like an
# undisturbed run.
#
# Each kind of run first lists its calls for files (support/faults.sh). Then it is killed at chosen calls, and
# at random ones. test_recover and test_checkpoint_kill kill runs by the clock.
#
#   WS_KILLS       number of kills at random calls; default 0
#   WS_TEST_SEED   repeats the choices of this seed, which is printed at the start
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/random.sh"
. "$WS_SRC/tests/support/faults.sh"

kills=${WS_KILLS:-0}
echo "WS_TEST_SEED=$seed kills=$kills"
n=0 silent=0 again=0 restarts=0 older=0 recovered=0 in_midst=0

# ---- Recorded facts ------------------------------------------------------------------------------

# If the run was killed before its files were made, one of them has no complete head.
is_early() {
    for path in case/run/warpscope-*.bin; do
        [ -e "$path" ] || return 0
        ! "$warpscope" info "$path" 2>&1 | grep -q "cannot be read" || return 0
    done
    return 1
}

# After recovery, everything in the directory must be complete and valid, except for PEs that had no journals
# yet.
check_recording() {
    if is_early; then
        assert_eq "journals of a run that had not begun, $fault" "" "$(find case -name '*.journal')"
        return
    fi
    "$warpscope" recover --dry-run case/run >last.out 2>last.err
    dry_status=$?
    "$warpscope" recover case/run >last.out 2>last.err
    assert_eq "status of recover after a dry run, $fault" $dry_status $?
    if [ $dry_status = 1 ]; then
        assert_contains "recover, $fault" last.out "without buffers NOT ended"
        assert_status "recover at any price, $fault" 1 "$warpscope" recover --force case/run
        assert_status "verify, $fault" 1 "$warpscope" verify case/run
        assert_contains "verify, $fault" last.out "valid but incomplete"
    else
        recovered=$((recovered + 1))
        assert_eq "recover, $fault" 0 $dry_status
        assert_ok "verify, $fault" "$warpscope" verify case/run
        assert_eq "what verify says, $fault" "" "$(cat last.err)"
    fi
    assert_eq "journals, $fault" "" "$(find case -name '*.journal')"
    path=case/run/warpscope-evtrace.bin
    [ -e $path ] || return 0
    assert_ok "records, $fault" "$WS_TEST_BIN/record_prefix" $path "base-$name/records.bin"
    "$warpscope" info case/run/warpscope-evtrace.bin >info.txt 2>&1
    ! grep -q killed info.txt || in_midst=$((in_midst + 1))
}

# ---- Going on ------------------------------------------------------------------------------------

# restart FROM VARIABLE=VALUE...: continues, and writes checkpoints to the same directory.
restart() {
    from=$1
    shift
    random 3
    ranks=$((random + 1))
    random 3
    synch=$((random + 1))
    [ "$ranks" = 1 ] || [ "$synch" -gt 1 ] || synch=3
    arguments="$model --nlp=$((60 / ranks)) --synch=$synch $saved --restart=$from"
    go_on_with "$@"
}

# Lists the complete checkpoints of the killed run, the newest first.
complete() {
    for at in $(ls -d case/saved/at-* | sort -t - -k 2 -n -r); do
        [ "$(find "$at" -name '*.ckpt' | wc -l)" != "$killed_ranks" ] || echo "$at"
    done
}

# Changes a byte of the file, or cuts its end off.
damage() {
    middle=$(($(wc -c <"$1") / 2))
    random 2
    if [ "$random" = 0 ]; then
        truncate -s "$middle" "$1"
    else
        byte=$(od -An -tu1 -j "$middle" -N 1 "$1")
        # shellcheck disable=SC2059 # an octal number is the format
        printf "\\$(printf %03o $((255 - byte)))" | dd of="$1" bs=1 seek="$middle" conv=notrunc 2>/dev/null
    fi
}

# A damaged newest checkpoint is reported, and the previous one serves instead.
go_on_from_older() {
    [ "$(complete | wc -l)" -ge 2 ] || return 0
    newest=$(complete | head -n 1)
    damage "$(find "$newest" -name '*.ckpt' | sort | tail -n 1)"
    restart case/saved FAULT_CALL=none
    assert_eq "status of a restart from a damaged checkpoint, $fault" 2 $run_status
    assert_contains "message on a damaged checkpoint, $fault" run.err "$newest/"
    rm -rf "$newest"
    older=$((older + 1))
}

# Continues from the newest checkpoint to the end.
check_restart() {
    ls case/saved/at-*/rank-0-of-*.ckpt >/dev/null 2>&1 || return 0
    killed_ranks=$ranks
    random 4
    case $random in
    0) go_on_from_older ;;
    1)
        random 12
        restart case/saved FAULT_CALL=write,rename,open,fsync,unlink FAULT_PATH=case/saved \
            FAULT_NTH=$((random + 1)) FAULT_ERRNO=KILL
        [ ! -s struck.txt ] || again=$((again + 1))
        ;;
    esac
    restart case/saved FAULT_CALL=none
    if [ $run_status = 2 ]; then
        assert_contains "a restart that is refused, $fault" run.err "no complete checkpoint"
        return
    fi
    restarts=$((restarts + 1))
    assert_eq "status of the restarted run, $fault, $arguments" 0 $run_status
    fingerprints "base-$name/run.out" >wanted.txt
    fingerprints run.out >got.txt
    assert_same "the end of a restarted run, $fault, $arguments" wanted.txt got.txt
    if [ "$(json_get case/report.json checkpoints.written)" != 0 ]; then
        assert_eq "checkpoints that stay incomplete, $fault, $arguments" "" "$(find case -name '*.tmp')"
    fi
}

# ---- Kills ---------------------------------------------------------------------------------------

# Kills the run at call, nth, file, short, rank.
try_kill() {
    before=$failures
    fault="killed at $call $nth of $file, short $short, rank $rank of $name"
    run_with FAULT_CALL="$call" FAULT_PATH="$file" FAULT_NTH="$nth" FAULT_ERRNO=KILL FAULT_SHORT="$short" \
        FAULT_RANK="$rank"
    if [ -s struck.txt ]; then
        assert_ne "status, $fault" 0 $run_status
    else
        silent=$((silent + 1))
        echo "not met: $fault"
        assert_eq "status without a kill, $fault" 0 $run_status
    fi
    n=$((n + 1))
    cp run.err killed.err
    check_recording
    check_restart
    [ -z "${WS_KILLS_TELL:-}" ] || echo "$n: $fault"
    [ "$failures" -gt "$before" ] || return 0
    echo "    the $n-th kill: $fault; its files are in failed-$n"
    rm -rf "failed-$n"
    mv case "failed-$n"
    cp run.out run.err killed.err struck.txt "failed-$n"
}

# chosen CONFIGURATION CALL NTH FILE [SHORT]
chosen() {
    configure "$1"
    list_once
    rank=0 call=$2 nth=$3 file=$4 short=${5:-0}
    try_kill
}
model="--lookahead=0.5 --remote=0.5 --start-events=3 --end=40"
chosen 0 write 1 case/run/warpscope-evtrace.bin
chosen 0 fallocate 1 case/run/warpscope-evtrace.0.journal
chosen 0 write 3 case/run/warpscope-evtrace.bin 1
chosen 0 write 4 case/saved/at-2/rank-0-of-1.ckpt 1
chosen 0 rename 1 case/saved/at-2
chosen 0 unlink 1 case/run/warpscope-evtrace.0.journal
chosen 0 write 1 case/table.csv 1
chosen 1 rename 2 case/run/ross-stats-
assert_eq "chosen kills that did not come" 0 $silent

while [ "$n" -lt "$kills" ] && [ "$failures" -lt 20 ]; do
    random 3
    if [ "$random" = 0 ]; then
        random 7
    else # configurations with checkpoints
        choose 0 1 3
        random=$chosen
    fi
    configure "$random"
    list_once
    choose_call
    random 2
    short=0
    [ "$call" != write ] || short=$random
    try_kill
done
echo "$n kills, $silent of them not met, $again runs killed again in the restart;" \
    "$recovered recordings recovered, $in_midst in the midst;" \
    "$restarts restarts, $older of them from the older checkpoint"
assert_num "kills that came" $((n - silent)) ">=" $((n * 9 / 10))
finish
