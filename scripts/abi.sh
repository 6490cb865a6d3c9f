#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abi.sh SOURCES DIRECTORY: describes the binary interfaces of the installed libraries, as far as public headers declare
# them: DIRECTORY/<library>.abi. Builds them there with debugging symbols. Needs abidw (package abigail-tools).
set -eu
sources=$1
mkdir -p "$2/include"
cd "$2"
if command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
fi
cmake -S "$sources" -B build -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_C_FLAGS_DEBUG=-O0 -g' -DWARPSCOPE_LTO=OFF \
    -DWARPSCOPE_TESTS=OFF -DWARPSCOPE_MODELS=OFF -DWARPSCOPE_BENCH=OFF -DWARPSCOPE_CUDA=OFF
cmake --build build --parallel 2 --target warpscope_shared warpscope_bus_shared warpscope_reader_shared
# Types of other headers are private.
cp "$sources"/core/ross*.h "$sources"/instrumentation/st*.h "$sources"/instrumentation/format/memtrace.h \
    "$sources"/reader/library/warpscope/reader.h build/include/*.h include
for name in warpscope warpscope_bus warpscope-reader; do
    library=$(find build -name "lib$name.so" | head -1)
    abidw --headers-dir include --drop-private-types --exported-interfaces-only --no-show-locs --no-corpus-path \
        --no-comp-dir-path --no-elf-needed --drop-undefined-syms "$library" |
        sed "s#\( path='\)[^']*/\([^/]*/[^/]*/[^/]*'\)#\1\2#" >"lib$name.abi"
done
