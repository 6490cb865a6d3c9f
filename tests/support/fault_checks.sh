# SPDX-License-Identifier: BSD-3-Clause
# fault_checks.sh - checks of a run in which system calls failed; see system/test_faults.sh. Source it after
# faults.sh.

ended_0=0 ended_1=0 ended_2=0 restarts=0

# was_struck CALL: succeeds if a call of this name failed.
was_struck() {
    grep -q "^[0-9]* $1 " struck.txt
}

# The system's texts for the error. SQLite has its own.
reason() {
    case $error,$name in
    *tasks*) echo "${program##*/}: " ;;
    EIO,*) echo "Input/output error" ;;
    ENOSPC,*) echo "No space left on device" ;;
    EDQUOT,*) echo "Disk quota exceeded" ;;
    EACCES,*) echo "Permission denied" ;;
    EMFILE,*) echo "Too many open files" ;;
    ENOMEM,*) echo "Cannot allocate memory" ;;
    EOPNOTSUPP,*) echo "Operation not supported" ;;
    esac
}

# ---- Checks --------------------------------------------------------------------------------------

# A refused run leaves only the files that existed before.
check_refused() {
    ended_2=$((ended_2 + 1))
    assert_lacks "the report of a run that did not begin, $fault" run.out "Net Events"
    assert_contains "message, $fault" run.err "$(reason)"
    was_struck unlink || assert_eq "what it leaves, $fault" "" "$(find case -name 'warpscope*')"
}

# check_stream I: report, info and verify agree on the I-th recorded file.
check_stream() {
    path=$(json_get case/report.json "recorded.streams.$1.file")
    [ "$path" != null ] || return 0 # the file of ROSS 8 has replaced it
    complete=$(json_get case/report.json "recorded.streams.$1.complete")
    records=$(json_get case/report.json "recorded.streams.$1.records")
    "$warpscope" info --json "$path" >info.json 2>info.err
    assert_eq "is $path complete, by report and info, $fault" "$complete" "$(json_get info.json files.0.complete)"
    assert_eq "records in $path, by report and info, $fault" "$records" "$(json_get info.json files.0.records)"
    if [ "$complete" = true ]; then
        assert_ok "verify $path, $fault" "$warpscope" verify "$path"
    else
        all_complete=false
        assert_status "verify $path, $fault" 1 "$warpscope" verify "$path"
        assert_lacks "damage, $fault" last.err "damaged"
        assert_contains "message on $path, $fault" run.err "$path"
    fi
    case $path in
    *evtrace*)
        [ "$complete" = true ] && broken= || broken=broken
        assert_ok "records in $path, $fault" "$WS_TEST_BIN/record_prefix" "$path" \
            "base-$name/records.bin" $broken
        ;;
    esac
}

# The report's statements on the recording are true.
check_report() {
    all_complete=true
    if ! awk -f "$WS_SRC/tests/support/json.awk" case/report.json >report.txt 2>/dev/null ||
        [ ! -s report.txt ]; then
        assert_eq "status without a report, $fault" 1 "$run_status"
        assert_contains "message on the report, $fault" run.err "case/report.json"
        return
    fi
    for i in $(sed -n 's/^recorded\.streams\.\([0-9]*\)\.stream=.*/\1/p' report.txt); do
        check_stream "$i"
    done
    [ $all_complete = true ] || assert_eq "status with records lost, $fault" 1 "$run_status"
    failed=$(sed -n 's/^checkpoints.failed=//p' report.txt)
    [ "${failed:-0}" = 0 ] || assert_contains "message on checkpoints, $fault" run.err "the checkpoint at-"
}

# Results that differ from those of the run without a fault: status 1, and a message with the file's name.
check_results() {
    for result in $results; do
        cmp -s "case/$result" "base-$name/$result" && continue
        assert_eq "status without all of $result, $fault" 1 "$run_status"
        assert_contains "message on $result, $fault" run.err "${result%%-[0-9]*}"
    done
    for path in "base-$name"/run/ross-stats-*; do
        made=case/run/${path##*/}
        [ -e "$path" ] && [ ! -e "$made" ] || continue
        assert_eq "status without $made, $fault" 1 "$run_status"
        assert_contains "message on $made, $fault" run.err "ROSS 8's files were not made"
    done
    for i in $(sed -n 's/^recorded\.ross8_files\.\([0-9]*\)\.bytes=.*/\1/p' report.txt); do
        made=$(json_get case/report.json "recorded.ross8_files.$i.file")
        assert_eq "bytes of $made, $fault" "$(json_get case/report.json "recorded.ross8_files.$i.bytes")" \
            "$(wc -c <"$made")"
    done
    if [ -e "base-$name/table.csv" ] && [ "$(grep -c '' case/table.csv 2>/dev/null)" != 2 ]; then
        assert_eq "status without a row, $fault" 1 "$run_status"
        assert_contains "message on the row, $fault" run.err "case/table.csv"
    fi
}

# A restart from the newest checkpoint, or a run without one, reaches the same end.
check_restart() {
    ls case/saved/at-*/rank-0-of-*.ckpt >/dev/null 2>&1 || return 0
    random 3
    case $file,$random in *saved* | *,0) ;; *) return 0 ;; esac
    # shellcheck disable=SC2086 # words
    if run_mpi 1 "$program" --lookahead=0.5 --remote=0.5 --start-events=3 --end=40 --nlp=60 --synch=1 \
        --quiet --fingerprint --restart=case/saved >restarted.out 2>restarted.err; then
        restarts=$((restarts + 1))
        fingerprints "base-$name/run.out" >wanted.txt
        fingerprints restarted.out >got.txt
        assert_same "the end of a restarted run, $fault" wanted.txt got.txt
    else
        assert_contains "a restart that is refused, $fault" restarted.err "no complete checkpoint"
    fi
}

check_left() {
    was_struck unlink || assert_eq "what is left, $fault" "" \
        "$(find case -name '*.journal' -o -name '*.tmp' -o -name '*.bin.part-*' -o -name '*.new')"
}

check_fault() {
    if [ "$run_status" = 2 ]; then
        check_refused
        return
    fi
    assert_num "status, $fault" "$run_status" "<=" 1
    fingerprints "base-$name/run.out" >wanted.txt
    fingerprints run.out >got.txt
    assert_same "committed results, $fault" wanted.txt got.txt
    check_report
    check_results
    check_left
    check_restart
    if [ "$run_status" = 0 ]; then
        ended_0=$((ended_0 + 1))
    else
        ended_1=$((ended_1 + 1))
        assert_contains "message, $fault" run.err "$(reason)"
    fi
}
