#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tasks: recorded tasks and results of tracers are the same under every scheduler and on any number of ranks,
# and agree with the model's own counts. Invalid calls change nothing. Invalid tracers are refused before
# anything is written. Observers do not change the run.
# test: processors=2 timeout=120
# shellcheck disable=SC2016,SC2034,SC2317 # repeat_until evaluates its condition
. "$WS_SRC/tests/support/lib.sh"

chores=$WS_TEST_BIN/chores
warpscope=$WS_BIN/warpscope
tracers='busy:kind=work;total:where=clerk*;average:kind=req_*;count;steps:kind=work;backtrace'

# run NAME RANKS SYNCH OPTIONS: runs 12 LPs on these ranks. By MPI, no rank waits for the others, which gives rollbacks.
run() {
    rm -rf "$1" "$1".counts.*
    name=$1
    ranks=$2
    synch=$3
    shift 3
    run_mpi "$ranks" "$chores" --synch="$synch" --nlp=$((12 / ranks)) --end=120 --counts="$name.counts" --odd=1 \
        --task-trace=1 --tracer="$tracers" --transport=mpi --stats-path="$name" "$@" >"$name.out" 2>"$name.err" || fail "run $name"
    set -- "$name"
    sed -n '/^Tracer/,/^$/p' "$1.out" >"$1.report"
    cat "$1".counts.* | grep '^CHECK' | sort -k2n >"$1.check"
    cat "$1".counts.* | grep '^ODD' | sort -k2n >"$1.odd"
    for file in task tracer; do
        assert_ok "verify $1" "$warpscope" verify "$1/warpscope-$file.bin"
        "$warpscope" dump --merge "$1/warpscope-$file.bin" >"$1.$file" || fail "dump $1"
    done
}

rolled_back() {
    awk '/Events Rolled Back/ { print $NF }' "$1.out"
}

run reference 1 1
assert_num "records of tasks" "$(wc -l <reference.task)" ">" 1000
for other in "one 1 3" "two 2 3" "three 3 3" "four 4 3" "windows 2 2"; do
    name=${other%% *}
    case $name in two | three | four) least=101 ;; *) least=0 ;; esac
    # shellcheck disable=SC2086 # three words
    repeat_until 'is_num "$(rolled_back $name)" ">=" $least' run $other
    for what in report check odd task tracer; do
        assert_same "$what of $name" "reference.$what" "$name.$what"
    done
done
for rolled in two three four; do
    assert_num "events rolled back, $rolled" "$(rolled_back $rolled)" ">" 100
done
assert_num "lines of the model's own tracer" "$(wc -l <reference.odd)" ">=" 10
assert_ok "diff" "$warpscope" diff reference three
assert_ok "stats" "$warpscope" stats reference
assert_eq "lines of stats that pass the page" "" "$(awk 'length > 80 && !/--synch=/' last.out)"

# A cut: a restart from a checkpoint, or a move of LPs, on any ranks. Tracers continue, and the records of both
# parts, the first one up to the cut, are those of the uninterrupted run, also for a subscriber. A library that saves
# its state has the same results.
collect=--subscribers=$WS_BUILD/lib/warpscope/st_collector.so,$WS_TEST_BIN/libkeeps_state.so
# rows FOLDER UNTIL: the records of tasks before that time, as lines in any order.
rows() {
    "$warpscope" dump --merge --format=jsonl "$1/warpscope-task.bin" | awk -v until="$2" '
        { match($0, /"vt":[^,]*/) } substr($0, RSTART + 5, RLENGTH - 5) + 0 < until'
    cat "$1"/collector-*.txt | awk -v until="$2" '$1 < until'
}
# state FOLDER: the results of the library, those of all ranks together.
state() {
    cat "$1"/state-*.txt | awk '$1 == "records" { sum += $2; next } { print } END { print "records", sum }' | sort
}
run first 2 3 "$collect" --checkpoint-every=31.5 --checkpoint-path=saved --checkpoint-keep=9
for what in report check odd task tracer; do
    assert_same "$what of the run with checkpoints" "reference.$what" "first.$what"
