#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What "warpscope top" and "warpscope serve", with a page open, cost the run that they watch: PHOLD runs without a
# watcher, beside top and beside serve, in turn. Prints the medians of their processor times, of wall clock, and of
# the ratios of runs of a turn, and the processor time of the watchers. Then the instructions of a run under valgrind,
# without and with serve. TURNS or INSTRUCTIONS_END 0: without this part.
#
#     bench/watching.sh [TURNS=15] [END=30000] [INTERVAL=1] [INSTRUCTIONS_END=100]
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=$PWD/build/bin
turns=${1:-15} end=${2:-30000} interval=${3:-1} instructions_end=${4:-100}
folder=$(mktemp -d)
watcher='' page=''
trap 'stop_watcher; rm -rf "$folder"' EXIT
cd "$folder"

# watch KIND: starts a watcher of the run to come. It appends its processor time to KIND.watcher when it ends.
watch() {
    case $1 in
    top) command="top --wait --json --interval=$interval run" ;;
    serve) command="serve --port=0 --interval=$interval run" ;;
    esac
    # shellcheck disable=SC2086 # words
    bash -c "TIMEFORMAT='%U %S'; time { exec 3>&2; '$bin/warpscope' $command >watched.txt 2>>watched.err & echo \$! >watcher.pid; wait; }" \
        2>>"$1.watcher" &
    watcher=$!
    [ "$1" = serve ] || return 0
    until grep -q '#' watched.txt 2>/dev/null; do sleep 0.02; done
    address=$(sed 's/#.*//' watched.txt) token=$(sed 's/.*#//' watched.txt)
    until curl -s -H "Authorization: Bearer $token" "${address}runs" | grep -q '"run":0'; do
        sleep 0.05
    done && exec curl -sN -H "Authorization: Bearer $token" "${address}events?run=0" >page.txt &
    page=$!
}

stop_watcher() {
    [ -z "$page" ] || { kill "$page" 2>/dev/null; wait "$page"; } 2>/dev/null || true # it may still look for the run
    [ -z "$watcher" ] || { kill "$(cat watcher.pid)" 2>/dev/null; wait "$watcher"; } || true
    watcher='' page=''
}

# phold OPTIONS...: one run, below the program that $under names.
phold() {
    rm -rf run
    # shellcheck disable=SC2086 # words
    ${under-} "$bin/phold" --synch=3 --nlp=4096 --nkp=64 --quiet --kp-data=1 --event-trace=2 --stats-path=run "$@" >run.out
}

# run_once KIND: appends "processor-time wall-clock" to KIND.txt.
run_once() {
    rm -rf run
    [ "$1" = without ] || watch "$1"
    TIMEFORMAT='%U %S %R'
    { time phold --end="$end" --real-time-samp=20 2>run.err; } 2>time.txt
    awk 'END { print $1 + $2, $3 }' time.txt >>"$1.txt"
    stop_watcher
}

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

kinds=(without top serve)
for ((i = 0; i < turns; i++)); do
    for k in 0 1 2; do run_once "${kinds[(i + k) % 3]}"; done
done
[ "$turns" = 0 ] || for kind in "${kinds[@]}"; do
    printf '%-8s processor %s s, wall clock %s s\n' "$kind" "$(cut -d' ' -f1 "$kind.txt" | median)" \
        "$(cut -d' ' -f2 "$kind.txt" | median)"
done
[ "$turns" = 0 ] || for kind in top serve; do
    printf '%s / without, median of %d turns: processor %s, wall clock %s; itself %s s of processor time\n' $kind "$turns" \
        "$(paste -d' ' $kind.txt without.txt | awk '{ print $1 / $3 }' | median)" \
        "$(paste -d' ' $kind.txt without.txt | awk '{ print $2 / $4 }' | median)" \
        "$(awk 'NF == 2 { print $1 + $2 }' $kind.watcher | median)"
done

# Samples at GVT, on one rank: but for looks at the clock, the same work each time.
[ "$instructions_end" != 0 ] || exit 0
under="valgrind --tool=callgrind --callgrind-out-file=/dev/null"
for kind in without serve; do
    rm -rf run
    [ $kind = without ] || watch $kind
    phold --end="$instructions_end" --enable-gvt-stats=1 --gvt-interval=16 --writer-thread=off 2>valgrind.txt
    stop_watcher
    awk -v kind=$kind '/Collected/ { print kind, $NF }' valgrind.txt
done | awk '{ n[$1] = $2 } END { printf "instructions: %d without, %d beside serve, ratio %.5f\n", n["without"], n["serve"], n["serve"] / n["without"] }'
