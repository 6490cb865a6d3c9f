/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_reseal.h - corrects the checksums of a changed file, so that tests reach the checks behind
 * them. Written from the layout in docs/FORMAT.md.
 */
#ifndef WARPSCOPE_TESTS_FORMAT_RESEAL_H
#define WARPSCOPE_TESTS_FORMAT_RESEAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <xxhash.h>

static inline uint64_t reseal_get(const uint8_t *p, int bytes)
{
    uint64_t v = 0;
    while (bytes-- > 0) {
        v = v << 8 | p[bytes];
    }
    return v;
}

static inline void reseal_put(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++) {
        p[i] = (uint8_t)(v >> 8 * i);
    }
}

/* Corrects the block whose header is at p. room: bytes from there to the end of the file. */
static inline void reseal_block(uint8_t *p, size_t room)
{
    uint64_t header = reseal_get(p + 4, 4), stored = reseal_get(p + 112, 8);
    if (header < 128 || header > room) {
        return;
    }
    if (stored <= room - header) {
        reseal_put(p + 16, XXH3_64bits(p + header, stored));
    }
    reseal_put(p + 8, XXH3_64bits(p + 16, header - 16));
}

/* Corrects everything that looks like a superblock or a block. */
static inline void reseal_file(uint8_t *bytes, size_t size)
{
    if (size >= 64) {
        uint64_t length = reseal_get(bytes + 12, 4);
        if (length >= 72 && length <= size) {
            reseal_put(bytes + length - 8, XXH3_64bits(bytes, length - 8));
        }
    }
    for (size_t at = 0; at + 128 <= size; at += 64) {
        if (memcmp(bytes + at, "WSBK", 4) == 0) {
            reseal_block(bytes + at, size - at);
        }
    }
}

#endif
