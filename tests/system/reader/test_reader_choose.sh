#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Selections of the reader's commands: dump of directories, --where, --fields, tsv and JSON lines, --json of
# all commands with sums, help by command, the fields for --by.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
assert_ok "run" run_mpi 2 "$WS_BIN/phold" --nlp=8 --end=20 --remote=0.5 --event-trace=3 --enable-gvt-stats=1 \
    --granularity=1 --quiet --stats-path=run
trace=run/warpscope-evtrace.bin
"$warpscope" dump $trace >all.csv || fail "dump"

# column NAME: its number in all.csv.
column() {
    head -n 1 all.csv | tr ',' '\n' | grep -nx "$1" | cut -d: -f1
}
dest=$(column dest_lp) hops=$(column hops) recv=$(column recv_ts)

# ---- --where selects the same lines
awk -F, -v d="$dest" -v h="$hops" -v r="$recv" \
    'NR == 1 || ($h > 3 && ($d == 2 || $d == 9) && !($r < 5))' all.csv >wanted.csv
assert_num "lines" "$(wc -l <wanted.csv)" '>' 3
condition='hops > 3 && (dest_lp == 2 || dest_lp == 9) && !(recv_ts < 5)'
assert_ok "--where" "$warpscope" dump $trace --where="$condition"
assert_same "--where" last.out wanted.csv
assert_ok "export --where" "$warpscope" export --format=csv --output=- $trace --where="$condition"
assert_same "export --where" last.out wanted.csv
assert_ok "--where of a directory" "$warpscope" dump run --where='record == "gvt_kp" && kp == 3'
assert_eq "files" 1 "$(grep -c '^# ' last.out)"
assert_eq "kinds" gvt_kp "$(sed 1,2d last.out | cut -d, -f1 | sort -u)"
assert_ok "--merge --where" "$warpscope" dump --merge $trace --where='hops > 3'
assert_eq "lines" "$(awk -F, -v h="$hops" '$h > 3' all.csv | wc -l)" "$(wc -l <last.out)"

# ---- Columns and forms
awk -F, -v d="$dest" -v r="$recv" '{ print $r "\t" $d }' all.csv >wanted.tsv
assert_ok "tsv" "$warpscope" dump $trace --fields=recv_ts,dest_lp --format=tsv
assert_same "tsv" last.out wanted.tsv
assert_ok "export of tsv" "$warpscope" export $trace --fields=recv_ts,dest_lp --format=tsv --output=-
assert_same "export of tsv" last.out wanted.tsv
awk -F, -v d="$dest" -v r="$recv" 'NR > 1 { print "{\"recv_ts\":" $r ",\"dest_lp\":" $d "}" }' all.csv >wanted.jsonl
for way in dump "export --output=-"; do
    # shellcheck disable=SC2086 # several words
    assert_ok "jsonl" "$warpscope" $way $trace --fields=recv_ts,dest_lp --format=jsonl
    assert_same "jsonl of $way" last.out wanted.jsonl
done

# ---- Words compared with the kind of a record or the type of an LP need no quotes
"$warpscope" dump run --where='lp_type=="phold"' >quoted.csv 2>quoted.err
lines=$(grep -vc '^#' quoted.csv)
for condition in 'type==phold' 'phold == type' 'type=="phold"'; do
    assert_ok "$condition" "$warpscope" dump run --where="$condition"
    assert_same "$condition" last.out quoted.csv
done
assert_num "records of the type" "$lines" ">" 2
assert_ok "a kind as a word" "$warpscope" dump run --where='record == gvt_kp && kp == 3'
cp last.out word.csv
assert_ok "a kind in quotes" "$warpscope" dump run --where='record == "gvt_kp" && kp == 3'
assert_same "a kind as a word" word.csv last.out
assert_ok "a field of the chosen kind" "$warpscope" dump run --type=event --where='dest_lp>=0'
assert_ok "a column of one of the kinds" "$warpscope" dump run --fields=dest_lp,total_rollbacks

# ---- Messages and reports are UTF-8, whatever bytes the user gives
odd=$(printf 'x\351y')
for command in "$warpscope $odd" "$warpscope dump --lp=$odd run" "$warpscope stats --by=$odd run" \
    "$warpscope dump --where=$odd run" "$WS_BIN/phold --end=$odd" "$WS_BIN/phold --lp-map=$odd" \
    "$WS_BIN/phold --synch=1 --end=1 --event-trace=1 --stats-filename=$odd --stats-path=odd"; do
    $command >odd.txt 2>&1
    assert_eq "bytes that are not UTF-8" "" "$(iconv -f utf-8 -t utf-8 odd.txt 2>&1 >/dev/null)"
    assert_contains "the text" odd.txt 'x?y'
done

# ---- Folders
assert_ok "dump of a directory" "$warpscope" dump run
assert_eq "files" 2 "$(grep -c '^# run/' last.out)"
sed -n "/^# run.warpscope-evtrace/,/^\$/p" last.out | sed '1d;/^$/d' >part.csv
assert_same "its trace" part.csv all.csv
assert_ok "jsonl of a directory" "$warpscope" dump run --format=jsonl --type=gvt_pe,event --limit=4000
assert_contains "paths" last.out '"file":"run/warpscope-gvt.bin"'
assert_ok "limit" "$warpscope" dump run --limit=2
assert_eq "limit" 4 "$(wc -l <last.out)"

# ---- JSON of all that add up, help, choices
assert_ok "verify" "$warpscope" verify --json run
cp last.out verify.json
assert_eq "verified records" $(($(wc -l <all.csv) - 1)) "$(json_get verify.json files.0.records)"
assert_eq "verified" true "$(json_get verify.json complete)"
dd if=/dev/zero of=run/warpscope-evtrace.bin bs=1 seek=65670 count=64 conv=notrunc 2>/dev/null
assert_status "verify of damage" 1 "$warpscope" verify --json run
cp last.out verify.json
assert_eq "damaged" false "$(json_get verify.json files.0.complete)"
assert_ne "its fault" "" "$(json_get verify.json files.0.faults.0)"
assert_ok "run with tasks" "$WS_BIN/netsim" --end=0.001 --synch=1 --task-trace=1 --quiet --stats-path=tasks
assert_ok "tasks" "$warpscope" tasks --json tasks
cp last.out tasks.json
assert_ne "kinds" "" "$(json_get tasks.json files.0.kinds.0.kind)"
for command in info stats tasks dump export diff $(echo memtrace | built) verify recover rerun; do
    "$warpscope" "$command" --help >help.txt
    assert_ok "help $command" "$warpscope" help "$command"
    assert_same "help $command" last.out help.txt
done
assert_ok "help" "$warpscope" help
assert_contains "help" last.out "usage: warpscope COMMAND"
assert_eq "-V" "$("$warpscope" --version)" "$("$warpscope" -V)"
finish
