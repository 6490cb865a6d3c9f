#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A netsim link with Poisson arrivals is an M/G/1 queue: its mean wait is that of Pollaczek and
# Khinchine, its utilisation the offered load.
#
# Hosts without access lines send over one link of 10 Mbit/s with an unlimited buffer. At 80 % load
# 3 million packets leave a standard error of about 0.5 % in the mean wait; the runs are deterministic.
# test: processors=1 timeout=300
. "$WS_SRC/tests/support/lib.sh"

data=$WS_SRC/models/netsim/data

# check_queue LOAD MIX END_S TOLERANCE
check_queue() {
    load=$1 mix=$2 end=$3 tolerance=$4
    what="load $load, packets $mix"
    rm -f links.csv
    assert_ok "$what" run_mpi 1 "$WS_BIN/netsim" --synch=1 --quiet=1 \
        --topology="$data/bottleneck.gml" --traffic="$data/bottleneck.traffic" --load="$load" \
        --mix="$mix" --hosts=1 --access-rate=0 --buffer=0 --warmup=10 --end="$end" \
        --links-csv=links.csv
    assert_file "links of $what" links.csv

    # W = lambda E[S^2] / (2 (1 - rho)), lambda = rho / E[S], S = 8 * bytes / rate
    expected=$(echo "$mix" | awk -F '[:,]' -v rho="$load" '{
        for (i = 1; i < NF; i += 2) {
            s = 8 * $i / 1e7; sum += $(i + 1); mean += $(i + 1) * s; square += $(i + 1) * s * s }
        mean /= sum; square /= sum
        printf "%.12g", rho / mean * square / (2 * (1 - rho)) }')
    wait=$(awk -F, '$1 == "A" { print $11 }' links.csv)
    busy=$(awk -F, '$1 == "A" { print $6 }' links.csv)
    packets=$(awk -F, '$1 == "A" { print $7 }' links.csv)
    assert_num "packets, $what" "$packets" '>' 500000
    assert_near "mean wait, $what" "$expected" "$wait" "$tolerance"
    assert_near "utilisation, $what" "$load" "$busy" 0.005
    echo "$what: $packets packets, mean wait $wait s, Pollaczek-Khinchine $expected s"
}

check_queue 0.8 40:7,576:4,1500:1 1000 0.015
check_queue 0.8 1000:1 1000 0.02
check_queue 0.5 40:1,1500:1 1000 0.02
check_queue 0.9 576:3,64:1 1000 0.03
finish
