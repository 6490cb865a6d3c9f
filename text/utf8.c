/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - see utf8.h. Cost: linear in the length of the text; no memory is allocated. */
#include "text/utf8.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

size_t utf8_length(const void *text, size_t size)
{
    assert(size > 0);
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

size_t utf8_dash_length(const char *text)
{
    /* The dashes of Unicode in UTF-8: U+2010 to U+2015, U+2212, U+FE58, U+FE63 and U+FF0D. */
    static const unsigned char dashes[][3] = {
        {0xe2, 0x80, 0x90}, {0xe2, 0x80, 0x91}, {0xe2, 0x80, 0x92}, {0xe2, 0x80, 0x93},
        {0xe2, 0x80, 0x94}, {0xe2, 0x80, 0x95}, {0xe2, 0x88, 0x92}, {0xef, 0xb9, 0x98},
        {0xef, 0xb9, 0xa3}, {0xef, 0xbc, 0x8d}};
    if (text[0] == '-') {
        return 1;
    }
    for (size_t i = 0; utf8_length(text, UTF8_MAX) == 3 && i < sizeof dashes / sizeof dashes[0];
         i++) {
        if (memcmp(text, dashes[i], 3) == 0) {
            return 3;
        }
    }
    return 0;
}

/* Returns the number of columns of the character at the start of text, of n bytes; n 0: of a byte
 * that is not UTF-8. */
static size_t width_of(const char *text, size_t n)
{
    static const uint32_t ranges[][3] = {
        {0x300, 0x36f, 0},     {0x1100, 0x115f, 2},  {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},
        {0x2e80, 0x303e, 2},   {0x3040, 0xa4cf, 2},  {0xa960, 0xa97f, 2},   {0xac00, 0xd7a3, 2},
        {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},  {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},
        {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},  {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
        {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}};
    if (n < 2) {
        return 1;
    }
    uint32_t c = (unsigned char)text[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        c = c << 6 | ((unsigned char)text[i] & 0x3fu);
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && c >= ranges[i][0]; i++) {
        if (c <= ranges[i][1]) {
            return ranges[i][2];
        }
    }
    return 1;
}

size_t utf8_columns(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes;) {
        size_t n = utf8_length(text + i, bytes - i);
        columns += width_of(text + i, n);
        i += n == 0 ? 1 : n;
    }
    return columns;
}

char *utf8_repair(char *to, const void *text, size_t size)
{
    const char *from = text;
    for (size_t i = 0; i < size;) {
        size_t n = utf8_length(from + i, size - i);
        memcpy(to, n == 0 ? "\xef\xbf\xbd" : from + i, n == 0 ? 3 : n);
        to += n == 0 ? 3 : n;
        i += n == 0 ? 1 : n;
    }
    return to;
}

/* Returns true if p points to a control character of ASCII or Latin-1 (U+0080 to U+009F). */
static bool is_control(const unsigned char *p)
{
    return p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && (p[1] & 0xe0) == 0x80);
}

/* Returns the length in bytes of the character at the start of text. Sets *shown to the text that
 * replaces it in plain text: "?" for control characters and invalid UTF-8, otherwise the character
 * itself. Sets *n_shown to the length of the replacement in bytes, and takes its columns from *columns.
 * Returns 0 at the end of text, or if there are too few columns. */
static size_t plain_next(const char *text, const char **shown, size_t *n_shown, size_t *columns)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n = utf8_length(text, UTF8_MAX);
    bool hidden = n == 0 || is_control(p);
    *shown = hidden ? "?" : text;
    *n_shown = hidden ? 1 : n;
    size_t width = width_of(*shown, *n_shown);
    if (*text == '\0' || width > *columns) {
        return 0;
    }
    *columns -= width;
    return n == 0 ? 1 : n;
}

char *utf8_plain(char *to, size_t size, const char *text, size_t columns)
{
    assert(size > 0);
    size_t used = 0, n, step;
    const char *shown;
    for (; (step = plain_next(text, &shown, &n, &columns)) > 0 && used + n < size; text += step) {
        memcpy(to + used, shown, n);
        used += n;
    }
    to[used] = '\0';
    return to;
}

void utf8_drop_controls(char *text)
{
    while (*text != '\0') {
        size_t n = utf8_length(text, UTF8_MAX);
        if (n == 0 || is_control((const unsigned char *)text)) {
            n = n == 0 ? 1 : n;
            memset(text, '?', n);
        }
        text += n;
    }
}

/* Prints at most `columns` columns of text. Returns the number of columns that remain. */
static size_t plain_print(FILE *out, const char *text, size_t columns)
{
    size_t n, step;
    const char *shown;
    for (; (step = plain_next(text, &shown, &n, &columns)) > 0; text += step) {
        fwrite(shown, 1, n, out);
    }
    return columns;
}

void utf8_plain_print(FILE *out, const char *text)
{
    plain_print(out, text, SIZE_MAX);
}

void utf8_plain_column(FILE *out, const char *text, size_t columns)
{
    fprintf(out, "%*s", (int)plain_print(out, text, columns), "");
}
