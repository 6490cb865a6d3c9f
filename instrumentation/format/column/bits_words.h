/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits_words.h - bit packing for one width of values and one size of words (internal to bits.c,
 * which includes this file three times).
 *
 * VALUE is the type of the values, WORD that of the words. NAME(x) makes the name of the function x
 * for these types. All inner loops process consecutive words with the same shift, so that compilers
 * vectorise them. The layout is that of FastLanes (Afroozeh and Boncz, VLDB 2023), with as many
 * lanes as a column needs.
 *
 * A row consists of one number from each lane. The numbers of a row begin in consecutive words, a
 * row of words, all at the same bit `from`. Numbers that cross the end of their words continue in
 * the next row of words.
 */

#define WORD_BITS ((unsigned)(8 * sizeof(WORD)))

FMT_LOOPS WORD NAME(packed_number)(const VALUE *v, uint32_t i, VALUE base, bool delta,
                                   unsigned shift)
{
    return (WORD)((VALUE)(v[i] - (delta ? v[(ptrdiff_t)i - 1] : 0) - base) >> shift);
}

FMT_LOOPS WORD NAME(load)(const uint8_t *from, size_t i)
{
    WORD word;
    memcpy(&word, from + i * sizeof word, sizeof word);
    return LITTLE(word);
}

FMT_LOOPS void NAME(store)(uint8_t *to, size_t i, WORD word)
{
    word = LITTLE(word);
    memcpy(to + i * sizeof word, &word, sizeof word);
}

/* Stores the first `count` words of a row of words, each with a number of the row at bit 0. */
FMT_LOOPS void NAME(row_begin)(uint8_t *restrict to, const VALUE *restrict v, uint32_t count,
                               VALUE base, bool delta, unsigned shift)
{
    for (uint32_t i = 0; i < count; i++) {
        NAME(store)(to, i, NAME(packed_number)(v, i, base, delta, shift));
    }
}

/* Stores the `count` numbers of a row at bit `from` of words that already have other numbers. */
FMT_LOOPS void NAME(row_add)(uint8_t *restrict to, const VALUE *restrict v, uint32_t count,
                             VALUE base, bool delta, unsigned shift, unsigned from)
{
    for (uint32_t i = 0; i < count; i++) {
        WORD number = NAME(packed_number)(v, i, base, delta, shift);
        NAME(store)(to, i, NAME(load)(to, i) | (WORD)(number << from));
    }
}

/* Variant of NAME(row_add)() for numbers that continue in the next words: also stores their
 * remaining bits in the words at `next`. */
FMT_LOOPS void NAME(row_across)(uint8_t *restrict to, uint8_t *restrict next,
                                const VALUE *restrict v, uint32_t count, VALUE base, bool delta,
                                unsigned shift, unsigned from)
{
    for (uint32_t i = 0; i < count; i++) {
        WORD number = NAME(packed_number)(v, i, base, delta, shift);
        NAME(store)(to, i, NAME(load)(to, i) | (WORD)(number << from));
        NAME(store)(next, i, (WORD)(number >> (WORD_BITS - from)));
    }
}

FMT_LOOPS void NAME(pack)(uint8_t *to, const VALUE *v, uint32_t n, const struct fmt_frame *frame,
                          bool delta)
{
    const uint32_t lanes = lanes_of(n, WORD_BITS);
    const size_t row_bytes = lanes * sizeof(WORD);
    const VALUE base = (VALUE)frame->base;
    const unsigned bits = frame->bits, shift = frame->shift;
    /* Words that contain the lowest bits of the row's numbers. */
    uint8_t *row = to;
    unsigned from = 0;
    for (uint32_t begin = 0; begin < n; begin += lanes) {
        uint32_t count = n - begin < lanes ? n - begin : lanes;
        uint8_t *begun = from == 0 ? row : row + row_bytes;
        if (from == 0) {
            NAME(row_begin)(row, v + begin, count, base, delta, shift);
        } else if (from + bits <= WORD_BITS) {
            NAME(row_add)(row, v + begin, count, base, delta, shift, from);
        } else {
            NAME(row_across)(row, begun, v + begin, count, base, delta, shift, from);
        }
        if (count < lanes && (from == 0 || from + bits > WORD_BITS)) {
            memset(begun + count * sizeof(WORD), 0, row_bytes - count * sizeof(WORD));
        }
        from += bits;
        row += from >= WORD_BITS ? row_bytes : 0;
        from %= WORD_BITS;
    }
}

/* Unpacks the `count` numbers of a row that begin at bit `from` of their words and end within these
 * words. */
FMT_LOOPS void NAME(row_read)(VALUE *restrict to, const uint8_t *restrict words, uint32_t count,
                              unsigned from, WORD mask, unsigned shift, VALUE base)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (VALUE)(((VALUE)(NAME(load)(words, i) >> from & mask) << shift) + base);
    }
}

/* Variant of NAME(row_read)() for numbers that continue in the next words. */
FMT_LOOPS void NAME(row_read_across)(VALUE *restrict to, const uint8_t *restrict words,
                                     uint32_t lanes, uint32_t count, unsigned from, WORD mask,
                                     unsigned shift, VALUE base)
{
    const uint8_t *next = words + (size_t)lanes * sizeof(WORD);
    for (uint32_t i = 0; i < count; i++) {
        WORD v = NAME(load)(words, i) >> from | NAME(load)(next, i) << (WORD_BITS - from);
        to[i] = (VALUE)(((VALUE)(v & mask) << shift) + base);
    }
}

FMT_LOOPS void NAME(unpack)(VALUE *to, const uint8_t *words, uint32_t n,
                            const struct fmt_frame *frame)
{
    const uint32_t lanes = lanes_of(n, WORD_BITS);
    const VALUE base = (VALUE)frame->base;
    const WORD mask = (WORD)(((WORD)1 << (frame->bits - 1) << 1) - 1);
    uint32_t begin = 0;
    for (unsigned at = 0; begin < n; at += frame->bits, begin += lanes) {
        uint32_t count = n - begin < lanes ? n - begin : lanes;
        unsigned from = at % WORD_BITS;
        const uint8_t *row = words + (size_t)(at / WORD_BITS) * lanes * sizeof(WORD);
        if (from + frame->bits <= WORD_BITS) {
            NAME(row_read)(to + begin, row, count, from, mask, frame->shift, base);
        } else {
            NAME(row_read_across)
            (to + begin, row, lanes, count, from, mask, frame->shift, base);
        }
    }
}

#undef WORD_BITS
