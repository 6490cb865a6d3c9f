/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint_reseal.h - changes of checkpoint files that get past checksums and compression; see
 * core/checkpoint/format.c for the places.
 */
#ifndef WARPSCOPE_TESTS_CHECKPOINT_RESEAL_H
#define WARPSCOPE_TESTS_CHECKPOINT_RESEAL_H

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "support/format_reseal.h"

#define CKPT_FILE_HEAD  32u
#define CKPT_BLOCK_HEAD 64u
#define CKPT_AT_RAW     16u
#define CKPT_AT_STORED  24u
#define CKPT_AT_DATA    48u
#define CKPT_AT_HASH    56u
#define CKPT_RAW_MAX    ((size_t)1 << 20)
#define CKPT_BLOCKS_MAX 256u

/* Finds the blocks that lie within the file. Returns their number. */
static inline size_t ckpt_blocks_find(const uint8_t *data, size_t size, size_t at[CKPT_BLOCKS_MAX])
{
    size_t n = 0;
    for (size_t next = CKPT_FILE_HEAD; n < CKPT_BLOCKS_MAX && next + CKPT_BLOCK_HEAD <= size;) {
        uint64_t stored = reseal_get(data + next + CKPT_AT_STORED, 8);
        at[n++] = next;
        if (stored > size - next - CKPT_BLOCK_HEAD) {
            break;
        }
        next += CKPT_BLOCK_HEAD + (size_t)stored;
    }
    return n;
}

/* Puts the checksums right, and numbers the blocks. */
static inline void ckpt_reseal(uint8_t *data, size_t size)
{
    size_t at[CKPT_BLOCKS_MAX];
    size_t n = ckpt_blocks_find(data, size, at);
    reseal_put(data + 24, XXH3_64bits(data, 24));
    for (size_t i = 0; i < n; i++) {
        uint8_t *head = data + at[i];
        uint64_t stored = reseal_get(head + CKPT_AT_STORED, 8),
                 room = size - at[i] - CKPT_BLOCK_HEAD;
        if (stored <= room) {
            reseal_put(head + CKPT_AT_DATA, XXH3_64bits(head + CKPT_BLOCK_HEAD, (size_t)stored));
        }
        memcpy(head + 4, &(uint32_t){(uint32_t)i}, 4);
        reseal_put(head + CKPT_AT_HASH, XXH3_64bits_withSeed(head, CKPT_AT_HASH, i));
    }
}

/* Stores the contents of a compressed block as they are. Returns the new size of the file. */
static inline size_t ckpt_unpack(uint8_t *data, size_t size, size_t max_size, size_t at)
{
    uint8_t *head = data + at, *body = head + CKPT_BLOCK_HEAD;
    uint64_t raw = reseal_get(head + CKPT_AT_RAW, 8), stored = reseal_get(head + CKPT_AT_STORED, 8);
    if (stored >= raw || raw > CKPT_RAW_MAX || stored > size - at - CKPT_BLOCK_HEAD ||
        raw > max_size || size - stored > max_size - raw) {
        return size;
    }
    char *bytes = malloc((size_t)raw);
    if (bytes != NULL &&
        LZ4_decompress_safe((char *)body, bytes, (int)stored, (int)raw) == (int)raw) {
        memmove(body + raw, body + stored, size - at - CKPT_BLOCK_HEAD - (size_t)stored);
        memcpy(body, bytes, (size_t)raw);
        reseal_put(head + CKPT_AT_STORED, raw);
        size += (size_t)(raw - stored);
    }
    free(bytes);
    return size;
}

#endif
