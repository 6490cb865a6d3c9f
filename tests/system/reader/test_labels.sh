#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of numbers in exports: types of LPs and codes in words stand beside the numbers in "dump" and
# in all formats for tables, and are the same in all of them.
# test: processors=1
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope

# named FILE COLUMN NAME: different pairs of a number and its name, as "number name", sorted.
named() {
    awk -F, -v column="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        { print $c[column], $c[name] }' "$1" | sort -u
}

# numbers FILE: of the columns but for those of names.
numbers() {
    awk -F, 'NR == 1 { for (n = 1; n <= NF && $n != "lp_type"; n++) { } }
        { line = $1; for (i = 2; i < n; i++) { line = line "," $i } print line }' "$1"
}

mkdir run
assert_ok "make_run" "$WS_TEST_BIN/make_run" run a pes=2 samples=5 records=400 rollbacks=5
sqlite=sqlite
! "$warpscope" export --format=sqlite /nowhere 2>&1 | grep -q "built without" || sqlite=
for format in csv json $sqlite parquet npy; do
    mkdir $format
    assert_ok "$format" "$warpscope" export --format=$format --output=$format run
done

# ---- csv, and dump, which has the columns of both kinds of record
named csv/a-event.csv payload_type lp_type >types.txt
printf '1 router\n2 host\n' >expected.txt
assert_same "types of LPs" types.txt expected.txt
named csv/a-rollback.csv cause cause_name >causes.txt
printf '1 straggler\n2 secondary\n' >expected.txt
assert_same "causes" causes.txt expected.txt
named csv/a-model_lp.csv kind kind_name >kinds.txt
printf '1 gvt\n' >expected.txt
assert_same "why samples were taken" kinds.txt expected.txt
assert_eq "columns" "lp_type,cause_name" "$(sed -n '1s/.*,\(lp_type,.*\)/\1/p' csv/a-rollback.csv)"
assert_eq "samples of the engine have no names" 0 "$(head -n 1 csv/a-gvt_pe.csv | grep -c lp_type)"
"$warpscope" dump run/a-evtrace.bin >dump.csv
assert_eq "columns of dump" "lp_type,cause_name" "$(sed -n '1s/.*,\(lp_type,.*\)/\1/p' dump.csv)"
named dump.csv payload_type lp_type >list.txt
assert_same "dump: types of LPs" list.txt types.txt
grep -e ^record -e ^rollback dump.csv >rollbacks.csv
named rollbacks.csv cause cause_name >list.txt
assert_same "dump: causes" list.txt causes.txt
assert_eq "events have no cause" 0 "$(grep ^event dump.csv | grep -cv ',$')"

# ---- json
assert_ok "json: compared" python3 -c '
import csv, json
for kind in "event", "rollback", "model_lp":
    rows = list(csv.DictReader(open("csv/a-%s.csv" % kind)))
    objects = json.load(open("json/a-%s.json" % kind))
    assert len(rows) == len(objects)
    for row, found in zip(rows, objects):
        for name in "lp_type", "cause_name", "kind_name":
            assert row.get(name, "") == found.get(name, ""), (kind, name, row, found)'
"$warpscope" dump --format=json run/a-evtrace.bin >dump.json
assert_eq "json: dump" "$(grep -c '"cause_name":"straggler"' json/a-rollback.json)" \
    "$(grep -c '"cause_name":"straggler"' dump.json)"

# ---- numpy: a file beside the array
assert_eq "npy: names" '{"payload_type":{"1":"router","2":"host"},"cause":{"1":"straggler","2":"secondary"}}' \
    "$(cat npy/a-rollback.labels.json)"
assert_eq "npy: no names, no file" "" "$(ls npy | grep gvt_.*labels)"

# ---- sqlite: tables to join with, and a view that does
[ -z "$sqlite" ] || assert_ok "sqlite: compared" python3 -c '
import csv, sqlite3
db = sqlite3.connect("sqlite/a.sqlite")
db.row_factory = sqlite3.Row
for kind in "event", "rollback", "model_lp":
    rows = list(csv.DictReader(open("csv/a-%s.csv" % kind)))
    found = db.execute("SELECT * FROM %s_named" % kind).fetchall()
    assert len(rows) == len(found)
    def key(row):
        return [str(row[name] or "") for name in ("lp_type", "cause_name", "kind_name")
                if name in row.keys()]
    assert sorted(map(key, rows)) == sorted(map(key, found)), kind
    assert list(rows[0].keys()) == list(found[0].keys()), kind
assert db.execute("SELECT lp_type, kind_name FROM payload_types WHERE stream = ? AND id = 1",
                  ("evtrace",)).fetchone()[:] == ("router", "event")
assert dict(db.execute("SELECT code, name FROM labels WHERE \"table\" = ? AND \"column\" = ?",
                       ("rollback", "cause"))) == {1: "straggler", 2: "secondary"}'

# ---- parquet: with dictionaries
cp "$WS_SRC"/tests/system/python/parquet_reference_reader.py "$WS_SRC"/tests/system/python/format_reference_reader.py .
assert_ok "parquet: compared" python3 -c '
import csv
from parquet_reference_reader import File
for kind in "event", "rollback", "model_lp":
    rows = list(csv.DictReader(open("csv/a-%s.csv" % kind)))
    file = File("parquet/a-%s.parquet" % kind)
    names = [c.name for c in file.columns]
    assert names == list(rows[0].keys())
    for name in "lp_type", "cause_name", "kind_name":
        if name in names:
            values = file.values[names.index(name)]
            assert [v or "" for v in values] == [row[name] for row in rows], (kind, name)
            assert file.columns[names.index(name)].converted == "UTF8"'

# ---- a run whose model names nothing: no column
assert_ok "make_records" "$WS_TEST_BIN/make_records" . x rows=10 plain
assert_eq "no types" 0 "$("$warpscope" dump x-evtrace.bin | head -n 1 | grep -c lp_type)"

# ---- dump --merge, in which the type already stands for its number, stays as it is
assert_eq "merge" 0 "$("$warpscope" dump --merge run/a-evtrace.bin | head -n 1 | grep -c lp_type)"
finish
