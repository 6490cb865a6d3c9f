#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A recording agrees with the simulation: counts equal the report's counters, changes add up, and the
# committed events are the same on any number of ranks. No record is lost for lack of buffers. A full disk
# loses records but does not end the run, whose status is 1.
# test: timeout=300
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"

assert_complete() {
    assert_ok "verify $1" "$warpscope" verify "$1"
}

# ---- Counts: 1 executed, 2 rollbacks, 3 committed ----

repeat_until 'is_num "$(counter executed events_rolled_back)" ">" 0' \
    record executed 2 --synch=3 --nlp=200 --end=60 --event-trace=1 --enable-gvt-stats=1 --model-stats=1 \
    --buffer-size=65536
record rollbacks 2 --synch=3 --nlp=200 --end=60 --event-trace=2 --buffer-size=65536
record committed 2 --synch=3 --nlp=200 --end=60 --event-trace=3 --buffer-size=65536
for run in executed rollbacks committed; do
    assert_complete "$run"
    assert_eq "lost records of $run" 0 "$(member "$run" evtrace lost)"
    assert_eq "records of $run, by report and reader" "$(member "$run" evtrace records)" \
        "$(records_in "$run/warpscope-evtrace.bin")"
    assert_lacks "messages of $run" "$run.err" "warning"
done
assert_eq "executed events" "$(counter executed events_processed)" \
    "$(member executed evtrace records)"
assert_eq "events that caused rollbacks" "$(json_get rollbacks.json total_rollbacks)" \
    "$(member rollbacks evtrace records)"
assert_eq "committed events" "$(json_get committed.json net_events)" \
    "$(member committed evtrace records)"
assert_num "rollbacks that the test saw" "$(counter executed events_rolled_back)" ">" 0
assert_lacks "start line of a quiet run" executed.err "recording to"
assert_ok "a run that is not quiet" run_mpi 2 "$phold" --nlp=2 --end=3 --event-trace=1 --stats-path=talks
assert_contains "start line" last.err "phold: recording to talks"
assert_contains "report" executed.out "Recorded: executed"

# ---- Changes add up to the counters ----

dump executed/warpscope-gvt.bin pe events_processed events_aborted events_rolled_back event_ties \
    total_rollbacks secondary_rollbacks fossil_collects network_sends network_recvs remote_events \
    all_reduce_count >gvt.csv
column_sum() {
    awk -F, -v c="$1" '{ s += $c } END { printf "%.0f", s }' gvt.csv
}
column=2
for name in events_processed events_aborted events_rolled_back event_ties total_rollbacks \
    secondary_rollbacks fossil_collects network_sends network_recvs remote_events; do
    case $name in
    total_rollbacks) total=$(json_get executed.json total_rollbacks) ;;
    *) total=$(counter executed $name) ;;
    esac
    assert_eq "sum of $name" "$total" "$(column_sum $column)"
    column=$((column + 1))
done
for pe in 0 1; do # the same reductions on every rank
    assert_eq "reductions of PE $pe" "$(counter executed all_reduces)" \
        "$(awk -F, -v pe=$pe '$1 == pe { s += $12 } END { print s }' gvt.csv)"
done
# Of LPs that had not executed or undone an event, the file has no records.
dump executed/warpscope-model.bin lp >model.csv
assert_eq "samples of the model" "$(($(wc -l <gvt.csv) * 200))" "$(wc -l <model.csv)"
assert_num "records of the model" "$(member executed model records)" "<" "$(wc -l <model.csv)"
assert_eq "samples, last one included" "$(wc -l <gvt.csv | tr -d ' ')" \
    "$(member executed gvt records)"

record sparse 1 --synch=1 --nlp=100 --end=50 --enable-gvt-stats=1 --num-gvt=5
assert_eq "sum over every 5th GVT" "$(counter sparse events_processed)" \
    "$(dump sparse/warpscope-gvt.bin events_processed | awk '{ s += $1 } END { print s }')"
assert_eq "samples of every 5th GVT, and the last" "$((($(counter sparse gvt_rounds) - 1) / 5 + 1))" \
    "$(member sparse gvt records)"

# ---- The committed events do not depend on ranks, scheduler or buffer ----

committed_events() {
    dump "$1/warpscope-evtrace.bin" send_ts recv_ts src_lp dest_lp hops | sort
}
record reference 1 --synch=1 --nlp=96 --end=40 --event-trace=3
committed_events reference >reference.events
assert_eq "committed events of the reference" "$(json_get reference.json net_events)" \
    "$(wc -l <reference.events | tr -d ' ')"
