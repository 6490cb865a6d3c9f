/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - numbers and strings for text, CSV and JSON; see text.h.
 */
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

size_t ws_format_value(char *to, const struct fmt_value *v)
{
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

void ws_json_f64(FILE *out, double v)
{
    char number[DECIMAL_MAX];
    if (isfinite(v)) {
        decimal_f64(number, v);
    }
    fputs(isfinite(v) ? number : "null", out);
}

void ws_format_bytes(char *to, size_t size, uint64_t bytes)
{
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

void ws_sink_json(struct ws_sink *sink, const char *text, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *p = (const unsigned char *)text;
    ws_sink_char(sink, '"');
    for (size_t i = 0; i < size;) {
        size_t n = utf8_length(p + i, size - i);
        if (n == 0) {
            ws_sink_text(sink, "\\ufffd");
        } else if (p[i] == '"' || p[i] == '\\') {
            ws_sink_char(sink, '\\');
            ws_sink_char(sink, (char)p[i]);
        } else if (p[i] < 0x20 || p[i] == 0x7f) {
            ws_sink_text(sink, "\\u00");
            ws_sink_char(sink, hex[p[i] >> 4]);
            ws_sink_char(sink, hex[p[i] & 15]);
        } else {
            ws_sink_bytes(sink, p + i, n);
        }
        i += n == 0 ? 1 : n;
    }
    ws_sink_char(sink, '"');
}

void ws_sink_csv(struct ws_sink *sink, const char *text, size_t size)
{
    bool quote = false;
    for (size_t i = 0; i < size; i++) {
        quote |= text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    }
    if (!quote) {
        ws_sink_bytes(sink, text, size);
        return;
    }
    ws_sink_char(sink, '"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') {
            ws_sink_char(sink, '"');
        }
        ws_sink_char(sink, text[i]);
    }
    ws_sink_char(sink, '"');
}

void ws_json_string(FILE *out, const char *text, size_t size)
{
    char bytes[256] = {0};
    struct ws_sink sink = {.out = out, .bytes = bytes, .size = sizeof bytes};
    ws_sink_json(&sink, text, size);
    ws_sink_flush(&sink);
}

void ws_csv_string(FILE *out, const char *text, size_t size)
{
    char bytes[256] = {0};
    struct ws_sink sink = {.out = out, .bytes = bytes, .size = sizeof bytes};
    ws_sink_csv(&sink, text, size);
    ws_sink_flush(&sink);
}
