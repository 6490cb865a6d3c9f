/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.c - see hash.h. */
#include "format/column/hash.h"

#define XXH_INLINE_ALL /* faster than the library, which is compiled for any processor */
#include <xxhash.h>

#include "format/column/wide.h"

uint64_t fmt_hash(const void *bytes, size_t size)
{
    return fmt_is_wide() ? fmt_hash_wide(bytes, size) : XXH3_64bits(bytes, size);
}
