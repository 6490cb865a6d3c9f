#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of numbers in exports: types of LPs, and codes of the engine and of the model in words, appear beside the
# numbers in "dump" and in all formats, with equal values.
# test: processors=1
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope

# named FILE COLUMN NAME: prints the distinct pairs of a number and its name, as "number name", sorted.
named() {
    awk -F, -v column="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) { c[$i] = i }; next }
        { print $c[column], $c[name] }' "$1" | sort -u
}

# numbers FILE: prints the columns except those of names.
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
assert_eq "columns" "lp_type,cause_name,trigger_name" "$(sed -n '1s/.*,\(lp_type,.*\)/\1/p' csv/a-rollback.csv)"
assert_eq "samples of the engine have no names" 0 "$(head -n 1 csv/a-gvt_pe.csv | grep -c lp_type)"
"$warpscope" dump run/a-evtrace.bin >dump.csv
assert_eq "columns of dump" "lp_type,cause_name,trigger_name" "$(sed -n '1s/.*,\(lp_type,.*\)/\1/p' dump.csv)"
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
triggers='{"1":"local","2":"remote","3":"cancel","4":"anti_message","5":"random","6":"return"}'
assert_eq "npy: names" '{"payload_type":{"1":"router","2":"host"},"cause":{"1":"straggler","2":"secondary"},"trigger":'"$triggers}" \
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

# ---- a run whose model has no names: no column
assert_ok "make_records" "$WS_TEST_BIN/make_records" . x rows=10 plain
assert_eq "no types" 0 "$("$warpscope" dump x-evtrace.bin | head -n 1 | grep -c lp_type)"

# ---- dump --merge, in which the type stands for its number: names of other codes only
"$warpscope" dump --merge --type=rollback run/a-evtrace.bin >merged.csv
assert_eq "merge" "cause_name trigger_name" \
    "$(head -n 1 merged.csv | tr , '\n' | grep -e lp_type -e _name | tr '\n' ' ' | sed 's/ $//')"
named merged.csv cause cause_name >list.txt
assert_same "merge: causes" list.txt causes.txt

# ---- codes of a model, and of steps of tasks
assert_ok "netsim" "$WS_BIN/netsim" --synch=1 --event-trace=1 --task-trace=1 --model-stats=1 \
    --load=0.03 --end=0.003 --quiet --stats-path=net
for format in csv tsv json jsonl $sqlite parquet npy chrome perfetto ctf; do
    assert_ok "netsim: $format" "$warpscope" export --format=$format --output=net/$format net
done
printf '1 send\n2 forward\n3 deliver\n' >kinds.txt
named net/csv/warpscope-event.csv kind kind_name >list.txt
assert_same "kinds of packets" list.txt kinds.txt
"$warpscope" dump net/warpscope-evtrace.bin >dump.csv
assert_same "dump and export" dump.csv net/csv/warpscope-event.csv
"$warpscope" dump --merge net/warpscope-evtrace.bin >merged.csv
named merged.csv kind kind_name >list.txt
assert_same "merge: kinds of packets" list.txt kinds.txt
named net/csv/warpscope-task_step.csv detail detail_name >list.txt
printf '0 step\n' >expected.txt
assert_same "steps" list.txt expected.txt
"$warpscope" dump --fields=kind_name,kind --where='kind_name == "deliver"' net/warpscope-evtrace.bin \
    >where.csv
assert_eq "--where, --fields" "kind_name,kind deliver,3" "$(sort -ru where.csv | paste -sd' ')"
assert_eq "--where" "$(grep -c ',deliver$' dump.csv)" "$(grep -c deliver where.csv)"
assert_eq "--where: a word" "$(cat where.csv)" "$("$warpscope" export --format=csv --output=- \
    --fields=kind_name,kind --where='kind_name==deliver' net/warpscope-evtrace.bin)"
assert_ok "info" "$warpscope" info net/warpscope-evtrace.bin
assert_contains "info" last.out "1 send, 2 forward, 3 deliver"
assert_ok "info --json" "$warpscope" info --json net/warpscope-evtrace.bin
assert_contains "info --json" last.out '"names":["","send","forward","deliver"]'
cat >compare.py <<'PROGRAM'
import collections, csv, json, sqlite3, sys
sys.path.insert(0, ".")
from parquet_reference_reader import File
names = {1: "send", 2: "forward", 3: "deliver"}
def pairs(rows):
    return collections.Counter((int(row["kind"]), row["kind_name"]) for row in rows)
expected = pairs(csv.DictReader(open("net/csv/warpscope-event.csv")))
assert set(expected) == set(names.items()), expected
found = {"tsv": pairs(csv.DictReader(open("net/tsv/warpscope-event.tsv"), delimiter="\t")),
         "json": pairs(json.load(open("net/json/warpscope-event.json"))),
         "jsonl": pairs(map(json.loads, open("net/jsonl/warpscope-event.jsonl")))}
file = File("net/parquet/warpscope-event.parquet")
columns = {c.name: values for c, values in zip(file.columns, file.values)}
found["parquet"] = pairs({"kind": a, "kind_name": b} for a, b in
                         zip(columns["kind"], columns["kind_name"]))
