/*
 * decimal.c - the decimal form of numbers, see decimal.h.
 *
 * A number v = m 2^e between 1e-11 and 1e17 is scaled by a power of ten, 10^s, so that its whole
 * part has as many digits as may be needed (17 for a double). With s from 0 to 27, m 5^s is exact
 * in 128 bits, and v 10^s = (m 5^s) / 2^k is a whole part and a fraction of k < 64 bits: both
 * exact. From them follow, without an error anywhere, the correctly rounded decimal of each number
 * of digits (half to even, as printf does) and whether it reads back as v: it does if it is less
 * than half of the distance to v's neighbour away, or exactly half and m is even. Anything else
 * goes through printf() and strtod(), which takes about thirty times as long.
 *
 * Invariants: (1) 10^(most - 1) <= whole part < 10^most; (2) 0 <= s <= SCALE_MAX, -9 <= k < 64.
 */
#include "decimal.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE_MAX 27 /* 5^27 < 2^63 */

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

/* v = m 2^e, and what of it is needed. */
struct binary {
    uint64_t m;
    int e;
    bool edge;       /* the neighbour below is only half as far away */
    int least, most; /* digits */
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

/* False: beyond what 128 bits can do exactly. */
static bool scale(const struct binary *b, struct scaled *v)
{
    /* 1233 / 4096 is a little less than log10(2): right, or one too small. */
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

/* whole with its last n digits rounded away, as v's value says: half to even. */
static uint64_t round_off(const struct scaled *v, int n)
{
    uint64_t unit = ten_to[n], up;
    uint64_t kept = v->whole / unit, rest = v->whole % unit;
    if (n == 0) {
        uint64_t half = v->k > 0 ? (uint64_t)1 << (v->k - 1) : 0;
        up = v->k > 0 && (v->fraction > half || (v->fraction == half && kept % 2 == 1));
    } else {
        uint64_t half = unit / 2;
        up = rest > half || (rest == half && (v->fraction > 0 || kept % 2 == 1));
    }
    return kept + up;
}

/* Does number (in units of v's scale) read back as v? */
static bool reads_back(const struct binary *b, const struct scaled *v, uint64_t number)
{
    /* In units of 2^-k, or of 1 if that is more: half of the distance is 5^s / 2. */
    u128 exact = v->k >= 0 ? v->product : v->product << -v->k;
    u128 near = v->k >= 0 ? (u128)number << v->k : number;
    u128 distance = v->k >= 0 ? (u128)five_to[v->s] : (u128)five_to[v->s] << -v->k;
    bool below = near < exact;
    u128 twice = 2 * (below ? exact - near : near - exact);
    if (below && b->edge) {
        twice *= 2;
    }
    return twice < distance || (twice == distance && b->m % 2 == 0);
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
            bool carried = digits == ten_to[n];
            *d = (struct decimal){.digits = carried ? digits / 10 : digits,
                                  .n_digits = n,
                                  .exponent = b->most - 1 - v.s + carried};
            return true;
        }
    }
    return false;
}

/* The last digits of number, n of them, to the n bytes before end. */
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

/* As "%.*g" prints it. */
static size_t decimal_write(char *to, const struct decimal *d)
{
    char digits[20], *p = to;
    int n = d->n_digits, x = d->exponent;
    digits_write(digits + n, d->digits, n);
    bool scientific = x < -4 || x >= n;
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    if (!scientific && x < 0) {
        memcpy(p, "0.0000", 6);
        p += 1 - x;
        memcpy(p, digits, (size_t)n);
        p += n;
    } else {
        int whole = scientific ? 1 : x + 1;
        for (int i = 0; i < whole || i < n; i++) {
            if (i == whole) {
                *p++ = '.';
            }
            *p++ = i < n ? digits[i] : '0';
        }
    }
    if (scientific) {
        *p++ = 'e';
        *p++ = x < 0 ? '-' : '+';
        x = x < 0 ? -x : x;
        assert(x < 100);
        digits_write(p + 2, (uint64_t)x, 2);
        p += 2;
    }
    *p = '\0';
    return (size_t)(p - to);
}

size_t ws_decimal_u64(char *to, uint64_t v)
{
    /* 1233 / 4096 is a little less than log10(2): right, or one too small. */
    int n = ((64 - __builtin_clzll(v | 1)) * 1233) >> 12;
    n += v >= ten_to[n];
    n += n == 0; /* for v = 0 */
    digits_write(to + n, v, n);
    to[n] = '\0';
    return (size_t)n;
}

size_t ws_decimal_f64(char *to, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    struct binary b = {.least = 15, .most = 17, .e = (int)(bits >> 52 & 0x7ff) - 1075};
    struct decimal d;
    b.m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    b.edge = b.m == (uint64_t)1 << 52;
    if (b.e > -1075 && shorten(&b, &d)) {
        to[0] = '-';
        return (bits >> 63) + decimal_write(to + (bits >> 63), &d);
    }
    int n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(to, WS_DECIMAL_MAX, "%.*g", digits, v);
        if (strtod(to, NULL) == v) {
            break;
        }
    }
    return (size_t)n;
}

size_t ws_decimal_f32(char *to, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    struct binary b = {.least = 6, .most = 9, .e = (int)(bits >> 23 & 0xff) - 150};
    struct decimal d;
    b.m = (bits & 0x7fffffu) | 0x800000u;
    b.edge = b.m == 0x800000u;
    if (b.e > -150 && shorten(&b, &d)) {
        to[0] = '-';
        return (bits >> 31) + decimal_write(to + (bits >> 31), &d);
    }
    int n = 0;
    for (int digits = 6; digits <= 9; digits++) {
        n = snprintf(to, WS_DECIMAL_MAX, "%.*g", digits, (double)v);
        if (strtof(to, NULL) == v) {
            break;
        }
    }
    return (size_t)n;
}
