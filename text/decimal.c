/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.c - the decimal form of numbers, see decimal.h.
 *
 * A number v = m 2^e between 1e-11 and 1e17 is scaled by a power of ten, 10^s. Its whole part then
 * has the maximum number of digits that may be needed (17 for a double). With s from 0 to 27, m 5^s
 * is exact in 128 bits. Therefore v 10^s = (m 5^s) / 2^k has an exact whole part and an exact
 * fraction of k < 64 bits. Both parts determine, without any error, the decimal number with n
 * digits that is nearest to v (ties to even, like printf()).
 *
 * A decimal number reads back as v if its distance to v is less than half of v's distance to the
 * next double. A distance of exactly half also suffices if m is even. Smaller and larger numbers v
 * are divided as integers of many words, which takes far longer.
 *
 * Invariants, where `most` is the maximum number of digits:
 * 1. 10^(most - 1) <= whole part < 10^most.
 * 2. 0 <= s <= SCALE_MAX, -9 <= k < 64.
 */
#include "text/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "text/big.h"

#define SCALE_MAX  27 /* maximum exponent s for scaling; 5^27 < 2^63 */
#define DIGITS_MAX 17 /* maximum number of digits of a double */

__extension__ typedef unsigned __int128 u128;

static const uint64_t five_to[SCALE_MAX + 1] = {1u,
                                                5u,
                                                25u,
                                                125u,
                                                625u,
                                                3125u,
                                                15625u,
                                                78125u,
                                                390625u,
                                                1953125u,
                                                9765625u,
                                                48828125u,
                                                244140625u,
                                                1220703125u,
                                                6103515625u,
                                                30517578125u,
                                                152587890625u,
                                                762939453125u,
                                                3814697265625u,
                                                19073486328125u,
                                                95367431640625u,
                                                476837158203125u,
                                                2384185791015625u,
                                                11920928955078125u,
                                                59604644775390625u,
                                                298023223876953125u,
                                                1490116119384765625u,
                                                7450580596923828125u};
static const uint64_t ten_to[20] = {1u,
                                    10u,
                                    100u,
                                    1000u,
                                    10000u,
                                    100000u,
                                    1000000u,
                                    10000000u,
                                    100000000u,
                                    1000000000u,
                                    10000000000u,
                                    100000000000u,
                                    1000000000000u,
                                    10000000000000u,
                                    100000000000000u,
                                    1000000000000000u,
                                    10000000000000000u,
                                    100000000000000000u,
                                    1000000000000000000u,
                                    10000000000000000000u};

/* A number v = m * 2^e, and the parameters of its conversion. */
struct binary {
    uint64_t m;
    int e;
    /* True if the next smaller double is half as far from v as the next greater one. */
    bool edge;
    int least, most; /* minimum and maximum number of digits */
};

/* A scaled number: v * 10^s = product / 2^k = whole + fraction / 2^k. */
struct scaled {
    u128 product;
    uint64_t whole, fraction;
    int s, k;
};

/* A decimal number: d.ddd * 10^exponent. */
struct decimal {
    uint64_t digits; /* all digits, as an integer */
    int n_digits, exponent;
};

/* Returns the decimal exponent of the number, or a value that is one too small or too large. Uses
 * 1233 / 4096, which is close to log10(2). */
static int exponent_guess(const struct binary *b)
{
    assert(b->m != 0);
    return ((b->e + 63 - __builtin_clzll(b->m)) * 1233) >> 12;
}

/* Scales the number b by a power of ten into *v. Returns false if no s meets the invariants. */
static bool scale(const struct binary *b, struct scaled *v)
{
    for (int s = b->most - 1 - exponent_guess(b);; s--) {
        int k = -(b->e + s);
        if (s < 0 || s > SCALE_MAX || k >= 64 || k < -9) {
            return false;
        }
        u128 product = (u128)b->m * five_to[s];
        u128 whole = k >= 0 ? product >> k : product << -k;
        if (whole < ten_to[b->most]) {
            *v = (struct scaled){.product = product,
                                 .whole = (uint64_t)whole,
                                 .fraction =
                                     k > 0 ? (uint64_t)product & (((uint64_t)1 << k) - 1) : 0,
                                 .s = s,
                                 .k = k};
            return v->whole >= ten_to[b->most - 1];
        }
    }
}

/* Returns whole / 10^n for n from 0 to 3, and sets *rest to the remainder. The divisors are
 * constants, because a division by a variable takes several times as long. */
