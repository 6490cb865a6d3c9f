#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The database of tasks: one transaction per GVT computation, so that a killed run leaves the committed tasks;
# indexes; open tasks; a full disk.
# test: processors=2 timeout=120
. "$WS_SRC/tests/support/lib.sh"

chores=$WS_TEST_BIN/chores
rm -rf killed whole full ./*.txt

if ! "$chores" --synch=1 --nlp=1 --end=1 --stats-path=try --tracer=database >try.txt 2>&1; then
    assert_contains "without SQLite" try.txt "built without SQLite"
    finish
fi
rm -rf try
python3 -c 'import sqlite3' 2>/dev/null || skip "no python3 with sqlite3"

# sql FILE QUERY: prints the rows, blanks between columns.
sql() {
    python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)' "$1" "$2"
}

# After SIGKILL the part is valid and has the tasks up to a GVT.
"$chores" --synch=3 --nlp=12 --end=1e9 --tracer=database --stats-path=killed --gvt-interval=16 \
    >killed.txt 2>&1 &
killed=$!
wait_for $killed has_size killed/tasks.0.part-wal 1000000 # a row takes less than 100 bytes
wait_until_heard $killed
kill -KILL $killed
wait $killed 2>/dev/null
assert_eq "the part is sound" ok "$(sql killed/tasks.0.part 'PRAGMA integrity_check')"
assert_num "tasks in it" "$(sql killed/tasks.0.part 'SELECT count(*) FROM tasks')" '>' 100

# A complete run: indexes, and marked open tasks.
assert_ok "a whole run" "$chores" --synch=1 --nlp=12 --end=120 --tracer=database --stats-path=whole
db=whole/tasks.sqlite
assert_eq "indexes" "locations_by_name steps_by_what tasks_by_kind tasks_by_location \
tasks_by_parent tasks_by_start" "$(sql $db "SELECT name FROM sqlite_master WHERE type = 'index' AND
    name NOT LIKE 'sqlite%' ORDER BY name" | tr '\n' ' ' | sed 's/ $//')"
assert_contains "they serve" /dev/stdin "tasks_by_location" <<END
$(sql $db 'EXPLAIN QUERY PLAN SELECT * FROM tasks WHERE location = 3 ORDER BY start')
END
assert_num "open tasks" "$(sql $db 'SELECT count(*) FROM tasks WHERE open')" '>' 0
assert_eq "open tasks have no end" "0 0" "$(sql $db \
    'SELECT (SELECT count(*) FROM tasks WHERE open AND "end" IS NOT NULL),
            (SELECT count(*) FROM tasks WHERE NOT open AND "end" IS NULL)')"
assert_eq "places without a name" 0 "$(sql $db 'SELECT count(*) FROM tasks LEFT JOIN locations
    USING (location) WHERE locations.lp IS NULL OR name = ""')"

# A disk that is full while tasks are written, or during the merge of the parts: a message, the run goes on to
# its end with status 1, the report says what is missing, and the written part is valid.
#
# fill END WARNINGS: a run up to that time with files of at most 10 MB, which MPI needs.
fill() {
    rm -rf full
    (
        ulimit -f 20000 # blocks of 512 bytes
        trap '' XFSZ
        "$chores" --synch=1 --nlp=12 --end="$1" --tracer=database --stats-path=full
    ) >full.txt 2>full.err
    assert_eq "status when the disk is full" 1 "$?"
    assert_eq "warnings when the disk is full" "$2" "$(grep -c 'warning: --tracer=database' full.err)"
    assert_contains "the report" full.txt "INCOMPLETE: there is no tasks.sqlite"
    assert_eq "what is in the part" ok "$(sql full/tasks.0.part 'PRAGMA integrity_check')"
    assert_eq "a database that is not whole" "tasks.0.part" "$(cd full && echo tasks.*)"
}
fill 9000 1
assert_contains "what cannot be made" full.err "full/tasks.sqlite cannot be made: "
assert_contains "where the tasks are" full.err "are in full/tasks.RANK.part"
fill 13000 2
assert_contains "what cannot be written" full.err "full/tasks.0.part: "
assert_contains "and then" full.err "the run goes on, and the database keeps the tasks written so far"
"$chores" --synch=1 --nlp=12 --end=13000 >wanted.txt 2>&1
assert_eq "events" "$(awk '/Net Events Processed/ { print $NF }' wanted.txt)" \
    "$(awk '/Net Events Processed/ { print $NF }' full.txt)"
finish
