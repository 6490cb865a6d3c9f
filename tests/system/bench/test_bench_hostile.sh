#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench_phold_hostile runs all its cases, in tiny sizes, and survives runs that hang or fail; speeds are not
# tested.
# test: processors=2 timeout=300 labels=long
. "$WS_SRC/tests/support/lib.sh"

[ -x "$WS_BIN/bench_phold_hostile" ] || skip "built without the benchmark programs"
export MPIEXEC="$WS_MPIEXEC"
mkdir tmp
export TMPDIR="$PWD/tmp"

# rows PATTERN: number of lines of last.out that match.
rows() {
    grep -cE -e "$1" last.out
}

bench() {
    "$WS_BIN/bench_phold_hostile" --quick --events=1000 --lps=400 "$@"
}

assert_ok "all cases" bench
assert_eq "head" 1 "$(rows '^case +ranks +sequential +conservative +optimistic +opt/cons +kept +MiB$')"
assert_eq "rows" 15 \
    "$(rows '^[a-z0-9-]+ +[24]( +[0-9]+\.[0-9]{2}){4} +[0-9.]+% +[0-9]+$')"
assert_eq "lines that are too long" 0 "$(rows '^.{81}')"
assert_ok "some cases" bench --cases=crowded,ties --runs=2 --args=--nkp=3
assert_eq "rows in the order asked for" 'crowded ties' "$(grep -oE '^(ties|crowded)' last.out | xargs)"

# A phold that hangs when optimistic and fails when conservative.
printf '%s\n' '#!/bin/sh' 'case $1 in --synch=3) sleep 1000 ;; --synch=2) exit 5 ;; esac' \
    'exec "$WS_BIN/phold" "$@"' >ill
chmod +x ill
assert_status "runs that hang and fail" 1 bench --cases=friendly --timeout=10 --phold=./ill
assert_eq "their row" 1 "$(rows '^friendly +2 +[0-9]+\.[0-9]{2} +failed +timeout +- +- +-$')"
assert_contains "what failed" last.err "1 of 3 variants came to no figures"

# A model that commits the wrong events on two ranks is refused as a benchmark.
printf '%s\n' '#!/bin/sh' '[ "$1" = --synch=1 ] || set -- "$@" --start-events=2' \
    'exec "$WS_BIN/phold" "$@"' >more
chmod +x more
assert_status "counts that differ" 1 bench --cases=friendly --phold=./more
assert_contains "what is wrong" last.err "wrong: friendly with --synch=2 on 2 rank(s) committed"

assert_ok "help" bench --help
assert_contains "help" last.out "usage: bench_phold_hostile"
assert_contains "cases in the help" last.out "  slow-far        one rank slow, very few remote events"
assert_eq "lines of help that are too long" 0 "$(rows '^.{81}')"
for wrong in --cases=nonsense --cases=ties, --runs=0 --ranks=1 --lps=402 --events=0 --timeout=0 more; do
    assert_status "$wrong" 2 bench "$wrong"
done
assert_eq "files left behind" "" "$(ls tmp | grep -E '^(warpscope|tmp\.)')"
finish
