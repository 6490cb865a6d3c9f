#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reader builds, installs and is packaged on a machine without MPI, and reads what the full build
# reads.
# test: timeout=300 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

# There is no MPI: its compilers and launchers fail, and CMake must not look for it.
mkdir hidden
for tool in mpicc mpiexec mpirun; do
    printf '#!/bin/sh\necho "%s was called" >>"%s/called"\nexit 1\n' $tool "$PWD" >hidden/$tool
    chmod +x hidden/$tool
done
assert_ok "configuring" env PATH="$PWD/hidden:$PATH" cmake -S "$WS_SRC" -B build \
    -DWARPSCOPE_READER_ONLY=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_C_FLAGS_RELEASE=-O0
assert_ok "building" env PATH="$PWD/hidden:$PATH" cmake --build build --parallel 2
[ "$failures" -eq 0 ] || finish
assert_eq "calls of MPI's tools" "" "$(cat called 2>/dev/null)"
assert_ok "installing" cmake --install build --prefix "$PWD/prefix"
(cd prefix && find . -type f -o -type l) | sort >installed.txt
library= # that of reports is installed with its licence
! grep -q '^WARPSCOPE_REPORT:INTERNAL=ON' build/CMakeCache.txt || library="./share/doc/warpscope-reader/d3-licence.txt "
assert_eq "installed files" "./bin/warpscope ./share/bash-completion/completions/warpscope \
./share/doc/warpscope-reader/copyright $library./share/fish/vendor_completions.d/warpscope.fish \
./share/man/man1/warpscope.1 ./share/zsh/site-functions/_warpscope" \
    "$(grep -v man1/warpscope- installed.txt | tr '\n' ' ' | sed 's/ $//')"
assert_contains "installed files" installed.txt ./share/man/man1/warpscope-stats.1
ldd prefix/bin/warpscope >libraries.txt
assert_lacks "libraries" libraries.txt "mpi"

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

command -v dpkg-shlibdeps >/dev/null || finish
assert_ok "making the package" cpack --config build/CPackConfig.cmake -G DEB -B "$PWD/packages"
deb=$(ls packages/*.deb)
dpkg-deb -I "$deb" >control.txt
assert_contains "name" control.txt " Package: warpscope-reader"
assert_contains "conflicts" control.txt " Conflicts: warpscope"
assert_contains "dependencies" control.txt "liblz4-1"
assert_lacks "dependencies" control.txt "mpi"
finish
