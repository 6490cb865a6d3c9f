/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits_words.h - bit packing for one size of words (internal to bits.c, which includes it twice).
 *
 * WORD is the type of words and NAME(x) the name of a function for it. All inner loops walk through
 * neighbouring words with one shift for all of them, so compilers vectorise them from plain C. This
 * is the layout of FastLanes (Afroozeh and Boncz, VLDB 2023), with as many lanes as a column needs.
 *
 * The numbers of a row begin at the same bit of all lanes: `from` bits into words k * lanes and
 * following, and those that cross the end of a word continue in the next words.
 */

#define WORD_BITS ((unsigned)(8 * sizeof(WORD)))

static WORD NAME(number)(const WORD *v, uint32_t i, WORD base, bool delta)
{
    return (WORD)(v[i] - (delta ? v[(ptrdiff_t)i - 1] : 0) - base);
}

/* Returns the bits that any of the numbers has. */
static inline WORD NAME(bits_any)(const WORD *v, uint32_t n, WORD base, bool delta)
{
    WORD any = 0;
    for (uint32_t i = 0; i < n; i++) {
        any |= NAME(number)(v, i, base, delta);
    }
    return any;
}

static inline WORD NAME(load)(const uint8_t *from, size_t i)
{
    WORD word;
    memcpy(&word, from + i * sizeof word, sizeof word);
    return LITTLE(word);
}

static inline void NAME(store)(uint8_t *to, size_t i, WORD word)
{
    word = LITTLE(word);
    memcpy(to + i * sizeof word, &word, sizeof word);
}

/* Begins the words of a row's lanes with count numbers. */
static inline void NAME(row_begin)(uint8_t *restrict to, const WORD *restrict v, uint32_t count,
                                   WORD base, bool delta, unsigned shift)
{
    for (uint32_t i = 0; i < count; i++) {
        NAME(store)(to, i, (WORD)(NAME(number)(v, i, base, delta) >> shift));
    }
}

/* Adds count numbers of a row at bit `from` of the words. */
static inline void NAME(row_add)(uint8_t *restrict to, const WORD *restrict v, uint32_t count,
                                 WORD base, bool delta, unsigned shift, unsigned from)
{
    for (uint32_t i = 0; i < count; i++) {
        WORD number = (WORD)(NAME(number)(v, i, base, delta) >> shift);
        NAME(store)(to, i, NAME(load)(to, i) | (WORD)(number << from));
    }
}

/* Likewise, and begins the next words with the rest of the numbers. */
static inline void NAME(row_across)(uint8_t *restrict to, uint8_t *restrict next,
                                    const WORD *restrict v, uint32_t count, WORD base, bool delta,
                                    unsigned shift, unsigned from)
{
    for (uint32_t i = 0; i < count; i++) {
        WORD number = (WORD)(NAME(number)(v, i, base, delta) >> shift);
        NAME(store)(to, i, NAME(load)(to, i) | (WORD)(number << from));
        NAME(store)(next, i, (WORD)(number >> (WORD_BITS - from)));
    }
}

static inline void NAME(pack)(uint8_t *to, const WORD *v, uint32_t n, const struct fmt_frame *frame,
                              bool delta)
{
    const uint32_t lanes = lanes_of(n, WORD_BITS);
    const size_t row_bytes = lanes * sizeof(WORD);
    const WORD base = (WORD)frame->base;
    const unsigned bits = frame->bits, shift = frame->shift;
    uint8_t *row = to; /* words of the first numbers' lowest bits */
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

/* Reads count numbers that begin `from` bits into their words and end there. */
static inline void NAME(row_read)(WORD *restrict to, const uint8_t *restrict words, uint32_t count,
                                  unsigned from, WORD mask, unsigned shift, WORD base)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (WORD)(((NAME(load)(words, i) >> from & mask) << shift) + base);
    }
}

/* Likewise for numbers that continue in the next words. */
static inline void NAME(row_read_across)(WORD *restrict to, const uint8_t *restrict words,
                                         uint32_t lanes, uint32_t count, unsigned from, WORD mask,
                                         unsigned shift, WORD base)
{
    const uint8_t *next = words + (size_t)lanes * sizeof(WORD);
    for (uint32_t i = 0; i < count; i++) {
        WORD v = NAME(load)(words, i) >> from | NAME(load)(next, i) << (WORD_BITS - from);
        to[i] = (WORD)(((v & mask) << shift) + base);
    }
}

