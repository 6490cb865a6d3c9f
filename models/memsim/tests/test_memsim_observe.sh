#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Records of memsim (samples of its LPs, tasks, payloads of events) agree with its report, and are the same on
# several ranks.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
# run NAME RANKS OPTIONS...
run() {
    name=$1 ranks=$2
    shift 2
    run_mpi "$ranks" "$WS_BIN/memsim" "$@" --workload=stencil --ctas=4 --elements=4 --element-size=64 --mshrs=1 \
        --slices=4 --l2-size=2048 --ways=4 --outstanding=4 --task-trace=1 --tracer='steps:kind=req_in' --model-stats=4 \
        --vt-interval=500 --end=40000 --event-trace=3 --stats-path="$name" >"$name.out" || fail "run $name"
    for what in model evtrace task; do
        "$warpscope" dump --merge "$name/warpscope-$what.bin" >"$name.$what.csv" || fail "dump of $what"
    done
}
run one 1 --synch=1
run three 3 --synch=3
sed '1,/^memsim: accesses/d' one.out >results.txt
sed '1,/^memsim: accesses/d' three.out >results-3.txt
assert_same "results" results.txt results-3.txt
for what in model evtrace task; do
    assert_same "$what on three ranks" one.$what.csv three.$what.csv
done
assert_contains "results" results.txt "all launches have ended"
reported() { awk -v row="$1" 'index($0, "  " row " ") == 1 { sub("  " row, ""); print $1; exit }' results.txt; }

# ---- Samples --------------------------------------------------------------------------------------

# sum EXPRESSION TYPE LAST: a sum over the samples of LPs of this type, the last ones of the run or all;
# columns by their names.
cat >sum.awk <<'AWK'
NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
{ for (i = 1; i <= NF; i++) v[name[i]] = $i }
v["payload_type"] == type && (!last || v["gvt"] == 40000) { total += value() }
END { printf "%.9g\n", total }
AWK
sum() {
    { echo "function value() { return $1 }" && cat sum.awk; } >this.awk
    awk -F, -v type="$2" -v last="$3" -f this.awk one.model.csv
}
accesses=$(($(reported loads) + $(reported stores)))
requests=$(reported requests)
assert_num "accesses" "$accesses" '>' 2000
assert_eq "accesses of SMs" "$accesses" "$(sum 'v["accesses"]' sm 1)"
assert_eq "bytes of SMs" "$((64 * accesses))" "$(sum 'v["bytes"]' sm 1)"
assert_eq "requests of SMs" "$requests" "$(sum 'v["requests"]' sm 1)"
assert_eq "requests of slices" "$requests" "$(sum 'v["requests"]' l2_slice 1)"
assert_eq "blocked" "$(reported blocked)" "$(sum 'v["blocked"]' sm 1)"
assert_eq "misses" "$(reported misses)" "$(sum 'v["misses"]' l2_slice 1)"
assert_near "hits" "$(reported hits)" "$(sum 'v["hit_rate"] * v["requests"]' l2_slice 1)" 1e-6
assert_eq "stalls" "$(reported stalled)" "$(sum 'v["stalls"]' l2_slice 1)"
assert_eq "lines written back" "$(reported 'written back')" "$(sum 'v["writebacks"]' l2_slice 1)"
assert_eq "lines read" "$(reported reads)" "$(sum 'v["reads"]' dram_channel 1)"
assert_eq "lines written" "$(reported writes)" "$(sum 'v["writes"]' dram_channel 1)"
assert_near "row hits" "$(reported 'row hits')" \
    "$(sum 'v["row_hit_rate"] * (v["reads"] + v["writes"])' dram_channel 1)" 1e-6
assert_near "latency" "$(reported latency)" \
    "$(sum 'v["mean_latency"] * v["accesses"]' sm 1) / $accesses" 1e-6
