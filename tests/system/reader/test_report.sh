#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "warpscope report": its data equal what follows from the records (random recordings); the page stays small
# and harmless whatever a recording contains; nothing is overwritten. test_mistakes.sh has bad input.
# test: processors=1 timeout=200 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
make_run=$WS_TEST_BIN/make_run
report() {
    "$warpscope" report "$@"
}

# report_json DIR ARGUMENTS...: the data of a report, in data.json.
report_json() {
    report --force --format=json --output=data.json "$@"
}

# ---- The data equal the records.

# check_data WHAT DIR FILE...: the data of the report of the directory equal what follows from the records in its files.
# A part of this test only makes the report.
check_data() {
    data_what=$1
    data_folder=$2
    shift 2
    assert_ok "report, $data_what" report_json "$data_folder"
    [ -z "${WS_PART:-}" ] || return 0
    rm -rf csv
    mkdir csv
    for file; do
        stream=${file##*-}
        "$warpscope" dump "$file" >"csv/${stream%.bin}.csv"
    done
    assert_ok "stats, $data_what" "$warpscope" stats --json "$data_folder"
    cp last.out stats.json
    assert_ok "data of $data_what" python3 "$WS_SRC/tests/system/python/report_check.py" data.json stats.json csv
    cat last.out
}

if have python3; then
    seed=${WS_TEST_SEED:-$(date +%s)}
    echo "WS_TEST_SEED=$seed"
    for round in 1 2 3; do
        first=$(((round - 1) * 8388590)) # LPs below and above the limit of a plain list
        n=$((seed % 1000000 + round * 7919))
        rm -rf run
        mkdir run
        assert_ok "make_run, round $round" "$make_run" run a seed=$n pes=$((n % 5 + 1)) \
            kps=$((n % 4 + 1)) first_lp=$first lps=$((n % 40 + 10)) samples=$((n % 150 + 2)) \
            records=$((n % 4000 + 500)) rollbacks=$((n % 30 + 5))
        case $round in # other sources of the curves
            2) rm run/a-vt.bin run/a-rt.bin ;;
            3) rm run/a-vt.bin run/a-rt.bin run/a-gvt.bin run/a-model.bin ;;
        esac
        check_data "round $round" run run/*.bin
    done
    assert_ok "netsim" run_mpi 2 "$WS_BIN/netsim" --synch=2 --end=0.02 --load=0.002 --quiet \
        --model-stats=1 --enable-gvt-stats=1 --task-trace=1 '--tracer=busy:kind=hop;total:kind=hop' \
        --stats-path=net # counters, tasks, tracers
    check_data netsim net net/warpscope-gvt.bin net/warpscope-model.bin net/warpscope-task.bin
    assert_contains "netsim" data.json '"measure":"counter"'
    grep '"name":"busy:' data.json >busy.txt
    grep '"name":"total:' data.json >total.txt
    assert_lacks "the tracer busy" busy.txt ',null,'
    assert_contains "a tracer without busy times" total.txt ',null,'
fi

# ---- The documentation has all rules for findings.
# shellcheck disable=SC2016 # backquotes of Markdown
rows='/^| subject | said if /,/^$/s/^| `\([a-z-]*\)`.*/\1/p'
grep -ho '{"[a-z-]*", "' "$WS_SRC"/reader/findings/*.c | tr -d '{", ' | sort >rules.txt
sed -n "$rows" "$WS_SRC/docs/tuning.md" | sort >rows.txt
assert_num "rules" "$(wc -l <rules.txt)" ">=" 20
assert_same "rules in docs/tuning.md" rows.txt rules.txt

# rollbacks_in_cells: the sum over the cells of data.json.
rollbacks_in_cells() {
    tr '[' '\n' <data.json |
        awk -F, 'on && NF >= 6 { n += $4 } /"cells"/ { on = 1 } /"edges"/ { on = 0 } END { print n }'
}

# first KEY: its first value in data.json, which is long here.
first() {
    grep -o "\"$1\":[0-9]*" data.json | head -n 1 | cut -d: -f2
}

# ---- Many PEs and KPs share rows, and the page stays small.
mkdir many again
assert_ok "make_run" "$make_run" many a pes=70 kps=40 lps=6000 samples=25 records=60000 rollbacks=1
assert_ok "make_run" "$make_run" again a pes=70 kps=40 lps=6000 samples=25 records=60000 rollbacks=1 seed=2
assert_ok "two traces" report_json many/a-evtrace.bin again/a-evtrace.bin
grep -q '"KP 0-31 of PE 0-1"' data.json || fail "rows were not joined for fewer cells"
assert_num "steps that were joined" "$(first cell_step)" ">" 1
assert_eq "rollbacks in joined cells of two runs" 120000 "$(rollbacks_in_cells)"
assert_ok "report of many" report_json many
assert_num "bytes of many" "$(wc -c <data.json)" "<" 2500000
grep -q '"KP 0-15 of PE 0-1"' data.json || fail "KPs do not share rows"
grep -q '"pes":\["PE 0-1"' data.json || fail "PEs do not share rows"
assert_eq "rollbacks" 60000 $(($(first primary) + $(first secondary)))
assert_eq "rollbacks in cells" 60000 "$(rollbacks_in_cells)"

# ---- Several files, one run or two.
mkdir run1 two
"$make_run" run1 a pes=2 samples=20 records=2000 rollbacks=20
cp run1/a-gvt.bin two/a-gvt.bin
cp run1/a-gvt.bin two/b-gvt.bin
assert_ok "two runs by their prefixes" report --format=json -o prefixes.json two/a-gvt.bin two/b-gvt.bin
assert_eq "the second run" "b" "$(json_get prefixes.json runs.1.name)"
assert_ok "files of one run" report --format=json -o files.json run1/a-gvt.bin run1/a-evtrace.bin
assert_eq "one run" "" "$(json_get files.json runs.1.name)"

# ---- Existing files stay; the default name is that of the directory.
assert_ok "the default name" report --format=json run1/
assert_eq "the default name" "run1.json" "$(cat last.out)"
echo mine >run1.json
assert_status "an existing file" 1 report --format=json run1
assert_eq "an existing file" "mine" "$(cat run1.json)"
# It is found before anything is read: the message is the only one, also if records are damaged.
cp -r run1 harmed
block=$(grep -obUaF WSBK harmed/a-evtrace.bin | sed -n '2s/:.*//p')
printf '\377\000\377' | dd of=harmed/a-evtrace.bin bs=1 seek=$((block + 900)) conv=notrunc 2>/dev/null
assert_status "damage" 1 report --force --format=json -o harmed.json harmed
assert_contains "damage" last.err "checksum"
for command in "report --format=json -o run1.json" "partition --ranks=2 -o run1.json" "analyze --path=run1.json"; do
    # shellcheck disable=SC2086 # words
    assert_status "before reading: $command" 1 "$warpscope" $command harmed
    assert_eq "before reading: $command" \
        "warpscope: run1.json: exists already: name another place, or replace it with --force" "$(cat last.err)"
