#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A project that includes the sources (FetchContent): only the library is built, no name or setting of
# Warpscope conflicts with the project's, and its models run. Missing packages are named as in Debian.
# test: timeout=300 sanitize=no
# shellcheck disable=SC2086 # $mpi is two words
. "$WS_SRC/tests/support/lib.sh"

# The MPI of this build.
mpi="-DMPI_C_COMPILER=$WS_MPICC -DMPIEXEC_EXECUTABLE=$WS_MPIEXEC"

command -v c++ >/dev/null || skip "there is no C++ compiler"
if command -v ninja >/dev/null; then # needs less time than make
    CMAKE_GENERATOR=Ninja
    export CMAKE_GENERATOR
fi
assert_ok "configuring" cmake -S "$WS_SRC/tests/install/parent" -B build \
    -DWARPSCOPE_SOURCES="$WS_SRC" $mpi
[ "$failures" -eq 0 ] || finish
cmake --build build --target help >targets.txt
for target in warpscope_reader netsim bench_queue test_event; do
    assert_eq "target $target" "" "$(grep -w "$target" targets.txt)"
done
ctest --test-dir build -N >tests.txt
assert_contains "tests of the project" tests.txt "Total Tests: 1"

assert_ok "building" cmake --build build -j 2
[ "$failures" -eq 0 ] || finish
assert_eq "programs beside the project's own" "" "$(find build -name CMakeFiles -prune -o -type f -perm -u+x -path '*bin/*' -print)"
run_model 1 build/model_c --synch=1
wanted="$net $events $states"
run_model 2 build/model_c --synch=3
assert_eq "2 ranks" "$wanted" "$net $events $states"
run_model 2 build/model_cxx --synch=3
assert_eq "C++ on 2 ranks" "$wanted" "$net $events $states"
assert_ok "installing" cmake --install build --prefix "$PWD/installed"
assert_eq "what is installed" "installed/bin/model_c" "$(find installed -type f)"

# Without any of the libraries that Warpscope needs.
assert_status "configuring without libraries" 1 env PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH= \
    cmake -S "$WS_SRC" -B missing $mpi
tr '\n' ' ' <last.err | tr -s ' ' >missing.txt
assert_contains "what to install" missing.txt \
    "apt-get install liblz4-dev libxxhash-dev libigraph-dev"
finish
