/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gml_text.c - ns_gml_text_init(), see gml_scan.h.
 *
 * Invariant: a character takes at most 4 bytes, and an entity has at least 4, so that only
 * U+FFFD (3 bytes for 1) and "&quot;" (6 bytes for "&#34;", 5) lengthen the text.
 *
 * Source of the names: HTML 4.01, 24.2.1 "The list of characters" of ISO 8859-1.
 */
#include "gml_scan.h"

#include <ctype.h>

#include "text/utf8.h"

#define NAME_MAX_BYTES 6 /* maximum length of a name in latin1 */

/* Names of the characters U+00A0 to U+00FF. */
static const char latin1[96][NAME_MAX_BYTES + 1] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

/* Returns the value of a digit in this base; base: no such digit. */
static uint32_t digit_value(char ch, uint32_t base)
{
    uint32_t value = isdigit((unsigned char)ch)    ? (uint32_t)(ch - '0')
                     : isxdigit((unsigned char)ch) ? (uint32_t)(tolower(ch) - 'a') + 10
                                                   : base;
    return value < base ? value : base;
}

/* Reads the number of a character at `at`, as in "#227;". Returns the number of bytes up to the
 * semicolon, and stores the number in *code. Returns 0 if there is none. */
static size_t number_read(const char *at, const char *end, uint32_t *code)
{
    const char *p = at + 1;
    uint32_t base = p < end && (*p == 'x' || *p == 'X') ? 16 : 10;
    p += base == 16;
    const char *digits = p;
    for (*code = 0; p < end && digit_value(*p, base) < base; p++) {
        *code = ROSS_MIN(*code * base + digit_value(*p, base), 0x110000u);
    }
    return p > digits && p < end && *p == ';' ? (size_t)(p + 1 - at) : 0;
}

/* Like number_read(), for the name of a Latin-1 character, as in "atilde;". */
static size_t name_read(const char *at, const char *end, uint32_t *code)
{
    for (uint32_t i = 0; i < sizeof latin1 / sizeof *latin1; i++) {
        size_t length = strlen(latin1[i]);
        if ((size_t)(end - at) > length && memcmp(at, latin1[i], length) == 0 &&
            at[length] == ';') {
            *code = 0xa0 + i;
            return length + 1;
        }
    }
    return 0;
}

/* Writes a character to `to` as UTF-8, or as an entity if it would end a string. Blanks replace
 * control characters. Returns the end of the output. */
static char *code_write(char *to, uint32_t code)
{
    char bytes[UTF8_MAX];
    size_t size = 0;
    if (code == '"' || code == '&') {
        const char *entity = code == '"' ? "&quot;" : "&amp;";
        memcpy(to, entity, strlen(entity));
        return to + strlen(entity);
    }
    if (code < 0x80) {
        bytes[size++] = (char)(code < 0x20 || code == 0x7f ? ' ' : code);
    } else if (code < 0x800) {
        bytes[size++] = (char)(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[size++] = (char)(0xe0 | code >> 12);
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3f));
    } else {
        bytes[size++] = (char)(0xf0 | ROSS_MIN(code >> 18, 7u));
        bytes[size++] = (char)(0x80 | (code >> 12 & 0x3f));
        bytes[size++] = (char)(0x80 | (code >> 6 & 0x3f));
    }
    if (code >= 0x80) {
        bytes[size++] = (char)(0x80 | (code & 0x3f));
    }
    bool exists = utf8_length(bytes, size) == size;
    return exists ? utf8_repair(to, bytes, size) : utf8_repair(to, "\xff", 1);
}

void ns_gml_text_init(struct ns_bytes *out, const struct ns_bytes *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *at = text->data, *end = text->data + text->size;
    out->data = tw_calloc(TW_LOC, "text of the GML file", 1, utf8_repair_max(text->size) + 1);
    char *to = out->data;
    at += text->size >= 3 && memcmp(at, mark, 3) == 0 ? 3 : 0;
    while (at < end) {
        uint32_t code;
        size_t n = *at != '&' || end - at < 3 ? 0
                   : at[1] == '#'             ? number_read(at + 1, end, &code)
                                              : name_read(at + 1, end, &code);
        if (n > 0) {
            to = code_write(to, code);
            at += n + 1;
        } else {
            n = utf8_length(at, (size_t)(end - at));
            n = n == 0 ? 1 : n;
            to = utf8_repair(to, at, n);
            at += n;
        }
    }
    *to = '\0';
    out->size = (size_t)(to - out->data);
}
