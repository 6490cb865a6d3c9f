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

# ---- and its mistakes
assert_status "a mistake" 2 "$warpscope" dump $trace --where='hops > 3 & kp == 1'
assert_contains "a mistake" last.err "column 10: && or ||"
assert_eq "the caret" 12 "$(sed -n '3s/\^.*//p' last.err | awk '{ print length + 1 }')"
assert_status "an unknown field" 1 "$warpscope" dump $trace --where='hop > 3'
assert_contains "an unknown field" last.err "did you mean hops?"

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
    # shellcheck disable=SC2086
    assert_status "no such column" 1 "$warpscope" $way $trace --fields=dest --format=csv
    assert_contains "no such column" last.err "no column dest; there are src_lp, dest_lp"
    assert_eq "nothing before the refusal" 0 "$(wc -c <last.out)"
done

# ---- Unknown columns are refused before any output
for wrong in --fields=kp,nope --where='nope > 3' "--type=gvt_pe --where=dest_lp>=0" "--type=gvt_pe --fields=dest_lp" "--type=event --fields=lp" \
    "--merge --fields=nope"; do
    case $wrong in
    --where*) set -- "$wrong" ;;
    *) # shellcheck disable=SC2086 # several words
        set -- $wrong ;;
    esac
    assert_status "dump $wrong" 1 "$warpscope" dump run "$@"
    cat last.err >>refusals.txt
    assert_eq "output of dump $wrong" 0 "$(wc -c <last.out)"
    assert_eq "messages of dump $wrong" 1 "$(wc -l <last.err)"
    [ "$1" = --merge ] && continue
    assert_status "export $wrong" 1 "$warpscope" export run --format=csv --output=refused "$@"
    [ ! -e refused ] || fail "export $wrong made its directory"
done
assert_contains "a field of another kind" refusals.txt "--where: no field dest_lp in the records that the other options choose"
assert_lacks "a field of another kind" refusals.txt "did you mean dest_lp"

# ---- Comparisons without a possible result are refused, also those that only the file shows
assert_status "order of a column of names" 2 "$warpscope" dump run --where='cause_name > 3'
assert_contains "order of a column of names" last.err "column 12: a column of names holds texts, which are equal or not"
for wrong in 'record > 3' 'record < type' 'type == 3' 'type >= "a"'; do
    "$warpscope" dump run --where="$wrong" >last.out 2>last.err
    assert_num "status of $wrong" $? ">=" 1
    assert_eq "output of $wrong" 0 "$(wc -c <last.out)"
    assert_num "message about $wrong" "$(grep -c -e 'is a text: compare it by == or !=' -e 'equal or not' last.err)" "==" 1
done
for empty in --type= --type=event, --type=,event --type=event,,gvt_kp; do
    assert_status "dump $empty" 2 "$warpscope" dump run "$empty"
    assert_contains "dump $empty" last.err "$empty: must be names or patterns"
    assert_status "stats $empty" 2 "$warpscope" stats run "$empty"
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
assert_status "a column of another kind" 1 "$warpscope" dump run/warpscope-gvt.bin --type=gvt_pe --fields=lp
assert_eq "a column of another kind" 0 "$(wc -c <last.out)"
assert_status "columns of a database" 2 "$warpscope" export $trace --fields=kp --format=npy
assert_status "no columns" 2 "$warpscope" dump $trace --fields=kp,,pe

# ---- No selection is empty without a line that says which records there are
# empty TEXT OPTION: checks the line and the status of all commands that have the option.
empty() {
    for way in dump "dump --format=json" "export --force --format=csv --output=empty" stats \
        "stats --json" "report --force -o empty.html" diff "export --force --format=chrome --output=empty"; do
        case "$way $2" in *--where*) case $way in dump* | export*csv*) ;; *) continue ;; esac ;; esac
        run2=run
        [ "$way" = diff ] || run2=
        # shellcheck disable=SC2086 # several words
        assert_ok "$way $2" "$warpscope" $way "$2" run $run2
        assert_eq "$way $2" "warpscope: no record is selected: $1" "$(cat last.err)"
    done
}
empty "the records have LPs 0 to 15" --lp=9999,17-18
empty "the records have KPs 0 to 7" --kp=9999
empty "the condition is true for none of $((lines - 1)) records (lp_type is one of phold)" '--where=lp_type==nurse'
empty "the condition is true for none of $((lines - 1)) records" '--where=hops<0'
assert_ok "times" "$warpscope" dump --from=1e9 $trace
assert_contains "times" last.err "no record is selected: the records have virtual times 1 to 19"
assert_ok "LPs, but not together" "$warpscope" dump --lp=3 --where='dest_lp==4' $trace
assert_eq "LPs, but not together" \
    "warpscope: no record is selected: none of $((lines - 1)) records satisfies everything asked for" "$(cat last.err)"
assert_ok "no record asked for" "$warpscope" dump --lp=9999 --limit=0 run
assert_eq "no record asked for" "" "$(cat last.err)"

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
assert_status "help nothing" 2 "$warpscope" help dmup
assert_contains "help nothing" last.err "did you mean dump?"
assert_ok "help" "$warpscope" help
assert_contains "help" last.out "usage: warpscope COMMAND"
assert_eq "-V" "$("$warpscope" --version)" "$("$warpscope" -V)"
assert_status "--by" 1 "$warpscope" stats run/warpscope-gvt.bin --by=nope
assert_contains "--by" last.err "there are total_rollbacks, "
assert_contains "--by" last.err ", events_rolled_back,"
finish
