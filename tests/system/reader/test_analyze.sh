#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope analyze: its results against naive definitions in Python, on traces of a small simulator and of
# models; against closed forms; its files. test_mistakes.sh has the traces that it refuses.
# test: processors=2 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/python.sh"

warpscope=$WS_BIN/warpscope
make=$WS_TEST_BIN/make_causal
python=$(python_with csv)
[ -n "$python" ] || skip "no python3"

# check WHAT TRACE ARGUMENTS...: compares all results with the reference. analyze_map: the map of --lp-map.
analyze_map=
check() {
    check_what=$1
    check_trace=$2
    shift 2
    assert_ok "$check_what: analyze" "$warpscope" analyze "$check_trace" --json --latency=1.5 --top=100000 \
        --path=path.csv --force "$@"
    cp last.out result.json
    "$warpscope" dump "$check_trace" >trace.csv
    assert_ok "$check_what: results" "$python" "$WS_SRC/tests/support/analyze_reference.py" result.json path.csv \
        1.5 ${analyze_map:+"$analyze_map"} <trace.csv
}

# random_map FILE LPS RANKS SEED
random_map() {
    awk -v n="$2" -v ranks="$3" -v seed="$4" 'BEGIN { srand(seed); print "warpscope-lp-map 1"
        for (i = 0; i < n; i++) print i, int(ranks * rand()) }' >"$1"
}

# bounds WHAT TRACE ARGUMENTS...: compares the bounds that warpscope partition prints with the reference.
bounds() {
    bounds_what=$1
    bounds_trace=$2
    shift 2
    assert_ok "$bounds_what: partition" "$warpscope" partition "$bounds_trace" --json --force -o lp.map "$@"
    cp last.out result.json
    "$warpscope" dump "$bounds_trace" >trace.csv
    assert_ok "$bounds_what: bounds" "$python" "$WS_SRC/tests/support/analyze_reference.py" --partition result.json \
        lp.map <trace.csv
}
has_metis=1
"$warpscope" partition /nowhere 2>&1 | grep -q "built without METIS" && has_metis=0

# ---- Random traces: ties, offsets of zero between ranks, handlers timed all, in part, or not
seed=${WS_TEST_SEED:-1}
for shape in random zero phold; do
    for pes in 1 3; do
        seed=$((seed + 1))
        "$make" t.bin shape=$shape pes=$pes seed=$seed lps=$((5 + seed % 9)) timed=$((seed % 3)) \
            marked=$((seed % 5)) payload=$((pes % 2)) round_robin=$((seed / 2 % 2)) events=100
        check "$shape on $pes ranks, seed $seed" t.bin --lookahead=0,0.3,2
        random_map map $((5 + seed % 9)) $((4 - pes)) $seed
        analyze_map=map
        check "$shape on $pes ranks, under a map, seed $seed" t.bin --lp-map=map
        analyze_map=
        [ $has_metis = 0 ] || bounds "$shape on $pes ranks, seed $seed" t.bin --ranks=3
    done
done

# ---- Models
# record NAME RANKS PROGRAM ARGUMENTS...
record() {
    record_name=$1
    record_ranks=$2
    shift 2
    assert_ok "recording $record_name" run_mpi "$record_ranks" "$@" --synch=3 --event-trace=3 --event-times=2 --quiet \
        --stats-path="$record_name"
    check "$record_name" "$record_name"/*-evtrace.bin
}
record phold 2 "$WS_BIN/phold" --nlp=5 --end=10 --lookahead=0 --mean=1
record netsim 2 "$WS_BIN/netsim" --end=0.00003
assert_ok "report" "$warpscope" report phold --format=json -o report.json
assert_eq "the analysis in the report" 240 \
    "$("$python" -c 'import json; print(len(json.load(open("report.json"))["runs"][0]["allows"]["parallelism"]))')"

# ---- Closed forms
# value KEY: a number of result.json; speed_up: of the first path.
speed_up() {
    "$python" -c 'import json; print(round(json.load(open("result.json"))["critical_paths"][0]["speed_up"], 6))'
}
"$make" ring.bin shape=ring lps=7 pes=2 events=210
check "a ring" ring.bin
assert_eq "parallelism of a ring with one event" 1 "$(speed_up)"
assert_eq "its path has all events" 210 "$(json_get result.json path_events)"
assert_ok "PHOLD with offsets of 1" run_mpi 1 "$WS_BIN/phold" --synch=1 --nlp=20 --end=30 --event-trace=3 --quiet \
    --stats-path=steps
check "PHOLD with offsets of 1" steps/*-evtrace.bin --lookahead=1
assert_eq "a window of 1 has an event of each of 20" 20 \
    "$("$python" -c 'import json; print(json.load(open("result.json"))["windows"][0]["events"])')"
"$make" independent.bin shape=independent lps=7 pes=2 events=210
check "independent LPs" independent.bin
assert_eq "parallelism of independent LPs" 7 "$(speed_up)"
assert_eq "their path has the events of one" 30 "$(json_get result.json path_events)"
assert_eq "LPs on it" 1 "$(tail -n +2 path.csv | cut -d, -f3 | sort -u | wc -l)"

# ---- Files
"$make" t.bin shape=random pes=2 lps=9 timed=1 payload=1 events=400
assert_ok "files" "$warpscope" analyze t.bin --path=path.json --graph=lps.graphml --csv=tables/
cp last.out out.txt
assert_ok "GEXF" "$warpscope" analyze t.bin --graph=lps.gexf
"$python" - <<'EOF' >python.txt 2>&1 || fail "files: $(cat python.txt)"
import csv, glob, json, xml.dom.minidom
edges = list(csv.DictReader(open("tables/edges.csv")))
lps = {row["lp"] for row in csv.DictReader(open("tables/lps.csv"))}
for name, node, edge in ("lps.graphml", "node", "edge"), ("lps.gexf", "node", "edge"):
    tree = xml.dom.minidom.parse(name)
    assert {n.getAttribute("id") for n in tree.getElementsByTagName(node)} == lps, name
    assert len(tree.getElementsByTagName(edge)) == len([e for e in edges if e["src"] != e["dest"]]), name
slices = json.load(open("path.json"))["traceEvents"]
assert all(a["ts"] + a["dur"] <= b["ts"] + 0.001 for a, b in zip(slices, slices[1:]))
assert len(glob.glob("tables/*.csv")) > 15
EOF
assertions=$((assertions + 1))
assert_eq "lines wider than 80 columns" 0 "$(LC_ALL=C.UTF-8 awk 'length > 80' out.txt | wc -l)"
assert_ok "median times" "$warpscope" analyze t.bin --weight=typical
assert_contains "median times" last.out "the median of its type"
assert_status "existing files" 1 "$warpscope" analyze t.bin --graph=lps.gexf
assert_status "an unknown form" 2 "$warpscope" analyze t.bin --graph=lps.dot

# ---- Traces that no run would write: times that are no numbers, wrong LPs, causes in the future
for pes in 1 3; do
    for harm in 1 10 150; do
        seed=$((seed + 1))
        "$make" harmed.bin shape=zero pes=$pes seed=$seed timed=2 payload=1 harm=$harm
        assert_ok "$harm wrong fields, seed $seed" "$warpscope" analyze harmed.bin --json --latency=1us \
            --path=path.csv --graph=lps.gexf --force
        assert_eq "the events that are left are counted" 200 \
            $(($(json_get last.out events) + $(json_get last.out left_out)))
    done
done
finish
