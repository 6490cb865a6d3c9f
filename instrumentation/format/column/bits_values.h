/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bits_values.h - sums, bases and exceptions for values of one width (internal to bits.c, which
 * includes this file once for each width).
 *
 * WORD is the type of the values. NAME(x) makes the name of the function x for this type. The loops
 * that run for every column are plain C that compilers vectorise.
 */

#define WORD_BITS ((unsigned)(8 * sizeof(WORD)))

FMT_LOOPS WORD NAME(number)(const WORD *v, uint32_t i, WORD base, bool delta)
{
    return (WORD)(v[i] - (delta ? v[(ptrdiff_t)i - 1] : 0) - base);
}

/* Returns the bitwise OR of all numbers. */
FMT_LOOPS WORD NAME(bits_any)(const WORD *v, uint32_t n, WORD base, bool delta)
{
    WORD any = 0;
    for (uint32_t i = 0; i < n; i++) {
        any |= NAME(number)(v, i, base, delta);
    }
    return any;
}

/* Replaces n differences by the values, see fmt_bits_sum(). */
static void NAME(sum)(WORD *v, uint32_t n)
{
    WORD value = v[-1];
    for (uint32_t i = 0; i < n; i++) {
        value = (WORD)(value + v[i]);
        v[i] = value;
    }
}

/* Returns the base for which the numbers have the fewest bits: the smallest of the numbers that
 * result from base 0. The comparison treats these as unsigned or as signed words, whichever makes
 * their range smaller. */
FMT_LOOPS WORD NAME(base_find)(const WORD *v, uint32_t n, bool delta)
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

/* Computes the numbers of all n values v, and stores them in `to`. */
FMT_LOOPS void NAME(numbers_store)(WORD *restrict to, const WORD *restrict v, uint32_t n, WORD base,
                                   bool delta)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = NAME(number)(v, i, base, delta);
    }
}

/* Counts the numbers by their size: adds to counts[b] the count of numbers that have b bits without
 * leading zeros. */
static void NAME(bits_count)(const WORD *v, uint32_t n, WORD base, bool delta, uint32_t *counts)
{
    for (uint32_t i = 0; i < n; i++) {
        counts[fmt_bits_of(NAME(number)(v, i, base, delta))]++;
    }
}

/* Moves each number that has more than `bits` bits to the exceptions x. Returns false if there are
 * more than `most` such numbers. Most groups of numbers have none. */
FMT_LOOPS bool NAME(exceptions_take)(WORD *numbers, uint32_t n, unsigned bits, uint32_t most,
                                     struct fmt_exceptions *x)
{
    x->n = 0;
    for (uint32_t begin = 0; bits < WORD_BITS && begin < n; begin += GROUP) {
        const uint32_t count = n - begin < GROUP ? n - begin : GROUP;
        if (NAME(bits_any)(numbers + begin, count, 0, false) >> bits == 0) {
            continue;
        }
        for (uint32_t i = begin; i < begin + count; i++) {
            if (numbers[i] >> bits != 0) {
                if (x->n == most) {
                    return false;
                }
                x->list[x->n++] = (struct fmt_exception){numbers[i], i};
                numbers[i] = 0;
            }
        }
    }
    return true;
}

static int NAME(compare)(const void *a, const void *b)
{
    WORD x = *(const WORD *)a, y = *(const WORD *)b;
    return (x > y) - (x < y);
}

/* Returns the smallest number, disregarding numbers that are far below most others. The disregarded
 * numbers are to become exceptions. */
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

/* Returns the largest number among those of at most `bits` bits. */
static WORD NAME(usual_most)(const WORD *numbers, uint32_t n, unsigned bits)
{
    WORD most = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool usual = bits == WORD_BITS || numbers[i] >> bits == 0;
        most = usual && numbers[i] > most ? numbers[i] : most;
    }
    return most;
}

/* Returns a word whose bit i is set if v[i] differs from v[i - 1], for i < RUNS_GROUP. */
FMT_LOOPS uint64_t NAME(runs_begin)(const WORD *v)
{
    enum { N = 32 / sizeof(WORD) };
    typedef WORD vector __attribute__((vector_size(32)));
    vector bits, begun = {0};
    for (unsigned i = 0; i < N; i++) {
        bits[i] = (WORD)1 << i;
    }
    for (unsigned i = 0; i < RUNS_GROUP; i += N, bits <<= N) {
        vector here, before;
        memcpy(&here, v + i, sizeof here);
        memcpy(&before, v + i - 1, sizeof before);
        begun |= (vector)(here != before) & bits;
    }
    uint64_t all = 0;
    for (unsigned i = 0; i < N; i++) {
        all |= begun[i];
    }
    return all;
}

/* Finds the runs of equal values among n values, see fmt_runs_find(). */
FMT_LOOPS uint32_t NAME(runs_find)(const WORD *restrict v, uint32_t n, WORD *restrict values,
                                   uint32_t *restrict ends)
{
    uint32_t last = 0, i = 1;
    values[0] = v[0];
    for (; n - i >= RUNS_GROUP; i += RUNS_GROUP) {
        for (uint64_t left = NAME(runs_begin)(v + i); left != 0; left &= left - 1) {
            const uint32_t at = i + (uint32_t)__builtin_ctzll(left);
            ends[last++] = at - 1;
            values[last] = v[at];
        }
    }
    for (; i < n; i++) {
        ends[last] = i - 1;
        last += v[i] != v[i - 1];
        values[last] = v[i];
    }
    ends[last] = n - 1;
    return last + 1;
}

#undef WORD_BITS
