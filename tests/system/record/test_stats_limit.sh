#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --stats-limit: a run writes no more than that, says so once, and goes on to the same results; its files are valid
# and say where recording ended.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/control.sh"

warpscope=$WS_BIN/warpscope

gated() {
    ranks=$1
    shift
    assert_status "$*" "$wanted" run_mpi "$ranks" "$WS_TEST_BIN/gated" --lps=$((512 / ranks)) --end=150 \
        --quiet --fingerprint --report-json=run.json "$@"
    events=$(json_get run.json committed_fingerprint)
    states=$(json_get run.json state_fingerprint)
}

# written: bytes of all blocks of the recording by the files themselves, with 4 KiB for each END block.
written() {
    "$warpscope" info --json rec/*.bin >info.json
    sum=0
    for i in 0 1 2 3 4 5 6; do
        size=$(json_get info.json files.$i.stored_bytes) || break
        sum=$((sum + size + 4096 * ranks))
    done
    echo $sum
}

wanted=0
gated 1 --synch=1 --event-trace=3 --stats-path=whole
truth="$events $states"

# Between two GVT computations a rank commits fewer records than its share has left, however long they take.
wanted=1
for run in "1 1 auto 500000" "2 2 on 300K" "2 3 off 600K" "4 5 on 900K"; do
    set -- $run
    ranks=$1
    what="--synch=$2 on $1 ranks, limit $4"
    rm -rf rec
    gated "$1" --synch="$2" --writer-thread="$3" --stats-limit="$4" --event-trace=3 --enable-gvt-stats=1 \
        --num-gvt=64 --max-opt-lookahead=1 --stats-path=rec
    limit=$(json_get run.json recorded.limit)
    assert_eq "$what: results" "$truth" "$events $states"
    assert_eq "$what: reached" true "$(json_get run.json recorded.limit_reached)"
    assert_eq "$what: messages" 1 "$(grep -c 'stats-limit' last.err)"
    assert_contains "$what: message" last.err "is reached: recording ended at GVT"
    assert_contains "$what: report" last.out "WARNING: recording ended at GVT"
    size=$(written)
    assert_num "$what: bytes" "$size" '<=' "$limit"
    assert_num "$what: bytes" "$size" '>' $((limit / 3))
    assert_status "$what: verify" 1 "$warpscope" verify rec
    assert_eq "$what: verify" 2 "$(grep -c ': valid but incomplete: .* up to GVT .*: it reached --stats-limit' last.out)"
    assert_status "$what: diff" 1 "$warpscope" diff whole/warpscope-evtrace.bin rec/warpscope-evtrace.bin
    assert_contains "$what: diff" last.out "compared only where both recorded: virtual time to before"
    assert_eq "$what: left behind" "" "$(ls rec | grep -v -e '\.bin$' -e '-README.txt$')"
done
gvt=$(json_get run.json recorded.limit_gvt)
assert_status "info" 1 "$warpscope" info rec/warpscope-evtrace.bin
assert_contains "info" last.out "complete        NO: it reached --stats-limit"
assert_contains "info" last.out "outcome         reached --stats-limit; GVT $gvt"
mkdir copied
cp rec/*.bin copied
for command in stats analyze advise "partition -o limited.map"; do
    "$warpscope" partition /nowhere 2>&1 | grep -q 'built without' && [ "${command%% *}" = partition ] && continue
    # shellcheck disable=SC2086 # words
    assert_status "$command" 1 "$warpscope" $command copied
    assert_eq "$command" "INCOMPLETE: up to GVT" "$(whole_line last.out | sed -n 's/ [0-9.]* (.*only: it reached --stats-limit$//p')"
done
for command in "dump --limit=1" "export --format=csv --output=exported"; do
    # shellcheck disable=SC2086 # words
    assert_status "$command" 1 "$warpscope" $command copied
    assert_contains "$command" last.err "warpscope-evtrace.bin: incomplete: recorded up to GVT"
done
assert_status "stats --json" 1 "$warpscope" stats --json copied
assert_eq "stats --json" cut "$(json_get last.out covers.what)"
assert_status "report" 1 "$warpscope" report --format=json --force -o report.json rec
assert_contains "report" report.json ": it reached --stats-limit"

# One GVT interval has more than the limit: records that do not fit are counted.
rm -rf rec
gated 2 --synch=3 --stats-limit=256K --gvt-interval=1000 --max-memory=200 --batch=100 --random-rollbacks=9 \
    --event-trace=1 --task-trace=1 --buffer-size=20000 --buffer-full=block --stats-path=rec
assert_eq "a full interval: results" "$truth" "$events $states"
assert_num "a full interval: bytes" "$(written)" '<=' 262144
assert_eq "a full interval: messages" 1 "$(grep -c 'stats-limit' last.err)"

# Without GVT computations the limit holds as well.
rm -rf rec
gated 1 --synch=4 --stats-limit=64K --event-trace=1 --buffer-size=20000 --buffer-full=block --stats-path=rec --end=20
assert_num "--synch=4: bytes" "$(written)" '<=' 65536
assert_contains "--synch=4" last.err "--stats-limit=65536 was reached: records are missing"

# What is smaller than the limit ends with status 0.
wanted=0
gated 2 --synch=3 --stats-limit=1G --event-trace=3 --stats-path=small
assert_eq "a large limit" false "$(json_get run.json recorded.limit_reached)"
assert_lacks "a large limit" last.err "stats-limit"

# Requests cannot record again; others are answered.
gated_start 1 3 --synch=3 --stats-limit=64K --event-trace=1 --buffer-size=4000 --buffer-full=block
open_gate
open_gate
request set event-trace=3
request set stall-warning=50
open_gate
gated_end
assert_eq "status" 1 "$gated_status"
assert_status "a limited run with requests" 1 "$warpscope" verify rec
assert_lacks "a limited run with requests" last.out damaged

for size in -1 1E99 1 65535 x '' 99999999999G; do
    assert_status "--stats-limit=$size" 2 "$WS_TEST_BIN/gated" --end=1 --event-trace=3 --stats-path=bad \
        --stats-limit="$size"
    assert_contains "--stats-limit=$size" last.err "stats-limit"
    assert_eq "--stats-limit=$size: directory" "" "$(ls -d bad 2>/dev/null)"
done
assert_refused "give at least 262144 bytes, 64K for each of 2 ranks and 2 files" 2 "$WS_TEST_BIN/gated" --end=1 \
    --event-trace=3 --enable-gvt-stats=1 --stats-limit=100K --stats-path=bad
finish