done
state first >whole.state
assert_eq "records that the library saw" "records $(cat first/collector-*.txt | wc -l)" "$(tail -n 1 whole.state)"
rows first 999 | sort >whole.rows
assert_num "rows" "$(wc -l <whole.rows)" ">" 2000
for cut in "1 31.5 3 5" "2 63 4 3" "3 94.5 2 2" "3 94.5 1 1"; do
    # shellcheck disable=SC2086 # four words
    set -- $cut
    run "again$3" "$3" "$4" "$collect" --restart="saved/at-$1"
    { rows first "$2" && rows "again$3" 999; } | sort >"again$3.rows"
    assert_same "records of the restart on $3 ranks" whole.rows "again$3.rows"
    state "again$3" >"again$3.state"
    assert_same "state of the library after the restart on $3 ranks" whole.state "again$3.state"
    for what in report check odd tracer; do
        assert_same "$what of the restart on $3 ranks" "reference.$what" "again$3.$what"
    done
done
assert_ok "tasks that began before the recording" "$warpscope" tasks --kind=work again1
assert_eq "tasks that have not ended" "$(awk '{ n += $3 - $4 } END { print n }' reference.check)" \
    "$(awk 'NF == 9 && $1 == "job" { n += $9 } END { print n }' last.out)"

# Tasks that nobody watched in the first part are tasks of the model, without records.
assert_ok "nobody watches" run_mpi 2 "$chores" --synch=3 --nlp=6 --end=120 --checkpoint-every=60 \
    --checkpoint-path=blindly
run late 1 1 --restart=blindly
assert_same "what the model does" reference.check late.check
assert_contains "what is missing" late.err "tasks that began before time 60 and have not ended are not in"
assert_contains "what is missing" late.err "tracer busy:kind=work begins at time 60: the run that wrote"
assert_ok "nobody watches the second part" run_mpi 1 "$chores" --synch=1 --nlp=12 --end=120 --restart=saved/at-1 \
    --counts=unseen
sort -k2n unseen.0 | grep '^CHECK' >unseen.check
assert_same "what the model does" reference.check unseen.check

run_mpi 2 "$chores" --nlp=6 --end=1 --map=auto >metis.txt 2>&1
if ! grep -q 'METIS' metis.txt; then
    run moved 3 3 "$collect" --map=auto --map-at=45
    assert_contains "LPs move" moved.err "of 12 LPs move at time 45"
    assert_num "files of tasks" "$(find moved -name '*-task.bin' | wc -l)" "==" 2
    rows moved 999 | sort >moved.rows
    assert_same "records of the moved run" whole.rows moved.rows
    state moved >moved.state
    assert_same "state of the library after the move" whole.state moved.state
    for what in report check odd tracer; do
        assert_same "$what of the moved run" "reference.$what" "moved.$what"
    done
fi

# Observers of other streams do not change the trace.
assert_ok "run with an observer" env WARPSCOPE_COLLECTOR_STREAMS=warpscope.send "$chores" --synch=1 \
    --nlp=12 --end=120 --odd=1 --counts=observed --task-trace=1 --tracer="$tracers" --stats-path=observed \
    --subscribers="$WS_BUILD/lib/warpscope/st_collector.so"
assert_num "what the observer saw" "$(wc -l <observed/collector-0.txt)" ">" 100
for file in task tracer; do
    "$warpscope" dump --merge "observed/warpscope-$file.bin" >"observed.$file" || fail "dump observed"
    assert_same "$file of the observed run" "reference.$file" "observed.$file"
done

# Switched off by the environment, with a warning.
assert_ok "run without tasks" env ROSS_TRACE_ENABLE=0 "$chores" --synch=1 --nlp=2 --end=20 --tracer=count \
    --disable-output=1
assert_contains "what is switched off" last.err "ROSS_TRACE_ENABLE"

# Names of places in UTF-8: widths count characters, and no character is cut.
if [ -x "$WS_BIN/netsim" ]; then
    sed 's/label "\([A-Z]\)"/label "Größe-€€-\1-and-much-more"/' "$WS_SRC/models/netsim/data/bottleneck.gml" >utf8.gml
    assert_ok "places in UTF-8" "$WS_BIN/netsim" --topology=utf8.gml --synch=1 --end=0.01 --load=0.3 \
        --tracer=total --disable-output=1
    sed -n '/^Tracer/,/^$/s/\(ö\|ß\|€\)/x/gp' last.out | grep '(LP ' >places.txt
    assert_eq "lines of places" "2 63" "$(LC_ALL=C awk '{ print length }' places.txt | uniq -c | awk '{ print $1, $2 }')"
fi

