#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pcs: calls add up; without moves the shares are those of Engset's formula; movements do not depend on the
# options of calls; lines are printed during the run; the check of the list of calls detects errors.
# test: processors=2 timeout=60
. "$WS_SRC/tests/support/lib.sh"

pcs() {
    assert_ok "pcs $*" "$WS_BIN/pcs" --quiet "$@"
}
value() {
    awk -v row="$1" '$1 == row { print $2; exit }' last.out
}

# Each call that began has ended, is in a list, or is on its way with a moving telephone.
for options in '' '--urgent=0.3 --channels=2' '--synch=3 --random-rollbacks=3 --urgent=0.2' \
    '--channels=1 --call=20' '--width=1 --height=1 --phones=50' '--handover=3'; do
    # shellcheck disable=SC2086 # options
    pcs --synch=1 --end=50 $options
    away=$(($(value calls) - $(value blocked) - $(value completed) - $(value cut) - \
        $(value dropped) - $(value in-progress)))
    assert_num "calls on their way ($options)" $away '>=' 0
    assert_num "calls on their way ($options)" $away '<=' "$(value handovers)"
    assert_num "channels in use ($options)" "$(value in-use)" '>' 0
done
pcs --synch=1 --stay=0 --urgent=0.5
assert_eq "moves" 0 "$(value moves)"
assert_eq "calls without moves" "$(value calls)" \
    "$(($(value blocked) + $(value completed) + $(value cut) + $(value in-progress)))"
assert_num "cut" "$(value cut)" '>' 1000

# Engset: n sources, c channels, a = call / idle; a call finds the state that n - 1 sources make.
pcs --synch=1 --stay=0 --urgent=0 --end=2000 --width=10 --height=10
engset() {
    awk -v n="$1" -v c=5 -v a=0.2 'BEGIN {
        for (k = 0; k <= c; k++) { w = k ? w * (n - k + 1) / k * a : 1; sum += w; mean += k * w }
        print w / sum, mean / sum }'
}
assert_near "blocked" "$(engset 19 | cut -d' ' -f1)" "$(awk '$1 == "blocked" { print $3 }' last.out)" 0.02
assert_near "time with all in use" "$(engset 20 | cut -d' ' -f1)" "$(value full)" 0.02
assert_near "channels in use" "$(engset 20 | cut -d' ' -f2)" "$(value in-use)" 0.01

# Moves have their own random stream.
pcs --synch=1 --end=50
moves=$(value moves)
for options in --channels=1 --urgent=0.4 --call=30 --idle=1; do
    pcs --synch=1 --end=50 $options
    assert_eq "moves with $options" "$moves" "$(value moves)"
done

# Lines of committed counts: they never decrease, and the last one equals the report.
assert_ok "lines" run_mpi 2 "$WS_BIN/pcs" --synch=3 --quiet --end=50 --urgent=0.2 --progress=5
grep '^pcs: time' last.err >lines.txt
assert_num "lines" "$(wc -l <lines.txt)" '>=' 2
assert_ok "lines are in order" sort -c -t' ' -k4,4n lines.txt
run_mpi 2 "$WS_BIN/pcs" --synch=3 --quiet --end=50 --urgent=0.2 --progress=5 >last.out 2>last.err
assert_eq "the last line" "end 50: $(value calls) calls tried, $(value cut) cut, $(value in-progress) in progress" \
    "$(sed -n 's/^pcs: \(end.*\); at most.*/\1/p' last.err)"
assert_ok "gone on" run_mpi 2 "$WS_BIN/pcs" --synch=3 --quiet --end=50 --checkpoint-every=20 --checkpoint-path=saved
pcs --synch=1 --end=50 --progress=5 --restart=saved
assert_contains "calls in progress after going on" last.err ", $(value in-progress) in progress;"

# More ranks than the grid can use; a rank without cells.
run_model 1 "$WS_BIN/pcs" --synch=1 --width=1 --height=2
wanted="$events $states"
run_model 3 "$WS_BIN/pcs" --synch=3 --width=1 --height=2
assert_eq "with a rank that has no cells" "$wanted" "$events $states"

refuse() {
    assert_refused "pcs: ${1%%=*}" 1 "$WS_BIN/pcs" "$@"
}
refuse --width=0
refuse --channels=65
refuse --urgent=nan
refuse --call=0
refuse --synch=2 --handover=0
assert_refused '"stray"' 1 "$WS_BIN/pcs" stray

assert_ok "records" "$WS_BIN/pcs" --synch=1 --quiet --end=20 --model-stats=4 --vt-interval=5 \
    --event-trace=3 --stats-path=records
"$WS_BIN/warpscope" dump --merge records/warpscope-model.bin >model.csv
assert_contains "model statistics" model.csv calls,blocked,cut,handovers,dropped,in_use
"$WS_BIN/warpscope" dump --merge records/warpscope-evtrace.bin >events.csv
assert_contains "event trace" events.csv phone,kind,in_call
finish