static inline uint64_t split(uint64_t whole, int n, uint64_t *rest)
{
    switch (n) {
    case 0:
        *rest = 0;
        return whole;
    case 1:
        *rest = whole % 10;
        return whole / 10;
    case 2:
        *rest = whole % 100;
        return whole / 100;
    default:
        assert(n == 3);
        *rest = whole % 1000;
        return whole / 1000;
    }
}

/* Removes the last n digits of v's whole part, and returns the number that remains, correctly
 * rounded. A tie is rounded to even; v's fraction, too, determines whether there is a tie. */
static uint64_t round_off(const struct scaled *v, int n)
{
    uint64_t rest, up;
    uint64_t kept = split(v->whole, n, &rest);
    if (n == 0) {
        uint64_t half = v->k > 0 ? (uint64_t)1 << (v->k - 1) : 0;
        up = v->k > 0 && (v->fraction > half || (v->fraction == half && kept % 2 == 1));
    } else {
        uint64_t half = ten_to[n] / 2;
        up = rest > half || (rest == half && (v->fraction > 0 || kept % 2 == 1));
    }
    return kept + up;
}

/* Returns true if `number`, which has the same scale as v, reads back as b. */
static inline bool reads_back(const struct binary *b, const struct scaled *v, uint64_t number)
{
    bool below = number <= v->whole;
    uint64_t off = below ? v->whole - number : number - v->whole;
    if (v->k < 0) {
        uint64_t twice = 2 * off << (below && b->edge), distance = five_to[v->s] << -v->k;
        return twice < distance || (twice == distance && b->m % 2 == 0);
    }
    /* In most cases the whole parts alone show that the error is too large. They never show this by
     * mistake, since the error is greater than off - 1. */
    uint64_t distance = five_to[v->s]; /* distance to the next double, in units of 2^-k */
    if (2 * off > (distance >> v->k) + 3) {
        return false;
    }
    u128 error = (u128)off << v->k;
    error = below ? error + v->fraction : error - v->fraction;
    u128 twice = 2 * error << (below && b->edge);
    return twice < distance || (twice == distance && b->m % 2 == 0);
}

static struct decimal decimal_of(uint64_t digits, int n, int exponent)
{
    assert(digits <= ten_to[n]);
    bool carried = digits == ten_to[n];
    return (struct decimal){
        .digits = carried ? digits / 10 : digits, .n_digits = n, .exponent = exponent + carried};
}

static bool shorten(const struct binary *b, struct decimal *d)
{
    struct scaled v;
    if (!scale(b, &v)) {
        return false;
    }
    for (int n = b->least; n <= b->most; n++) {
        uint64_t digits = round_off(&v, b->most - n);
        if (n == b->most || reads_back(b, &v, digits * ten_to[b->most - n])) {
            *d = decimal_of(digits, n, b->most - 1 - v.s);
            return true;
        }
    }
    return false;
}

/* ---- Very small and very large numbers ------------------------------------------------------- */

/* A scaled number as an integer and a fraction: whole + rest / unit. The distance to the next
 * greater double is gap / unit. */
struct divided {
    struct big rest, unit, gap;
    uint64_t whole;
    int exponent;
};

static void divide(const struct binary *b, struct divided *v)
{
    int x = exponent_guess(b);
    v->rest = big_of(b->m, b->e, -x);
    v->gap = big_of(1, b->e, -x);
    v->unit = big_of(1, -b->e, x);
    /* The condition is true if the guessed exponent was one too large. */
    if (big_compare(&v->rest, &v->unit) < 0) {
        x--;
        big_multiply(&v->rest, 10);
        big_multiply(&v->gap, 10);
    }
    struct big ten = v->unit;
    big_multiply(&ten, 10);
    if (big_compare(&v->rest, &ten) >= 0) { /* true if the guessed exponent was one too small */
        x++;
        v->unit = ten;
    }
    v->exponent = x;
    v->whole = big_divide(&v->rest, &v->unit);
    /* Each pass computes eight further digits, up to 17 digits (double) or 9 digits (float). */
    for (int digits = 1; digits < b->most; digits += 8) {
        big_multiply(&v->rest, 100000000);
        big_multiply(&v->gap, 100000000);
        v->whole = v->whole * 100000000 + big_divide(&v->rest, &v->unit);
    }
}