for case in 1:3:96 2:3:48 4:3:24 1:2:96 2:2:48 4:2:24; do
    ranks=${case%%:*}
    nlp=${case##*:}
    synch=${case#*:}
    synch=${synch%:*}
    run=same-$ranks-$synch
    record "$run" "$ranks" --synch="$synch" --nlp="$nlp" --end=40 --event-trace=3 --buffer-size=3000
    committed_events "$run" >"$run.events"
    assert_same "committed events on $ranks ranks, --synch=$synch" reference.events "$run.events"
    assert_complete "$run"
done

# With a buffer smaller than a record no record is lost.
record tiny 1 --synch=1 --nlp=20 --end=20 --event-trace=1 --buffer-size=1
assert_eq "records through a buffer of one byte" "$(counter tiny events_processed)" \
    "$(records_in tiny/warpscope-evtrace.bin)"

# ---- Directories ----

for n in 1 2 3; do
    # shellcheck disable=SC2086
    assert_ok "run $n into stats-output" "$phold" $usual --nlp=4 --end=5 --enable-gvt-stats=1
done
assert_eq "directories of three runs" "stats-output stats-output-1 stats-output-2" \
    "$(echo stats-output*)"
for d in stats-output stats-output-1 stats-output-2; do
    assert_eq "files in $d" "warpscope-README.txt warpscope-gvt.bin" "$(ls "$d" | tr '\n' ' ' | sed 's/ $//')"
    assert_complete "$d"
done

# shellcheck disable=SC2086
assert_ok "--disable-output" "$phold" $usual --nlp=4 --end=50 --event-trace=1 --disable-output=1 \
    --stats-path=none --report-json=none.json --buffer-size=1000
assert_eq "directory with --disable-output" "none" "$(ls -d none 2>/dev/null || echo none)"
[ ! -e none ] || fail "--disable-output made a directory"
assert_eq "records seen with --disable-output" "$(counter none events_processed)" \
    "$(member none evtrace collected)"

# ---- Wrong options: status 2, one line, nothing made ----

refused() {
    refused_what=$1
    shift
    # shellcheck disable=SC2086
    assert_status "$refused_what" 2 run_mpi 2 "$phold" $usual --nlp=4 --end=5 --stats-path=refused "$@"
    assert_contains "message" last.err "$refused_what"
    assert_eq "lines about $refused_what" 1 "$(grep -c -e "$refused_what" last.err)"
    [ ! -e refused ] || fail "$refused_what: a directory was made"
}
refused --model-stats=5 --model-stats=5
refused --event-trace=4 --event-trace=4
refused --num-gvt=0 --num-gvt=0 --enable-gvt-stats=1
refused --buffer-size=0 --buffer-size=0 --enable-gvt-stats=1
refused --buffer-free=101 --buffer-free=101
refused --stats-filename=a/b --stats-filename=a/b --enable-gvt-stats=1
refused /proc/none --stats-path=/proc/none/x --enable-gvt-stats=1
echo kept >in-the-way
refused "--stats-path=in-the-way: exists and is not a directory" --stats-path=in-the-way \
    --enable-gvt-stats=1
assert_eq "the file that was in the way" kept "$(cat in-the-way*)"

# ---- A signal: everything up to there is in the files ----

# shellcheck disable=SC2086
"$phold" $usual --synch=3 --nlp=50 --end=1e9 --event-trace=3 --stats-path=signal \
    --report-json=signal.json >signal.out 2>&1 &
pid=$!
wait_until_heard $pid
kill -TERM "$pid"
wait "$pid"
assert_eq "exit status after SIGTERM" 143 "$?"
assert_complete signal
assert_eq "committed events until SIGTERM" "$(json_get signal.json net_events)" \
    "$(member signal evtrace records)"

# ---- A fatal error: all ranks write their records -----

for synch in 2 3; do
    assert_status "fatal error, --synch=$synch" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet \
        --synch=$synch --mistake=tw_error --event-trace=1 --enable-gvt-stats=1 --stats-path=fatal-$synch
    assert_complete fatal-$synch
    "$warpscope" info fatal-$synch >info.txt
    assert_eq "files that tell of the fatal error" 2 "$(grep -c 'fatal error' info.txt)"
    assert_num "records until the fatal error" \
        "$(records_in fatal-$synch/warpscope-evtrace.bin)" ">" 0
    # The counters count an event before its handler, the trace records it after.
    executed=$(dump fatal-$synch/warpscope-gvt.bin events_processed | awk '{ s += $1 } END { print s }')
    recorded=$(records_in fatal-$synch/warpscope-evtrace.bin)
    assert_num "events executed, recorded but for the fatal one" "$((executed - recorded))" "<=" 1
    assert_num "events executed, recorded but for the fatal one" "$((executed - recorded))" ">=" 0
done

# ---- A full disk ----

mkdir full
if mount -t tmpfs -o size=700k none full 2>mount.err; then
    trap 'umount "$PWD/full"' EXIT
    record_lossy overfull 2 --synch=3 --nlp=200 --end=60 --event-trace=1 --enable-gvt-stats=1 \
        --buffer-size=65536 --stats-path=full/run
    collected=$(member overfull evtrace collected)
    assert_eq "executed events, disk full" "$(counter overfull events_processed)" "$collected"
    assert_num "lost records" "$(member overfull evtrace lost)" ">" 0
    assert_num "written records" "$(member overfull evtrace records)" ">" 0
    assert_eq "written and lost" "$collected" \
        "$(($(member overfull evtrace records) + $(member overfull evtrace lost)))"
    assert_eq "complete" false "$(member overfull evtrace complete)"
    assert_eq "records that are readable" "$(member overfull evtrace records)" \
        "$(records_in full/run/warpscope-evtrace.bin 2>/dev/null)"
    assert_contains "message" overfull.err "No space left on device"
    assert_contains "message" overfull.err "full/run/warpscope-evtrace.bin"
    assert_contains "report" overfull.out "WARNING: $(member overfull evtrace lost) of $collected records"
    assert_status "verify the file" 1 "$warpscope" verify full/run/warpscope-evtrace.bin
    assert_contains "the loss, by the file" last.err "$(member overfull evtrace lost) records were lost"
    umount full

    # Records that fit after all journals of a rank are released are recorded, whether or not other ranks
    # still have theirs; each rank reports it once. A rank's three journals take 2988 KiB, the records of two
    # ranks 2456 KiB: 5800 KiB hold both, but not the records beside the journals of two ranks.
    for tight in 1:400:4096 2:130:5800; do
        ranks=${tight%%:*} end=${tight#*:}
        mount -t tmpfs -o size="${tight##*:}k" none full
        record tight "$ranks" --synch=2 --nlp=200 --end="${end%:*}" --event-trace=1 \
            --enable-gvt-stats=1 --model-stats=1 --buffer-size=1000000 --writer-thread=off \
            --stats-path=full/run
        assert_eq "lost records, journals given up" 0 "$(member tight evtrace lost)"
        assert_eq "buffers that survive a kill" false "$(member tight evtrace crash_safe)"
        assert_eq "records" "$(counter tight events_processed)" "$(member tight evtrace records)"
        said=$(grep -c 'from here on records in buffers would not survive' tight.err)
        assert_num "said by rank" "$said" ">=" 1
        assert_num "said by rank" "$said" "<=" "$ranks"
        assert_complete full/run/warpscope-evtrace.bin
        assert_complete full/run/warpscope-gvt.bin
        umount full
    done
    trap - EXIT
else
    partly "a full disk: $(cat mount.err)"
fi
# ---- Folders that somebody takes away ----

# removed_while_running NAME COMMAND...: starts a long run, and executes COMMAND once its files exist.
removed_while_running() {
    taken=$1
    shift
    "$phold" --quiet --synch=1 --nlp=200 --end=1e9 --event-trace=1 --buffer-size=65536 \
        --stats-path="$taken" --report-json="$taken.json" >"$taken.out" 2>"$taken.err" &
    taken_pid=$!
    wait_for $taken_pid [ -s "$taken/warpscope-evtrace.0.journal" ]
    wait_until_heard $taken_pid
    "$@"
    wait_until_heard $taken_pid
    kill -INT $taken_pid
    wait $taken_pid
}

removed_while_running gone rm -rf gone
assert_eq "records in a file that was removed" 0 "$(member gone evtrace records)"
assert_eq "lost with it" "$(member gone evtrace collected)" "$(member gone evtrace lost)"
assert_contains "message about a removed file" gone.err "the file was removed while it was written"

swap() {
    mv moved elsewhere
    mkdir moved
    echo other >moved/warpscope-evtrace.0.journal
}
removed_while_running moved swap
assert_eq "the journal of another run" other "$(cat moved/warpscope-evtrace.0.journal)"
assert_ok "verify a run that was moved while it ran" "$warpscope" verify elsewhere/warpscope-evtrace.bin

finish
