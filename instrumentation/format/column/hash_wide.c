/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash_wide.c - XXH3 compiled for processors with vectors of 32 bytes, see hash.h. All functions of
 * xxhash.h are compiled for them, so nothing else may be in this file.
 */
#include "format/column/hash.h"

#include <stdlib.h>
#include <string.h>

#include "format/column/wide.h"

#ifdef FMT_WIDE
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define XXH_VECTOR XXH_AVX2
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t fmt_hash_wide(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

#ifdef FMT_WIDE
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
