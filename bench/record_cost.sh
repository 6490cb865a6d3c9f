#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Instructions that records cost PHOLD on one rank, by valgrind's callgrind. Each number is a slope: the difference of
# two runs of different length, per committed event of this difference. Prints for each scheduler and way to record:
# the instructions per event, how many more these are than without recording, and the bytes that the files grow by.
# Records are sealed and written by the simulation's thread. Counts vary by 1 % with the times that records have.
# Under callgrind a run takes some 50 times as long, so --clock-rate makes a second as much longer: events that take a
# tenth of a microsecond then do so in the records as well.
#
#     bench/record_cost.sh [ENDS=100,400] [SCHEDULERS=1,3] [MODEL-OPTIONS="--nlp=1024 --remote=0.1 --lookahead=0.1"]
#     bench/record_cost.sh kept [PAIRS=11] [END=5000] [MODEL-OPTIONS]
#
# The second form runs PHOLD on two ranks with and without records of all events, in turn, and prints the part of the
# event rate that remains with them: the median, the least and the greatest of the pairs. "bench/beside.py
# bench/record_cost.sh kept" waits for a quiet machine.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
phold=$PWD/build/bin/phold
[ "${1:-}" != kept ] || pairs=${2:-11}
ends=${1:-100,400} schedulers=${2:-1,3} model=${3:---nlp=1024 --remote=0.1 --lookahead=0.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# rate OPTION...: prints the events per second of a run on two ranks.
rate() {
    rm -rf run
    # shellcheck disable=SC2086
    mpirun --oversubscribe -np 2 "$phold" $model --synch=3 --end="$end" --stats-path=run "$@" >run.out 2>&1 ||
        { cat run.out >&2 && return 1; }
    awk '/Event Rate/ { print $NF }' run.out
}
if [ -n "${pairs:-}" ]; then
    end=${3:-5000} model=${4:---nlp=1024 --remote=0.1 --lookahead=0.1}
    for options in --event-trace=1 --event-trace=3 "--event-trace=3 --event-times=1" --event-trace=2; do
        for ((i = 0; i < pairs; i++)); do
            # shellcheck disable=SC2086
            if ((i % 2)); then with=$(rate $options) without=$(rate); else without=$(rate) with=$(rate $options); fi
            echo "$with $without" | awk '{ print $1 / $2 }'
        done | sort -g | awk -v o="$options" '{ v[NR] = $1 }
            END { printf "2 ranks, %-32s keep %.2f (%.2f to %.2f, %d pairs)\n", o, v[int((NR + 1) / 2)], v[1], v[NR], NR }'
    done
    exit
fi

# run_once END OPTION...: prints the instructions, the committed events and the bytes of the record files of a run.
run_once() {
    local end=$1
    shift
    rm -rf run counts
    # shellcheck disable=SC2086
    valgrind --tool=callgrind --callgrind-out-file=counts "$phold" $model --end="$end" --writer-thread=off \
        --clock-rate=100000000000 --stats-path=run "$@" >run.out 2>&1 || { cat run.out >&2 && return 1; }
    awk '/^(totals|summary):/ { n = $2 } END { printf "%s ", n }' counts
    awk '/Net Events Processed/ { printf "%s ", $NF }' run.out
    find run -name '*.bin' -exec cat {} + 2>/dev/null | wc -c
}

printf '%-9s %-36s %12s %8s %8s\n' scheduler options instructions more bytes
for scheduler in ${schedulers//,/ }; do
    none=
    for options in "" --event-trace=1 --event-trace=3 "--event-trace=3 --event-times=1" --event-trace=2 \
        "--enable-gvt-stats --granularity=1"; do
        # shellcheck disable=SC2086
        short=$(run_once "${ends%,*}" --synch="$scheduler" $options)
        # shellcheck disable=SC2086
        long=$(run_once "${ends#*,}" --synch="$scheduler" $options)
        slope=$(echo "$short $long" | awk '{ printf "%.1f %.2f", ($4 - $1) / ($5 - $2), ($6 - $3) / ($5 - $2) }')
        none=${none:-${slope% *}}
        printf '%-9s %-36s %12.1f %8.1f %8.2f\n' "$scheduler" "${options:-none}" "${slope% *}" \
            "$(awk "BEGIN { print ${slope% *} - $none }")" "${slope#* }"
    done
done