static bool big_reads_back(const struct binary *b, const struct divided *v, uint64_t number)
{
    bool below = number <= v->whole;
    struct big error = v->unit;
    big_multiply(&error, (uint32_t)(below ? v->whole - number : number - v->whole));
    big_add(&error, &v->rest, !below);
    big_multiply(&error, below && b->edge ? 4 : 2);
    int order = big_compare(&error, &v->gap);
    return order < 0 || (order == 0 && b->m % 2 == 0);
}

static void shorten_big(const struct binary *b, struct decimal *d)
{
    struct divided v;
    divide(b, &v);
    struct big twice = v.rest;
    big_multiply(&twice, 2);
    /* round_off() only distinguishes fractions that are zero, below, equal to or above a half. */
    static const struct big zero;
    bool none = big_compare(&v.rest, &zero) == 0;
    struct scaled rounded = {.whole = v.whole,
                             .fraction = none ? 0 : (uint64_t)(2 + big_compare(&twice, &v.unit)),
                             .k = 2};
    int n = b->least;
    uint64_t digits = round_off(&rounded, b->most - n);
    while (n < b->most && !big_reads_back(b, &v, digits * ten_to[b->most - n])) {
        n++;
        digits = round_off(&rounded, b->most - n);
    }
    *d = decimal_of(digits, n, v.exponent);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Returns the eight digits of a number below 10^8, each in a byte, the first one in the lowest byte:
 * the number is divided into halves of four, then two, then one digit, which lie side by side. */
static inline uint64_t eight_digits(uint32_t number)
{
    assert(number < ten_to[8]);
    uint64_t x = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t high = ((x * 10486) >> 20) & 0x0000007f0000007fu; /* quotients of divisions by 100 */
    x = high | (x - 100 * high) << 16;
    high = ((x * 103) >> 10) & 0x000f000f000f000fu; /* quotients of divisions by 10 */
    return high | (x - 10 * high) << 8;
}

/* Writes eight digits, of which the first may be shifted out. */
static inline void eight_write(char *to, uint64_t digits)
{
    const uint64_t x = digits + 0x3030303030303030u;
    const char eight[8] = {(char)x,         (char)(x >> 8),  (char)(x >> 16), (char)(x >> 24),
                           (char)(x >> 32), (char)(x >> 40), (char)(x >> 48), (char)(x >> 56)};
    memcpy(to, eight, sizeof eight);
}

/* Writes all 17 digits of a number below 10^17: the first digit, then twice eight digits. */
static inline void digits_write_17(char *to, uint64_t number)
{
    assert(number < ten_to[DIGITS_MAX]);
    uint64_t first = number / ten_to[16];
    uint64_t rest = number - first * ten_to[16];
    to[0] = (char)('0' + first);
    eight_write(to + 1, eight_digits((uint32_t)(rest / ten_to[8])));
    eight_write(to + 9, eight_digits((uint32_t)(rest % ten_to[8])));
}

size_t decimal_u64(char *to, uint64_t v)
{
    size_t n = 1;
    if (v < 10) { /* most numbers in records */
        to[0] = (char)('0' + v);
    } else if (v < ten_to[8]) {
        const uint64_t digits = eight_digits((uint32_t)v);
        const int zeros = __builtin_ctzll(digits) / 8;
        eight_write(to, digits >> 8 * zeros);
        n = 8 - (size_t)zeros;
    } else {
        n = decimal_u64(to, v / ten_to[8]);
        eight_write(to + n, eight_digits((uint32_t)(v % ten_to[8])));
        n += 8;
    }
    to[n] = '\0';
    return n;
}

/* Writes n digits and an exponent, as in "1.234e-07". Returns the end of the output. */
static char *scientific_write(char *p, const char *digits, int n, int exponent)
{
    int x = exponent < 0 ? -exponent : exponent;
    *p++ = digits[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, (size_t)n - 1);
        p += n - 1;
    }
    *p++ = 'e';
    *p++ = exponent < 0 ? '-' : '+';
    *p = '0';
    p += x < 10;
    return p + decimal_u64(p, (uint64_t)x);
}

/* Writes the number like printf("%.*g"). Returns the length of the text. Copies a fixed number of
 * digits, more than needed, because that is faster. */
