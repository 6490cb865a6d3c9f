/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decimal.c - the decimal form of numbers, see decimal.h.
 *
 * A number v = m 2^e between 1e-11 and 1e17 is scaled by a power of ten, 10^s. Its whole part then
 * has the greatest number of digits that may be needed (17 for a double). With s from 0 to 27, m
 * 5^s is exact in 128 bits. Therefore v 10^s = (m 5^s) / 2^k has an exact whole part and an exact
 * fraction of k < 64 bits. These give, without any error, the correctly rounded decimal of each
 * number of digits (half to even, like printf()). They also show whether it reads back as v: its
 * distance to v must be less than half of the distance to v's neighbour, or exactly half with m
 * even. All other numbers use printf() and strtod(), which take about thirty times as long.
 *
 * Invariants
 * 1. 10^(most - 1) <= whole part < 10^most.
 * 2. 0 <= s <= SCALE_MAX, -9 <= k < 64.
 */
#include "log/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE_MAX  27 /* 5^27 < 2^63 */
#define DIGITS_MAX 17 /* of a double */

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

/* v = m 2^e, and the parameters of its conversion. */
struct binary {
    uint64_t m;
    int e;
    bool edge;             /* true if the neighbour below is only half as far away */
    int least, step, most; /* digits that may be used */
};

/* v 10^s = product / 2^k */
struct scaled {
    u128 product;
    uint64_t whole, fraction;
    int s, k;
};

/* Decimal exponent of the first digit: v = d.ddd 10^exponent. */
struct decimal {
    uint64_t digits;
    int n_digits, exponent;
};

