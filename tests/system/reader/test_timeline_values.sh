#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Timelines show the model's values and the phases of a PE as counters, equal in all formats and to the
# records.
# test: processors=2
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/timeline.sh"

# compare CLOCK FILE: the counters of a timeline equal the values of the records.
compare() {
    "$python" -B -S - "$@" <<'PROGRAM'
import collections, csv, json, sys
clock, path = sys.argv[1:3]
found = collections.defaultdict(dict)
for e in json.load(open(path)):
    if e["ph"] == "C":
        found[e["name"]][e["pid"], round(e["ts"] * 1000)] = float(e["args"]["value"])
ns = lambda row: round(float(row["gvt" if clock == "virtual" else "real_time"]) * 1e9)

def need(good, words):
    if not good:
        raise SystemExit("%s: %s" % (path, words))

def near(a, b):
    return sorted(a) == sorted(b) and all(abs(a[k] - b[k]) <= 1e-5 * max(1, abs(b[k])) for k in a)

# values of the model over the LPs of a type and PE: the sum of counters, the mean of levels
points = collections.defaultdict(lambda: collections.defaultdict(list))
for row in csv.DictReader(open("model.csv")):
    for name in "packets", "utilisation_max", "sent":
        if row[name]:
            points[row["lp_type"], name][int(row["pe"]), int(row["sample"]), ns(row)].append(
                float(row[name]))
for (owner, name), values in points.items():
    title = "%s %s%s" % (owner, name, "" if name == "utilisation_max" else " (packets)")
    # Of samples at equal times, which occur while GVT stands still, the last one counts.
    expected = {(pe, at): sum(v) / (len(v) if name == "utilisation_max" else 1)
                for (pe, _, at), v in sorted(values.items())}
    need(near(found[title], expected), "%s: %s instead of %s" % (title, found[title], expected))
need(points, "no values")

# phases: share of the time
rows = list(csv.DictReader(open("rt.csv")))
for title, field in (("computing GVT (%)", "gvt_cc"),
                     ("executing events, sending included (%)", "event_processing_cc")):
    expected = {}
    for row in rows:
        total = sum(int(v) for k, v in row.items() if k.endswith("_cc"))
        if total > 0:
            expected[int(row["pe"]), ns(row)] = 100 * int(row[field]) / total
    need(near(found[title], expected), title)
print(len(found))
PROGRAM
}

assert_ok "netsim" run_mpi 2 "$WS_BIN/netsim" --synch=3 --event-trace=3 --model-stats=1 \
    --gvt-interval=64 --real-time-samp=2 --end=0.0002 --quiet --stats-path=run
"$warpscope" dump run/warpscope-model.bin >model.csv
"$warpscope" dump --type=rt_pe run/warpscope-rt.bin >rt.csv
for clock in virtual wall; do
    export_all run --clock=$clock
    assert_ok "counters by $clock" compare $clock out/warpscope.json
    assert_num "counters" "$(cat last.out)" ">=" 20
    assert_ok "counters by $clock, Perfetto" compare $clock perfetto.json
    if read_ctf; then
        assert_ok "CTF" "$python" -B -S -c '
import json
names = [sorted({e["name"] for e in json.load(open(f)) if e["ph"] == "C"})
         for f in ("out/warpscope.json", "ctf.json")]
own = {"pending events": "pending_events"}
assert sorted(own.get(n, n) for n in names[0]) == names[1], names'
    fi
done

# ---- events show their payload, in all formats of the last export, by wall clock
# netsim's fields; a unit is part of the name but in CTF.
fields='packet flow kind kind_name hops from_site to_site'
"$warpscope" dump run/warpscope-evtrace.bin >events.csv
records=$(tail -n +2 events.csv | wc -l)
for file in out/warpscope.json perfetto.json; do
    # shellcheck disable=SC2086 # names are words
    assert_ok "values in $file" "$python" -B -S "$checks/timeline_events.py" $file events.csv $fields \
        'size=size (bytes)'
    assert_eq "events in $file" "$records" "$(cat last.out)"
done
if [ -s ctf.json ]; then
    # shellcheck disable=SC2086
    assert_ok "values in CTF" "$python" -B -S "$checks/timeline_events.py" ctf.json events.csv digits \
        $fields size
    assert_eq "events in CTF" "$records" "$(cat last.out)"
fi

# ---- numbers that are none, quotes, texts that are not UTF-8, one name of several types
mkdir odd && "$WS_TEST_BIN/make_odd" odd odd && rm odd/odd-rt.bin odd/odd-model.bin
"$warpscope" dump odd/odd-evtrace.bin >odd.csv
for format in chrome perfetto ctf; do
    assert_ok "$format of odd values" "$warpscope" export --format=$format --output=odd odd
done
assert_ok "Perfetto's encoding" "$python" -B -S "$checks/timeline_json.py" perfetto odd/odd.pftrace
cp last.out odd.json
for file in odd/odd.json odd.json; do
    assert_ok "odd values in $file" "$python" -B -S "$checks/timeline_events.py" $file odd.csv digits \
        value small text 'real=real (m)'
done
if have babeltrace2; then
    assert_ok "babeltrace2" babeltrace2 odd/odd-ctf
    assert_contains "values of odd events" last.out 'small = -1, text = "\"q\"", real = inf }'
fi
# ---- rollbacks have the type of their LP in their names, whether the trace has records of rollbacks
# or of the executions around them
assert_ok "netsim, rollbacks" "$WS_BIN/netsim" --synch=3 --random-rollbacks=2 --event-trace=1 \
    --end=0.0001 --quiet --stats-path=undone
mkdir causes && "$WS_TEST_BIN/make_run" causes warpscope pes=2 samples=5 records=400 rollbacks=5
for run in undone causes; do
    "$warpscope" dump $run/warpscope-evtrace.bin >events.csv
    for clock in wall virtual; do
        export_all $run --clock=$clock
        read_ctf || cp perfetto.json ctf.json
        assert_ok "types of rollbacks in $run by $clock" "$python" -B -S -c '
import csv, json
types = {row["dest_lp"]: row["lp_type"] for row in csv.DictReader(open("events.csv"))}
seen = set()
for path in "out/warpscope.json", "perfetto.json", "ctf.json":
    names = [(e["name"], types[str(e["args"]["lp"])] + " rollback")
             for e in json.load(open(path)) if e["ph"] == "X" and e["cat"] == "rollback"]
    assert all(shown == expected for shown, expected in names), (path, names[:5])
    seen.add(len(names))
print(*seen)'
        [ "$run-$clock" = undone-virtual ] || # by virtual time executions show no rollback
            assert_num "rollbacks in $run by $clock" "$(cat last.out)" ">=" 1
    done
done

finish
