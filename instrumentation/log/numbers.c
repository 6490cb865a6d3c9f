/*
 * numbers.c - numbers as text, see writer.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "log/writer.h"

#define NUMBER_MAX 40

void put_u64(struct log_writer *w, uint64_t value)
{
    char digits[NUMBER_MAX];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put_bytes(w, digits + at, sizeof digits - at);
}

void put_i64(struct log_writer *w, int64_t value)
{
    if (value < 0) {
        put_bytes(w, "-", 1);
    }
    put_u64(w, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Whole numbers of thousandths, which times in nanoseconds are: without the C library's rounding.
 * False: it is none. */
static bool thousandths_put(struct log_writer *w, double value)
{
    double magnitude = fabs(value), scaled = magnitude * 1000;
    if (!(scaled < 9e15)) {
        return false;
    }
    uint64_t n = (uint64_t)(scaled + 0.5);
    /* Both sides are the double that is nearest to n / 1000, if it is that number at all. */
    if ((double)n / 1000 != magnitude) {
        return false;
    }
    if (signbit(value)) {
        put_bytes(w, "-", 1);
    }
    put_u64(w, n / 1000);
    unsigned rest = (unsigned)(n % 1000);
    if (rest != 0) {
        char fraction[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                            (char)('0' + rest % 10)};
        size_t size = rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4;
        put_bytes(w, fraction, size);
    }
    return true;
}

void put_f64(struct log_writer *w, double value)
{
    char text[NUMBER_MAX];
    if (isnan(value)) {
        put_text(w, "NaN");
        return;
    }
    if (isinf(value)) {
        put_text(w, value < 0 ? "-inf" : "inf");
        return;
    }
    if (thousandths_put(w, value)) {
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    put_text(w, text);
}
