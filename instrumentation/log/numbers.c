/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.c - formats numbers, see writer.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "log/decimal.h"
#include "log/writer.h"

#define NUMBER_MAX 40

void put_u64(struct log_writer *w, uint64_t value)
{
    char digits[WS_DECIMAL_MAX];
    put_bytes(w, digits, ws_decimal_u64(digits, value));
}

void put_i64(struct log_writer *w, int64_t value)
{
    if (value < 0) {
        put_bytes(w, "-", 1);
    }
    put_u64(w, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Writes multiples of a thousandth, such as times in nanoseconds, without the rounding of the C
 * library. Returns false if value is no such multiple. */
static bool thousandths_put(struct log_writer *w, double value)
{
    double magnitude = fabs(value), scaled = magnitude * 1000;
    if (!(scaled < 9e15)) {
        return false;
    }
    uint64_t n = (uint64_t)(scaled + 0.5);
    /* Both sides are the double nearest to n / 1000 if value is that number. */
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

/*
 * Writes numbers from 0.00001 to 0.0001 of up to 15 digits, not as powers of ten. n and 10^19 are
 * exact as doubles, so n / 10^19 is the double nearest to that decimal (Clinger, PLDI 1990). A
 * comparison shows if it equals value. Returns false if it does not.
 */
static bool small_put(struct log_writer *w, double value)
{
    double magnitude = fabs(value);
    if (!(magnitude >= 1e-5 && magnitude < 1e-4)) {
        return false;
    }
    unsigned k = 19;
    uint64_t n = (uint64_t)(magnitude * 1e19 + 0.5);
    if ((double)n / 1e19 != magnitude) {
        return false;
    }
    for (; n % 10 == 0; k--) {
        n /= 10;
    }
    char text[NUMBER_MAX];
    size_t at = sizeof text;
    for (unsigned i = 0; i <= k; i++) {
        if (i == k) {
            text[--at] = '.';
        }
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    }
    if (signbit(value)) {
        text[--at] = '-';
    }
    put_bytes(w, text + at, sizeof text - at);
    return true;
}

void put_f64(struct log_writer *w, double value)
{
    char text[WS_DECIMAL_MAX];
    if (isnan(value)) {
        put_text(w, "NaN");
    } else if (isinf(value)) {
        put_text(w, value < 0 ? "-inf" : "inf");
    } else if (!thousandths_put(w, value) && !small_put(w, value)) {
        put_bytes(w, text, ws_decimal_f64_15_17(text, value));
    }
}

static void vector_put(struct log_writer *w, const st_log_vector *vector)
{
    put_text(w, "[");
    for (size_t i = 0; i < vector->n; i++) {
        put_text(w, i == 0 ? "" : ",");
        put_i64(w, vector->items[i]);
    }
    put_text(w, "]");
}

bool put_value(struct log_writer *w, const st_log_arg *arg)
{
    char hex[NUMBER_MAX];
    switch (arg->kind) {
    case ST_LOG_U64:
        put_u64(w, arg->value.u64);
        return true;
    case ST_LOG_I64:
        put_i64(w, arg->value.i64);
        return true;
    case ST_LOG_F64:
        put_f64(w, arg->value.f64);
        return true;
    case ST_LOG_BOOL:
        put_text(w, arg->value.boolean ? "true" : "false");
        return true;
    case ST_LOG_HEX:
        snprintf(hex, sizeof hex, "0x%" PRIx64, arg->value.u64);
        put_text(w, hex);
        return true;
    case ST_LOG_VECTOR:
        vector_put(w, &arg->value.vector);
        return true;
    default:
        return false;
    }
}
