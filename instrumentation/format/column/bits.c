/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits.c - packs and unpacks numbers of a few bits, see bits.h.
 *
 * Invariants
 *  B1  Packing n numbers writes exactly fmt_bits_size() bytes, and unpacking reads only these.
 *  B2  A packed number lies in at most two words: it begins at a bit `from` < word size in bits,
 *      and `bits` <= word size in bits.
 *
 * A few large numbers must not determine the number of bits for all numbers. They are therefore
 * stored apart, as exceptions from the frame; the method is PFOR (Zukowski et al., "Super-scalar
 * RAM-CPU cache compression", 2006).
 *
 * Cost: 3 to 5 instructions per number, with vectors of 16 bytes.
 */
#include "format/column/bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "format/column/wide.h"

#define GROUP      64u /* number of values that are searched for exceptions together */
#define RUNS_GROUP 32u /* number of values that are compared together to find the ends of runs */
#define SAMPLE     64u /* number of values that are sampled to find the usual range of all values */
/* A base is kept if the numbers need at most this many more bits than when the base was found. */
#define KEEP_BITS 1u

/* Returns the number of lanes for n numbers in words of word_bits bits. */
static uint32_t lanes_of(uint32_t n, unsigned word_bits)
{
    return (n + word_bits - 1) / word_bits;
}

static inline uint32_t little_32(uint32_t word)
{
    return FMT_IS_LITTLE_ENDIAN ? word : __builtin_bswap32(word);
}

static inline uint64_t little_64(uint64_t word)
{
    return FMT_IS_LITTLE_ENDIAN ? word : __builtin_bswap64(word);
}

#define WORD    uint32_t
#define NAME(x) x##_32
#include "format/column/bits_values.h"
#undef WORD
#undef NAME
#define WORD    uint64_t
#define NAME(x) x##_64
#include "format/column/bits_values.h"
#undef WORD
#undef NAME

#define VALUE   uint32_t
#define WORD    uint32_t
#define NAME(x) x##_32_32
#define LITTLE  little_32
#include "format/column/bits_words.h"
#undef VALUE
#undef NAME
#define VALUE   uint64_t
#define NAME(x) x##_64_32
#include "format/column/bits_words.h"
#undef WORD
#undef NAME
#undef LITTLE
#define WORD    uint64_t
#define NAME(x) x##_64_64
#define LITTLE  little_64
#include "format/column/bits_words.h"
#undef VALUE
#undef WORD
#undef NAME
#undef LITTLE

size_t fmt_bits_size(uint32_t n, unsigned bits)
{
    unsigned word_bits = bits <= 32 ? 32 : 64;
    uint32_t lanes = lanes_of(n, word_bits);
    uint32_t rows = lanes == 0 ? 0 : (n + lanes - 1) / lanes;
    return (size_t)lanes * ((rows * bits + word_bits - 1) / word_bits) * (word_bits / 8);
}

FMT_LOOPS uint64_t bits_any_any(const void *values, uint32_t n, uint32_t width, bool delta,
                                uint64_t base)
{
    if (width == 4) {
        return delta ? bits_any_32(values, n, (uint32_t)base, true)
                     : bits_any_32(values, n, (uint32_t)base, false);
    }
    return delta ? bits_any_64(values, n, base, true) : bits_any_64(values, n, base, false);
}
FMT_TWICE(return, uint64_t, bits_any,
                (const void *values, uint32_t n, uint32_t width, bool delta, uint64_t base),
                (values, n, width, delta, base))

FMT_LOOPS void numbers_store_any(void *to, const void *values, uint32_t n, uint32_t width,
                                 bool delta, uint64_t base)
{
    if (width == 4) {
        numbers_store_32(to, values, n, (uint32_t)base, delta);
    } else {
        numbers_store_64(to, values, n, base, delta);
    }
}
FMT_TWICE(, void, numbers_store,
          (void *to, const void *values, uint32_t n, uint32_t width, bool delta, uint64_t base),
          (to, values, n, width, delta, base))

FMT_LOOPS bool exceptions_take_any(struct fmt_exceptions *x, uint32_t n, uint32_t width,
                                   unsigned bits, uint32_t most)
{
    return width == 4 ? exceptions_take_32(x->numbers, n, bits, most, x)
                      : exceptions_take_64(x->numbers, n, bits, most, x);
}
FMT_TWICE(return, bool, exceptions_take,
                (struct fmt_exceptions * x, uint32_t n, uint32_t width, unsigned bits,
                 uint32_t most),
                (x, n, width, bits, most))

/* Chooses the width of packed numbers so that all numbers, including exceptions, take the least
 * space. Returns the width in bits. *cost receives that space in bits. */
static unsigned bits_choose(const void *values, uint32_t n, uint32_t width, bool delta,
                            uint64_t base, uint64_t *cost)
{
    uint32_t counts[65] = {0}, more = 0;
    unsigned best = 8 * width;
    if (width == 4) {
        bits_count_32(values, n, (uint32_t)base, delta, counts);
    } else {
        bits_count_64(values, n, base, delta, counts);
    }
    *cost = UINT64_MAX;
    for (unsigned bits = 8 * width; more <= FMT_EXCEPTIONS_MAX; bits--) {
        uint64_t space = (uint64_t)n * bits + (uint64_t)more * 8 * (4 + width);
        if (space < *cost) {
            *cost = space;
            best = bits;
        }
        more += counts[bits];
        if (bits == 0) {
            break;
        }
    }
    return best;
}

/* Returns a base that is lower than `base`, but not so low that numbers of at most `bits` bits
 * become longer. It is close to zero if that is possible; otherwise it is `base` minus half of the
 * unused range above the numbers. Smaller or larger values in the next blocks are then likely to
 * fit as well. */
static uint64_t base_lower(uint64_t base, const void *numbers, uint32_t n, uint32_t width,
                           unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (8 * width - 1);
    uint64_t most = width == 4 ? usual_most_32(numbers, n, bits) : usual_most_64(numbers, n, bits);
    uint64_t any = bits_any(numbers, n, width, false, 0);
    uint64_t unit = any == 0 ? 1 : UINT64_C(1) << __builtin_ctzll(any);
    uint64_t slack = bits == 0 ? 0 : (UINT64_MAX >> (64 - bits)) - most;
    return base < sign && base <= slack ? base % unit : base - slack / 2 / unit * unit;
}

FMT_LOOPS uint64_t base_find_any(const void *values, uint32_t n, uint32_t width, bool delta)
{
    if (width == 4) {
        return base_find_32(values, n, delta);
    }
    return delta ? base_find_64(values, n, true) : base_find_64(values, n, false);
}
FMT_TWICE(return, uint64_t, base_find, (const void *values, uint32_t n, uint32_t width, bool delta),
                (values, n, width, delta))

/* Chooses a base and a width of packed numbers. *base: on entry, that of base_find(). Returns the
 * width in bits. numbers: temporary memory for n words. */
static unsigned frame_choose(const void *values, uint32_t n, uint32_t width, bool delta,
                             uint64_t *base, void *numbers)
{
    uint64_t cost, usual_cost;
    unsigned bits = bits_choose(values, n, width, delta, *base, &cost);
    numbers_store(numbers, values, n, width, delta, *base);
    if (n >= SAMPLE && bits > 0) { /* else a third of the numbers or more are the base */
        uint64_t usual =
            *base + (width == 4 ? usual_least_32(numbers, n) : usual_least_64(numbers, n));
        unsigned usual_bits = bits_choose(values, n, width, delta, usual, &usual_cost);
        if (usual_cost < cost) {
            *base = usual;
            bits = usual_bits;
            numbers_store(numbers, values, n, width, delta, usual);
        }
    }
    *base = base_lower(*base, numbers, n, width, bits);
    return bits;
}

/* Sets bits and shift of the frame for numbers whose bitwise OR is `any`. */
static void frame_fit(struct fmt_frame *frame, uint64_t any)
{
    frame->shift = any == 0 ? 0 : (unsigned)__builtin_ctzll(any);
    frame->bits = fmt_bits_of(any) - frame->shift;
}

void fmt_frame_find(const void *values, uint32_t n, uint32_t width, bool delta,
                    struct fmt_frame *frame, struct fmt_exceptions *x)
{
    assert(width == 4 || width == 8);
    const uint32_t few = n / 32 < FMT_EXCEPTIONS_MAX ? n / 32 : FMT_EXCEPTIONS_MAX;
    unsigned most = frame->found;
    uint64_t any = bits_any(values, n, width, delta, frame->base);
    x->n = 0;
    if (fmt_bits_of(any) <= most + (most > 0 ? KEEP_BITS : 0)) {
        frame_fit(frame, any);
        return;
    }
    numbers_store(x->numbers, values, n, width, delta, frame->base);
    if (most == 0 || !exceptions_take(x, n, width, most, few)) {
        frame->base = base_find(values, n, width, delta);
        any = bits_any(values, n, width, delta, frame->base);
        if (most > 0 && fmt_bits_of(any) <= most + KEEP_BITS) { /* the values only moved */
            x->n = 0;
            frame_fit(frame, any);
            return;
        }
        most = frame_choose(values, n, width, delta, &frame->base, x->numbers);
        frame->found = most;
        numbers_store(x->numbers, values, n, width, delta, frame->base);
        exceptions_take(x, n, width, most, FMT_EXCEPTIONS_MAX);
    }
    frame_fit(frame, bits_any(x->numbers, n, width, false, 0));
}

FMT_LOOPS void pack_any(uint8_t *to, const void *values, uint32_t n, uint32_t width, bool delta,
                        const struct fmt_frame *frame)
{
    if (frame->bits == 0) {
        return;
    }
    if (width == 4) {
        if (delta) {
            pack_32_32(to, values, n, frame, true);
        } else {
            pack_32_32(to, values, n, frame, false);
        }
    } else if (frame->bits <= 32) {
        if (delta) {
            pack_64_32(to, values, n, frame, true);
        } else {
            pack_64_32(to, values, n, frame, false);
        }
    } else if (delta) {
        pack_64_64(to, values, n, frame, true);
    } else {
        pack_64_64(to, values, n, frame, false);
    }
}
FMT_TWICE(, void, pack,
          (uint8_t * to, const void *values, uint32_t n, uint32_t width, bool delta,
           const struct fmt_frame *frame),
          (to, values, n, width, delta, frame))

void fmt_bits_pack(uint8_t *to, const void *values, uint32_t n, uint32_t width, bool delta,
                   const struct fmt_frame *frame)
{
    pack(to, values, n, width, delta, frame);
}

FMT_LOOPS void unpack_any(void *to, const uint8_t *packed, uint32_t n, uint32_t width,
                          const struct fmt_frame *frame)
{
    assert(frame->bits + frame->shift <= 8 * width);
    uint32_t *to_32 = to;
    uint64_t *to_64 = to;
    if (frame->bits == 0) {
        for (uint32_t i = 0; i < n; i++) {
            if (width == 4) {
                to_32[i] = (uint32_t)frame->base;
            } else {
                to_64[i] = frame->base;
            }
        }
    } else if (width == 4) {
        unpack_32_32(to, packed, n, frame);
    } else if (frame->bits <= 32) {
        unpack_64_32(to, packed, n, frame);
    } else {
        unpack_64_64(to, packed, n, frame);
    }
}
FMT_TWICE(, void, unpack,
          (void *to, const uint8_t *packed, uint32_t n, uint32_t width,
           const struct fmt_frame *frame),
          (to, packed, n, width, frame))

void fmt_bits_unpack(void *to, const uint8_t *packed, uint32_t n, uint32_t width,
                     const struct fmt_frame *frame)
{
    unpack(to, packed, n, width, frame);
}

void fmt_bits_sum(void *differences, uint32_t n, uint32_t width)
{
    if (width == 4) {
        sum_32(differences, n);
    } else {
        sum_64(differences, n);
    }
}

FMT_LOOPS uint32_t runs_any(const void *values, uint32_t n, uint32_t width, void *run_values,
                            uint32_t *run_ends)
{
    return width == 4 ? runs_find_32(values, n, run_values, run_ends)
                      : runs_find_64(values, n, run_values, run_ends);
}
FMT_TWICE(return, uint32_t, runs,
                (const void *values, uint32_t n, uint32_t width, void *run_values,
                 uint32_t *run_ends),
                (values, n, width, run_values, run_ends))

uint32_t fmt_runs_find(const void *values, uint32_t n, uint32_t width, void *run_values,
                       uint32_t *run_ends)
{
    assert(n > 0);
    return runs(values, n, width, run_values, run_ends);
}

void fmt_words_turn(void *words, size_t n, uint32_t width)
{
    uint32_t *words_32 = words;
    uint64_t *words_64 = words;
    for (size_t i = 0; !FMT_IS_LITTLE_ENDIAN && i < n; i++) {
        if (width == 4) {
            words_32[i] = little_32(words_32[i]);
        } else {
            words_64[i] = little_64(words_64[i]);
        }
    }
}
