#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# netsim's results add up: links carry the load offered to them, every packet is received, dropped or on its
# way, delays are at least the propagation delay, an overloaded link is fully used and drops the rest.
# test: processors=1 timeout=300
. "$WS_SRC/tests/support/lib.sh"

data=$WS_SRC/models/netsim/data

# run_netsim OPTIONS...
run_netsim() {
    rm -f links.csv flows.csv
    assert_ok "netsim $*" run_mpi 1 "$WS_BIN/netsim" --quiet=1 --links-csv=links.csv \
        --flows-csv=flows.csv "$@"
    assert_file links.csv links.csv
    assert_file flows.csv flows.csv
}

# Abilene. A link's utilisation has a relative standard error of sqrt(E[S^2] / E[S]^2 / packets).
run_netsim --end=0.15 --load=0.4
assert_eq "links" 28 "$(awk 'END { print NR - 1 }' links.csv)"
assert_eq "flows" 110 "$(awk 'END { print NR - 1 }' flows.csv)"
assert_eq "links that do not carry what is offered (5 standard errors)" "" "$(awk -F, '
    NR > 1 { error = sqrt(2.6 / $7); if ($6 < $5 * (1 - 5 * error) || $6 > $5 * (1 + 5 * error))
                 print $1 " > " $2 ": " $5 " offered, " $6 }' links.csv)"
assert_near "offered load of the busiest link" 0.4 \
    "$(awk -F, 'NR > 1 && $5 > most { most = $5 } END { print most }' links.csv)" 1e-9
assert_eq "links whose bytes do not take their time in use" "" "$(awk -F, '
    NR > 1 { window = $8 * 8 / $3 / $6; if (NR == 2) first = window
             if (window < 0.99 * first || window > 1.01 * first) print }' links.csv)"
assert_eq "flows that do not add up" "" "$(awk -F, '
    NR > 1 && ($6 != $7 + $8 + $9 || $6 == 0 || $8 != 0 || $9 > 20 || $10 != 0) { print }' flows.csv)"
assert_eq "flows faster than light" "" "$(awk -F, '
    NR > 1 && ($11 < $5 || $12 < $11 || $11 > $5 + 1e-4) { print }' flows.csv)"

# Twice the capacity of one link: it is always in use, and half of the packets are lost.
run_netsim --topology="$data/bottleneck.gml" --traffic="$data/bottleneck.traffic" --load=2 \
    --mix=1000:1 --buffer=10000 --access-rate=0 --end=200 --warmup=1
assert_near "utilisation of an overloaded link" 1 "$(awk -F, '$1 == "A" { print $6 }' links.csv)" 0.0001
assert_near "loss" 0.5 "$(awk -F, '$1 == "A" { print $10 }' flows.csv)" 0.01
assert_eq "drops of the link and of the flow" "close" "$(awk -F, '
    FNR > 1 && $1 == "A" { drops[FILENAME] = FILENAME == "links.csv" ? $9 : $8 }
    END { d = drops["links.csv"] - drops["flows.csv"]
          print d * d < 100 ? "close" : drops["links.csv"] " " drops["flows.csv"] }' links.csv flows.csv)"
# With a buffer of ten packets that is nearly always full, a packet finds nearly nine waiting.
assert_near "mean wait in a full buffer" 0.0072 "$(awk -F, '$1 == "A" { print $11 }' links.csv)" 0.1
assert_eq "the other direction is idle" "0 0" "$(awk -F, '$1 == "B" { print $6, $7 }' links.csv)"

# A traffic matrix in bit/s is not scaled: 3 Mbit/s in one direction, 1 Mbit/s back over 10 Mbit/s.
printf 'A B 3e6 # there\n1 "A" 1e6\n' >matrix.txt
run_netsim --topology="$data/bottleneck.gml" --traffic=matrix.txt --end=300 --warmup=1
assert_near "there" 0.3 "$(awk -F, '$1 == "A" { print $6 }' links.csv)" 0.03
assert_near "back" 0.1 "$(awk -F, '$1 == "B" { print $6 }' links.csv)" 0.03

# Names with commas and quotes are quoted in CSV; a large packet mix needs its buffer.
cat >names.gml <<'GML'
graph [
  node [ id 1 label "Here, or there" lat 0 lon 0 ]
  node [ id 2 label "&quot;B&quot;" lat 0 lon 1 ]
  edge [ source 1 target 2 capacity 1e6 ]
]
GML
run_netsim --topology=names.gml --end=1
assert_contains "a quoted name" flows.csv '"Here, or there",'

# What a network file lacks is said once, on any number of ranks. Labels are UTF-8 everywhere, and equal ones
# have their ids.
printf 'graph [ node [ id 1 label "M\374nchen am See" lat 0 lon 0 ] node [ id 2 label "M\374nchen am See" ]
  node [ id 3 label "legend" ] edge [ source 1 target 2 capacity 1e6 ] ]' >gaps.gml
printf '"M\374nchen am See (1)" 2 1e5\n"M\374nchen am See (2)" 1 1e5\n' >gaps.traffic
run_netsim --topology=gaps.gml --traffic=gaps.traffic --end=3 --delay=0.25
assert_eq "notes" "netsim: note: 1 node with neither links nor coordinates is left out: \"legend\"
netsim: note: 1 site has no coordinates: \"M�nchen am See (2)\".
netsim: note: 1 link ends there without a delay in the file: --delay=0.25 s is used." "$(grep note: last.out)"
assert_contains "table" last.out 'M�nchen a (1) > M�nchen a (2)'
assert_contains "CSV" links.csv 'M�nchen am See (1),M�nchen am See (2),1000000,0.25,'
assert_eq "bytes that are not UTF-8" "" "$(iconv -f utf-8 -t utf-8 last.out links.csv flows.csv 2>&1 >/dev/null)"
finish
