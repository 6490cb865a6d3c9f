/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conversions between double and 16-bit floating-point numbers.
 */
#include "interp/ops/small_float.h"
#include <assert.h>
#include <math.h>

enum { F64_MANTISSA = 52, F64_BIAS = 1023 };

/* Returns the number with a pattern without its sign. most: the pattern of the largest finite
 * number. */
static double to_double(unsigned magnitude, unsigned mantissa_bits, int bias, unsigned most)
{
    unsigned mantissa = magnitude & ((1u << mantissa_bits) - 1);
    int exponent = (int)(magnitude >> mantissa_bits);
    if (magnitude > most) { /* e4m3 has no infinity */
        return mantissa == 0 ? f64_of(0x7ff0000000000000u) : f64_of(0x7ff8000000000000u);
    }
    return exponent ? ldexp((double)(mantissa | 1u << mantissa_bits),
                            exponent - bias - (int)mantissa_bits)
                    : ldexp((double)mantissa, 1 - bias - (int)mantissa_bits);
}

double f16_to_double(uint16_t bits)
{
    double value = to_double(bits & 0x7fffu, 10, 15, 0x7bff);
    return bits & 0x8000u ? -value : value;
}

/* Rounds a number to a 16-bit floating-point number: one bit for the sign, mantissa_bits bits for
 * the mantissa, the rest for the exponent. infinity: the pattern after that of the largest number. */
static uint16_t from_double(double value, unsigned mantissa_bits, int bias, uint64_t infinity,
                            enum rounding rounding)
{
    uint64_t bits = bits_of_f64(value), magnitude = bits & INT64_MAX;
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
    if (magnitude > 0x7ff0000000000000u) {
        return NAN_16;
    }
    if (magnitude == 0x7ff0000000000000u) {
        return (uint16_t)(sign | infinity);
    }
    int exponent = (int)(magnitude >> F64_MANTISSA) - F64_BIAS + bias;
    uint64_t mantissa = (magnitude & ((1ull << F64_MANTISSA) - 1)) | 1ull << F64_MANTISSA;
    unsigned drop = F64_MANTISSA - mantissa_bits;
    if (magnitude >> F64_MANTISSA == 0) {
        /* Zero or a subnormal double, which is far below the smallest 16-bit number. */
        mantissa = magnitude != 0;
        exponent = 0;
        drop = 62;
    } else if (exponent <= 0) {
        int more = 1 - exponent;
        drop = more > 62 - (int)drop ? 62 : drop + (unsigned)more;
        exponent = 0;
    }
    assert(drop > 0 && drop <= 62);
    uint64_t kept = mantissa >> drop, rest = mantissa & ((1ull << drop) - 1),
             half = 1ull << (drop - 1);
    bool up = rounding == ROUND_NEAREST ? rest > half || (rest == half && kept & 1)
              : rounding == ROUND_UP    ? rest && !sign
              : rounding == ROUND_DOWN  ? rest && sign
                                        : false;
    /* The leading bit of a normal number adds one to the exponent, and so does a carry of the
     * mantissa. */
    uint64_t result =
        exponent > 0 ? ((uint64_t)(exponent - 1) << mantissa_bits) + kept + up : kept + up;
    if (result >= infinity) {
        bool toward = rounding == ROUND_ZERO || (rounding == ROUND_UP && sign) ||
                      (rounding == ROUND_DOWN && !sign);
        result = toward ? infinity - 1 : infinity;
    }
    return (uint16_t)(sign | result);
}

uint16_t f16_from_double(double value, enum rounding rounding)
{
    return from_double(value, 10, 15, 0x7c00, rounding);
}

uint16_t bf16_from_double(double value, enum rounding rounding)
{
    return from_double(value, 7, 127, 0x7f80, rounding);
}

double f8_to_double(uint8_t bits, const struct f8 *type)
{
    double value = to_double(bits & 0x7fu, type->mantissa_bits, type->bias, type->most);
    return bits & 0x80 ? -value : value;
}

uint8_t f8_from_double(double value, const struct f8 *type)
{
    if (value != value) {
        return 0x7f;
    }
    uint16_t magnitude =
        from_double(fabs(value), type->mantissa_bits, type->bias, type->most + 1u, ROUND_NEAREST);
    uint8_t finite = (uint8_t)(magnitude > type->most ? type->most : magnitude);
    return (uint8_t)(signbit(value) ? 0x80 | finite : finite);
}

double fma_odd(double x, double y, double z)
{
    double product = x * y, sum = product + z;
    if (!isfinite(sum)) {
        return sum;
    }
    double part = sum - product, error = (product - (sum - part)) + (z - part);
    if (error != 0 && !(bits_of_f64(sum) & 1)) {
        uint64_t bits = bits_of_f64(sum);
        /* Moves sum to the adjacent double on the side of the exact result. */
        bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
        sum = f64_of(bits);
    }
    return sum;
}
