#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Comparisons of runs: counts and settings of sequential runs, whose counts are known; sides of report and of
# stats --against; recordings whose times do not count; mistakes.
# test: processors=1 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
stats() {
    "$warpscope" stats "$@"
}
# phold_run DIR OPTIONS...
phold_run() {
    dir=$1
    shift
    assert_ok "phold to $dir" "$WS_BIN/phold" --synch=1 --enable-gvt-stats --stats-path="$dir" "$@"
}
for i in 1 2 3 4; do # in turns
    phold_run a$i --end=20
    phold_run b$i --end=20 --gvt-interval=4
done
phold_run longer --end=40
for i in 1 2; do # more events are undone than kept
    phold_run undone$i --synch=3 --random-rollbacks=$i --end=20
done
for name in c d e f; do
    phold_run $name --end=10 --nlp=$(printf %d "'$name")
done

have python3 || exit 0
cat >check.py <<'EOF'
import json, sys
stats, report, one, cut, undone = [json.load(open(name + ".json")) for name in "stats report one cut undone".split()]
wrong = []
def equal(what, wanted, found):
    if wanted != found:
        wrong.append((what, wanted, found))
def of(document, table, key, name):
    return [row for row in document[table] if row[key] == name]
equal("one document for both commands", {name: stats[name] for name in stats if name != "version"}, report["compare"])
equal("charts of the first run of each side", ["a1", "b1"], [run["name"] for run in report["runs"]])
equal("sides", "ABABABAB", "".join(run["side"] for run in sorted(stats["runs"], key=lambda run: run["path"][1:])))
equal("settings", [{"name": "--gvt-interval", "A": "-", "B": "4"}], stats["settings"])
# The model is the same: so are the counts of the events, whatever the times.
committed = of(stats, "counts", "name", "events_committed")[0]
equal("events", (committed["A"], 1), (committed["B"], committed["ratio_B"]))
gvts = of(stats, "counts", "name", "num_gvt")[0]
equal("GVT computations", gvts["B"] / gvts["A"], gvts["ratio_B"])
for time in ("wall_seconds", "events_per_second", "processor_seconds"):
    first, second = of(stats, "times", "time", time)
    mine = {side: sorted(run[time] for run in stats["runs"] if run["side"] == side) for side in "AB"}
    equal("runs of " + time, (4, 4), (first["runs"], second["runs"]))
    for row in (first, second):
        values = mine[row["side"]]
        equal("median of " + time, (values[1] + values[2]) / 2, row["median"])
        equal("range of " + time, (values[0], values[3]), (row["least"], row["most"]))
    ratios = sorted(b / a for a in mine["A"] for b in mine["B"])
    equal("interval of " + time, (ratios[0], ratios[-1]), (second["low"], second["high"]))
    equal("verdict on " + time, "more than noise" if ratios[0] > 1 or ratios[-1] < 1 else "within noise", second["verdict"])
    equal("ratio of " + time, True, abs(second["ratio"] * first["median"] / second["median"] - 1) < 1e-12)
# A run each, of different length.
equal("the work", 1, sum("committed" in words and "events, A " in words for words in one["findings"]))
equal("verdict", ["one run each"] * 3, [row["verdict"] for row in one["times"] if "verdict" in row])
equal("longer", "40", of(one, "settings", "name", "--end")[0]["B"])
# An efficiency below 0 is compared, too; it has no ratio.
efficiency = of(undone, "counts", "name", "efficiency")
equal("efficiency below 0", [True], [row["A"] < 0 and row["B"] < 0 and "ratio_B" not in row for row in efficiency])
# A damaged recording has counts and findings, but its times do not count, and there is no verdict.
equal("whole", [True, False], [run["is_whole"] == 1 for run in cut["runs"]])
equal("no verdict", [], [row for row in cut["times"] if "verdict" in row])
equal("said", 1, sum(words.startswith("The times of cut (B) do not count: INCOMPLETE") for words in cut["findings"]))
equal("counts of both", 2, len([side for side in "AB" if side in of(cut, "counts", "name", "events_committed")[0]]))
for one in wrong:
    print("FAILED: %s: wanted %r, found %r" % one)
sys.exit(bool(wrong))
EOF
assert_ok "stats" stats --json --against=a1 --against=a2 --against=a3 --against=a4 b1 b2 b3 b4
cp last.out stats.json
assert_ok "report, sides by options" "$warpscope" report --format=json -o report.json a1 a2 a3 a4 b1 b2 b3 b4
assert_ok "stats of a run each" stats --json --against=a1 longer
cp last.out one.json
assert_ok "stats of runs with undone events" stats --json --against=undone1 undone2
cp last.out undone.json
cp -r a1 cut
size=$(wc -c <cut/warpscope-gvt.bin)
dd if=a1/warpscope-gvt.bin of=cut/warpscope-gvt.bin bs=1 count=$((size - 64)) 2>/dev/null
assert_status "stats of a damaged recording" 1 stats --json --against=a1 cut
cp last.out cut.json
assert_ok "the comparisons" python3 check.py
cat last.out

# ---- The same settings, without and with --against; text; mistakes.
assert_ok "a report of two equal settings" "$warpscope" report --format=json -o equal.json a1 a2
assert_contains "two sides" equal.json '"B: a2."'
assert_ok "a report of one setting" "$warpscope" report --format=json -o same.json a1 a2 a3
assert_contains "one side" same.json '"A: a1 and 2 more.","All had the same settings: --against'
assert_ok "a report against others" "$warpscope" report --format=json -o against.json --against=a1 --against=a2 a3 a4
assert_contains "sides as given" against.json '"B: a3 and 1 more."'
assert_lacks "a verdict on two runs each" against.json '"verdict":"more than noise"'
assert_ok "text" stats --against=a1 --against=a2 --against=a3 --against=a4 b1 b2 b3 b4
assert_eq "lines of more than 80 columns" "" "$(awk 'length > 80' last.out)"
assert_status "records of a part" 2 stats --against=a1 --pe=0 a2
assert_contains "why" last.err "against compares whole runs, without --pe"
assert_status "a recording that does not exist" 1 stats --against=a1 --against=none a2
set -- a1 a1 a1 a1 a1 a1 a1 a1
assert_status "too many runs" 2 "$warpscope" report -o many.html "$@" "$@" "$@" "$@" a1
assert_status "too many settings" 2 "$warpscope" report -o many.html a1 b1 longer c d e f
finish
