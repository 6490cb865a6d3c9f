/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_hostile.h - random changes to a record file that are likely to break a reader.
 */
#ifndef WARPSCOPE_TESTS_FORMAT_HOSTILE_H
#define WARPSCOPE_TESTS_FORMAT_HOSTILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/suite.h"

/* Returns a number of up to 8 bytes that is likely to break a reader. */
static inline uint64_t hostile_number(uint64_t *seed)
{
    static const uint64_t numbers[] = {
        0, 1, 2, 127, 255, 4096, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1u << 20, 1u << 26};
    uint64_t n = numbers[random_below(seed, sizeof numbers / sizeof numbers[0])];
    return random_below(seed, 3) == 0 ? n << 32 | n : n + random_below(seed, 3) - 1;
}

/* Returns the offset of an important byte: in the superblock, or near a block. */
static inline size_t interesting_place(uint64_t *seed, const uint8_t *bytes, size_t size)
{
    size_t at = (size_t)random_below(seed, size) / 64 * 64;
    if (random_below(seed, 4) == 0) {
        return (size_t)random_below(seed, size < 1500 ? size : 1500);
    }
    for (size_t tries = 0; tries < size / 64; tries++, at = (at + 64) % (size / 64 * 64)) {
        if (memcmp(bytes + at, "WSBK", 4) == 0) {
            break;
        }
    }
    at += random_below(seed, 400);
    return at < size ? at : size - 1;
}

/* Changes the file at random. It may become shorter, never longer. */
static inline void hostile_change(uint64_t *seed, uint8_t *bytes, size_t *size)
{
    size_t at = interesting_place(seed, bytes, *size), room = *size - at;
    uint64_t number = hostile_number(seed);
    size_t width = (size_t)1 << random_below(seed, 4), length, from;
    switch (random_below(seed, 8)) {
    case 0:
        *size = at + 1; /* cut off */
        break;
    case 1: /* copies a piece of the file to another place */
        length = (size_t)random_below(seed, 600) + 1;
        from = interesting_place(seed, bytes, *size);
        if (length <= room && length <= *size - from) {
            memmove(bytes + at, bytes + from, length);
        }
        break;
    case 2:
        length = (size_t)random_below(seed, 200) + 1;
        memset(bytes + at, 0, length < room ? length : room);
        break;
    case 3:
    case 4:
        bytes[at] ^= (uint8_t)(1u << random_below(seed, 8));
        break;
    default:
        for (size_t i = 0; i < width && i < room; i++) {
            bytes[at + i] = (uint8_t)(number >> 8 * i);
        }
        break;
    }
}

#endif
