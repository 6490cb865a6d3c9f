#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# For any contents of a file, the warpscope command ends with 0 or 1, and "verify" ends with 0 only where
# "dump" then prints without an error.
# test: processors=1 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
seed=${WS_TEST_SEED:-$(date +%s)}
echo "WS_TEST_SEED=$seed"
"$WS_TEST_BIN/make_records" . a pes=2 rows=30 extent=8192 || fail "make_records"
"$WS_TEST_BIN/make_causal" c-evtrace.bin shape=random pes=2 lps=9 timed=2 payload=1 || fail "make_causal"
mkdir run
"$WS_TEST_BIN/make_run" run b pes=2 kps=2 lps=5 samples=8 records=80 rollbacks=4 || fail "make_run"

# attack SEED FILE COMMAND...: runs each command on a changed copy of the file. If "verify" comes first, its
# result says whether the other commands may report errors.
attack() {
    number=$1
    file=x-${2##*-}
    "$WS_TEST_BIN/change_file" "$2" "$file" "$number" || fail "change_file"
    shift 2
    for command; do
        # shellcheck disable=SC2086 # several words
        timeout 200 "$warpscope" $command "$file" >out.txt 2>err.txt
        status=$?
        assertions=$((assertions + 1))
        case "$status $command" in
        "0 verify") verified=0 ;;
        "1 verify") verified=1 ;;
        "0 "*) ;;
        # A valid file may lack what these need: committed events, or a trace of rollbacks if its head says so.
        "1 analyze"* | "1 partition"* | "1 advise"* | "1 rollbacks" | "1 stats --by"*) ;;
        # A valid file may lack the records that the wide layout needs, or be of another stream.
        "1 "*wide* | "2 "*wide*) ;;
        "1 "*) [ "$verified" -eq 1 ] || fail "seed $number: $command finds more than verify" ;;
        *)
            fail "seed $number: $command of $file: exit status $status"
            head -n 20 err.txt
            ;;
        esac
    done
}

# Unchanged, these files have what the commands need.
for command in "analyze" "partition --output=-" "advise"; do
    "$warpscope" partition /nowhere 2>&1 | grep -q "built without METIS" && [ "$command" != analyze ] && continue
    # shellcheck disable=SC2086 # words
    assert_ok "$command" "$warpscope" $command c-evtrace.bin
done

rounds=${WS_PART:+4} # with sanitizers the fuzzer of the reader searches as well
i=0
while [ $i -lt "${rounds:-16}" ]; do
    i=$((i + 1))
    for stream in evtrace model; do
        attack $((seed + i)) a-$stream.bin "verify" "info --json" "info" "dump" \
            "dump --format=json --from=1 --pe=1" "stats"
    done
    for stream in gvt rt; do
        attack $((seed + i)) run/b-$stream.bin "verify" "dump --layout=wide" "stats --json" \
            "dump --layout=wide --granularity=0 --format=json" \
            "dump --layout=wide --kp=1 --lp=2-4 --from=200" "stats --lp=1-3 --kp=1"
    done
    attack $((seed + i)) c-evtrace.bin "analyze --latency=2" "partition --output=-" \
        "partition --ranks=3 --kps=2 --json --output=x.map --force" "advise --json --map=x.map --force"
    attack $((seed + i)) run/b-vt.bin "verify" "stats --json --from=100 --to=700"
    attack $((seed + i)) run/b-evtrace.bin "verify" "stats --by=events_undone" \
        "stats --json --type=router,rollback --to=900" "dump --kp=0 --lp=1-2" "rollbacks"
done
finish