waits=$(sed -n 's/^  waiting *\([0-9.]*\) ns before slices.* \([0-9.]*\) ns before SMs$/\1 \2/p' results.txt)
assert_near "waiting before slices" "${waits% *}" \
    "$(sum 'v["mean_wait"] * v["requests"]' l2_slice 1) / $requests" 1e-6
assert_near "waiting before SMs" "${waits#* }" \
    "$(sum 'v["mean_wait"] * v["requests"]' sm 1) / $requests" 1e-4
dram_wait=$(sed -n 's/^  waiting *\([0-9.]*\) ns before banks and bus$/\1/p' results.txt)
lines=$(($(reported reads) + $(reported writes)))
assert_near "waiting before banks" "$dram_wait" \
    "$(sum 'v["mean_wait"] * (v["reads"] + v["writes"])' dram_channel 1) / $lines" 1e-6
assert_eq "launches" "4 4" "$(sum 'v["begun"]' launcher 1) $(sum 'v["finished"]' launcher 1)"
for idle in waiting,launcher in_flight,sm held,l2_slice; do
    assert_eq "${idle%,*} in the end" 0 "$(sum "v[\"${idle%,*}\"]" "${idle#*,}" 1)"
    assert_num "${idle%,*} in the run" "$(sum "v[\"${idle%,*}\"]" "${idle#*,}" 0)" '>' 10
done
assert_num "GB/s of some channel" "$(sum 'v["bandwidth"]' dram_channel 1)" '>' 0.1

# ---- Tasks and events -----------------------------------------------------------------------------

# Every request at a slice is within one at an SM, and that within a launch; the times of the launches agree
# with the report.
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { task = $at["lp"] "/" $at["number"] "/" $at["from"]; parent = $at["parent_lp"] "/" $at["parent_number"] }
    $1 == "task_begin" { kind[$at["lp"] "/" $at["number"]] = $at["kind"]; begun[$at["kind"]]++
        if ($at["kind"] == "req_out") within += kind[parent] == "kernel"
        if ($at["kind"] == "req_in") within += kind[parent] == "req_out" }
    $1 == "task_end" { ended[$at["kind"]]++; time[$at["kind"]] += $at["vt"] - $at["start"] }
    END { for (k in begun) print k, begun[k], ended[k], time[k]; print "within", within }' one.task.csv >tasks.txt
task() { awk -v kind="$1" -v field="$2" '$1 == kind { printf "%.9g", $field }' tasks.txt; }
for kind in req_out req_in; do
    assert_eq "$kind begun" "$requests" "$(task $kind 2)"
    assert_eq "$kind ended" "$requests" "$(task $kind 3)"
done
assert_eq "requests within others" $((2 * requests)) "$(task within 2)"
assert_near "time of req_out" "$(reported latency)" "$(task req_out 4) / $requests" 1e-6
assert_num "time of req_in" "$(task req_in 4)" '<' "$(task req_out 4) - 2 * 40 * $requests"
assert_eq "kernels ended" 4 "$(task kernel 3)"
assert_near "time of kernels" "$(sed -n 's/.*mean time \([0-9.]*\) ns$/\1/p' results.txt)" \
    "$(task kernel 4) / $(task kernel 3)" 1e-6
# A stalled request is retried: one more step.
steps() { awk -v step="$1" '$1 == step && $3 == "in" { print $2 }' one.out; }
assert_eq "hits" "$(reported hits)" "$(steps hit)"
assert_eq "misses" "$(reported misses)" "$(steps miss)"
assert_eq "merged" "$(sed -n 's/.* and \([0-9]*\) joined one/\1/p' results.txt)" "$(steps merged)"
assert_eq "stalled" "$(reported stalled)" "$(steps stalled)"
assert_num "stalled" "$(reported stalled)" '>' 10
# Arrivals of requests at slices, kind 7: all bytes of all accesses.
assert_eq "bytes with requests" "$requests $((64 * accesses))" "$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["kind"] == 7 { n++; bytes += $at["bytes"] } END { print n, bytes }' one.evtrace.csv)"
finish
