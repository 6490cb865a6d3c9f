#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes cudart_names.def and cuda_names.def anew: the names of functions that the libraries of a CUDA toolkit
# export and, for functions of the driver interface, the newest version, which cuda.h selects.
# Usage: names.sh TOOLKIT, such as /usr/local/cuda.
set -eu
export LC_ALL=C
toolkit=$1
cd "$(dirname "$0")"

names() { # names LIBRARY REGULAR-EXPRESSION
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | grep -E "$2" | sort -u
}
head_of() {
    echo '/* SPDX-License-Identifier: BSD-3-Clause */'
    echo "/* $1; written by names.sh. */"
}
{
    head_of "Functions of libcudart.so.13"
    names "$toolkit/lib64/libcudart.so.13" '^(cuda|__cuda)' | sed 's/.*/GPU_NAME(&)/'
} >cudart_names.def
{
    head_of "Functions of libcuda.so.1, and what cuda.h makes of their names"
    names "$toolkit/lib64/stubs/libcuda.so" '^cu[A-Z]' | sed 's/.*/GPU_NAME(&)/'
    sed -n -E 's/^ *#define +(cu[A-Za-z0-9]+) +(__CUDA_API_PT[SD][SZ]\()?(cu[A-Za-z0-9]+_v[0-9]+)\)? *$/\1 \3/p' \
        "$toolkit/include/cuda.h" | sort -u | awk '!seen[$1]++ { print "GPU_CURRENT(" $1 ", " $2 ")" }'
} >cuda_names.def
