#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# warpscope study: 60 runs of netsim survive three kills, and no finished run is repeated; tables, page, job script;
# a disk that fills; replications have random streams of their own.
# test: processors=2 timeout=240 sanitize=no
. "$WS_SRC/tests/support/lib.sh"
. "$WS_SRC/tests/support/python.sh"
python_package
[ -e "$WS_BUILD/libexec/warpscope/python" ] || skip "built without the Python package"
unset PYTHONPATH WARPSCOPE_READER_LIBRARY # the command finds both by itself
warpscope=$WS_BIN/warpscope

cat >load.json <<TEXT
{"command": ["$WS_BIN/netsim", "--synch=1", "--load={load}", "--end=0.0004", "--model-stats=4", "--vt-interval=0.0001"],
 "parameters": {"load": {"from": 0.1, "to": 1.0, "step": 0.1}}, "replications": 6,
 "collect": {"events": {"report": "net_events"}, "sent": "sum(model.sent)"}}
TEXT
finished() {
    find load-study/runs -name result.json -exec cksum {} + | sort
}

# The results that were there before a kill are there after it, unchanged: no finished run is repeated.
n_before=0
for kill in 1 2 3; do
    "$warpscope" study run load.json --quiet 2>kill.err &
    pid=$!
    wait_for "$pid" sh -c "[ \$(find load-study/runs -name result.json 2>/dev/null | wc -l) -gt $n_before ]"
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    finished >"before.$kill"
    n_before=$(wc -l <"before.$kill")
done
assert_ok "going on" "$warpscope" study run load.json
cp last.out status.txt
finished >after
assert_eq "finished runs" 60 "$(wc -l <after)"
for kill in 1 2 3; do
    assert_eq "results of before kill $kill that changed" "" "$(comm -23 "before.$kill" after)"
done
assert_ok "nothing left to do" "$warpscope" study run load.json --quiet
finished | cmp - after || fail "a finished run was repeated"
assert_contains "estimates" status.txt '0.5   6 '
assert_ok "table" "$warpscope" study table load-study
assert_eq "rows" 11 "$(wc -l <last.out)"
assert_ok "runs" "$warpscope" study table load-study --runs --output=runs.csv
assert_eq "rows of runs" 61 "$(wc -l <runs.csv)"
assert_eq "different results of a case" 6 "$(grep '^0.5,' runs.csv | cut -d, -f5,6 | sort -u | wc -l)"
assert_ok "database" "$warpscope" study table load-study --format=sqlite --output=load.sqlite
assert_eq "rows of the database" 60 "$("$python" -c "import sqlite3
print(sqlite3.connect('load.sqlite').execute('SELECT count(*) FROM runs').fetchone()[0])")"
assert_ok "page" "$warpscope" report load-study
assert_eq "points of two charts" 20 "$(grep -o '<title>load=' load-study.html | wc -l)"
assert_status "page that exists" 1 "$warpscope" report load-study

# Two replications commit different events, and a replication the same on two ranks.
fingerprint() {
    "$WS_BIN/netsim" --synch=1 --end=0.0001 --fingerprint --quiet "$@" | sed -n 's/.*Committed Events Fingerprint *//p'
}
one=$(fingerprint --replication=1)
assert_eq "different replications" 3 "$(printf '%s\n' "$one" "$(fingerprint)" "$(fingerprint --replication=2)" | sort -u | wc -l)"
assert_ok "two ranks" run_mpi 2 "$WS_BIN/netsim" --synch=3 --end=0.0001 --fingerprint --quiet --replication=1
assert_eq "fingerprint" "$one" "$(sed -n 's/.*Committed Events Fingerprint *//p' last.out)"
assert_status "replication too large" 2 "$WS_BIN/phold" --replication=32768

# A job script that shellcheck likes, whose tasks each do one run.
assert_ok "script" "$warpscope" study script load.json --directory=jobs
cp last.out job.sh
assert_contains "array" job.sh '#SBATCH --array=0-59%50'
! have shellcheck || assert_ok "shellcheck" shellcheck job.sh
assert_ok "a task" env "PATH=$WS_BIN:$PATH" SLURM_ARRAY_TASK_ID=13 sh job.sh
assert_eq "its run" 1 "$(find jobs/runs -name result.json | wc -l)"

# Mistakes: one message each.
sed 's/collect/colect/' load.json >wrong.json
assert_status "unknown key" 2 "$warpscope" study run wrong.json
assert_contains "names it" last.err "unknown key 'colect'; did you mean collect"
assert_status "no study" 2 "$warpscope" study status .
assert_status "unknown command" 2 "$warpscope" study repeat load.json

# A disk that fills stops the study, and loses nothing; with room, it goes on.
mkdir -p disk
if unshare --user --map-root-user --mount true 2>/dev/null; then
    cat >full.sh <<'TEXT'
mount -t tmpfs -o size=600k tmpfs disk || exit 77
"$1" study run load.json --directory=disk/study --quiet 2>full.err
echo $? >full.status
find disk/study/runs -name result.json | wc -l >full.results
mount -o remount,size=200m disk
"$1" study run load.json --directory=disk/study --quiet 2>more.err
echo $? >more.status
find disk/study/runs -name result.json | wc -l >more.results
TEXT
    if unshare --user --map-root-user --mount sh full.sh "$warpscope"; then
        assert_eq "status where the disk is full" 1 "$(cat full.status)"
        assert_contains "message" full.err 'the disk is full; finished runs are kept'
        assert_eq "status with room" 0 "$(cat more.status)"
        assert_eq "all runs" 60 "$(cat more.results)"
    else
        partly "no small disk"
    fi
else
    partly "no namespaces"
fi
finish
