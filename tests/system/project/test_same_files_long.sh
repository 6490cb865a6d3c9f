#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The same sources give the same libraries and programs, also optimised at link time, in whatever directories they are
# built.
# test: labels=long timeout=1800 sanitize=no
. "$WS_SRC/tests/support/lib.sh"

version=$(sed -n 's/^project(Warpscope VERSION \([0-9.]*\).*/\1/p' "$WS_SRC/CMakeLists.txt")
unset CCACHE_DIR CMAKE_C_COMPILER_LAUNCHER
have ninja && export CMAKE_GENERATOR=Ninja
mkdir -p one second/deeper
for place in one second/deeper; do
    (cd "$WS_SRC" && tar -c --exclude=./build* --exclude=./.git .) | tar -x -C $place
    assert_ok "configuring in $place" cmake -S $place -B $place/build -DWARPSCOPE_TESTS=OFF -DWARPSCOPE_BENCH=OFF \
        -DWARPSCOPE_CUDA=OFF -DMPI_C_COMPILER="$WS_MPICC"
    assert_ok "building in $place" cmake --build $place/build --parallel 2 --target warpscope_static warpscope_shared \
        warpscope_bus_shared warpscope_reader_shared warpscope_reader phold st_collector
    [ "$failures" -eq 0 ] || finish
done
for file in lib/libwarpscope.so.$version lib/libwarpscope.a lib/libwarpscope_bus.so.$version \
    lib/libwarpscope-reader.so.$version bin/warpscope bin/phold lib/warpscope/st_collector.so; do
    assert_ok "$file in both" cmp one/build/$file second/deeper/build/$file
done
finish