done
assert_ok "--force" report --format=json --force run1
assert_contains "--force" run1.json '"runs"'
assert_status "over its input" 1 report --format=json --force -o run1/a-gvt.bin run1/a-gvt.bin
assert_ok "the input afterwards" "$warpscope" verify run1/a-gvt.bin
ln -s nowhere link.json
for force in "" --force; do
    assert_status "a link to nothing $force" 1 report --format=json $force -o link.json run1
    assert_contains "a link to nothing $force" last.err "link.json: is a symbolic link to a file that is missing"
done
[ -L link.json ] || fail "a link to nothing was replaced"
[ ! -e nowhere ] || fail "a link to nothing was written through"
assert_ok "to standard output" report --format=json -o - run1
assert_contains "to standard output" last.out '"runs"'

# ---- A selection.
assert_ok "a PE" report_json --pe=1 run1
assert_ok "its numbers" "$warpscope" stats --json --pe=1 run1/a-gvt.bin
assert_eq "committed by PE 1" "$(json_get last.out files.0.totals.events_committed)" \
    "$(tr '{' '\n' <data.json | sed -n 's/.*"events_committed".*"value":\([0-9]*\).*/\1/p')"
assert_ok "a time" report_json --from=100 --to=200 run1
assert_num "its beginning" "$(json_get data.json runs.0.virtual.0)" ">=" 100
assert_num "its end" "$(json_get data.json runs.0.virtual.1)" "<=" 200
assert_eq "the selection" "--from=100 --to=200" "$(json_get data.json selection)"
assert_ok "without a selection" report_json run1
assert_lacks "without a selection" data.json '"selection"'

