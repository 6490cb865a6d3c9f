/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits.h - numbers of a few bits each, packed into words (internal to format/).
 *
 * Numbers of up to 32 bits are packed into words of 32 bits, others into words of 64 bits. n
 * numbers have ceil(n / bits of a word) lanes; number i is in lane i % lanes. A lane is a string of
 * bits that contains its numbers one after another, the lowest bit first. Word k of lane l is word
 * k * lanes + l of the output, little-endian. docs/FORMAT.md defines this layout.
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

#define FMT_IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

struct fmt_frame {
    uint64_t base;
    unsigned bits;  /* bits of a number, at most those of a word */
    unsigned shift; /* less than the bits of a word; 0 if bits is 0 */
    unsigned found; /* bits + shift when the base was found; 0: all numbers were 0 */
};

/* Returns the number of bits of v without leading zeros. */
static inline unsigned fmt_bits_of(uint64_t v)
{
    return v == 0 ? 0 : 64 - (unsigned)__builtin_clzll(v);
}

/* Returns the size of n packed numbers in bytes. */
size_t fmt_bits_size(uint32_t n, unsigned bits);

#define FMT_EXCEPTIONS_MAX 1024u

/* A number that has more bits than the frame. */
struct fmt_exception {
    uint64_t number;
    uint32_t place; /* index among the numbers */
};

/* Exceptions that fmt_frame_find() finds if few numbers have many more bits than the others. */
struct fmt_exceptions {
    void *numbers; /* memory of the caller for n words: the numbers, with 0 instead of exceptions */
    uint32_t n;    /* number of exceptions; if it is 0, the memory is undefined */
    struct fmt_exception list[FMT_EXCEPTIONS_MAX];
};

/*
 * Finds the frame of n values (words of `width` bytes in the byte order of the machine), and its
 * exceptions. With delta, values[-1] must be readable. *frame: on entry the frame of the previous
 * block of the column, or zeros. That frame is kept if the numbers fit, which saves the search.
 */
void fmt_frame_find(const void *values, uint32_t n, uint32_t width, bool delta,
                    struct fmt_frame *frame, struct fmt_exceptions *exceptions);

/* Packs n values into fmt_bits_size() bytes at `to`, which may be unaligned. */
void fmt_bits_pack(uint8_t *to, const void *values, uint32_t n, uint32_t width, bool delta,
                   const struct fmt_frame *frame);

/* Unpacks n values, or differences, from fmt_bits_size() bytes at packed, which may be unaligned.
 * `to` is aligned to width, and gets words in the byte order of the machine. */
void fmt_bits_unpack(void *to, const uint8_t *packed, uint32_t n, uint32_t width,
                     const struct fmt_frame *frame);
/* Replaces n differences by values. The value before the first one is differences[-1]. */
void fmt_bits_sum(void *differences, uint32_t n, uint32_t width);

/* Finds the runs of n values, n at least 1. Stores the value and the last place of each run.
 * Returns the number of runs. The outputs must have space for n runs. */
uint32_t fmt_runs_find(const void *values, uint32_t n, uint32_t width, void *run_values,
                       uint32_t *run_ends);

/* Converts n words, in place, between the byte order of the machine and little-endian. */
void fmt_words_turn(void *words, size_t n, uint32_t width);

#endif
