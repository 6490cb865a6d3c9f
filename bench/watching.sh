#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What "warpscope top" costs the run that it watches: pairs of PHOLD runs, without and with a watcher, in turn.
# Prints the medians of their processor times, of wall clock, and of the ratios of the pairs, and the processor
# time of the watcher.
#
#     bench/watching.sh [PAIRS=15] [END=30000] [INTERVAL=1]
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=$PWD/build/bin
pairs=${1:-15} end=${2:-30000} interval=${3:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# run_once WITH: appends "processor-time wall-clock" to the file of the kind.
run_once() {
    local watcher=
    rm -rf run
    if [ "$1" = with ]; then
        bash -c "TIMEFORMAT='%U %S'; time '$bin/warpscope' top --wait --json --interval=$interval run >watched.txt" \
            2>>watcher.txt &
        watcher=$!
    fi
    # shellcheck disable=SC2086
    bash -c "TIMEFORMAT='%U %S %R'; time '$bin/phold' --synch=3 --nlp=4096 --nkp=64 --end=$end --quiet \
        --real-time-samp=20 --kp-data=1 --event-trace=2 --stats-path=run >run.out" 2>time.txt
    awk 'END { print $1 + $2, $3 }' time.txt >>"$1.txt"
    [ -z "$watcher" ] || wait "$watcher" || true
}

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

for ((i = 0; i < pairs; i++)); do
    if ((i % 2)); then run_once with && run_once without; else run_once without && run_once with; fi
done
for kind in without with; do
    printf '%-8s processor %s s, wall clock %s s\n' $kind "$(cut -d' ' -f1 $kind.txt | median)" \
        "$(cut -d' ' -f2 $kind.txt | median)"
done
printf 'with / without, median of %d pairs: processor %s, wall clock %s\n' "$pairs" \
    "$(paste -d' ' with.txt without.txt | awk '{ print $1 / $3 }' | median)" \
    "$(paste -d' ' with.txt without.txt | awk '{ print $2 / $4 }' | median)"
printf 'the watcher: %s s of processor time, %d refreshes\n' "$(awk 'NF == 2 { print $1 + $2 }' watcher.txt | median)" \
    "$(wc -l <watched.txt)"