# The model's counts: LP begun ended busy total hits tasks-with-a-hit.
"$warpscope" dump --type=tracer reference/warpscope-tracer.bin >rows.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["tracer"] == 1 { print "CHECK", $at["lp"], $at["begun"], $at["ended"], $at["busy"], $at["total"] }
    ' rows.csv | sort -k2n >found.txt
awk '$3 > 0 { print $1, $2, $3, $4, $5 + 0, $6 + 0 }' reference.check >counted.txt
assert_same "what the tracer found and the model counted" counted.txt found.txt
assert_eq "hits" "$(awk '{ n += $7; m += $8 } END { print n, "in", m, "tasks" }' reference.check)" \
    "$(awk '$1 == "hit" { print $2, $3, $4, $5 }' reference.report)"

# Runs with and without observers are equal.
assert_ok "run without tracing" "$chores" --synch=1 --nlp=12 --end=120 --counts=blind
sort -k2n blind.0 >blind.check
assert_same "what the model did" reference.check blind.check

# Records of ends repeat the beginnings of their tasks.
"$warpscope" dump --type=task_end reference/warpscope-task.bin >ends.csv
assert_eq "durations" "$(awk '{ n += $4; t += $6 } END { print n, t }' reference.check)" "$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["kind"] == "work" { n++; t += $at["vt"] - $at["start"] } END { print n, t }' ends.csv)"
assert_eq "tasks told of as a whole" "$(grep -c '^[^,]*,[^,]*,.*,refusal,' reference.task)" \
    "$(($(grep -c ',refusal,' ends.csv) * 2))"

# The reader's sums, and busy times computed independently from the ends.
assert_ok "tasks" "$warpscope" tasks --kind=work --top=99 reference
cp last.out tasks.txt
assert_eq "tasks that ended" "$(awk '{ n += $4 } END { print n }' reference.check)" \
    "$(awk '$1 == "job" { n += $3 } END { print n }' tasks.txt)"
assert_eq "tasks that are open" "$(awk '{ n += $3 - $4 } END { print n }' reference.check)" \
    "$(awk 'NF == 9 && $1 == "job" { n += $9 } END { print n }' tasks.txt)"
assert_ok "tasks" "$warpscope" tasks --where=door --top=99 three
awk '$1 == "door" { print $2, $3, $5 + 0 }' last.out | sort -n >door.found
tr -d '"' <ends.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["where"] == "door" { lp = $at["lp"]; n[lp]++
        for (t = $at["start"]; t < $at["vt"]; t += 0.25) busy[lp, t] = 1 }
    END { for (b in busy) { split(b, key, SUBSEP); sum[key[1]] += 0.25 }
        for (lp in n) print lp, n[lp], sum[lp] + 0 }' | sort -n >door.counted
assert_num "places" "$(wc -l <door.counted)" ">=" 1
assert_same "busy times of the door" door.counted door.found
id=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["kind"] == "work" && $at["vt"] > 60 { print $at["parent_from"] "." $at["parent_number"]; exit }' ends.csv)
for run in reference three; do
    assert_ok "life of $id" "$warpscope" tasks --life="$id" $run
    tail -n +2 last.out >$run.life
done
assert_same "life of $id" reference.life three.life
assert_eq "beginnings and ends in a life" "3 3" \
    "$(grep -c ' begins ' reference.life) $(grep -c ' ends after ' reference.life)"
assert_contains "life" reference.life "req_out: ask"
assert_status "a task that is not there" 1 "$warpscope" tasks --life=3.999999 reference
assert_contains "a task that is not there" last.err "has no such task"
for wrong in 3 3. .3 3.4. 3.4.5.6 x.3 -1.2; do
    assert_status "--life=$wrong" 2 "$warpscope" tasks --life=$wrong reference
done
assert_status "no tasks in it" 1 "$warpscope" tasks reference/warpscope-tracer.bin

# A tracer whose filter fits no task is reported, with the number of tasks; others are not.
began=$("$warpscope" dump --type=task_begin reference/warpscope-task.bin | tail -n +2 | wc -l)
kinds=$("$warpscope" tasks --json reference | tr ',' '\n' | sed -n 's/.*"kind":"\([^"]*\)".*/\1/p' | sort -u | paste -sd, -)
for ranks in 1 3; do
    assert_ok "a filter that nothing fits" run_mpi $ranks "$chores" --synch=3 --nlp=$((12 / ranks)) \
        --end=120 --odd=1 --tracer='busy:kind=wrok;count:kind=work' --disable-output=1
    assert_eq "hints on $ranks ranks" \
        "HINT: none of the $began tasks that began fits this tracer's filter; kinds: $kinds" \
        "$(grep HINT last.out | sed 's/^[[:space:]]*//')"
    assert_contains "the hint's place" last.out "Tracer busy:kind=wrok"
