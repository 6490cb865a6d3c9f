#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# crowded_ranks.sh BUILD [FEW [MANY [CASES]]] - the same work on FEW (8) and MANY (100) ranks of one
# machine, which should have fewer processors than either; see bench/README.md. BUILD is a build
# directory with the programs of the tests. CASES: numbers of lines of the table below, default all.
#
# Columns: the seconds that a run took between its initialisation and its end, on few and on many ranks,
# their ratio, and how often GVT was computed. MPI's own start-up, which grows with the ranks, is not in
# it. Set MPIEXEC to choose a launcher.
set -u
build=${1:?usage: crowded_ranks.sh BUILD [FEW [MANY [CASES]]]}
few=${2:-8} many=${3:-100} chosen=${4:-}
launcher=${MPIEXEC:-$build/mpirun}
report=$(mktemp) || exit 1
trap 'rm -f "$report"' EXIT
trap 'exit 1' INT TERM HUP

# value KEY: prints the first number after the key in the report.
value() {
    tr ',{' '\n\n' <"$report" | sed -n "s/.*\"$1\": *\\([0-9.e+-]*\\).*/\\1/p" | head -n 1
}

# measure RANKS COMMAND...: sets seconds and rounds.
measure() {
    ranks=$1
    shift
    : >"$report"
    timeout 300 "$launcher" -n "$ranks" "$@" --quiet --report-json="$report" >/dev/null </dev/null
    status=$?
    seconds=$(value run_seconds) rounds=$(value gvt_rounds)
    [ $status -eq 0 ] || seconds=
}

printf '%-60s %8s %8s %6s %8s %8s\n' "" "$few" "$many" ratio "rounds" "rounds"
number=0
lps=800
while read -r program options; do
    number=$((number + 1))
    case " $chosen " in "  " | *" $number "*) ;; *) continue ;; esac
    # shellcheck disable=SC2086 # options are words
    measure "$few" "$build/$program" $options --nlp=$((lps / few))
    few_s=$seconds few_rounds=$rounds
    # shellcheck disable=SC2086
    measure "$many" "$build/$program" $options --nlp=$((lps / many))
    ratio=$(awk "BEGIN { if (${few_s:-0} > 0 && ${seconds:-0} > 0) printf \"%.1f\", ${seconds:-0} / ${few_s:-1}
        else print \"-\" }")
    printf '%-60s %8.8s %8.8s %6s %8s %8s\n' "${program##*/} $options" "${few_s:-failed}" \
        "${seconds:-failed}" "$ratio" "${few_rounds:--}" "${rounds:--}"
done <<'END'
bin/phold --synch=3 --remote=0.1 --lookahead=0.1 --end=200
bin/phold --synch=2 --remote=0.1 --lookahead=0.1 --cons-lookahead=0.1 --end=200
tests/bin/burst --synch=3 --fan=100 --end=8
tests/bin/burst --synch=5 --batch=1000 --fan=100 --end=8
tests/bin/burst --synch=5 --batch=1000 --fan=100 --end=8 --max-memory=3
tests/bin/burst --synch=3 --transport=mpi --fan=100 --end=8
END
