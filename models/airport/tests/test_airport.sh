#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# airport: the number of planes is constant, waits follow from runways and storms, invalid options are
# refused, records have the names of LP types.
# test: processors=1 timeout=60
. "$WS_SRC/tests/support/lib.sh"
[ -x "$WS_BIN/airport" ] || skip "there is no C++ compiler in this build"

airport() {
    assert_ok "airport $*" "$WS_BIN/airport" --synch=1 --quiet "$@"
}
value() {
    awk -v row="$1" 'index($0, "  " row) == 1 { sub("  " row, ""); print $1; exit }' last.out
}

# A single plane never waits, and its round is known exactly: one other airport at 20 minutes.
airport --airports=2 --planes=1 --boarding=0 --storms=0 --end=10000
assert_eq "wait for the runway" 0.000000 "$(value 'runway wait')"
assert_eq "wait for a gate" 0.000000 "$(value 'gate wait')"
# 1 take-off + 20 flight + 2 landing + 30 turnaround; the first starts are at random times
assert_num "landings" "$(value landings)" '>=' "2 * (10000 / 53 - 7)"
assert_num "landings" "$(value landings)" '<=' "2 * (10000 / 53 + 1)"
# Planes are on the ground or in the air.
airport --end=3000 --model-stats=4 --vt-interval=1000 --stats-path=records --event-trace=3
in_air=$(($(value take-offs) - $(value landings)))
assert_num "planes in the air" $in_air '>' 0
assert_num "planes in the air" $in_air '<=' 512
"$WS_BIN/warpscope" dump --merge records/warpscope-model.bin >model.csv
assert_contains "model statistics" model.csv landings,takeoffs,on_ground,runway_wait
"$WS_BIN/warpscope" dump --merge records/warpscope-evtrace.bin >events.csv
assert_contains "event trace" events.csv plane,kind,flights
# Fewer runways and longer storms mean longer waits.
calm=$(value 'runway wait')
airport --end=3000 --runways=1
assert_num "wait with one runway" "$(value 'runway wait')" '>' "1.1 * $calm"
airport --end=3000 --storm=240
assert_num "wait with long storms" "$(value 'runway wait')" '>' "1.1 * $calm"
airport --end=3000 --gates=1
assert_num "wait with one gate" "$(value 'gate wait')" '>' 20

refuse() {
    assert_refused "airport: ${1%%=*}" 1 "$WS_BIN/airport" "$@"
}
refuse --airports=1
refuse --runways=9
refuse --gates=0
refuse --leg=0
refuse --storms=nan
refuse --storms=1e-300 # endless storms of equal times
refuse --boarding=-1
assert_refused '"stray"' 1 "$WS_BIN/airport" stray
finish
