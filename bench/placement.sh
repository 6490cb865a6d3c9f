#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The gain of a placement by "warpscope partition": for each of some models, a run under a random map is
# recorded and partitioned. Then runs under the random map, without a map (linear), under the new map, and from
# the random map with --map=auto take turns on two ranks. Prints remote events, rolled-back events, efficiency, and
# medians of the running times and of their ratios within a turn; for --map=auto, how much of the gain of the new
# map it has.
#
#     bench/placement.sh [TURNS=5] [LENGTH=1] [MODELS="netsim qnet torus agents"]
#
# LENGTH multiplies the end times. In place of a run longer than LENGTH 10, one up to there is recorded and partitioned.
# MPIEXEC is the launcher (mpirun).
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
bin=${BIN:-$PWD/build/bin}
turns=${1:-5} length=${2:-1} models=${3:-netsim qnet torus agents}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
awk -v sites=120 -v seed=1 -f "$root/bench/support/backbone.awk" >backbone.gml

# options_of MODEL: sets lps, end, options, and the end time of the run that is recorded.
options_of() {
    case $1 in
    # 120 sites in random order, each with a router and three hosts
    netsim) lps=480 end=0.3 options="--topology=backbone.gml --hosts=3 --load=0.02" ;;
    # 500 clusters of four LPs, between which few jobs pass
    qnet) lps=2000 end=1200 options="--network=open3 --copies=500 --cross=0.05" ;;
    torus) lps=4000 end=3000 options="--dims=20x20x5" ;;
    # enough grass for the agents to live on
    agents) lps=3600 end=150 options="--width=60 --height=60 --agents=8 --growth=4 --overgrazed=0" ;;
    *) echo "no such model: $1" >&2 && exit 2 ;;
    esac
    recorded=$(awk "BEGIN { print $end * ($length < 10 ? $length : 10) }")
    end=$(awk "BEGIN { print $end * $length }")
}

# run MODEL PLACEMENT MORE...: runs once and prints "seconds remote undone efficiency".
run() {
    local model=$1 map=$2
    shift 2
    case $map in
    linear) map= ;;
    auto) map="--lp-map=random.map --map=auto" ;;
    *) map=--lp-map=$map.map ;;
    esac
    # shellcheck disable=SC2086 # options
    "${MPIEXEC:-mpirun}" -n 2 "$bin/$model" $options --end="$end" --quiet $map "$@" >run.txt
    awk '/: Running Time =/ { seconds = $5 } /Total Remote \(network\)/ { remote = $NF }
        /Events Rolled Back/ { undone = $NF }/^\tEfficiency / { efficiency = $(NF - 1) }
        END { print seconds, remote, undone, efficiency }' run.txt
}

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# column FILE N
column() {
    cut -d' ' -f"$2" "$1" | median
}

printf '%-8s %-8s %14s %12s %12s %10s\n' model placement 'remote events' 'rolled back' 'efficiency' 'seconds'
for model in $models; do
    options_of "$model"
    rm -rf recorded ./*.txt ./*.map
    awk -v n="$lps" 'BEGIN { s = 4711; print "warpscope-lp-map 1"
        for (i = 0; i < n; i++) { s = s * 48271 % 2147483647; print i, int(s / 2147483647 * 2) } }' >random.map
    run "$model" random --event-trace=3 --end="$recorded" --stats-path=recorded >/dev/null
    "$bin/warpscope" partition recorded -o found.map ${PARTITION:-} >partition.out
    for ((turn = 0; turn < turns; turn++)); do
        for map in random linear found auto; do
            run "$model" $map >>$map.txt
        done
    done
    for map in random linear found auto; do
        printf '%-8s %-8s %14.0f %12.0f %10.2f %% %10.3f\n' "$model" $map "$(column $map.txt 2)" \
            "$(column $map.txt 3)" "$(column $map.txt 4)" "$(column $map.txt 1)"
    done
    printf '%-8s speed beside random %s, beside linear %s (medians of %d turns); remote events %s of random\n' \
        "$model" "$(paste -d' ' random.txt found.txt | awk '{ printf "%.2f\n", $1 / $5 }' | median)" \
        "$(paste -d' ' linear.txt found.txt | awk '{ printf "%.2f\n", $1 / $5 }' | median)" "$turns" \
        "$(paste -d' ' random.txt found.txt | awk '{ printf "%.3f\n", $6 / $2 }' | median)"
    printf '%-8s --map=auto: speed beside random %s, and %s %% of the gain of the new map\n' "$model" \
        "$(paste -d' ' random.txt auto.txt | awk '{ printf "%.2f\n", $1 / $5 }' | median)" \
        "$(paste -d' ' random.txt found.txt auto.txt | awk '{ printf "%.0f\n", 100 * ($1 - $9) / ($1 - $5) }' | median)"
done
