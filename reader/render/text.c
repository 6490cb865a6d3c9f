/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - writes numbers and strings in several forms, and small pictures; see text.h.
 */
#include "render/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format/format.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

size_t ws_format_value(char *to, const struct fmt_value *v, bool json)
{
    bool is_real = v->type == FMT_F32 || v->type == FMT_F64;
    if (json && is_real && !isfinite(v->as.f)) {
        return (size_t)(stpcpy(to, "null") - to);
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

char *ws_count_text(char to[WS_COUNT_MAX], uint64_t v)
{
    char digits[DECIMAL_MAX], *p = to;
    size_t n = decimal_u64(digits, v);
    if (n > 15) {
        snprintf(to, WS_COUNT_MAX, "%.2e", (double)v);
        return to;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            *p++ = ',';
        }
        *p++ = digits[i];
    }
    *p = '\0';
    return to;
}

char *ws_count_fit(char to[WS_COUNT_MAX], uint64_t v, size_t width)
{
    static const char units[] = "kMGTPE";
    ws_count_text(to, v);
    for (size_t i = 0; strlen(to) > width && units[i] != '\0'; i++) {
        uint64_t rest = v % 1000;
        v = v / 1000 + (rest >= 500);
        ws_count_text(to, v);
        size_t n = strlen(to);
        snprintf(to + n, WS_COUNT_MAX - n, " %c", units[i]);
    }
    return to;
}

char *ws_number_text(char to[WS_COUNT_MAX], double v)
{
    double size = fabs(v);
    if (!(size < 1e15) || (size > 0.0 && size < 1e-4)) {
        snprintf(to, WS_COUNT_MAX, "%.3e", v);
    } else if (size >= 999.95) {
        bool negative = v < 0.0;
        to[0] = '-';
        ws_count_text(to + negative, (uint64_t)llrint(size));
    } else if (v == rint(v)) {
        snprintf(to, WS_COUNT_MAX, "%.0f", v);
    } else {
        snprintf(to, WS_COUNT_MAX, "%#.4g", v);
    }
    return to;
}

char *ws_number_fit(char to[WS_COUNT_MAX], double v, size_t width)
{
    ws_number_text(to, v);
    for (int digits = 3; strlen(to) > width && digits >= 0; digits--) {
        snprintf(to, WS_COUNT_MAX, "%.*e", digits, v);
    }
    return to;
}

char *ws_seconds_text(char to[WS_COUNT_MAX], double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i < 3 && fabs(seconds) < 0.9995 * units[i].unit && seconds != 0.0) {
        i++;
    }
    char number[WS_COUNT_MAX];
    ws_number_text(number, seconds / units[i].unit);
    snprintf(to, WS_COUNT_MAX, "%.20s %s", number, units[i].name);
    return to;
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

void ws_xml_print(FILE *out, const char *text, size_t most)
{
    for (size_t n = 0, length; *text != '\0'; text += length) {
        const char *entity = n++ == most    ? "…"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        length = n > most ? strlen(text) : utf8_length(text, strlen(text));
        fwrite(entity != NULL ? entity : text, 1, entity != NULL ? strlen(entity) : length, out);
    }
}

/* ---- Pictures --------------------------------------------------------------------------------- */

bool ws_plot_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            const char *dot = strchr(value, '.');
            return dot != NULL &&
                   (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
        }
    }
    return false;
}

bool ws_plot_range(const double *values, size_t n, double *low, double *high)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (values[i] == values[i]) {
            *low = !any || values[i] < *low ? values[i] : *low;
            *high = !any || values[i] > *high ? values[i] : *high;
            any = true;
        }
    }
    return any;
}

/* Returns the height, 0 to 7, of the bar for v in the range from low to high. */
static int height_of(double v, double low, double high)
{
    if (!(high > low)) {
        return 3;
    }
    double part = (v - low) / (high - low) * 8.0;
    return part < 1.0 ? 0 : part >= 8.0 ? 7 : (int)part;
}

void ws_plot_line(char *to, const double *values, size_t n, double low, double high, bool utf8)
{
    static const char ascii[] = "_.-:=+*#";
    for (size_t i = 0; i < n; i++) {
        if (values[i] != values[i]) {
            *to++ = ' ';
            continue;
        }
        int height = height_of(values[i], low, high);
        if (utf8) { /* characters U+2581 to U+2588 */
            *to++ = '\xe2';
            *to++ = '\x96';
            *to++ = (char)('\x81' + height);
        } else {
            *to++ = ascii[height];
        }
    }
    *to = '\0';
}

void ws_plot_print(FILE *out, const char *words, const double *values, size_t n, double low,
                   double high, bool utf8)
{
    char line[WS_PLOT_BYTES(WS_PLOT_MOST)];
    assert(n <= WS_PLOT_MOST);
    ws_plot_line(line, values, n, low, high, utf8);
    fprintf(out, "  %-12s %s\n", words, line);
}

void ws_plot_bar(char *to, double part, size_t width, bool utf8)
{
    double clamped = part > 0.0 ? part < 1.0 ? part : 1.0 : 0.0;
    unsigned long eighths = (unsigned long)lrint(clamped * 8.0 * (double)width);
    assert(eighths <= 8 * width);
    size_t i = 0;
    for (; i < eighths / 8; i++) {
        memcpy(to, utf8 ? "\xe2\x96\x88" : "#", utf8 ? 3 : 1);
        to += utf8 ? 3 : 1;
    }
    /* The last character ranges from U+2589, seven eighths of a block, to U+258F, one eighth. */
    if (eighths % 8 > 0 && utf8) {
        *to++ = '\xe2';
        *to++ = '\x96';
        *to++ = (char)('\x90' - (int)(eighths % 8));
        i++;
    } else if (eighths % 8 >= 4) {
        *to++ = '#';
        i++;
    }
    memset(to, ' ', width - i);
    to[width - i] = '\0';
}

size_t ws_text_wrap(FILE *out, const char *words, size_t column, size_t indent)
{
    for (bool first = true; *words != '\0'; first = false) {
        char word[256];
        size_t length = strcspn(words, " ");
        /* The per cent sign stays on the line of its number. */
        length += strncmp(words + length, " %", 2) == 0 ? 2 + strcspn(words + length + 2, " ") : 0;
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        size_t width = utf8_columns(word, strlen(word));
        words += length;
        words += strspn(words, " ");
        if (column > indent && column + !first + width > WS_PAGE_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        utf8_plain_print(out, word);
        column += width;
    }
    return column;
}
