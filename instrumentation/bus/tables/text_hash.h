/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_hash.h - a 128-bit hash of a text: XXH3. Inline because most texts are short names, for
 * which the call into the library would cost as much as the hash.
 */
#ifndef WARPSCOPE_BUS_TABLES_TEXT_HASH_H
#define WARPSCOPE_BUS_TABLES_TEXT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct text_hash {
    uint64_t low, high;
};

static inline struct text_hash text_hash_bytes(const void *bytes, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    return (struct text_hash){.low = hash.low64, .high = hash.high64};
}

#endif
