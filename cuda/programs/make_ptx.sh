#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles the programs anew to the PTX that is kept in ptx/, which tests read where there is no nvcc. Run this script
# after a change of a program, or for another nvcc. Each PTX file states the version of nvcc in its first lines.
#
#   sh cuda/programs/make_ptx.sh [NVCC]
#
# ptx/sm_75-O3/: all programs, optimised, for sm_75; ptx/sm_90-O3/: those whose first comment says that they are for sm_90. ptx/sm_90-O0/: all programs, not optimised, for sm_90 (-Xcicc -O0:
# nvcc's own -O0 does not change device code). ptx/sm_80-O3-lineinfo/, ptx/sm_80-G/: two programs each, for sm_80.
set -eu
nvcc=${1:-nvcc}
here=$(cd "$(dirname "$0")" && pwd)
work=/var/tmp/cuda-programs # debug information contains this name
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp -R "$here/src/." "$work"

# compile DIRECTORY OPTIONS... FILE: compiles FILE to ptx/DIRECTORY/NAME.ptx.
compile() {
    directory=$1
    shift
    for file; do :; done
    name=$(basename "$file" .cu)
    rdc=false
    case $file in
    parts/*)
        name=parts_$name
        rdc=true
        ;;
    esac
    (cd "$work" && "$nvcc" -Wno-deprecated-gpu-targets -rdc=$rdc --ptx -o "$name.ptx" "$@")
    mkdir -p "$here/ptx/$directory"
    sed "s|$work/||" "$work/$name.ptx" >"$here/ptx/$directory/$name.ptx"
}

# shellcheck disable=SC2012 # our names have no special characters
for file in $(cd "$work" && ls ./*.cu parts/*.cu | sed 's|^\./||'); do
    if sed -n 2,4p "$work/$file" | grep -q 'sm_90'; then
        compile sm_90-O3 -arch=sm_90 -O3 "$file"
    else
        compile sm_75-O3 -arch=sm_75 -O3 "$file"
    fi
    compile sm_90-O0 -arch=sm_90 -Xcicc -O0 "$file"
done
compile sm_80-O3-lineinfo -arch=sm_80 -O3 -lineinfo gridsync.cu
compile sm_80-O3-lineinfo -arch=sm_80 -O3 -lineinfo warps.cu
compile sm_80-G -arch=sm_80 -G saxpy.cu
compile sm_80-G -arch=sm_80 -G generic.cu
