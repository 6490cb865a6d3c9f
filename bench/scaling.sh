#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scaling.sh BUILD [RANKS...] - what a run costs as a function of the number of ranks, counted and not
# timed; see docs/scaling.md. BUILD is a build directory. RANKS: default 2 4 8 16 32 64 128 256.
#
# Each case runs phold with the library libbench_count_calls.so (bench/support/count_calls), and
# prints, per number of ranks:
#   collective calls of a rank at start and end; messages that the rank with most of them sends and
#   receives there; reductions per GVT computation; system calls of a rank at start, by the program itself
#   bytes that the last rank asked for before the end, for each function whose bytes differ between the
#   first and the last number of ranks (with --remote=0: no rank sends events, so what remains is what the ranks cost)
# Set MPIEXEC to choose a launcher, OPTIONS for further options of phold, and CASES for some of the cases
# mpi, shm, cons and record.
set -u
build=${1:?usage: scaling.sh BUILD [RANKS...]}
shift
[ $# -gt 0 ] || set -- 2 4 8 16 32 64 128 256
launcher=${MPIEXEC:-$build/mpirun}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# count RANKS NAME OPTIONS...: runs phold; leaves NAME.RANKS and its report NAME.RANKS.json.
count() {
    count_ranks=$1 file=$work/$2.$1
    shift 2
    # shellcheck disable=SC2086 # OPTIONS are words
    timeout 600 "$launcher" -n "$count_ranks" env LD_PRELOAD="$build/bin/libbench_count_calls.so" \
        COUNT_CALLS="$file" "$build/bin/phold" --nlp=4 --stall-warning=3600s --quiet \
        --report-json="$file.json" "$@" ${OPTIONS:-} >/dev/null 2>"$file.err" </dev/null ||
        echo "$count_ranks ranks: the launcher failed; counts are those up to MPI_Finalize(), if any"
}

# value FILE KEY: prints a number of a report.
value() {
    sed 's/[,{]/\n/g' "$1.json" | sed -n "s/.*\"$2\": *\\([0-9.e+-]*\\).*/\\1/p" | head -n 1
}

# sum FILE STAGE COLUMN REGEX: adds a column over the functions that match.
sum() {
    awk -v stage="$2" -v column="$3" -v names="^($4)\$" \
        '$1 == "calls" && $2 == stage && $3 ~ names { n += $column } END { printf "%d\n", n }' "$1"
}

collectives='MPI_(All|Bar|Bcast|Comm|Gather|Iall|Ibar|Reduce).*'
messages='MPI_I?s?[Ss]end|MPI_Isend|MPI_Recv'
system='mmap|munmap|open|shm_open|close|unlink|posix_fallocate|fallocate|ftruncate|pwrite|write|madvise'

table() {
    name=$1
    shift
    printf '%6s %11s %11s %11s %11s %9s %9s %11s %11s\n' ranks 'coll start' 'coll end' 'msgs start' \
        'msgs end' rounds 'red/GVT' 'coll/GVT' 'sys start'
    for ranks in "$@"; do
        file=$work/$name.$ranks
        [ -s "$file" ] || continue
        rounds=$(value "$file" gvt_rounds)
        printf '%6s %11s %11s %11s %11s %9s %9.2f %11.2f %11s\n' "$ranks" \
            "$(sum "$file" start 5 "$collectives")" "$(sum "$file" end 5 "$collectives")" \
            "$(sum "$file" start 5 "$messages")" "$(sum "$file" end 5 "$messages")" "$rounds" \
            "$(value "$file" reductions_per_gvt)" \
            "$(awk "BEGIN { print $(sum "$file" run 4 "$collectives") / $rounds }")" \
            "$(sum "$file" start 5 "$system")"
    done
}

# functions FILE RANK: prints "bytes function" for each function that asked for memory.
functions() {
    awk -v rank="$2" '$1 == "site" && $2 == rank { print $3, $5 }' "$1" | while read -r bytes frames; do
        # shellcheck disable=SC2046 # one word per address
        name=$(addr2line -f -e "$build/bin/phold" $(echo "$frames" | tr , ' ') | sed -n 'p;n' |
            grep -v -x -e tw_calloc -e sparse_calloc -e arena_alloc -e '??' | head -n 1)
        echo "$bytes ${name:-?}"
    done | awk '{ sum[$2] += $1 } END { for (name in sum) print sum[name], name }'
}

# memory NAME RANK RANKS...: RANK: "last", or 0.
memory() {
    name=$1 which=$2
    shift 2
    for ranks in "$@"; do
        rank=0
        [ "$which" = 0 ] || rank=$((ranks - 1))
        [ ! -s "$work/$name.$ranks" ] || functions "$work/$name.$ranks" $rank | sed "s/^/$ranks /"
    done | awk '{ bytes[$3, $1] = $2; if (!($1 in seen)) { seen[$1] = 1; ranks[++n] = $1 } names[$3] = 1 }
        END {
            printf "%-24s", "ranks"; for (i = 1; i <= n; i++) printf " %10d", ranks[i]; print ""
            for (name in names) {
                if (bytes[name, ranks[1]] == bytes[name, ranks[n]]) continue
                row = sprintf("%-24s", name)
                for (i = 1; i <= n; i++) row = row sprintf(" %10d", bytes[name, ranks[i]])
                print row | "sort"
            }
        }'
}

# case_of NAME TITLE OPTIONS...: counts for all numbers of ranks in $all, and prints both tables.
all=$*
case_of() {
    name=$1 title=$2
    shift 2
    case " ${CASES:-$name} " in *" $name "*) ;; *) return ;; esac
    printf '\n%s\n' "$title: phold $*"
    for ranks in $all; do
        stats=
        case $name in record*) stats=--stats-path=$work/$name.$ranks.d ;; esac
        # shellcheck disable=SC2086 # stats is one word or none
        count "$ranks" "$name" "$@" $stats
        rm -rf "$work/$name.$ranks.d"
    done
    # shellcheck disable=SC2086 # numbers
    table "$name" $all
    echo "bytes asked for by the last rank before the end, where they depend on the number of ranks"
    # shellcheck disable=SC2086
    memory "$name" last $all
}

common='--remote=0 --lookahead=0.1 --end=20'
# shellcheck disable=SC2086 # common has words
{
    case_of mpi 'Optimistic, MPI' --synch=3 --transport=mpi $common
    case_of shm 'Optimistic, shared memory' --synch=3 --transport=shm $common
    case_of cons 'Conservative, shared memory' --synch=2 --transport=shm --cons-lookahead=0.1 $common
    case_of record 'Recording, MPI' --synch=3 --transport=mpi --event-trace=1 --engine-stats=4 $common
}
