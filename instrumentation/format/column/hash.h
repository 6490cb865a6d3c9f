/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h - the checksum of blocks, with vectors of 32 bytes where the processor has them (internal
 * to format/). */
#ifndef WARPSCOPE_FORMAT_HASH_H
#define WARPSCOPE_FORMAT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns XXH3 with 64 bits of the bytes. */
uint64_t fmt_hash(const void *bytes, size_t size);
/* As fmt_hash(), for processors with vectors of 32 bytes only. */
uint64_t fmt_hash_wide(const void *bytes, size_t size);

#endif
