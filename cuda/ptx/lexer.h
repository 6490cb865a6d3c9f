/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tokens of PTX. The lexer stands on one token; ptx_next() moves it to the next one. Comments and white space
 * separate tokens. Errors leave by a longjmp() to the parser, with a message.
 */
#ifndef WARPSCOPE_CUDA_PTX_LEXER_H
#define WARPSCOPE_CUDA_PTX_LEXER_H

#include "ptx/ptx.h"
#include <setjmp.h>

enum ptx_token {
    /* Values below 128 are the punctuation character itself. */
    PTX_END = 256,
    PTX_WORD,    /* ld, %r1, $L__BB0_1, foo */
    PTX_DOT,     /* .global, .shared::cta; s and length are those of the word after the dot */
    PTX_NUMBER,  /* as written, without a sign */
    PTX_STRING,  /* with its quotes */
    PTX_NO_TOKEN /* a byte above 127 */
};

struct ptx_lexer {
    const char *text, *end;
    const char *at;           /* the byte after the token */
    const char *previous_end; /* the byte after the previous token */
    const char *begin;        /* the first byte of the token */
    const char *s;
    uint32_t length;
    int kind;
    uint32_t line;      /* of the token */
    uint32_t last_line; /* of the byte at `at` */
    char *error;
    jmp_buf escape;
};

/* Returns from the parser with the message "line N: ...". */
_Noreturn void ptx_fail_at(struct ptx_lexer *in, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at the line of the token. */
#define ptx_fail(in, ...) ptx_fail_at((in), (in)->line, __VA_ARGS__)
/* "expected EXPECTED, found TOKEN". */
_Noreturn void ptx_fail_token(struct ptx_lexer *in, const char *expected);

void ptx_next(struct ptx_lexer *in);
/* The next byte of the text that is neither white space nor in a comment, or 0 at the end. */
char ptx_peek(const struct ptx_lexer *in);

static inline struct ptx_text ptx_token_text(const struct ptx_lexer *in)
{
    return (struct ptx_text){in->s, in->length};
}

/* Skips the token if it is this punctuation character, and returns true. */
static inline bool ptx_accept(struct ptx_lexer *in, char c)
{
    if (in->kind != c) {
        return false;
    }
    ptx_next(in);
    return true;
}

/* Skips the punctuation character c, or fails: "expected ';' CONTEXT, found ...". */
void ptx_expect(struct ptx_lexer *in, char c, const char *context);
/* Skips a word and returns it, or fails. */
struct ptx_text ptx_expect_word(struct ptx_lexer *in, const char *what);

/* The position of a byte of the text. */
static inline uint32_t ptx_position(const struct ptx_lexer *in, const char *at)
{
    return (uint32_t)(at - in->text);
}

/* Returns the number of bytes that a message quotes of a text, for "%.*s". */
static inline int ptx_quoted(struct ptx_text text)
{
    return text.length < 60 ? (int)text.length : 60;
}

#endif
