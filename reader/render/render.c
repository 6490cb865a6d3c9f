/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * render.c - values as CSV and JSON in memory; see render.h.
 */
#include "render/render.h"

#include <math.h>
#include <string.h>

#include "format/format.h"
#include "render/text.h"

static const char digits[] = "0123456789abcdef";

static char *null_render(char *to)
{
    memcpy(to, "null", 4);
    return to + 4;
}

/* A fast path: most integers in records are small (kinds, numbers of KPs, rare counts). */
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
        return json && !isfinite(f64) ? null_render(to) : to + decimal_f64(to, f64);
    case FMT_U64:
        memcpy(&u64, raw, 8);
        return u64_render(to, u64);
    case FMT_U32:
        memcpy(&u32, raw, 4);
        return u64_render(to, u32);
    case FMT_F32:
        memcpy(&f32, raw, 4);
        return json && !isfinite(f32) ? null_render(to) : to + decimal_f32(to, f32);
    default:
        v = fmt_value_read(raw, type);
        return type <= FMT_U64 ? u64_render(to, v.as.u) : to + decimal_i64(to, v.as.i);
    }
}

char *ws_render_csv(char *to, const uint8_t *text, size_t size)
{
    bool quote = false;
    for (size_t i = 0; i < size; i++) {
        quote |= text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    }
    if (!quote) {
        memcpy(to, text, size);
        return to + size;
    }
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') {
            *to++ = '"';
        }
        *to++ = (char)text[i];
    }
    *to++ = '"';
    return to;
}

char *ws_render_json(char *to, const uint8_t *text, size_t size)
{
    *to++ = '"';
    for (size_t i = 0; i < size;) {
        size_t n = utf8_length(text + i, size - i);
        if (n == 0) {
            memcpy(to, "\\ufffd", 6);
            to += 6;
        } else if (text[i] == '"' || text[i] == '\\') {
            *to++ = '\\';
            *to++ = (char)text[i];
        } else if (text[i] < 0x20 || text[i] == 0x7f) {
            memcpy(to, "\\u00", 4);
            to[4] = digits[text[i] >> 4];
            to[5] = digits[text[i] & 15];
            to += 6;
        } else {
            memcpy(to, text + i, n);
            to += n;
        }
        i += n == 0 ? 1 : n;
    }
    *to++ = '"';
    return to;
}

char *ws_render_utf8(char *to, const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t n = utf8_length(text + i, size - i);
        memcpy(to, n == 0 ? (const void *)"\xef\xbf\xbd" : text + i, n == 0 ? 3 : n);
        to += n == 0 ? 3 : n;
        i += n == 0 ? 1 : n;
    }
    return to;
}

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
