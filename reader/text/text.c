/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - numbers and strings for text, CSV and JSON; see text.h.
 */
#include "text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "log/decimal.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

size_t ws_format_u64(char *to, uint64_t v)
{
    return ws_decimal_u64(to, v);
}

size_t ws_format_i64(char *to, int64_t v)
{
    if (v >= 0) {
        return ws_format_u64(to, (uint64_t)v);
    }
    to[0] = '-';
    return 1 + ws_format_u64(to + 1, 0 - (uint64_t)v);
}

static size_t format_special(char *to, double v)
{
    const char *word = isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
    memcpy(to, word, strlen(word) + 1);
    return strlen(word);
}

/* Returns true if v is an integer that is exact in all digits. Printing it is much faster than
 * printf(). */
static bool is_whole(double v)
{
    return v > -1e15 && v < 1e15 && v == (double)(int64_t)v && !(v == 0 && signbit(v));
}

size_t ws_format_f64(char *to, double v)
{
    if (!isfinite(v)) {
        return format_special(to, v);
    }
    return is_whole(v) ? ws_format_i64(to, (int64_t)v) : ws_decimal_f64(to, v);
}

size_t ws_format_f32(char *to, float v)
{
    return isfinite(v) ? ws_decimal_f32(to, v) : format_special(to, (double)v);
}

size_t ws_format_value(char *to, const struct fmt_value *v)
{
    switch (v->type) {
    case FMT_F32:
        return ws_format_f32(to, (float)v->as.f);
    case FMT_F64:
        return ws_format_f64(to, v->as.f);
    case FMT_I8:
    case FMT_I16:
    case FMT_I32:
    case FMT_I64:
        return ws_format_i64(to, v->as.i);
    default:
        return ws_format_u64(to, v->as.u);
    }
}

void ws_json_f64(FILE *out, double v)
{
    char number[WS_NUMBER_MAX];
    if (isfinite(v)) {
        ws_format_f64(number, v);
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

size_t ws_utf8_length(const void *text, size_t size)
{
    const unsigned char *p = text;

    if (p[0] < 0x80) {
        return 1;
    }
    size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n > size) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] > 0x9f;
    bool beyond = p[0] == 0xf4 && p[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : n;
}

void ws_sink_json(struct ws_sink *sink, const char *text, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *p = (const unsigned char *)text;
    ws_sink_char(sink, '"');
    for (size_t i = 0; i < size;) {
        size_t n = ws_utf8_length(p + i, size - i);
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

/* Returns the bytes of the next character. *shown: its printed form. */
static size_t plain_next(const unsigned char *p, size_t size, const char **shown, size_t *n_shown)
{
    size_t n = ws_utf8_length(p, size);
    bool control = n == 0 || p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0);
    *shown = control ? "?" : (const char *)p;
    *n_shown = control ? 1 : n;
    return n == 0 ? 1 : n;
}

void ws_plain_string(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t size = strlen(text), n;
    const char *shown;
    for (size_t i = 0; i < size;) {
        i += plain_next(p + i, size - i, &shown, &n);
        fwrite(shown, 1, n, out);
    }
}

void ws_plain_column(FILE *out, const char *text, size_t width)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t size = strlen(text), used = 0, n;
    const char *shown;
    for (size_t i = 0; i < size && used < width; used++) {
        i += plain_next(p + i, size - i, &shown, &n);
        fwrite(shown, 1, n, out);
    }
    fprintf(out, "%*s", (int)(width - used), "");
}

/* Returns the bytes of the first n characters, in their printed form. */
static size_t plain_bytes(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t size = strlen(text), at = 0, n_shown;
    const char *shown;
    for (; n > 0 && at < size; n--) {
        at += plain_next(p + at, size - at, &shown, &n_shown);
    }
    return at;
}

void ws_plain_path_column(FILE *out, const char *path, size_t width)
{
    size_t n = 0;
    for (size_t at = 0; path[at] != '\0'; n++) {
        at += plain_bytes(path + at, 1);
    }
    if (n <= width || width < 4) {
        ws_plain_column(out, path, width);
        return;
    }
    size_t head = (width - 3) / 3;
    ws_plain_column(out, path, head);
    fputs("...", out);
    ws_plain_column(out, path + plain_bytes(path, n - (width - 3 - head)), width - 3 - head);
}

void ws_plain_text(char *to, size_t size, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t length = strlen(text), used = 0, n;
    const char *shown;
    for (size_t i = 0; i < length;) {
        i += plain_next(p + i, length - i, &shown, &n);
        if (used + n + 1 > size) {
            break;
        }
        memcpy(to + used, shown, n);
        used += n;
    }
    to[used] = '\0';
}