assert_ok "a kind of record" report_json --type=event run1
assert_contains "samples not selected" data.json "the selection leaves out the real-time samples"
assert_lacks "samples not selected" data.json "No times by phase: --real-time-samp"
assert_lacks "samples not selected" data.json "No counters over time: --enable"

# ---- Findings of the records of a run that could roll back.
assert_ok "tiny windows" run_mpi 2 "$WS_BIN/phold" --nlp=64 --quiet --synch=2 --lookahead=0.01 --cons-lookahead=0.01 \
    --end=5 --event-trace=1 --stats-path=windows
assert_ok "report of windows" report_json windows
assert_contains "tiny windows" data.json "Only optimistic runs roll back"

# ---- The page: names from recordings cannot leave their element.
report --force -o run1.html run1 >last.out 2>last.err
status=$?
if [ $status = 2 ] && grep -q "built without d3" last.err; then
    partly "no page, since this build has no d3"
    finish
fi
assert_eq "status of a page" 0 $status
assert_num "bytes of the page" "$(wc -c <run1.html)" "<" 1500000
assert_contains "the page" run1.html "<title>run1 - Warpscope report</title>"
assert_contains "the page" run1.html 'id="warpscope-data"'
assert_lacks "the page" run1.html "@DATA@"
assert_num "bytes of the page of many" "$(report -o - many again | wc -c)" "<" 3000000
assert_ok "a title" report --force -o title.html --title='A <b>"title"</b> & more' run1
assert_contains "a title" title.html '<title>A &lt;b&gt;&quot;title&quot;&lt;/b&gt; &amp; more</title>'
rtl=$(printf '\342\200\256')
bad="a<$(printf '\001\377')$rtl\"'&$(printf '\342\200\250')"
mkdir -p "$bad/script><!--<script>"
(cd "$bad/script><!--<script>" && run_mpi 1 "$WS_BIN/phold" --synch=1 --end=5 --quiet \
    --enable-gvt-stats=1 --stats-path="x$bad" >../../model.out 2>&1) ||
    fail "phold in a directory with a strange name"
assert_ok "strange names" report -o strange.html "$bad/script><!--<script>"/*
assert_eq "ends of scripts" "$(grep -aoi '</script' run1.html | wc -l)" \
    "$(grep -aoi '</script' strange.html | wc -l)"
assert_eq "beginnings of scripts" "$(grep -aoi '<script' run1.html | wc -l)" \
    "$(grep -aoi '<script' strange.html | wc -l)"
assert_eq "comments" "$(grep -aoF '<!--' run1.html | wc -l)" "$(grep -aoF '<!--' strange.html | wc -l)"
if have python3; then
    assert_ok "data of strange names" python3 -c '
import json, sys
page = open(sys.argv[1], encoding="utf-8").read()  # all is UTF-8
at = page.index("id=\"warpscope-data\"")
text = page[page.index(">", at) + 1:page.index("</script", at)]
assert not any(c in text for c in "<>&"), "a character that is to be escaped"
facts = dict(json.loads(text)["runs"][0]["facts"])
place = facts["working directory"]
assert place.endswith("/script><!--<script>"), place
assert "a<\x01\ufffd\u202e\"\u0027&\u2028" in place, place' strange.html
fi
finish
