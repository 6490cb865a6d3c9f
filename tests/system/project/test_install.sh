#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The result of cmake --install, used like a user would: the installed tree is moved; models in C and C++ find
# it through CMake under both names, through pkg-config and by hand, with the shared and the static library;
# they commit the same events.
# test: timeout=240 sanitize=no
# shellcheck disable=SC2086 # $mpi is two words
. "$WS_SRC/tests/support/lib.sh"

# The MPI of this build.
mpi="-DMPI_C_COMPILER=$WS_MPICC -DMPIEXEC_EXECUTABLE=$WS_MPIEXEC"

grep -q '^WARPSCOPE_INSTALL:BOOL=ON' "$WS_BUILD/CMakeCache.txt" || skip "built without installation"
command -v c++ >/dev/null || skip "there is no C++ compiler"

# An incomplete build directory (some targets only) cannot be installed.
assert_ok "installing" cmake --install "$WS_BUILD" --prefix "$PWD/installed"
[ "$failures" -eq 0 ] || finish
mv installed moved
prefix=$PWD/moved
libdir=$(dirname "$(find "$prefix" -name libwarpscope.so)")
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
PATH=$prefix/bin:$PATH

flags="-std=c11 -Wall -Wextra -Werror"
check=$WS_SRC/tests/install
wanted=

# check_program PROGRAM: commits the same events as all others, on 1 and 2 ranks.
check_program() {
    run_model 1 "$1" --synch=1
    [ -n "$wanted" ] || wanted="$net $events $states"
    assert_eq "events of ${1##*/}" "$wanted" "$net $events $states"
    run_model 2 "$1" --synch=3
    assert_eq "events of ${1##*/} on 2 ranks" "$wanted" "$net $events $states"
}

# No installed file contains the path of the build.
assert_eq "files that name the build" "" "$(grep -rlF -e "$WS_BUILD" -e "$WS_SRC/" "$prefix")"
for file in bin/warpscope share/man/man1/warpscope.1 share/man/man1/warpscope-stats.1 share/man/man7/warpscope-options.7 \
    share/bash-completion/completions/warpscope share/doc/warpscope/LICENSE include/ross.h \
    include/warpscope/st_log.h share/warpscope/templates/model/CMakeLists.txt; do
    assert_file "installed $file" "$prefix/$file"
done
# Links of pages lead to existing files. Prints "DIR/TARGET" of each link, except those to the web and into
# the page.
for page in "$prefix"/share/doc/warpscope/*.md "$prefix"/share/doc/warpscope/docs/*.md; do
    grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/[)#].*//' | grep -v '^https\{0,1\}:' |
        sed "s|^|${page%/*}/|"
done >links.txt
assert_num "links" "$(wc -l <links.txt)" '>' 30
assert_eq "links to nothing" "" "$(while read -r target; do
    [ -e "$target" ] || echo "$target"
done <links.txt)"
for link in warpscope/ross.h warpscope/format/memtrace.h docs/README.md images/memtrace-sms.svg; do
    assert_contains "links" links.txt "/$link"
done
assert_ok "the reader runs" warpscope --version
"${NM:-nm}" -D --defined-only "$libdir/libwarpscope.so" >shared.txt
"${NM:-nm}" -g --defined-only "$libdir/libwarpscope.a" >static.txt
assert_contains "names of the shared library" shared.txt " tw_run"
assert_contains "names of the static library" static.txt " tw_run"
assert_eq "inner names seen from outside" "" "$(awk 'NF == 3 &&
    $3 !~ /^(g_)?(tw|st)_|^rng_|^crv_|^memtrace_|^(MPI_COMM_ROSS|buddy_free|nkp_per_pe|map_onetype)$/ { print $3 }' shared.txt static.txt)"

# By pkg-config and by hand.
compile() {
    program=$1
    shift
    # shellcheck disable=SC2086 # flags are words
    assert_ok "compiling $program" "$WS_MPICC" $flags -o "$program" "$@"
    check_program "./$program"
}
# shellcheck disable=SC2046 # so is what pkg-config prints
{
    compile by_ross $(pkg-config --cflags ross) "$check/model.c" $(pkg-config --libs ross)
    compile by_ross_7 -DROSS_MODEL_TYPES_V7 $(pkg-config --cflags ross) "$check/model.c" \
        $(pkg-config --libs ross)
    compile by_static $(pkg-config --cflags warpscope-static) "$check/model.c" \
        $(pkg-config --libs warpscope-static)
}
assert_eq "shared libraries of ours in a static program" "" "$(ldd by_static | grep libwarpscope)"
assert_eq "version of ross.pc" 8.1.0 "$(pkg-config --modversion ross)"
assert_eq "what static linking needs besides" "yes" \
    "$(case $(pkg-config --static --libs ross) in *-llz4*-lxxhash* | *-lxxhash*-llz4*) echo yes ;; esac)"
compile by_hand -I"$prefix/include" "$check/model.c" -L"$libdir" -Wl,-rpath,"$libdir" -lROSS -lm

# A source file written for ROSS, in both layouts of callbacks, with the options of old scripts.
old_options="--extramem=1 --avl-size=18 --buddy-size=2 --read-buffer=3 --send-buffer=4"
for layout in ROSS_MODEL_TYPES_V7 ROSS_MODEL_TYPES_V8; do
    assert_ok "compiling cellnet, $layout" "$WS_MPICC" $flags -D$layout -o cellnet_$layout \
        "$prefix/share/warpscope/examples/cellnet.c" $(pkg-config --cflags --libs ross) -lm
    for ranks in 1 2; do
        run_model $ranks ./cellnet_$layout --cells=$((96 / ranks)) --synch=$((4 - ranks)) --end=20 $old_options
        assert_num "events of cellnet" "$net" '>' 1000
        [ $layout = ROSS_MODEL_TYPES_V7 ] && eval "cellnet_$ranks=\"$net $events $states\""
        eval "assert_eq 'cellnet, $layout, $ranks ranks' \"\$cellnet_$ranks\" '$net $events $states'"
    done
