/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conversions between double and smaller floating-point numbers.
 */
#include "ptx/small_float.h"
#include <assert.h>

enum { F64_MANTISSA = 52, F64_BIAS = 1023 };

const struct small small_f16 = {15, 10, 15, 0x7bff}, small_bf16 = {15, 7, 127, 0x7f7f};
const struct small small_e4m3 = {7, 3, 7, 0x7e}, small_e5m2 = {7, 2, 15, 0x7b};
static const struct small small_tf32 = {18, 10, 127, 0x3fbff}; /* f32 without the last 13 bits */

double small_to_double(uint32_t bits, const struct small *type)
{
    uint32_t magnitude = bits & ((1u << type->bits) - 1), leading = 1u << type->mantissa_bits;
    uint32_t mantissa = magnitude & (leading - 1);
    int exponent = (int)(magnitude >> type->mantissa_bits);
    double value = exponent > 0 ? mantissa | leading : mantissa;
    exponent = (exponent > 0 ? exponent : 1) - type->bias - type->mantissa_bits;
    value *= f64_of((uint64_t)(exponent + F64_BIAS) << F64_MANTISSA); /* a power of two */
    if (magnitude > type->most) {                                     /* e4m3 has no infinity */
        value = mantissa == 0 ? f64_of(0x7ff0000000000000u) : f64_of(0x7ff8000000000000u);
    }
    return bits >> type->bits & 1 ? -value : value;
}

uint32_t small_from_double(double value, const struct small *type, enum rounding rounding,
                           bool saturates)
{
    uint64_t bits = bits_of_f64(value), magnitude = bits & INT64_MAX;
    uint32_t sign = (uint32_t)(bits >> 63) << type->bits;
    if (magnitude > 0x7ff0000000000000u) {
        return (1u << type->bits) - 1;
    }
    if (magnitude == 0x7ff0000000000000u) {
        return sign | (type->most + !saturates);
    }
    int exponent = (int)(magnitude >> F64_MANTISSA) - F64_BIAS + type->bias;
    uint64_t mantissa = (magnitude & ((1ull << F64_MANTISSA) - 1)) | 1ull << F64_MANTISSA;
    unsigned drop = F64_MANTISSA - type->mantissa_bits;
    if (magnitude >> F64_MANTISSA == 0) {
        /* Zero or a subnormal double, which is far below the smallest number. */
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
              : rounding == ROUND_AWAY  ? rest >= half
                                        : false;
    /* The leading bit of a normal number adds one to the exponent, and so does a carry of the
     * mantissa. */
    uint64_t result =
        exponent > 0 ? ((uint64_t)(exponent - 1) << type->mantissa_bits) + kept + up : kept + up;
    if (result > type->most) {
        bool toward = rounding == ROUND_ZERO || (rounding == ROUND_UP && sign) ||
                      (rounding == ROUND_DOWN && !sign);
        result = toward || saturates ? type->most : type->most + 1;
    }
    return sign | (uint32_t)result;
}

uint32_t tf32_from_double(double value, enum rounding rounding, bool saturates)
{
    return value == value ? small_from_double(value, &small_tf32, rounding, saturates) << 13
                          : NAN_F32;
}
