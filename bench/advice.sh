#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The gain of following "warpscope advise": runs with one bad setting each are recorded on two ranks, and the options
# that the command prints are appended. Then runs with the bad setting, and with the advice, take turns. Prints the
# options, medians of counts, and the median of the ratios of the running times within a turn, above 1 where the
# advice is faster. Where no option helps, as with hot LPs, prints the advice instead.
#
#     bench/advice.sh [TURNS=5] [LENGTH=1] [CASES="kps interval batch huge placement purpose slow hot"]
#
# LENGTH multiplies the end times. MPIEXEC is the launcher (mpirun).
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${BIN:-$PWD/build/bin}
turns=${1:-5} length=${2:-1} cases=${3:-kps interval batch huge placement purpose slow hot}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# 4000 LPs of torus: the two of a node stay together.
awk 'BEGIN { s = 4711; print "warpscope-lp-map 1"
    for (i = 0; i < 4000; i += 2) { s = s * 48271 % 2147483647; r = int(s / 2147483647 * 2)
        print i, r; print i + 1, r } }' >random.map

# case_set CASE: sets model, end and options, and the option that records what the advice needs.
case_set() {
    model=phold record=--event-trace=2
    case $1 in
    kps) options="--nlp=64 --remote=0.5 --work=2000 --nkp=1" end=1000 ;;
    interval) options="--nlp=512 --gvt-interval=1 --batch=1" end=600 ;;
    batch) options="--nlp=64 --remote=0.5 --batch=4096" end=4000 ;;
    huge) options="--nlp=64 --remote=0.0005 --gvt-interval=5000" end=4000 ;;
    placement) model=torus options="--dims=20x20x5 --lp-map=random.map" end=2000 record=--event-trace=3 ;;
    slow) options="--nlp=512 --work=1000 --slow-rank=1" end=150 record="--event-trace=3 --event-times=1" ;;
    hot) options="--nlp=64 --hot-lps=1 --work=1000" end=40000 record=--event-trace=3 ;;
    purpose) options="--nlp=512 --random-rollbacks=2" end=600 ;;
    *) echo "no such case: $1" >&2 && exit 2 ;;
    esac
    end=$(awk "BEGIN { print $end * $length }")
}

# run MORE...: runs once and prints "seconds undone remote rounds".
run() {
    # shellcheck disable=SC2086 # options
    "${MPIEXEC:-mpirun}" -n 2 "$bin/$model" --synch=3 --quiet --end="$end" $options "$@" \
        --report-json=report.json >run.txt
    awk '/: Running Time =/ { print $5 }' run.txt | tr '\n' ' '
    for counter in events_rolled_back remote_events gvt_rounds; do
        awk -F'[:,]' -v name="\"$counter\"" '!n { for (i = 1; i < NF; i++) if (index($i, name)) n = $(i + 1) + 0 }
            END { printf "%d ", n }' report.json
    done
    echo
}

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# column FILE N
column() {
    cut -d' ' -f"$2" "$1" | median
}

printf '%-10s %-8s %12s %12s %12s %10s  %s\n' case run 'rolled back' remote 'GVT rounds' seconds options
for name in $cases; do
    case_set "$name"
    rm -rf recorded bad.txt advised.txt found.map
    # shellcheck disable=SC2086 # options
    run $record --stats-path=recorded >/dev/null
    read -r -a advice <<<"$("$bin/warpscope" advise --options --map=found.map recorded)"
    if [ ${#advice[@]} -eq 0 ]; then
        printf '%-10s no option helps:\n' "$name"
        "$bin/warpscope" advise recorded | awk '/^$/ && on { exit } on; /^advice/ { on = 1 }'
        continue
    fi
    for ((turn = 0; turn < turns; turn++)); do
        run >>bad.txt
        run "${advice[@]}" >>advised.txt
    done
    for which in bad advised; do
        [ $which = bad ] && shown=$options || shown=${advice[*]}
        printf '%-10s %-8s %12.0f %12.0f %12.0f %10.3f  %s\n' "$name" $which "$(column $which.txt 2)" \
            "$(column $which.txt 3)" "$(column $which.txt 4)" "$(column $which.txt 1)" "$shown"
    done
    printf '%-10s speed with the advice: %s (median of %d turns)\n' "$name" \
        "$(paste -d' ' bad.txt advised.txt | awk '{ printf "%.2f\n", $1 / $5 }' | median)" "$turns"
done
