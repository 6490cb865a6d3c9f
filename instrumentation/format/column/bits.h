/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits.h - packs numbers of a few bits each into words (internal to format/).
 *
 * Numbers of at most 32 bits are packed into words of 32 bits, other numbers into words of 64 bits.
 * n numbers take ceil(n / bits of a word) lanes; number i is in lane i % lanes. A lane is a string
 * of bits that contains its numbers one after another, each with its lowest bit first. Word k of
 * lane l is word k * lanes + l of the output, little-endian. docs/FORMAT.md defines this layout.
 *
 * A frame converts a column of words to numbers of few bits and back, modulo 2^32 or 2^64:
 *
 *     value[i] = base + (number[i] << shift) + (delta ? value[i - 1] : 0)
 *
 * Sources: frame of reference and delta coding as in Lemire and Boytsov, "Decoding billions of
 * integers per second through vectorization" (2015).
 */
#ifndef WARPSCOPE_FORMAT_BITS_H
#define WARPSCOPE_FORMAT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/bytes.h"

struct fmt_frame {
    uint64_t base;
    unsigned bits;  /* width in bits of each packed number, at most that of a word */
    unsigned shift; /* less than the width in bits of a word; 0 if `bits` is 0 */
    /* Value of bits + shift when the base was found; 0: all numbers were 0. */
    unsigned found;
};

/* Returns the number of bits of v without leading zeros. */
static inline unsigned fmt_bits_of(uint64_t v)
{
    return v == 0 ? 0 : 64 - (unsigned)__builtin_clzll(v);
}

/* Returns the size in bytes of n packed numbers of `bits` bits. */
size_t fmt_bits_size(uint32_t n, unsigned bits);

#define FMT_EXCEPTIONS_MAX 1024u

/* A number that has more bits than the frame provides. */
struct fmt_exception {
    uint64_t number;
    uint32_t place; /* index of the number in the column */
};

/* Numbers that fmt_frame_find() excludes from the frame, because they have more bits than almost
 * all others. */
struct fmt_exceptions {
    /* Memory of the caller for n words; receives the numbers, with 0 in place of each exception. */
    void *numbers;
    /* Number of exceptions; if it is 0, the contents of `numbers` are undefined. */
    uint32_t n;
    struct fmt_exception list[FMT_EXCEPTIONS_MAX];
};

/*
 * Finds the frame for n values (words of `width` bytes in the byte order of the machine), and the
 * exceptions from it. delta: each number is the difference from the previous value; values[-1] must
 * then be readable. *frame: on entry, the frame of the column's previous block, or zeros. If the
 * numbers fit into that frame, its base is kept, which saves the search for a base.
 */
void fmt_frame_find(const void *values, uint32_t n, uint32_t width, bool delta,
                    struct fmt_frame *frame, struct fmt_exceptions *exceptions);

/* Packs n values into fmt_bits_size() bytes at `to`, which may be unaligned. Parameters as for
 * fmt_frame_find(). */
void fmt_bits_pack(uint8_t *to, const void *values, uint32_t n, uint32_t width, bool delta,
                   const struct fmt_frame *frame);

/* Unpacks n values (or differences, for a frame with delta) from fmt_bits_size() bytes at packed,
 * which may be unaligned. Writes them to `to`, which is aligned to width, as words in the byte
 * order of the machine. */
void fmt_bits_unpack(void *to, const uint8_t *packed, uint32_t n, uint32_t width,
                     const struct fmt_frame *frame);
/* Replaces n differences by the values. differences[-1]: the value before the first difference. */
void fmt_bits_sum(void *differences, uint32_t n, uint32_t width);

/* Finds the runs of equal values among n values, n at least 1. Stores the value of each run in
 * run_values, and the index of its last value in run_ends. Returns the number of runs. Both outputs
 * must have space for n runs. */
uint32_t fmt_runs_find(const void *values, uint32_t n, uint32_t width, void *run_values,
                       uint32_t *run_ends);

/* Converts n words of `width` bytes in place between the byte order of the machine and
 * little-endian. */
void fmt_words_turn(void *words, size_t n, uint32_t width);

#endif
