#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reader and its library build, install and are packaged on a machine without MPI. The command reads
# what the full build reads, and programs of others link the library. It lacks the component CUDA, and says so.
# test: timeout=300 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

# There is no MPI: its compilers and launchers fail, and CMake must not look for it.
mkdir hidden
for tool in mpicc mpiexec mpirun; do
    printf '#!/bin/sh\necho "%s was called" >>"%s/called"\nexit 1\n' $tool "$PWD" >hidden/$tool
    chmod +x hidden/$tool
done
if command -v ninja >/dev/null; then # needs less time than make
    CMAKE_GENERATOR=Ninja
    export CMAKE_GENERATOR
fi
assert_ok "configuring" env PATH="$PWD/hidden:$PATH" cmake -S "$WS_SRC" -B build \
    -DWARPSCOPE_READER_ONLY=ON -DWARPSCOPE_CUDA=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON \
    '-DCMAKE_C_FLAGS_RELEASE=-O0 -D_GNU_SOURCE=' -DCMAKE_UNITY_BUILD=ON -DWARPSCOPE_LTO=OFF
assert_ok "building" env PATH="$PWD/hidden:$PATH" cmake --build build --parallel 2
[ "$failures" -eq 0 ] || finish
assert_eq "calls of MPI's tools" "" "$(cat called 2>/dev/null)"
assert_ok "installing" cmake --install build --prefix "$PWD/prefix"
(cd prefix && find . -type f -o -type l) | sort >installed.txt
library= # that of reports is installed with its licence
! grep -q '^WARPSCOPE_REPORT:INTERNAL=ON' build/CMakeCache.txt || library="./share/doc/warpscope-reader/d3-licence.txt "
assert_eq "installed files" "./bin/warpscope ./include/warpscope/reader.h \
./share/bash-completion/completions/warpscope ./share/doc/warpscope-reader/copyright \
$library./share/fish/vendor_completions.d/warpscope.fish ./share/man/man1/warpscope.1 \
./share/zsh/site-functions/_warpscope ./share/zsh/vendor-completions/_warpscope" \
    "$(grep -v -e man1/warpscope- -e ^./lib installed.txt | tr '\n' ' ' | sed 's/ $//')"
assert_contains "installed files" installed.txt ./share/man/man1/warpscope-stats.1
assert_eq "installed libraries" "libwarpscope-reader.a libwarpscope-reader.so" \
    "$(sed -n 's#.*/\(lib[^/]*\.[aso]*\)$#\1#p' installed.txt | sort | tr '\n' ' ' | sed 's/ $//')"
ldd prefix/bin/warpscope >libraries.txt
assert_lacks "libraries" libraries.txt "mpi"
for words in "memtrace info x" "memtrace --help" "help memtrace"; do
    # shellcheck disable=SC2086 # words
    assert_status "$words" 2 prefix/bin/warpscope $words
    assert_eq "lines about $words" 1 "$(grep -c '' last.err)"
    assert_contains "$words" last.err "built without the component CUDA"
done
for words in --help "completion bash" "help --roff" "help --commands"; do
    # shellcheck disable=SC2086 # words
    assert_ok "$words" prefix/bin/warpscope $words
    assert_lacks "$words" last.out memtrace
done
assert_lacks "installed files" installed.txt memtrace

assert_ok "a recording" "$WS_BIN/phold" --quiet --synch=1 --nlp=8 --end=20 --event-trace=1 \
    --enable-gvt-stats=1 --model-stats=1 --stats-path=run
for command in "info run" "verify run" "stats run" "dump run/warpscope-evtrace.bin"; do
    # shellcheck disable=SC2086 # words
    assert_ok "$command, full build" "$WS_BIN/warpscope" $command
    cp last.out full.out
    # shellcheck disable=SC2086 # words
    assert_ok "$command, reader alone" prefix/bin/warpscope $command
    cp last.out alone.out
    assert_ok "same output of $command" cmp full.out alone.out
done

