#!/bin/sh
# Whatever is in a file, the warpscope command ends by itself with 0 or 1, and with 0 from "verify"
# only where "dump" then prints without complaint.
# test: processors=1 timeout=300 sanitize=yes
. "$WS_SRC/tests/support/lib.sh"

warpscope=$WS_BIN/warpscope
seed=${WS_TEST_SEED:-$(date +%s)}
echo "WS_TEST_SEED=$seed"
"$WS_TEST_BIN/make_records" . a pes=2 rows=30 extent=8192 || fail "make_records"

i=0
while [ $i -lt 60 ]; do
    i=$((i + 1))
    for stream in evtrace model; do
        file=x-$stream.bin
        "$WS_TEST_BIN/change_file" a-$stream.bin "$file" $((seed + i)) || fail "change_file"
        for command in "verify" "info --json" "info" "dump" "dump --format=json --from=1 --pe=1"; do
            # shellcheck disable=SC2086 # several words
            timeout 20 "$warpscope" $command "$file" >out.txt 2>err.txt
            status=$?
            assertions=$((assertions + 1))
            case "$status $command" in
            "0 verify") verified=0 ;;
            "1 verify") verified=1 ;;
            "0 "*) ;;
            "1 "*) [ $verified -eq 1 ] || fail "seed $((seed + i)): $command finds more than verify" ;;
            *)
                fail "seed $((seed + i)): $command of $stream: exit status $status"
                head -n 20 err.txt
                ;;
            esac
        done
    done
done
finish
