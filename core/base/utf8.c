/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - see utf8.h. Cost: linear in the text; no allocation. */
#include "base/utf8.h"

#include <string.h>

/* Returns true if byte may follow lead in a well-formed sequence. (Excludes overlong forms,
 * surrogates, and everything past U+10FFFF.) */
static bool second_fits(unsigned char lead, unsigned char byte)
{
    switch (lead) {
    case 0xE0:
        return byte >= 0xA0 && byte <= 0xBF;
    case 0xED:
        return byte >= 0x80 && byte <= 0x9F;
    case 0xF0:
        return byte >= 0x90 && byte <= 0xBF;
    case 0xF4:
        return byte >= 0x80 && byte <= 0x8F;
    default:
        return byte >= 0x80 && byte <= 0xBF;
    }
}

/* The terminating zero is not a continuation byte, so the function never reads past it. */
size_t utf8_length(const char *text)
{
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4 || !second_fits(lead, (unsigned char)text[1])) {
        return 0;
    }
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    for (size_t i = 2; i < length; i++) {
        if (!utf8_is_inside(text[i])) {
            return 0;
        }
    }
    return length;
}

size_t utf8_dash_length(const char *text)
{
    /* UTF-8 of U+2010 to U+2015, U+2212, U+FE58, U+FE63 and U+FF0D. */
    static const unsigned char dashes[][3] = {
        {0xe2, 0x80, 0x90}, {0xe2, 0x80, 0x91}, {0xe2, 0x80, 0x92}, {0xe2, 0x80, 0x93},
        {0xe2, 0x80, 0x94}, {0xe2, 0x80, 0x95}, {0xe2, 0x88, 0x92}, {0xef, 0xb9, 0x98},
        {0xef, 0xb9, 0xa3}, {0xef, 0xbc, 0x8d}};
    if (text[0] == '-') {
        return 1;
    }
    for (size_t i = 0; utf8_length(text) == 3 && i < sizeof dashes / sizeof dashes[0]; i++) {
        if (memcmp(text, dashes[i], 3) == 0) {
            return 3;
        }
    }
    return 0;
}

size_t utf8_columns(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++) {
        columns += !utf8_is_inside(text[i]);
    }
    return columns;
}

/* Returns true for U+0000 to U+001F and U+007F to U+009F. */
static bool is_control(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    return first < 0x20 || first == 0x7f || (first == 0xc2 && (unsigned char)text[1] < 0xa0);
}

char *utf8_plain(char *to, size_t size, const char *text, size_t columns)
{
    size_t used = 0;
    for (size_t n = 0; n < columns && *text != '\0'; n++) {
        size_t length = utf8_length(text);
        bool shown = length > 0 && !is_control(text);
        size_t bytes = shown ? length : 1;
        if (used + bytes + 1 > size) {
            break;
        }
        memcpy(to + used, shown ? text : "?", bytes);
        used += bytes;
        text += length > 0 ? length : 1;
    }
    to[used] = '\0';
    return to;
}
