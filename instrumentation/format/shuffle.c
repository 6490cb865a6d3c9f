/*
 * shuffle.c - byte planes, see shuffle.h.
 *
 * Eight 8-byte lanes of neighbouring values are an 8x8 matrix of bytes; it is transposed in three
 * steps of masked swaps (Warren, Hacker's Delight, 2nd ed., 7-3, with bytes for bits), which gives
 * eight bytes of eight planes each. What is left over goes byte by byte. About 1 ns per 8-byte
 * value.
 */
#include "format/shuffle.h"

#include <string.h>

#include "format/bytes.h"

/* Swaps the bits of *a at mask << shift with those of *b at mask. */
static inline void swap_bits(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    uint64_t t = ((*a >> shift) ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

/* Transposes the matrix whose row r is the bytes of m[r], the lowest first. */
static inline void transpose_8x8(uint64_t m[8])
{
    for (int r = 0; r < 4; r++) {
        swap_bits(&m[r], &m[r + 4], 32, UINT64_C(0x00000000ffffffff));
    }
    for (int r = 0; r < 8; r += 4) {
        swap_bits(&m[r], &m[r + 2], 16, UINT64_C(0x0000ffff0000ffff));
        swap_bits(&m[r + 1], &m[r + 3], 16, UINT64_C(0x0000ffff0000ffff));
    }
    for (int r = 0; r < 8; r += 2) {
        swap_bits(&m[r], &m[r + 1], 8, UINT64_C(0x00ff00ff00ff00ff));
    }
}

/* Rows and planes that the 8x8 steps cover; the rest is for the byte loops. */
static size_t whole(size_t n)
{
    return n & ~(size_t)7;
}

void fmt_shuffle(uint8_t *planes, const uint8_t *values, size_t width, size_t n)
{
    size_t lanes = whole(width), rows = whole(n);
    for (size_t b = 0; b < lanes; b += 8) {
        for (size_t i = 0; i < rows; i += 8) {
            uint64_t m[8];
            for (size_t r = 0; r < 8; r++) {
                m[r] = fmt_get_u64(values + (i + r) * width + b);
            }
            transpose_8x8(m);
            for (size_t r = 0; r < 8; r++) {
                fmt_put_u64(planes + (b + r) * n + i, m[r]);
            }
        }
    }
    for (size_t b = 0; b < width; b++) {
        for (size_t i = b < lanes ? rows : 0; i < n; i++) {
            planes[b * n + i] = values[i * width + b];
        }
    }
}

void fmt_unshuffle(uint8_t *values, const uint8_t *planes, size_t width, size_t n)
{
    size_t lanes = whole(width), rows = whole(n);
    for (size_t b = 0; b < lanes; b += 8) {
        for (size_t i = 0; i < rows; i += 8) {
            uint64_t m[8];
            for (size_t r = 0; r < 8; r++) {
                m[r] = fmt_get_u64(planes + (b + r) * n + i);
            }
            transpose_8x8(m);
            for (size_t r = 0; r < 8; r++) {
                fmt_put_u64(values + (i + r) * width + b, m[r]);
            }
        }
    }
    for (size_t b = 0; b < width; b++) {
        for (size_t i = b < lanes ? rows : 0; i < n; i++) {
            values[i * width + b] = planes[b * n + i];
        }
    }
}