done
assert_ok "a model without tasks" "$WS_BIN/phold" --synch=1 --end=2 --task-trace=1 --tracer=total --stats-path=idle
assert_eq "hints about no tasks" 2 "$(grep -c 'HINT: no task began.*st_task_begin() or st_task_add()' last.out)"
# The reader says which kinds there are.
assert_status "no such kind" 1 "$warpscope" tasks --kind=wrok reference
assert_contains "no such kind" last.err "warpscope: no task has the kind wrok; there are "
assert_eq "kinds that there are" "$kinds" \
    "$(sed 's/.*there are //; s/, /\n/g' last.err | sort | paste -sd, -)"
assert_ok "no tasks at all" "$warpscope" tasks idle
assert_eq "no tasks at all" \
    "warpscope: idle/warpscope-task.bin has no task; models tell of tasks by st_task_begin() or st_task_add()" \
    "$(cat last.err)"

# The database: the same rows from any number of ranks, and no other file left.
tables() {
    python3 -c 'import sqlite3, sys
for line in sqlite3.connect(sys.argv[1]).iterdump(): print(line)' "$1"
}
if "$chores" --synch=1 --nlp=1 --end=1 --stats-path=try --tracer=database >try.out 2>try.err; then
    for ranks in 1 3; do
        assert_ok "database on $ranks ranks" run_mpi $ranks "$chores" --synch=3 --nlp=$((12 / ranks)) \
            --end=120 --tracer="database:kind=work;database:where=door" --stats-path=db$ranks
        assert_eq "files of tasks" "tasks.sqlite" "$(cd db$ranks && echo tasks*)"
    done
    if python3 -c 'import sqlite3' 2>/dev/null; then
        tables db1/tasks.sqlite >db1.sql
        tables db3/tasks.sqlite >db3.sql
        assert_same "the databases" db1.sql db3.sql
        assert_eq "work, open, time" \
            "$(awk '{ n += $3; o += $3 - $4; t += $6 } END { print n, o, t }' reference.check)" "$(
            python3 -c 'import sqlite3
print(*["%.12g" % x for x in sqlite3.connect("db3/tasks.sqlite").execute(
    "select count(*), sum(open), sum(\"end\" - start) from tasks where kind = \"work\"").fetchone()])')"
        assert_eq "steps that are hits" "$(awk '{ n += $7 } END { print n }' reference.check)" "$(
            python3 -c 'import sqlite3
print(sqlite3.connect("db3/tasks.sqlite").execute(
    "select count(*) from steps where what = \"hit\" and not detail").fetchone()[0])')"
    fi
    assert_status "a database without files" 2 "$chores" --synch=1 --end=1 --tracer=database \
        --disable-output
    assert_contains "a database without files" last.err "--disable-output forbids"

    # A signal: no merge, the parts remain, and the report says so.
    "$chores" --synch=1 --nlp=12 --end=1e9 --tracer=database --stats-path=ended >ended.txt 2>&1 &
    ended=$!
    wait_for $ended [ -e ended/tasks.0.part ]
    wait_until_heard $ended
    kill -TERM $ended
    wait $ended
    assert_eq "files of tasks after a signal" "tasks.0.part" "$(cd ended && echo tasks*)"
    assert_contains "after a signal" ended.txt "INCOMPLETE: there is no tasks.sqlite: a signal ended"
else
    assert_contains "without SQLite" try.err "built without SQLite"
fi

# Invalid options.
bad() {
    assert_status "--tracer=$1" 2 "$chores" --synch=1 --end=1 --stats-path=bad --tracer="$1"
    assert_contains "--tracer=$1" last.err "$2"
    assert_num "lines about --tracer=$1" "$(grep -c . last.err)" "<=" 2
    [ ! -e bad ] || fail "--tracer=$1 left a directory"
}
bad "lazy" 'there is no tracer "lazy": give busy'
bad "busy;count:" 'is no filter'
bad "busy:who=x" '"who=x" is no filter'
bad "busy:kind=" 'has no pattern'
bad "busy:kind=a,kind=b" 'is given twice'
bad ";" 'names no tracer'
finish
