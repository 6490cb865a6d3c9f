#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tasks in timelines: every recorded task is a slice on a track of its place, with its steps and the flows to
# its children. All formats are equal, as independent readers check. By wall clock, where tasks have no times,
# one line says so. Memory is bounded.
# test: processors=2 timeout=200 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/timeline.sh"

# check FILE RECORDS [OPTION...]: sets the counts that timeline_tasks.py prints.
check() {
    tasks= open_tasks= nested= steps= task_flows= across= tracks=
    assert_ok "tasks of $*" "$python" -B -S "$checks/timeline_tasks.py" "$@"
    eval "$(cat last.out)"
}

# check_all RUN [unit=S [OPTION...]]: all formats show the same tasks, which are the recorded ones.
check_all() {
    all_run=$1
    shift
    all_unit=${1:-unit=1}
    [ $# = 0 ] || shift
    "$warpscope" dump --format=json "$all_run/warpscope-task.bin" >records.json
    export_all "$all_run" --clock=virtual "--${all_unit}" "$@"
    check out/warpscope.json records.json "$all_unit"
    all_counts=$(cat last.out)
    if reads_all; then
        check perfetto.json records.json "$all_unit"
        assert_eq "Perfetto's and Chrome's tasks" "$all_counts" "$(cat last.out)"
    fi
    if read_ctf; then
        check ctf.json records.json "$all_unit" digits
        assert_eq "CTF's and Chrome's tasks" "$all_counts" "$(cat last.out)"
        assert_eq "counts in CTF" "$tasks $tasks $steps $task_flows $task_flows" "$(
            for all_kind in task_begin task_end task_step child_from child_to; do
                grep -c " $all_kind: " ctf.txt
            done | xargs)"
    fi
    if read_perfetto; then
        assert_eq "instants" "$steps" "$(grep -c TYPE_INSTANT decoded.txt)"
    fi
    eval "$all_counts"
}

# ---- places with tasks in tasks, steps, details, requests between LPs; tasks that do not end
assert_ok "chores" run_mpi 3 "$WS_TEST_BIN/chores" --synch=3 --nlp=4 --end=40 --odd=1 --task-trace=1 \
    --event-trace=3 --stats-path=chores
check_all chores unit=0.001
assert_eq "tasks" "$(grep -c '"task_begin"' records.json)" "$tasks"
for count in open_tasks nested steps task_flows across; do
    eval "n=\$$count"
    assert_num "$count" "$n" ">" 5
done
assert_contains "details" out/warpscope.json '"detail":"'
# Events are shown as well, as without tasks.
"$warpscope" dump chores/warpscope-evtrace.bin >events.csv
assert_ok "events" "$python" -B -S "$checks/timeline_check.py" out/warpscope.json events.csv virtual unit=0.001

# ---- packets over the links of two ranks; no event trace: tasks alone
assert_ok "netsim" run_mpi 2 "$WS_BIN/netsim" --synch=3 --load=0.02 --end=0.0045 --task-trace=1 --quiet \
    --stats-path=net
check_all net
assert_eq "hops and journeys" "$tasks" "$(grep -c '"task_begin"' records.json)"
assert_num "flows between ranks" "$across" ">" 10
assert_num "transmissions in hops" "$nested" ">" 100
assert_eq "events" 0 "$(grep -c '"cat":"event"' out/warpscope.json)"

# ---- selections
assert_ok "tasks of a PE" "$warpscope" export --format=chrome --clock=virtual --force --output=some.json \
    --pe=1 chores
assert_eq "processes" "PE 1 tasks of PE 1" "$(sed -n \
    's/.*"process_name".*"name":"\([^"]*\)".*/\1/p' some.json | xargs)"
assert_ok "tasks alone" "$warpscope" export --format=chrome --clock=virtual --force --output=some.json \
    --type='task_*' chores
assert_eq "events" 0 "$(grep -c '"src_lp"' some.json)"
"$warpscope" dump --format=json chores/warpscope-task.bin >records.json
check some.json records.json
assert_ok "a time" "$warpscope" export --format=chrome --clock=virtual --force --output=some.json \
    --from=10 --to=12 --type='task_*' chores
assert_eq "tasks under way then" "$("$warpscope" dump --format=csv --type=task_end,task_begin chores/warpscope-task.bin |
    "$python" -c 'import csv, sys
tasks = {}
for r in csv.DictReader(sys.stdin):
    key = r["lp"], r["number"], r["from"]
    if r["record"] == "task_end" or key not in tasks:
        tasks[key] = (float(r["start"]), float(r["vt"]) if r["record"] == "task_end" else 1e9)
print(sum(s < 12 and e >= 10 for s, e in tasks.values()))')" "$(grep -c '"ph":"X"' some.json)"

# ---- by wall clock
assert_ok "wall clock" "$warpscope" export --format=chrome --force --output=wall.json chores
assert_eq "what is said" "warpscope: chores/warpscope-task.bin: note: tasks have virtual times only\
 and are left out: --clock=virtual shows them" "$(cat last.err)"
assert_eq "tasks" 0 "$(grep -c 'tasks of PE' wall.json)"
assert_status "tasks by wall clock" 1 "$warpscope" export --format=chrome --output=no.json net
assert_contains "tasks by wall clock" last.err "tasks alone are shown with --clock=virtual"
assert_eq "no output" "" "$(ls no.json 2>/dev/null)"

# ---- an earlier export's streams
if have babeltrace2; then
    assert_ok "CTF without tasks" "$warpscope" export --format=ctf --force --clock=virtual --output=out \
        --type='*' --pe=0 chores
    assert_eq "streams" "metadata pe_0 tasks_0" "$(ls out/warpscope-ctf | xargs)"
    assert_ok "CTF by wall clock" "$warpscope" export --format=ctf --force --output=out chores
    assert_eq "streams" "metadata pe_0 pe_1 pe_2" "$(ls out/warpscope-ctf | xargs)"
fi

# ---- memory has a bound: some 60,000 tasks take temporary files
if [ "$WS_SANITIZE" = 0 ]; then
    assert_ok "netsim" "$WS_BIN/netsim" --synch=1 --load=0.02 --end=0.03 --task-trace=1 --quiet \
        --stats-path=large
    mkdir spill
    for format in chrome perfetto ctf; do
        assert_ok "memory of $format" sh -c "ulimit -v 110000 && TMPDIR=spill exec '$warpscope' \
            export --force --format=$format --clock=virtual --output=bound large"
    done
    assert_eq "tasks" "$(($("$warpscope" dump --type=task_begin large/warpscope-task.bin | wc -l) - 1))" \
        "$(grep -c '"ph":"X"' bound/warpscope.json)"
    assert_eq "temporary files" "" "$(ls -A spill)"
    assert_status "no place for temporary files" 1 env TMPDIR=/nowhere "$warpscope" export \
        --force --format=chrome --clock=virtual --output=bound large
    assert_contains "no place" last.err "cannot create a temporary file in /nowhere"
fi
finish
