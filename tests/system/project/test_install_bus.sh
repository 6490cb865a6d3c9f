#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The installed bus and loggers in programs without a simulation: found by pkg-config and CMake, without MPI,
# and observed by subscriber libraries given by their bare names. The tools of docs/writing-a-tool.md, built
# with the installed headers, in a model that is built with the installed library and in those of this tree.
# test: timeout=240 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

grep -q '^WARPSCOPE_INSTALL:BOOL=ON' "$WS_BUILD/CMakeCache.txt" || skip "built without installation"
unset ROSS_SUBSCRIBERS ROSS_TRACE_ENABLE WARPSCOPE_SUBSCRIBERS_PATH
rm -rf moved installed by_cmake files
assert_ok "installing" cmake --install "$WS_BUILD" --prefix "$PWD/installed"
[ "$failures" -eq 0 ] || finish
mv installed moved
prefix=$PWD/moved
libdir=$(dirname "$(find "$prefix" -name libwarpscope_bus.so)")
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
cc=${WS_CC:-cc}
flags="-std=gnu11 -Wall -Wextra -Werror"
pool=$prefix/share/warpscope/examples/pool.c

# watched PROGRAM: the counter counts its jobs, the collector prints them.
watched() {
    assert_ok "$1" "$1"
    assert_eq "output of $1 by itself" "1000 jobs, 1644.443" "$(cat last.out last.err)"
    assert_ok "$1, counted" env ROSS_SUBSCRIBERS=st_counter.so "$1"
    assert_eq "warnings of $1" "" "$(cat last.err)"
    assert_eq "jobs counted" "1000 1000 pool pool 0" \
        "$(awk '/pool pool 0/ { print $1, $2, $5, $6, $7 }' last.out)"
    assert_eq "functions counted" "1000 1000 1" \
        "$(awk '/pool function work/ { print $1, $2, ($3 > 0) }' last.out)"
    rm -rf files
    assert_ok "$1, collected" env ROSS_SUBSCRIBERS=st_collector.so WARPSCOPE_STATS_PATH=files "$1"
    assert_eq "lines" 3000 "$(wc -l <files/collector-0.txt)"
    assert_eq "fields in each line" 10 "$(awk -F '\t' '{ print NF }' files/collector-0.txt | sort -u)"
}

# shellcheck disable=SC2086,SC2046 # flags are words, and what pkg-config prints
{
    assert_ok "compiling by pkg-config" $cc $flags -o pool "$pool" \
        $(pkg-config --cflags --libs warpscope-bus) -pthread
    assert_ok "compiling for the static library" $cc $flags -o pool_static \
        $(pkg-config --cflags warpscope-bus) "$pool" "$libdir/libwarpscope_bus.a" -ldl -pthread
    assert_ok "what it includes" $cc $flags $(pkg-config --cflags warpscope-bus) -M "$pool"
}
assert_lacks "headers" last.out "/mpi.h"
ldd pool >needed.txt
assert_contains "libraries" needed.txt libwarpscope_bus
assert_lacks "libraries" needed.txt libmpi
[ "$failures" -eq 0 ] || finish
watched ./pool

# A static program elsewhere does not know the directory: its message says where it looked.
assert_ok "a library that is not found" env ROSS_SUBSCRIBERS=st_counter.so ./pool_static
assert_contains "where it was looked for" last.err \
    "ROSS_SUBSCRIBERS: cannot load st_counter.so: it is not in a directory of installed libraries (WARPSCOPE_SUBSCRIBERS_PATH may name"
assert_contains "and the program runs" last.out "1000 jobs"
WARPSCOPE_SUBSCRIBERS_PATH=/nowhere:$libdir/warpscope
export WARPSCOPE_SUBSCRIBERS_PATH
watched ./pool_static
assert_ok "nothing of that name" env ROSS_SUBSCRIBERS=st_other.so ./pool_static
assert_contains "where it was looked for" last.err "it is not in /nowhere, $libdir/warpscope ("
unset WARPSCOPE_SUBSCRIBERS_PATH
ROSS_TRACE_ENABLE=0 ROSS_SUBSCRIBERS=st_counter.so assert_ok "switched off" ./pool
assert_lacks "switched off" last.out "pool pool"

# A logger, as in the example at the top of its header.
{
    printf '#include "st_log.h"\nint main(void)\n{\n'
    sed -n '/^ \*     /s/^ \*     //p' "$prefix/include/warpscope/st_log.h"
    printf 'return 0;\n}\n'
} >log.c
# shellcheck disable=SC2086,SC2046
assert_ok "compiling a logger" $cc $flags -o log log.c $(pkg-config --cflags --libs warpscope-log)
assert_ok "logging" ./log
assert_contains "what it wrote" jobs.json '"name":"job"'

assert_ok "configuring" cmake -S "$WS_SRC/tests/install/bus" -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DPOOL="$pool" -DLOG="$PWD/log.c"
assert_ok "building" cmake --build by_cmake
[ "$failures" -eq 0 ] || finish
watched by_cmake/pool_bus
assert_ok "static, by CMake" by_cmake/pool_bus_static
assert_ok "logging, by CMake" by_cmake/log

# ---- The tools of the page ----
page=$prefix/share/doc/warpscope/docs/writing-a-tool.md
for tool in busiest kinds; do
    awk -v tool="$tool" '/^```$/ { on = 0 } /^```c$/ { getline first; getline; on = index($0, tool ".c -")
            if (on) print first } on { print }' "$page" >$tool.c
    sed 1d "$prefix/share/warpscope/examples/$tool.c" >example.c # the licence file
    assert_same "the page and the example $tool.c" example.c $tool.c
    # shellcheck disable=SC2086,SC2046
    assert_ok "compiling $tool" "$cc" $flags -shared -fPIC -o $tool.so $tool.c \
        $(pkg-config --cflags warpscope-bus)
done
[ "$failures" -eq 0 ] || finish
# The commands of the page, and their output.
for tool in busiest kinds; do
    command=$(sed -n "s/^    \([a-z]* .*--subscribers=.\/$tool.so\)$/\1/p" "$page")
    # shellcheck disable=SC2086 # a command is words
    assert_ok "$command" "$WS_BIN/"$command
    grep '^rank 0: ' last.out >printed.txt
    assert_num "lines of $tool" "$(wc -l <printed.txt)" '>' 0
    while read -r line; do
        [ -z "$line" ] || assert_contains "what $tool prints, in the page" "$page" "$line"
    done <printed.txt
done

# shellcheck disable=SC2086,SC2046
assert_ok "compiling a model" "$WS_MPICC" -std=gnu11 -DROSS_MODEL_TYPES_V8 -o cellnet \
    "$prefix/share/warpscope/examples/cellnet.c" $(pkg-config --cflags --libs ross) -lm
assert_ok "its busiest LP" ./cellnet --synch=1 --end=20 --subscribers=./busiest.so,st_counter.so
assert_contains "its busiest LP" last.out "rank 0: LP "
assert_contains "counted by the installed library" last.out "Records by point:"

# Each model with tasks emits them to subscribers to beginnings.
for run in "netsim --load=0.02 --end=0.01" "torus --end=100" "qnet --end=50" "agents --end=20" \
    "airport --end=50" "$(echo memsim --workload=stencil --ctas=8 --elements=8 | built)"; do
    [ -n "$run" ] || continue # not in this build
    # shellcheck disable=SC2086 # a command is words
    assert_ok "tasks of $run" "$WS_BIN/"$run --synch=1 --subscribers=./kinds.so
    assert_contains "tasks of $run" last.out " began, from "
done
finish
