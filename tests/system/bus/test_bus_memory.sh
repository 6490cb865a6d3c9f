#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Events that emit 100 records each: deferred records take no more than --observer-memory, or than one batch
# of events if that is more, and every record arrives once and in order.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

# run_emitter RANKS OPTIONS...: sets deferred, the maximum of a rank's deferred records.
run_emitter() {
    ranks=$1
    shift
    assert_ok "emitter $* on $ranks ranks" run_mpi "$ranks" "$WS_TEST_BIN/emitter" "$@" --quiet \
        --report-json=run.json </dev/null
    line=$(sed -n 's/^records //p' last.out)
    assert_num "records of $*" "${line%% *}" '>' 50000
    of=${line#* of }
    assert_eq "records that arrived, $* on $ranks ranks" "${of%%,*}" "${line%% *}"
    wrong=${line#*wrong }
    assert_eq "records out of order, $* on $ranks ranks" 0 "${wrong%%,*}"
    held=${line##*at most }
    held=${held%% *}
}

run_emitter 1 --synch=1
one_event=$held
run_emitter 1 --synch=3 --observer-memory=0 --gvt-interval=1000
assert_num "bytes held without a limit" "$held" '>' 2000000
# The last event may need a chunk of 4 KiB where earlier events needed smaller ones, or none.
most=$((500000 + 4096))
for ranks in 1 2 3 4; do
    run_emitter $ranks --synch=3 --observer-memory=500000 --gvt-interval=1000
    assert_num "bytes held on $ranks ranks" "$held" '<=' $most
done
run_emitter 3 --synch=3 --observer-memory=488K --random-rollbacks=3 # 499712 bytes
assert_num "bytes held with rollbacks at random" "$held" '<=' $most
run_emitter 2 --synch=3 --observer-memory=1 --batch=16
assert_num "bytes held with no memory" "$held" '<=' $((16 * one_event))
assert_num "turns held back" "$(json_get run.json counters.turns_held_back)" '>' 0
run_emitter 2 --synch=2 --observer-memory=1
assert_status "--observer-memory=12Q" 2 "$WS_TEST_BIN/emitter" --observer-memory=12Q
assert_contains "--observer-memory=12Q" last.err "must be a number of bytes up to"
assert_ok "--help=all" "$WS_TEST_BIN/emitter" --help=all
assert_contains "the default" last.out "(default 64M)"
finish