done

# The examples of the reference, built and run as their first comments say.
cc() { "${WS_CC:-cc}" $flags "$@"; }
mpicc() { "$WS_MPICC" $flags "$@"; }
as_it_says() (
    export LD_LIBRARY_PATH="$libdir"
    eval "$(sed -n 's/^ [*]     //p' "$1" | sed '$!s/$/ \&\&/')"
)
cp "$prefix"/share/warpscope/examples/reference/*.c .
for example in numbers events ross8 bus keeper watch log recording; do
    assert_ok "the example $example.c" as_it_says $example.c
    [ $example != keeper ] || assert_eq "counts of keeper.c after a restart" 1 "$(grep -a '^rank 0: ' last.out | sort -u | wc -l)"
done
assert_eq "examples" 8 "$(find "$prefix/share/warpscope/examples/reference" -name '*.c' | wc -l)"

# The program in the page on memory traces, and the reader's results for its trace.
awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' "$WS_SRC/docs/memory-traces.md" >trace.c
# shellcheck disable=SC2046,SC2086
assert_ok "compiling the program that writes a trace" "$WS_MPICC" $flags -o trace trace.c \
    $(pkg-config --cflags --libs warpscope)
assert_ok "writing a trace" ./trace
if [ "$WS_CUDA" = 1 ]; then
    assert_ok "reading it" "$prefix/bin/warpscope" memtrace info MemTrace-pipe-1
    assert_contains "its kernels" last.out blur
fi

# By CMake.
assert_ok "configuring" cmake -S "$check" -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" \
    $mpi -DCMAKE_BUILD_TYPE=Debug
assert_ok "building" cmake --build by_cmake -j 2
[ "$failures" -eq 0 ] || finish
for case in ross ross_7 variables warpscope static; do
    check_program by_cmake/${case}_c
    check_program by_cmake/${case}_cxx
done
assert_eq "shared libraries of ours in a static program" "" "$(ldd by_cmake/static_c | grep libwarpscope)"

# The library that reads recordings, without MPI: its component, shared and static.
mkdir reading
cat >reading/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(reading LANGUAGES C)
find_package(Warpscope REQUIRED CONFIG COMPONENTS reader)
if(TARGET MPI::MPI_C)
  message(FATAL_ERROR "the reader asks for MPI")
endif()
foreach(kind reader reader_static)
  add_executable(by_\${kind} "$prefix/share/warpscope/examples/offsets.c")
  target_link_libraries(by_\${kind} PRIVATE Warpscope::\${kind})
endforeach()
EOF
assert_ok "configuring a reader" cmake -S reading -B by_reader -DCMAKE_PREFIX_PATH="$prefix"
assert_ok "building a reader" cmake --build by_reader
run_model 1 ./by_ross --synch=1 --event-trace=1 --stats-path=traced
for program in by_reader/by_reader by_reader/by_reader_static; do
    assert_ok "$program" "$program" traced
    assert_contains "$program" last.out "$net events; offsets "
done

# visits DUMP: number of LPs, and the sum of their last payloads, small numbers with the low byte first.
visits() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "payload") at = i }
        NR > 1 { last[$3] = $at }
        END { for (lp in last) { n++; sum += byte(last[lp], 1) + 256 * byte(last[lp], 3) }
              print n, sum }
        function digit(hex, at) { return index("0123456789abcdef", substr(hex, at, 1)) - 1 }
        function byte(hex, at) { return 16 * digit(hex, at) + digit(hex, at + 1) }' "$1"
}

# The installed reader shows the recordings of the installed programs; subscribers. The last sample has all
# LPs, whose visits add up to the committed events.
committed=${wanted%% *}
for program in by_cmake/ross_c by_cmake/static_cxx by_ross_7; do
    rm -rf out
    assert_ok "recording by $program" run_mpi 2 "$program" --synch=3 --model-stats=1 \
        --stats-path=out --subscribers="$libdir/warpscope/st_counter.so" --quiet
    assert_ok "verifying" warpscope verify out
    assert_ok "dumping" warpscope dump out/warpscope-model.bin
    assert_eq "visits that $program recorded" "24 $committed" "$(visits last.out)"
done

# An MPI that differs from the library's is refused with the reason.
if [ "$WS_MPI_KIND" = openmpi ]; then other=mpich; else other=openmpi; fi
if command -v "mpicc.$other" >/dev/null; then
    assert_status "configuring with $other" 1 cmake -S "$check" -B by_other \
        -DCMAKE_PREFIX_PATH="$prefix" -DMPI_C_COMPILER="mpicc.$other" -DMPIEXEC_EXECUTABLE="mpiexec.$other" \
        -DMPI_CXX_COMPILER="mpicxx.$other"
    tr '\n' ' ' <last.err | tr -s ' ' >reason.txt
    assert_contains "the reason" reason.txt "is built with $WS_MPI_KIND, but the MPI found here is $other"
fi

# The template builds unchanged and its test passes.
cp -r "$prefix/share/warpscope/templates/model" template
assert_ok "configuring the template" cmake -S template -B template/build \
    -DCMAKE_PREFIX_PATH="$prefix" $mpi -DCMAKE_C_FLAGS="-Werror"
assert_ok "building the template" cmake --build template/build
assert_ok "testing the template" ctest --test-dir template/build --output-on-failure
finish
