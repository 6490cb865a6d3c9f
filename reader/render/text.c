/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - writes numbers and strings in several forms; see text.h.
 */
#include "render/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "text/csv.h"
#include "text/json.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

static size_t null_write(char *to)
{
    memcpy(to, "null", 5);
    return 4;
}

size_t ws_format_value(char *to, const struct fmt_value *v, bool json)
{
    bool is_real = v->type == FMT_F32 || v->type == FMT_F64;
    if (json && is_real && !isfinite(v->as.f)) {
        return null_write(to);
    }
    switch (v->type) {
    case FMT_F32:
        return decimal_f32(to, (float)v->as.f);
    case FMT_F64:
        return decimal_f64(to, v->as.f);
    case FMT_I8:
    case FMT_I16:
    case FMT_I32:
    case FMT_I64:
        return decimal_i64(to, v->as.i);
    default:
        return decimal_u64(to, v->as.u);
    }
}

/* Writes v in decimal digits, and returns the end of the output. The first case is faster and
 * serves numbers below 10, which are most frequent in records. */
static inline char *u64_render(char *to, uint64_t v)
{
    if (v < 10) {
        *to = (char)('0' + v);
        return to + 1;
    }
    return to + decimal_u64(to, v);
}

char *ws_render_number(char *to, const uint8_t *raw, uint32_t type, bool json)
{
    uint64_t u64;
    uint32_t u32;
    double f64;
    float f32;
    struct fmt_value v;
    switch (type) {
    case FMT_F64:
        memcpy(&f64, raw, 8);
        return json && !isfinite(f64) ? to + null_write(to) : to + decimal_f64(to, f64);
    case FMT_U64:
        memcpy(&u64, raw, 8);
        return u64_render(to, u64);
    case FMT_U32:
        memcpy(&u32, raw, 4);
        return u64_render(to, u32);
    case FMT_F32:
        memcpy(&f32, raw, 4);
        return json && !isfinite(f32) ? to + null_write(to) : to + decimal_f32(to, f32);
    default:
        v = fmt_value_read(raw, type);
        return type <= FMT_U64 ? u64_render(to, v.as.u) : to + decimal_i64(to, v.as.i);
    }
}

void ws_format_bytes(char *to, size_t size, uint64_t bytes)
{
    assert(size > 0);
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double v = (double)bytes / 1000.0;
    size_t unit = 0;
    if (bytes < 1000) {
        snprintf(to, size, "%" PRIu64 " bytes", bytes);
        return;
    }
    for (; v >= 999.5 && unit + 1 < sizeof units / sizeof units[0]; unit++) {
        v /= 1000.0;
    }
    snprintf(to, size, "%.*f %s", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, units[unit]);
}

/* ---- Strings --------------------------------------------------------------------------------- */

static const char digits[] = "0123456789abcdef";

char *ws_render_hex(char *to, const uint8_t *bytes, size_t size, bool json)
{
    if (json) {
        *to++ = '"';
    }
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    if (json) {
        *to++ = '"';
    }
    return to;
}

char *ws_render_tsv(char *to, const char *text, size_t size)
{
    static const char special[] = "\\\t\n\r", letters[] = "\\tnr";
    for (size_t i = 0; i < size;) {
        const char *found = memchr(special, text[i], sizeof special - 1);
        size_t n = utf8_length(text + i, size - i);
        n = n == 0 ? 1 : n;
        if (found != NULL) {
            *to++ = '\\';
            *to++ = letters[found - special];
        } else {
            to = utf8_repair(to, text + i, n);
        }
        i += n;
    }
    return to;
}
