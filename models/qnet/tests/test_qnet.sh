#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# qnet commits the same events, ends in the same states and prints and writes the same results under every
# scheduler on any number of ranks. Its results agree with the exact values of theory.
# test: processors=2 timeout=300
. "$WS_SRC/tests/support/lib.sh"

# run_qnet NAME RANKS OPTIONS...: writes NAME.json (report), NAME.txt (qnet's own output) and NAME.results
# (JSON).
run_qnet() {
    name=$1 ranks=$2
    shift 2
    rm -f "$name".*
    assert_ok "qnet $* on $ranks ranks" run_mpi "$ranks" "$WS_BIN/qnet" "$@" --fingerprint --quiet \
        --report-json="$name.json" --results="$name.results" </dev/null
    sed -n '/^qnet: stations/,$p' last.out >"$name.txt"
    [ -s "$name.json" ] || echo '{}' >"$name.json"
}

# check_equal CELLS OPTIONS...: compares runs with the sequential one; a cell is "ranks,synch".
check_equal() {
    cells=$1
    shift
    run_qnet reference 1 --synch=1 "$@"
    assert_num "events of $*" "$(json_get reference.json net_events)" '>' 1000
    assert_file "table of $*" reference.txt
    for cell in $cells; do
        run_qnet run "${cell%,*}" --synch="${cell#*,}" "$@"
        for what in net_events committed_fingerprint state_fingerprint; do
            assert_eq "$what of $* ($cell)" "$(json_get reference.json $what)" \
                "$(json_get run.json $what)"
        done
        assert_same "table of $* ($cell)" reference.txt run.txt
        assert_same "results of $* ($cell)" reference.results run.results
    done
}

all='1,2 2,2 3,2 4,2 1,3 2,3 3,3 4,3'
check_equal "$all" --network=open3 --copies=5 --cross=0.3 --end=500
check_equal "$all" --network=closed --jobs=9 --end=1000
# No time between stations, so no lookahead; more ranks than LPs.
check_equal '1,3 2,3 4,3' --network=mmc --transit=0 --end=2000
check_equal '2,3' --network=central --copies=3 --end=500 --random-rollbacks=3

# Theory: every figure is close to its exact value, most within the half-width of its interval, and the
# intervals are narrow. The runs are deterministic. One line per figure: mean, half-width, off.
figures() {
    awk -f "$WS_SRC/tests/support/json.awk" "$1" | awk -F= '
        { path = $1; key = path; sub(/.*\./, "", key); sub(/\.[^.]*$/, "", path) }
        key == "mean" { mean[path] = $2 }
        key == "half_width" { half[path] = $2 }
        key == "off" && $2 != "null" { print mean[path], half[path], $2 }'
}
for options in --network=tandem --network=open3 '--network=mmc --load=0.7' --network=central \
    '--network=closed --jobs=12' '--network=open3 --copies=50 --cross=0.5 --end=4000'; do
    # shellcheck disable=SC2086 # options
    run_qnet theory 1 --synch=1 --end=200000 $options
    figures theory.results >figures.txt
    assert_num "figures of $options" "$(wc -l <figures.txt)" '>=' 7
    assert_eq "figures of $options that are far off" "" "$(awk '$3 > 2 || $3 < -2' figures.txt)"
    assert_eq "figures of $options with wide intervals" "" "$(awk '$2 > 0.1 * $1' figures.txt)"
    cat figures.txt >>all_figures.txt
done
missed=$(awk '$3 > 1 || $3 < -1 { n++ } END { print n + 0 }' all_figures.txt)
assert_num "figures off by more than a half-width" "$missed" '<=' \
    "$(awk 'END { print int(NR / 8) }' all_figures.txt)"

assert_num "figures" "$(wc -l <all_figures.txt)" '>' 60

# Replications with other random numbers, 12 of each network. Intervals of the means over them need no batches
# (Student's 99.9 % point for 11 degrees of freedom is 4.437), and contain the exact values. About 95 % of the
# intervals that the single runs print contain them: not fewer, and not more, as wide intervals would. Every
# figure is a line "path mean off".
replicate() {
    rm -f replications.txt
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
        assert_ok "replication $seed of $*" "$WS_BIN/qnet" --synch=1 --quiet --end=20000 \
            --rng-seed1=$seed --rng-seed2=2 --rng-seed3=3 --rng-seed4=4 --results=one.results "$@"
        awk -f "$WS_SRC/tests/support/json.awk" one.results | awk -F= '
            { key = $1; sub(/.*\./, "", key); path = $1; sub(/\.[^.]*$/, "", path) }
            key == "mean" { mean[path] = $2 }
            key == "exact" { exact[path] = $2 }
            key == "off" && $2 != "null" { print path, mean[path], exact[path], $2 }
            ' >>replications.txt
    done
    awk '{ n[$1]++; d = $2 - $3; sum[$1] += d; squares[$1] += d * d }
        END { for (path in n) { mean = sum[path] / n[path]
            variance = (squares[path] - n[path] * mean * mean) / (n[path] - 1)
            if (mean * mean > 4.437 * 4.437 * variance / n[path]) print path } }' \
        replications.txt >outside.txt
    assert_eq "figures of $* outside of 99.9 %" "" "$(cat outside.txt)"
    cat replications.txt >>all_replications.txt
}
rm -f all_replications.txt
replicate --network=open3
replicate --network=mmc --load=0.6
replicate --network=closed
assert_eq "figures in all" $((12 * (17 + 7 + 17))) "$(wc -l <all_replications.txt)"
held=$(awk '$4 <= 1 && $4 >= -1 { n++ } END { print n / NR }' all_replications.txt)
assert_num "share of 95 % intervals that hold the exact value" "$held" '>=' 0.92
assert_num "share of 95 % intervals that hold the exact value" "$held" '<=' 0.98

# Batches that are too short are reported.
assert_ok "short batches" "$WS_BIN/qnet" --synch=1 --quiet --network=mmc --load=0.95 --end=2000 \
    --batches=100
assert_contains "warning of short batches" last.out "qnet: batches are correlated in"
assert_ok "long batches" "$WS_BIN/qnet" --synch=1 --quiet --network=mmc --end=50000
assert_lacks "warning of long batches" last.out "are correlated"
finish
