#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_fuzzer.sh FUZZER CORPUS DIR SECONDS OPTION...: lets a fuzzer search for inputs that break its parser.
# New inputs go to DIR/new. An input that fails goes to DIR, and its name is printed.
set -u
fuzzer=$1 corpus=$2 folder=$3 seconds=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder/new" || exit 1
cd "$folder" || exit 1
# The fuzzer checks the clock between inputs only; an input that takes 20 s is a failure. Its own exit status
# of failures, 77, is that of skipped tests.
"$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -close_fd_mask=3 \
    -error_exitcode=1 -timeout_exitcode=1 -artifact_prefix="$folder/" -print_final_stats=1 \
    "$@" new "$corpus" >fuzz.log 2>&1
status=$?
grep -E '^(Done|stat::number_of_executed|stat::peak)' fuzz.log
if [ $status -ne 0 ]; then
    echo "FAIL: the fuzzer found something (exit status $status); the inputs:"
    ls "$folder" | grep -E '^(crash|leak|timeout|oom|slow)-' | sed "s|^|    $folder/|"
    grep -E 'broken promise|ERROR|SUMMARY|runtime error' fuzz.log | head -n 5
    grep -A 15 -E 'ERROR|runtime error' fuzz.log | head -n 40
fi
exit $status