# Programs of others find the library by pkg-config and by CMake, shared and static, without the build's
# paths. The example computes what the trace as text says.
mv prefix moved
libdir=$(dirname "$(find "$PWD/moved" -name libwarpscope-reader.so)")
PKG_CONFIG_PATH=$libdir/pkgconfig
LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
wanted=$(moved/bin/warpscope dump --type=event --fields=send_ts,recv_ts run/warpscope-evtrace.bin | awk -F, '
    NR > 1 { d = $2 - $1; n++; s += d; if (n == 1 || d < min) min = d; if (d > max) max = d }
    END { printf "%d events; offsets %.6g to %.6g, mean %.6g; 0 faults", n, min, max, s / n }')
# check_example PROGRAM
check_example() {
    assert_ok "running $1" "$1" run
    assert_eq "output of $1" "$wanted" "$(cat last.out)"
    assert_eq "messages of $1" "" "$(cat last.err)"
}
flags="-std=c11 -Wall -Wextra -Werror"
# shellcheck disable=SC2046,SC2086 # flags are words
{
    assert_ok "compiling with pkg-config" "$WS_CC" $flags -o by_pkg "$WS_SRC/examples/offsets.c" \
        $(pkg-config --cflags --libs warpscope-reader)
    check_example ./by_pkg
    assert_ok "compiling statically" "$WS_CC" $flags -o by_static "$WS_SRC/examples/offsets.c" \
        $(pkg-config --cflags warpscope-reader) "$libdir/libwarpscope-reader.a" \
        $(pkg-config --libs-only-l --static warpscope-reader | sed 's/-lwarpscope-reader//')
    check_example ./by_static
}
mkdir project
cat >project/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.20)
project(offsets LANGUAGES C)
find_package(Warpscope 0.1 REQUIRED CONFIG COMPONENTS reader)
foreach(kind reader reader_static)
  add_executable(by_\${kind} "$WS_SRC/examples/offsets.c")
  target_link_libraries(by_\${kind} PRIVATE Warpscope::\${kind})
endforeach()
EOF
assert_ok "configuring a project" cmake -S project -B by_cmake -DCMAKE_PREFIX_PATH="$PWD/moved"
assert_ok "building a project" cmake --build by_cmake
check_example by_cmake/by_reader
check_example by_cmake/by_reader_static
assert_eq "shared libraries of ours in static programs" "" \
    "$(ldd ./by_static by_cmake/by_reader_static | grep libwarpscope)"
assert_eq "files that name the build" "" "$(grep -rlF -e "$PWD/build" -e "$WS_SRC/" moved/include "$libdir")"
if have c++; then
    echo '#include <warpscope/reader.h>
int main() { wsr_select select = WSR_SELECT_INIT; return select.size == 0 || wsr_version() == NULL; }' >header.cc
    # shellcheck disable=SC2046
    assert_ok "the header in C++" c++ -Wall -Wextra -Werror -o header header.cc \
        $(pkg-config --cflags --libs warpscope-reader)
    assert_ok "a program in C++" ./header
fi

# The public names are those of the header, in both libraries, with a version in the shared one.
grep -o 'wsr_[a-z_]*(' "$WS_SRC/reader/library/warpscope/reader.h" | grep -v -e '_(' | tr -d '(' | sort -u >declared.txt
"${NM:-nm}" -D --defined-only "$libdir/libwarpscope-reader.so" | awk '$2 == "T" { print $3 }' | sort >shared.txt
"${NM:-nm}" -g --defined-only "$libdir/libwarpscope-reader.a" | awk 'NF == 3 { print $3 }' | sort >static.txt
assert_num "functions" "$(wc -l <declared.txt)" ">" 20
sed 's/@@WARPSCOPE_READER_0\.1$//' shared.txt >shared_names.txt
assert_ok "names of the shared library" cmp declared.txt shared_names.txt
assert_ok "names of the static library" cmp declared.txt static.txt
assert_eq "names without a version" "" "$(grep -v '@@WARPSCOPE_READER_0\.1$' shared.txt)"
objdump -p "$libdir/libwarpscope-reader.so" >object.txt
assert_contains "name of the shared library" object.txt "libwarpscope-reader.so.0.1"

have dpkg-shlibdeps || finish
assert_ok "making the packages" cpack --config build/CPackConfig.cmake -G DEB -B "$PWD/packages"
dpkg-deb -f packages/libwarpscope-reader-dev_*.deb >development.txt
assert_contains "depends" development.txt "Depends: warpscope-reader (= "
assert_contains "conflicts" development.txt "Conflicts: libwarpscope-dev"
dpkg-deb -f packages/warpscope-reader_*.deb >control.txt
assert_contains "dependencies" control.txt "liblz4-1"
assert_lacks "dependencies" control.txt "mpi"
finish
