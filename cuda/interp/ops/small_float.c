/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums and products that are rounded to small floating-point numbers.
 */
#include "interp/ops/small_float.h"

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
