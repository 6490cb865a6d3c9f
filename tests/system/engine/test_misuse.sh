#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions of ross.h called at a wrong place or with wrong arguments: one message that says what and where,
# and exit status 3. Without the misuse the same program runs.
# test: processors=1 timeout=100
. "$WS_SRC/tests/support/lib.sh"

# misuse SCHEDULERS NAME TEXT
misuse() {
    for synch in $1; do
        assert_status "$2, scheduler $synch" 3 "$WS_TEST_BIN/misuse" --quiet --synch="$synch" \
            --misuse="$2" --random-rollbacks=1
        assert_contains "$2, scheduler $synch" last.err "$3"
        assert_eq "$2, scheduler $synch: messages" 1 "$(grep -c 'misuse: error' last.err)"
    done
}

for synch in 1 2 3; do
    assert_ok "no misuse, scheduler $synch" "$WS_TEST_BIN/misuse" --quiet --synch=$synch
done

# Valid: ranks with different numbers of KPs. Report and files give the largest.
assert_ok "uneven ranks" run_mpi 2 "$WS_TEST_BIN/misuse" --quiet --synch=3 --misuse=uneven \
    --enable-gvt-stats=1 --stats-path=uneven --report-json=uneven.json
assert_eq "KPs, by the report" 2 "$(json_get uneven.json kps_per_pe)"
assert_contains "KPs, by the file" uneven/warpscope-README.txt "kps_per_pe               2"

misuse "1 2 3" suspend-init 'tw_lp_suspend() of LP 0 outside of an event'
misuse "1 3" suspend-other 'tw_lp_suspend() of LP 0 by another LP'
misuse "3" suspend-reverse 'tw_lp_suspend() of LP 1 in a reverse or commit handler'
misuse "1 3" suspend-commit 'in a reverse or commit handler'
misuse "1 3" suspend-final 'outside of an event'
misuse "1 3" snapshot-init 'tw_snapshot() of LP 0 outside of its forward handler'
misuse "1 3" snapshot-commit 'outside of its forward handler'
misuse "1 2 3" snapshot-twice 'tw_snapshot() a second time in one event'
misuse "1 3" snapshot-again 'tw_snapshot() a second time in one event'
misuse "1 3" snapshot-size 'tw_snapshot() of 65 bytes, but the state of LP 1 has 64'
misuse "1 3" snapshot-other 'tw_snapshot() of LP 0 outside of its forward handler'
misuse "1 3" delta-alone 'tw_snapshot_delta() without a tw_snapshot()'
misuse "1 3" delta-twice 'tw_snapshot_delta() without a tw_snapshot()'
misuse "1 3" delta-size 'tw_snapshot_delta() of 16 bytes after tw_snapshot() of 8'
misuse "1 3" restore-forward 'called no tw_snapshot_delta()'
misuse "3" restore-alone 'called no tw_snapshot_delta()'
misuse "3" restore-size 'tw_snapshot_restore() of 16 bytes, but tw_snapshot() took 8'
misuse "3" restore-twice 'a second time for one event'
misuse "1 3" hook-now-init 'tw_trigger_gvt_hook_now() outside of a forward handler'
misuse "1 3" hook-rev-init 'tw_trigger_gvt_hook_now_rev() outside of a reverse handler'
misuse "1 3" hook-every 'tw_trigger_gvt_hook_every(0): must be at least 1'
misuse "1 3" hook-at 'the time is not a number'

misuse "1 3" type-change 'tw_lp_settype() of LP 1 after tw_run() has begun'
misuse "1 3 6" init-twice 'tw_init() a second time, without a tw_end()'
misuse "1" comm-late 'tw_comm_set() after tw_init()'
misuse "1 6" check-null 'the checkpointer is NULL'
misuse "6" check-unset 'lptype is NULL'
misuse "1" io-null 'tw_lptype_state_io(): the type is NULL'

# early RANKS NAME TEXT: a misuse before options are read.
early() {
    assert_status "$2" 3 run_mpi "$1" "$WS_TEST_BIN/misuse" "--early=$2"
    assert_contains "$2" last.err "$3"
}
early 1 init-null 'tw_init() needs the arguments of main()'
early 1 init-late 'tw_init() after MPI_Finalize()'
early 2 comm-null 'tw_comm_set() of MPI_COMM_NULL'
early 2 comm-between 'tw_comm_set() of an inter-communicator'

# For a misspelt option the message names the nearest one.
for pair in snyc:synch syhnc:synch gvt-intervl:gvt-interval lz4knob:lz4-knob reportjson:report-json \
    misues:misuse cvs:csv; do
    assert_status "--${pair%:*}" 2 "$WS_TEST_BIN/misuse" "--${pair%:*}=1"
    assert_contains "--${pair%:*}" last.err "the nearest is --${pair#*:}"
done
finish
