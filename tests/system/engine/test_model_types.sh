#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Both layouts of st_model_types give the same records: events, causes of rollbacks, and samples.
# test: timeout=100
. "$WS_SRC/tests/support/lib.sh"

# record LAYOUT RANKS SYNCH TRACE STATS: with samples at virtual times if STATS is vt, for which ROSS 8 has
# another number.
record() {
    rm -rf "$1"
    case $5,$1 in vt,v8) stats=3 ;; vt,*) stats=4 ;; *) stats=$5 ;; esac
    assert_ok "layout_$1 $*" run_mpi "$2" "$WS_TEST_BIN/layout_$1" --synch="$3" --end=20 --quiet \
        --event-trace="$4" --model-stats="$stats" --num-gvt=1 --vt-interval=2 --stats-path="$1" \
        --random-rollbacks=2
}

for run in "1 1 3 vt" "2 2 3 vt" "2 3 3 vt"; do
    # shellcheck disable=SC2086 # four words
    set -- $run
    record seed "$@"
    record v8 "$@"
    assert_ok "$run: the same committed" "$WS_BIN/warpscope" diff seed v8
    assert_lacks "$run: something to compare" last.out "no records in either"
done
"$WS_BIN/warpscope" dump seed/warpscope-evtrace.bin >events.csv
assert_contains "described fields" events.csv ,hops
assert_num "events have their bytes" "$(awk -F, 'NR > 1 && $(NF - 1) != "" && $(NF - 5) == 8' events.csv |
    wc -l)" '>' 200

# Records of events that cause rollbacks have their payload in both layouts.
for layout in seed v8; do
    record $layout 2 3 2 0
    "$WS_BIN/warpscope" dump $layout/warpscope-evtrace.bin >$layout.csv 2>/dev/null
    assert_eq "$layout: bytes of rollback causes" "" \
        "$(awk -F, 'NR > 1 && $0 !~ /,8,/' $layout.csv | head -n 3)"
done
finish