/* Returns false if v cannot be scaled exactly in 128 bits. */
static bool scale(const struct binary *b, struct scaled *v)
{
    /* 1233 / 4096 is slightly less than log10(2): the result is exact, or one too small. */
    int bits = 64 - __builtin_clzll(b->m);
    int exponent = ((b->e + bits - 1) * 1233) >> 12;
    for (int s = b->most - 1 - exponent;; s--) {
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

/* whole = kept 10^n + rest. Divisors are constants, because a division by a variable takes several
 * times as long. */
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

/* Rounds away the last n digits of whole, half to even, using the fraction of v. */
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

/* Returns true if number (in units of v's scale) reads back as v. */
static inline bool reads_back(const struct binary *b, const struct scaled *v, uint64_t number)
{
    bool below = number <= v->whole;
    uint64_t off = below ? v->whole - number : number - v->whole;
    if (v->k < 0) {
        uint64_t twice = 2 * off << (below && b->edge), distance = five_to[v->s] << -v->k;
        return twice < distance || (twice == distance && b->m % 2 == 0);
    }
    /* Whole units usually decide: the error is more than off - 1. */
    uint64_t distance = five_to[v->s]; /* to the neighbour, in units of 2^-k */
    if (2 * off > (distance >> v->k) + 3) {
        return false;
    }
    u128 error = (u128)off << v->k;
    error = below ? error + v->fraction : error - v->fraction;
    u128 twice = 2 * error << (below && b->edge);
    return twice < distance || (twice == distance && b->m % 2 == 0);
}

static bool shorten(const struct binary *b, struct decimal *d)
{
    struct scaled v;
    if (!scale(b, &v)) {
        return false;
    }
    for (int n = b->least; n <= b->most; n += b->step) {
        uint64_t digits = round_off(&v, b->most - n);
        if (n == b->most || reads_back(b, &v, digits * ten_to[b->most - n])) {
            bool carried = digits == ten_to[n];
            *d = (struct decimal){.digits = carried ? digits / 10 : digits,
                                  .n_digits = n,
                                  .exponent = b->most - 1 - v.s + carried};
            return true;
        }
    }
    return false;
}

/* Writes the last n digits of number to the n bytes before end. */
static void digits_write(char *end, uint64_t number, int n)
{
    static const char pairs[] =
        "0001020304050607080910111213141516171819202122232425262728293031323"
        "3343536373839404142434445464748495051525354555657585960616263646566"
        "67686970717273747576777879808182838485868788899091929394959697989"
        "9";
    for (; n >= 2; n -= 2) {
        end -= 2;
        memcpy(end, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (n == 1) {
        end[-1] = (char)('0' + number % 10);
    }
}

/* Writes all 17 digits of a number below 10^17, eight at a time: number is split into halves of
 * four, of two and of one digit, side by side in one word. */
static void digits_write_17(char *to, uint64_t number)
{
    uint64_t first = number / ten_to[16];
    uint64_t rest = number - first * ten_to[16];
    const uint32_t eights[2] = {(uint32_t)(rest / 100000000), (uint32_t)(rest % 100000000)};
    *to++ = (char)('0' + first);
    for (int half = 0; half < 2; half++) {
        uint64_t x = eights[half] / 10000 | (uint64_t)(eights[half] % 10000) << 32;
        uint64_t high = ((x * 10486) >> 20) & 0x0000007f0000007fu; /* x / 100 */
        x = high | (x - 100 * high) << 16;
        high = ((x * 103) >> 10) & 0x000f000f000f000fu; /* x / 10 */
        x = (high | (x - 10 * high) << 8) + 0x3030303030303030u;
        const char eight[8] = {(char)x,         (char)(x >> 8),  (char)(x >> 16), (char)(x >> 24),
                               (char)(x >> 32), (char)(x >> 40), (char)(x >> 48), (char)(x >> 56)};
        memcpy(to, eight, sizeof eight);
        to += sizeof eight;
    }
}

/* Writes n digits as "d.ddde-07". Returns the end. */
static char *scientific_write(char *p, const char *digits, int n, int exponent)
{
    int x = exponent < 0 ? -exponent : exponent;
    assert(x < 100);
    *p++ = digits[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, (size_t)n - 1);
        p += n - 1;
    }
    *p++ = 'e';
    *p++ = exponent < 0 ? '-' : '+';
    digits_write(p + 2, (uint64_t)x, 2);
    return p + 2;
}

/* Writes the number like "%.*g". Copies a fixed size, more than needed, because that is faster. */
static size_t decimal_write(char *to, const struct decimal *d)
{
    char digits[2 * DIGITS_MAX] = "", *p = to;
    int n = d->n_digits, x = d->exponent;
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

size_t ws_decimal_u64(char *to, uint64_t v)
{
    /* 1233 / 4096 is slightly less than log10(2): the result is exact, or one too small. */
    int n = ((64 - __builtin_clzll(v | 1)) * 1233) >> 12;
    n += v >= ten_to[n];
    n += n == 0; /* for v = 0 */
    digits_write(to + n, v, n);
    to[n] = '\0';
    return (size_t)n;
}

/* Writes the numbers that the fast path does not cover. */
static size_t printed(char *to, double v, const struct binary *b, bool is_float)
{
    char text[WS_DECIMAL_MAX];
    int n = 0;
    for (int digits = b->least; digits <= b->most; digits += b->step) {
        n = snprintf(text, sizeof text, "%.*g", digits, v);
        if (is_float ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v) {
            break;
        }
    }
    memcpy(to, text, (size_t)n + 1);
    return (size_t)n;
}

static size_t f64_write(char *to, double v, int step)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    struct binary b = {
        .least = 15, .step = step, .most = 17, .e = (int)(bits >> 52 & 0x7ff) - 1075};
    struct decimal d;
    b.m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    b.edge = b.m == (uint64_t)1 << 52;
    if (b.e > -1075 && shorten(&b, &d)) {
        to[0] = '-';
        return (bits >> 63) + decimal_write(to + (bits >> 63), &d);
    }
    return printed(to, v, &b, false);
}

size_t ws_decimal_f64(char *to, double v)
{
    return f64_write(to, v, 1);
}

size_t ws_decimal_f64_15_17(char *to, double v)
{
    return f64_write(to, v, 2);
}

size_t ws_decimal_f32(char *to, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    struct binary b = {.least = 6, .step = 1, .most = 9, .e = (int)(bits >> 23 & 0xff) - 150};
    struct decimal d;
    b.m = (bits & 0x7fffffu) | 0x800000u;
    b.edge = b.m == 0x800000u;
    if (b.e > -150 && shorten(&b, &d)) {
        to[0] = '-';
        return (bits >> 31) + decimal_write(to + (bits >> 31), &d);
    }
    return printed(to, (double)v, &b, true);
}
