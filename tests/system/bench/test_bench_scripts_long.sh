#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench/placement.sh and bench/advice.py run and print the expected rows, in tiny sizes; speeds are not tested.
# test: processors=2 timeout=300 labels=long
. "$WS_SRC/tests/support/lib.sh"

[ -x "$WS_BIN/agents" ] || skip "built without the models"
"$WS_BIN/warpscope" partition /nowhere 2>&1 | grep -q "built without METIS" && skip "built without METIS"
export MPIEXEC="$WS_MPIEXEC" BIN="$WS_BIN"
mkdir tmp
export TMPDIR=$PWD/tmp

# rows FILE PATTERN: number of lines that match.
rows() {
    grep -cE -e "$2" "$1"
}

assert_ok "placement" bash "$WS_SRC/bench/placement.sh" 1 0.02 "netsim agents"
assert_eq "rows of placements" 6 \
    "$(rows last.out '^(netsim|agents) +(random|linear|found) +[0-9]+ +[0-9]+ +-?[0-9.]+ % +[0-9.]+$')"
assert_eq "ratios of placements" 2 "$(rows last.out 'speed beside random [0-9.]+, beside linear [0-9.]+ .* [0-9.]+ of random$')"
assert_status "no such model" 2 bash "$WS_SRC/bench/placement.sh" 1 0.02 nothing

# Following advice, beside a search: the cases of a seed stay the same, and kept results are not made again.
if command -v python3 >/dev/null; then
    follow="python3 -B $WS_SRC/bench/advice.py $WS_BUILD --seed=1 --turns=2 --settings=6 --seconds=0.02"
    assert_ok "cases" $follow --list
    assert_eq "cases of a seed" 30 "$(rows last.out '^ ?[0-9]+  [a-z]+ +[0-9]  [a-z]')"
    assert_ok "following advice" $follow --only=11 --keep=kept
    assert_eq "rows of cases" 1 "$(rows last.out '^\| 11 \| `torus --dims=8x8x4` \| .*--gvt-interval=1 .*[0-9] to [0-9]')"
    assert_ok "kept results" $follow --only=11 --keep=kept
    assert_status "an unknown option of the script" 1 $follow --fly
fi
assert_eq "files left behind" "" "$(ls tmp | grep -v '^ompi')"
finish