static void NAME(unpack)(WORD *to, const uint8_t *words, uint32_t n, const struct fmt_frame *frame)
{
    const uint32_t lanes = lanes_of(n, WORD_BITS);
    const WORD base = (WORD)frame->base, mask = (WORD)(((WORD)1 << (frame->bits - 1) << 1) - 1);
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

/* Adds the value before to each of n differences. */
static void NAME(sum)(WORD *v, uint32_t n)
{
    WORD value = v[-1];
    for (uint32_t i = 0; i < n; i++) {
        value = (WORD)(value + v[i]);
        v[i] = value;
    }
}

/* Returns the base with the fewest bits: the least number, taken as unsigned or as signed numbers,
 * whichever has the smaller range. */
static WORD NAME(base_find)(const WORD *v, uint32_t n, bool delta)
{
    const WORD sign = (WORD)((WORD)1 << (WORD_BITS - 1));
    WORD first = NAME(number)(v, 0, 0, delta);
    WORD low = first, high = first, low_signed = first ^ sign, high_signed = first ^ sign;
    for (uint32_t i = 1; i < n; i++) {
        WORD number = NAME(number)(v, i, 0, delta), turned = number ^ sign;
        low = number < low ? number : low;
        high = number > high ? number : high;
        low_signed = turned < low_signed ? turned : low_signed;
        high_signed = turned > high_signed ? turned : high_signed;
    }
    return high_signed - low_signed < high - low ? low_signed ^ sign : low;
}

/* Stores all numbers in `to`. */
static void NAME(numbers_store)(WORD *restrict to, const WORD *restrict v, uint32_t n, WORD base,
                                bool delta)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = NAME(number)(v, i, base, delta);
    }
}

/* Counts the numbers by their bits without leading zeros. */
static void NAME(bits_count)(const WORD *v, uint32_t n, WORD base, bool delta, uint32_t *counts)
{
    for (uint32_t i = 0; i < n; i++) {
        counts[fmt_bits_of(NAME(number)(v, i, base, delta))]++;
    }
}

/* Moves numbers with more than `bits` bits to the exceptions. Returns false if there are more than
 * `most`. */
static bool NAME(exceptions_take)(WORD *numbers, uint32_t n, unsigned bits, uint32_t most,
                                  struct fmt_exceptions *x)
{
    x->n = 0;
    for (uint32_t i = 0; bits < WORD_BITS && i < n; i++) {
        if (numbers[i] >> bits != 0) {
            if (x->n == most) {
                return false;
            }
            x->list[x->n++] = (struct fmt_exception){numbers[i], i};
            numbers[i] = 0;
        }
    }
    return true;
}

static int NAME(compare)(const void *a, const void *b)
{
    WORD x = *(const WORD *)a, y = *(const WORD *)b;
    return (x > y) - (x < y);
}

/* Returns the least of the numbers that are not far below most of them. */
static WORD NAME(usual_least)(const WORD *numbers, uint32_t n)
{
    WORD sample[SAMPLE];
    for (uint32_t i = 0; i < SAMPLE; i++) {
        sample[i] = numbers[(uint64_t)i * n / SAMPLE];
    }
    qsort(sample, SAMPLE, sizeof *sample, NAME(compare));
    WORD low = sample[SAMPLE / 8], spread = sample[SAMPLE - SAMPLE / 8] - low;
    WORD fence = low / 2 > spread ? low - 2 * spread : 0, least = (WORD)-1;
    for (uint32_t i = 0; i < n; i++) {
        least = numbers[i] >= fence && numbers[i] < least ? numbers[i] : least;
    }
    return least;
}

/* Returns the greatest number that has at most `bits` bits. */
static WORD NAME(usual_most)(const WORD *numbers, uint32_t n, unsigned bits)
{
    WORD most = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool usual = bits == WORD_BITS || numbers[i] >> bits == 0;
        most = usual && numbers[i] > most ? numbers[i] : most;
    }
    return most;
}

/* Sets the values of runs, and their last places. Returns the number of runs. */
static uint32_t NAME(runs_find)(const WORD *restrict v, uint32_t n, WORD *restrict values,
                                uint32_t *restrict ends)
{
    uint32_t last = 0;
    WORD before = v[0];
    values[0] = before;
    ends[0] = 0;
    for (uint32_t i = 1; i < n; i++) {
        WORD value = v[i];
        last += value != before;
        values[last] = value;
        ends[last] = i;
        before = value;
    }
    return last + 1;
}

#undef WORD_BITS