static size_t decimal_write(char *to, const struct decimal *d)
{
    char digits[2 * DIGITS_MAX] = "", *p = to;
    int n = d->n_digits, x = d->exponent;
    assert(n >= 1 && n <= DIGITS_MAX);
    digits_write_17(digits, d->digits * ten_to[DIGITS_MAX - n]);
    bool scientific = x < -4 || x >= n;
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    if (scientific) {
        p = scientific_write(p, digits, n, x);
    } else if (x < 0) {
        memcpy(p, "0.0000", 6);
        memcpy(p + 1 - x, digits, DIGITS_MAX);
        p += 1 - x + n;
    } else {
        int whole = x + 1;
        memcpy(p, digits, DIGITS_MAX);
        memcpy(p + whole + 1, digits + whole, DIGITS_MAX);
        if (n > whole) {
            p[whole] = '.';
            p += n + 1;
        } else {
            p += whole;
        }
    }
    *p = '\0';
    return (size_t)(p - to);
}

size_t decimal_i64(char *to, int64_t v)
{
    if (v >= 0) {
        return decimal_u64(to, (uint64_t)v);
    }
    to[0] = '-';
    return 1 + decimal_u64(to + 1, 0 - (uint64_t)v);
}

/* Writes v, which must be zero or not finite. Returns the length of the text. */
static size_t special_write(char *to, double v)
{
    const char *word = isnan(v) ? "nan" : signbit(v) ? "-inf" : "inf";
    word = v == 0 ? signbit(v) ? "-0" : "0" : word;
    memcpy(to, word, strlen(word) + 1);
    return strlen(word);
}

static size_t binary_write(char *to, const struct binary *b, bool negative)
{
    struct decimal d;
    if (!shorten(b, &d)) {
        shorten_big(b, &d);
    }
    to[0] = '-';
    return negative + decimal_write(to + negative, &d);
}

/* Writes v if it is a multiple of 1/1000, such as a time in microseconds with a resolution of
 * nanoseconds. This is faster than for other numbers. Returns the length of the text; 0: v is not
 * such a multiple. */
static size_t thousandths_write(char *to, double v)
{
    double magnitude = fabs(v), scaled = magnitude * 1000;
    if (!(scaled < 1e15)) {
        return 0;
    }
    uint64_t n = (uint64_t)(scaled + 0.5);
    /* The first test excludes most numbers without a division. The magnitude must be the double that
     * is nearest to n / 1000. */
    if (fabs(scaled - (double)n) > 4e-16 * scaled || (double)n / 1000 != magnitude) {
        return 0;
    }
    size_t at = 0;
    unsigned rest = (unsigned)(n % 1000);
    if (v < 0) {
        to[at++] = '-';
    }
    at += decimal_u64(to + at, n / 1000);
    if (rest > 0) {
        const char fraction[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                                  (char)('0' + rest % 10)};
        size_t size = rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4;
        memcpy(to + at, fraction, size);
        at += size;
    }
    to[at] = '\0';
    return at;
}

/* Returns true if v is an integer with at most 15 digits. Such numbers are written fast. */
static bool is_whole(double v)
{
    return v > -1e15 && v < 1e15 && v == (double)(int64_t)v;
}

size_t decimal_f64(char *to, double v)
{
    uint64_t bits;
    if (!isfinite(v) || v == 0) {
        return special_write(to, v);
    }
    if (is_whole(v)) {
        return decimal_i64(to, (int64_t)v);
    }
    size_t length = thousandths_write(to, v);
    if (length > 0) {
        return length;
    }
    memcpy(&bits, &v, sizeof bits);
    int e = (int)(bits >> 52 & 0x7ff);
    struct binary b = {.m = bits & (((uint64_t)1 << 52) - 1), .least = 15, .most = DIGITS_MAX};
    b.edge = b.m == 0 && e > 1;
    b.m |= (uint64_t)(e > 0) << 52;
    b.e = (e > 0 ? e : 1) - 1075;
    return binary_write(to, &b, bits >> 63);
}

size_t decimal_f32(char *to, float v)
{
    uint32_t bits;
    if (!isfinite(v) || v == 0) {
        return special_write(to, (double)v);
    }
    memcpy(&bits, &v, sizeof bits);
    int e = (int)(bits >> 23 & 0xff);
    struct binary b = {.m = bits & 0x7fffffu, .least = 6, .most = 9};
    b.edge = b.m == 0 && e > 1;
    b.m |= (uint64_t)(e > 0) << 23;
    b.e = (e > 0 ? e : 1) - 150;
    return binary_write(to, &b, bits >> 31);
}