if sys.argv[1] == "sqlite":
    db = sqlite3.connect("net/sqlite/warpscope.sqlite")
    db.row_factory = sqlite3.Row
    found["sqlite"] = pairs(db.execute("SELECT kind, kind_name FROM event_named"))
    assert dict(db.execute("SELECT DISTINCT code, name FROM labels WHERE \"table\" = 'event'"
                           " AND \"column\" = 'kind'").fetchall()) == names
    assert db.execute("SELECT DISTINCT detail, detail_name FROM task_step_named").fetchall()[0][:] \
        == (0, "step")
    assert db.execute("SELECT count(*) FROM model_lp_named WHERE kind_name IS NULL"
                      ).fetchone()[0] == 0
def slices(path):
    return [e["args"] for e in json.load(open(path)) if e["ph"] == "X"]
found["chrome"] = pairs(slices("net/chrome/warpscope.json"))
found["perfetto"] = pairs(slices("perfetto.json"))
if sys.argv[2] == "ctf":
    found["ctf"] = pairs(slices("ctf.json"))
for name, counts in found.items():
    assert counts == expected, (name, counts, expected)
labels = json.load(open("net/npy/warpscope-event.labels.json"))
texts = {str(code): name for code, name in names.items()}
assert labels["payload_type"] == {"1": "router", "2": "host"} and \
    labels["kind"] == {"1": texts, "2": texts}, labels
assert json.load(open("net/npy/warpscope-task_step.labels.json"))["detail"] == \
    {"0": "step", "1": "detail"}
print(len(found))
PROGRAM
checks=$WS_SRC/tests/system/python
assert_ok "Perfetto's encoding" python3 -B "$checks/timeline_json.py" perfetto \
    net/perfetto/warpscope.pftrace
cp last.out perfetto.json
ctf=
if have babeltrace2; then
    assert_ok "babeltrace2" babeltrace2 --clock-seconds net/ctf/warpscope-ctf
    cp last.out ctf.txt
    assert_ok "CTF" python3 -B "$checks/timeline_json.py" ctf ctf.txt
    cp last.out ctf.json
    ctf=ctf
fi
assert_ok "netsim: compared" python3 -B compare.py "$sqlite" "$ctf"

# ---- lists of names that differ by payload type, names that are taken, names with odd characters
assert_ok "make_names" "$WS_TEST_BIN/make_names" . odd
assert_ok "dump of odd names" "$warpscope" dump --fields=code,other,payload.kp,code_name,other_name,payload.other_name,payload.kp_name \
    odd-evtrace.bin
cat >expected.txt <<'ROWS'
code,other,payload.kp,code_name,other_name,payload.other_name,payload.kp_name
0,1,1,zer�,7,"quote "" and, comma",k1
-1,,,,,,
1,,,uno,,,
1,,,,,,
,,,,,,
ROWS
assert_same "odd names" last.out expected.txt
# Names of the model's columns need no quotes.
assert_ok "a name in quotes" "$warpscope" dump --where='code_name=="uno"' odd-evtrace.bin
assert_eq "a name in quotes" 2 "$(wc -l <last.out)"
cp last.out quoted.csv
for condition in 'code_name==uno' 'uno == code_name'; do
    assert_ok "$condition" "$warpscope" dump --where="$condition" odd-evtrace.bin
    assert_same "$condition" last.out quoted.csv
done
assert_ok "a name that the column lacks" "$warpscope" dump --where='code_name==due' odd-evtrace.bin
assert_eq "a name that the column lacks" \
    'warpscope: no record is selected: the condition is true for none of 5 records (code_name is one of zer?, on?e, nulla, uno)' \
    "$(cat last.err)"
assert_ok "dump of all columns" "$warpscope" dump odd-evtrace.bin
assert_contains "dump of all columns" last.out ',zer�,'
for format in csv tsv json $sqlite parquet npy chrome perfetto ctf; do
    assert_ok "odd: $format" "$warpscope" export --format=$format --output=odd-$format odd-evtrace.bin
done
printf '%s\n' '{"code":{"1":{"0":"zer\ufffd","1":"on\ufffde"}},"code.signed":{"2":{"0":"nulla","1":"uno"}},"other":{"1":{"1":"quote \" and, comma"}},"payload.kp":{"1":{"1":"k1"}}}' \
    >expected.txt
assert_contains "odd: csv" odd-csv/odd-event.csv ',zer�,'
assert_contains "odd: tsv" odd-tsv/odd-event.tsv "$(printf '\tzer�\t')"
assert_same "odd: npy" odd-npy/odd-event.labels.json expected.txt
[ -z "$sqlite" ] || assert_ok "odd: sqlite" python3 -c '
import sqlite3
db = sqlite3.connect("odd-sqlite/odd.sqlite")
rows = db.execute("SELECT code, \"code.signed\", code_name, \"payload.other_name\","
                  " \"payload.kp_name\" FROM event_named").fetchall()
assert rows == [(0, None, "zer\ufffd", "quote \" and, comma", "k1"), (None, -1, None, None, None),
                (None, 1, "uno", None, None), (1,) + (None,) * 4, (None,) * 5], rows
assert db.execute("SELECT name FROM labels WHERE code = 1 AND payload_type = 1"
                  " AND \"column\" = ?", ("code",)).fetchall() == [("on\ufffde",)]'
assert_contains "odd: ctf" odd-ctf/odd-ctf/metadata '"zer�" = 0, "on�e" = 1'
[ -z "$ctf" ] || assert_ok "odd: babeltrace2" babeltrace2 odd-ctf/odd-ctf
[ -z "$ctf" ] || assert_contains "odd: enumeration" last.out 'container = 1'
finish
