/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tokens of PTX. A table classifies characters by the tokens that may contain them.
 */
#include "ptx/lexer.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SPACE = 1, LETTER = 2, DIGIT = 4, PERCENT = 8, FOLLOW = LETTER | DIGIT };

__extension__ static const unsigned char classes[256] = {
    [' '] = SPACE,          ['\t'] = SPACE,  ['\r'] = SPACE,        ['\v'] = SPACE,
    ['\f'] = SPACE,         ['_'] = LETTER,  ['$'] = LETTER,        ['A' ... 'Z'] = LETTER,
    ['a' ... 'z'] = LETTER, ['%'] = PERCENT, ['0' ... '9'] = DIGIT,
};

static inline unsigned char class_of(char c)
{
    return classes[(unsigned char)c];
}

void ptx_fail_at(struct ptx_lexer *in, uint32_t line, const char *format, ...)
{
    if (in->error) {
        int length = snprintf(in->error, PTX_ERROR_MAX, "line %u: ", line);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(in->error + length, PTX_ERROR_MAX - (size_t)length, format, arguments);
        va_end(arguments);
        for (char *c = in->error; *c; c++) {
            if ((unsigned char)*c < ' ' || (unsigned char)*c > '~') {
                *c = '?'; /* a terminal might take this byte for a control character */
            }
        }
    }
    longjmp(in->escape, 1);
}

void ptx_fail_token(struct ptx_lexer *in, const char *expected)
{
    if (in->kind == PTX_END) {
        ptx_fail(in, "expected %s, found the end of the text", expected);
    }
    struct ptx_text found = {in->begin, (uint32_t)(in->at - in->begin)};
    ptx_fail(in, "expected %s, found \"%.*s\"", expected, ptx_quoted(found), found.s);
}

/* Returns the last byte of the comment at p, and adds to *line the number of lines that end in it. Returns
 * NULL if the comment does not end. */
static const char *skip_comment(const char *p, const char *end, uint32_t *line)
{
    if (p[1] == '/') {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        return (newline ? newline : end) - 1;
    }
    uint32_t lines = 0;
    for (p += 2; end - p > 1; p++) {
        if (*p == '*' && p[1] == '/') {
            *line += lines;
            return p + 1;
        }
        lines += *p == '\n';
    }
    return NULL;
}

/* Returns the first byte from p on that begins a token, or the end of the text. Adds to *line the
 * number of lines that end before that byte. Returns NULL if a comment does not end. */
static inline const char *skip_space(const struct ptx_lexer *in, const char *p, uint32_t *line)
{
    for (; p != in->end; p++) {
        if (*p == '\n') {
            ++*line;
        } else if (*p == '/' && in->end - p > 1 && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p, in->end, line);
            if (!p) {
                return NULL;
            }
        } else if (class_of(*p) != SPACE) {
            break;
        }
    }
    return p;
}

char ptx_peek(const struct ptx_lexer *in)
{
    uint32_t line = 0;
    const char *p = skip_space(in, in->at, &line);
    return p && p != in->end ? *p : 0;
}

/* Returns the end of the number at p. Only the exponent of a decimal number may contain a sign. */
static const char *scan_number(const struct ptx_lexer *in, const char *p)
{
    const char *begin = p;
    bool decimal = in->end - p < 2 || !(class_of(p[1]) & LETTER) || (p[1] | 32) == 'e';
    for (; p != in->end; p++) {
        if (!(class_of(*p) & FOLLOW) && *p != '.') {
            bool exponent =
                (*p == '+' || *p == '-') && decimal && p != begin && (p[-1] | 32) == 'e';
            if (!exponent) {
                break;
            }
        }
    }
    return p;
}

static const char *scan_dot(struct ptx_lexer *in, const char *p)
{
    const char *end = in->end;
    assert(p > in->text && p[-1] == '.');
    in->s = p;
    while (p != end && (class_of(*p) & FOLLOW || (*p == ':' && end - p > 2 && p[1] == ':' &&
                                                  class_of(p[2]) & FOLLOW && p++))) {
        p++;
    }
    return p;
}

static const char *scan_string(struct ptx_lexer *in, const char *p)
{
    assert(*p == '"');
    for (p++; p != in->end && *p != '\n'; p++) {
        if (*p == '"') {
            return p + 1;
        }
        if (*p == '\\' && in->end - p > 1 && p[1] != '\n') {
            p++;
        }
    }
    ptx_fail(in, "the string does not end on its line");
}

void ptx_next(struct ptx_lexer *in)
{
    assert(in->text <= in->at && in->at <= in->end);
    in->previous_end = in->at;
    const char *p = skip_space(in, in->at, &in->last_line);
    if (!p) {
        ptx_fail_at(in, in->last_line, "the comment that begins on this line does not end");
    }
    in->begin = in->s = p;
    in->line = in->last_line;
    if (p == in->end) {
        in->at = p;
        in->kind = PTX_END;
        in->length = 0;
        return;
    }
    unsigned char class = class_of(*p);
    if (class & (LETTER | PERCENT)) {
        while (++p != in->end && class_of(*p) & FOLLOW) {
        }
        in->kind = PTX_WORD;
    } else if (class & DIGIT) {
        p = scan_number(in, p);
        in->kind = PTX_NUMBER;
    } else if (*p == '.') {
        p = scan_dot(in, p + 1);
        in->kind = PTX_DOT;
    } else if (*p == '"') {
        p = scan_string(in, p);
        in->kind = PTX_STRING;
    } else {
        in->kind = (unsigned char)*p < 128 ? *p : PTX_NO_TOKEN;
        p++;
    }
    assert(in->begin <= in->s && in->begin < p && p <= in->end);
    in->at = p;
    in->length = (uint32_t)(p - in->s);
}

void ptx_expect(struct ptx_lexer *in, char c, const char *context)
{
    if (in->kind != c) {
        char expected[96];
        snprintf(expected, sizeof expected, "'%c' %s", c, context);
        ptx_fail_token(in, expected);
    }
    ptx_next(in);
}

struct ptx_text ptx_expect_word(struct ptx_lexer *in, const char *what)
{
    if (in->kind != PTX_WORD) {
        ptx_fail_token(in, what);
    }
    struct ptx_text word = ptx_token_text(in);
    ptx_next(in);
    return word;
}
