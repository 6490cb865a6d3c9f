#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Records when buffers or disks are full: with each policy every record is in the file, or counted as dropped
# or lost in the report and in the file. The run goes on to its end, with status 1 if records are missing.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/records.sh"

# check_sums NAME DIRECTORY: report and file agree, whatever was lost.
check_sums() {
    collected=$(member "$1" evtrace collected)
    records=$(member "$1" evtrace records)
    lost=$(member "$1" evtrace lost)
    dropped=$(member "$1" evtrace dropped)
    assert_eq "collected records of $1" "$(json_get "$1.json" counters.events_processed)" "$collected"
    assert_eq "what became of them" "$collected" $((records + lost + dropped))
    assert_eq "exit status of $1" $((lost + dropped > 0)) "$run_status"
    if [ $((lost + dropped)) -gt 0 ]; then
        assert_status "verify $1" 1 "$warpscope" verify "$2"
        assert_contains "verify $1" last.out "evtrace.bin: valid but incomplete: $records records; $((lost + dropped)) are missing"
        assert_contains "what the file says of $1" last.err "$((lost + dropped)) records were lost"
        assert_eq "complete" false "$(member "$1" evtrace complete)"
    else
        assert_ok "verify $1" "$warpscope" verify "$2"
        assert_contains "verify $1" last.out "evtrace.bin: complete and valid: $records records"
        assert_eq "what the file says of $1" "" "$(cat last.err)"
        assert_eq "complete" true "$(member "$1" evtrace complete)"
    fi
    assert_eq "journals of $1" "" "$(ls "$2" | grep journal)"
}

# ---- Full buffers --------------------------------------------------------------------------------

# Few GVT computations, so that buffers fill up between them.
small="--nlp=200 --end=100 --event-trace=1 --buffer-size=30000 --gvt-interval=2000"
for thread in off on; do
    for full in spill block drop; do
        # shellcheck disable=SC2086 # small is a list
        record_any $full-$thread 2 --synch=3 $small --buffer-full=$full --writer-thread=$thread
        check_sums $full-$thread $full-$thread
        assert_eq "lost records, $full" 0 "$lost"
        assert_eq "crash_safe" true "$(member $full-$thread evtrace crash_safe)"
        case $full in
        drop) [ $thread = on ] || assert_num "dropped records" "$dropped" ">" 0 ;;
        *) assert_eq "dropped records, $full" 0 "$dropped" ;;
        esac
        [ "$dropped" = 0 ] ||
            assert_contains "report" $full-$thread.out "WARNING: $dropped of $collected records"
    done
done
assert_num "bytes spilled" "$(member spill-off evtrace spilled_bytes)" ">" 0
assert_eq "bytes spilled without spilling" 0 "$(member block-off evtrace spilled_bytes)"

# ---- Full disks ----------------------------------------------------------------------------------

# on_disk SIZE COMMAND...: runs with an empty disk of that size at full; fails if there cannot be one.
mkdir full
with_disk() {
    mount -t tmpfs -o size="$1" none full 2>mount.err || return 1
    trap 'umount "$PWD/full"' EXIT
}

without_disk() {
    umount full
    trap - EXIT
}

long="--nlp=200 --end=600 --event-trace=1 --enable-gvt-stats=1"
if with_disk 4m; then
    for thread in on off; do
        # shellcheck disable=SC2086 # long is a list
        record_any 4m-$thread 2 --synch=3 $long --stats-path=full/4m --writer-thread=$thread
        check_sums 4m-$thread full/4m
        assert_num "lost records" "$lost" ">" 0
        assert_num "bytes written" "$(member 4m-$thread evtrace bytes)" ">" 3000000
        assert_eq "crash_safe" false "$(member 4m-$thread evtrace crash_safe)"
        assert_eq "messages about journals" 1 "$(grep -c 'would not survive a kill' 4m-$thread.err)"
        assert_num "messages about the full disk" "$(grep -c 'No space left' 4m-$thread.err)" "<=" 5
        assert_contains "report" 4m-$thread.out "WARNING: $lost of $collected records"
        rm -rf full/4m
    done
    without_disk
    # Journals fit, until the records need their space.
    with_disk 12m
    # shellcheck disable=SC2086
    record_any 12m 1 --synch=1 --nlp=400 --end=1000 --event-trace=1 --stats-path=full/12m
    check_sums 12m full/12m
    assert_num "lost records" "$lost" ">" 0
    assert_num "bytes written" "$(member 12m evtrace bytes)" ">" 11000000
    assert_eq "crash_safe" false "$(member 12m evtrace crash_safe)"
    assert_eq "messages about journals" 1 "$(grep -c "from here on .* would not survive a kill" 12m.err)"
    without_disk
else
    partly "full disks: $(cat mount.err)"
fi

# A limit on the size of files does the same; sh counts 512 bytes.
# shellcheck disable=SC2086
(ulimit -f 20000 && exec "$phold" $usual --synch=1 --nlp=400 --end=1000 --event-trace=1 \
    --stats-path=limited --report-json=limited.json >limited.out 2>limited.err)
run_status=$?
check_sums limited limited
assert_num "lost records" "$lost" ">" 0
assert_contains "message" limited.err "File too large"

# ---- Journals are removed when the run ends in order ----------------------------------------------

# shellcheck disable=SC2086
"$phold" $usual --synch=3 --nlp=50 --end=1e9 --event-trace=3 --stats-path=signal >signal.out 2>&1 &
pid=$!
wait_for "$pid" [ -e signal/warpscope-evtrace.0.journal ]
wait_until_heard "$pid"
kill -TERM "$pid"
wait "$pid"
assert_eq "exit status after SIGTERM" 143 "$?"
assert_eq "journals after SIGTERM" "" "$(ls signal | grep journal)"
assert_status "fatal error" 3 run_mpi 2 "$WS_TEST_BIN/mischief" --quiet --synch=3 --mistake=tw_error \
    --event-trace=1 --writer-thread=on --stats-path=fatal
assert_eq "journals after a fatal error" "" "$(ls fatal | grep journal)"
assert_ok "verify after a fatal error" "$warpscope" verify fatal

# ---- Wrong options --------------------------------------------------------------------------------

for option in --buffer-full=lose --writer-thread=maybe; do
    # shellcheck disable=SC2086
    assert_status "$option" 2 run_mpi 2 "$phold" $usual --nlp=4 --end=5 --event-trace=1 \
        --stats-path=refused $option
    assert_eq "lines about $option" 1 "$(grep -c -e "$option" last.err)"
    [ ! -e refused ] || fail "$option: a directory was made"
done
finish
