/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tokens of PTX. The lexer is at one token, the current one; ptx_next() moves it to the next.
 * Comments and white space separate tokens. In this file, "fails" means: stores an error message
 * and ends ptx_parse() by longjmp().
 */
#ifndef WARPSCOPE_CUDA_PTX_LEXER_H
#define WARPSCOPE_CUDA_PTX_LEXER_H

#include "ptx/ptx.h"
#include <setjmp.h>

enum ptx_token {
    /* A punctuation character is a token whose kind is the character, below 128. */
    PTX_END = 256,
    PTX_WORD,    /* such as ld, %r1, $L__BB0_1, foo */
    PTX_DOT,     /* such as .global or .shared::cta; lexer's s and length: the word after the dot */
    PTX_NUMBER,  /* a number without its sign */
    PTX_STRING,  /* a string with its quotation marks */
    PTX_NO_TOKEN /* a byte above 127 */
};

struct ptx_lexer {
    const char *text, *end;
    const char *at;           /* first byte after the token */
    const char *previous_end; /* first byte after the previous token */
    const char *begin;        /* first byte of the token */
    const char *s;
    uint32_t length;
    int kind;
    uint32_t line;      /* line number of the token */
    uint32_t last_line; /* line number of the byte at `at` */
    char *error;
    jmp_buf escape;
};

/* Fails with the error message "line N: ", followed by the formatted text. N: line. */
_Noreturn void ptx_fail_at(struct ptx_lexer *in, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Like ptx_fail_at(), with the line of the current token. */
#define ptx_fail(in, ...) ptx_fail_at((in), (in)->line, __VA_ARGS__)
/* Fails with the error message "expected EXPECTED, found TOKEN", where TOKEN is the current
 * token. */
_Noreturn void ptx_fail_token(struct ptx_lexer *in, const char *expected);

void ptx_next(struct ptx_lexer *in);
/* Returns the first byte after the current token that is neither white space nor in a comment, or 0
 * at the end of the text. */
char ptx_peek(const struct ptx_lexer *in);

static inline struct ptx_text ptx_token_text(const struct ptx_lexer *in)
{
    return (struct ptx_text){in->s, in->length};
}

/* Returns true if the current token is a dot and this word. */
static inline bool ptx_at(const struct ptx_lexer *in, const char *word)
{
    return in->kind == PTX_DOT && ptx_is(ptx_token_text(in), word);
}

/* If the current token is the punctuation character c, skips the token and returns true. */
static inline bool ptx_accept(struct ptx_lexer *in, char c)
{
    if (in->kind != c) {
        return false;
    }
    ptx_next(in);
    return true;
}

/* Skips the current token if it is the punctuation character c. Otherwise fails with the error
 * message "expected 'C' CONTEXT, found TOKEN". */
void ptx_expect(struct ptx_lexer *in, char c, const char *context);
/* If the current token is a word, skips and returns it; otherwise fails. `what` describes the
 * expected word in the error message. */
struct ptx_text ptx_expect_word(struct ptx_lexer *in, const char *what);

/* Returns the offset in the text of the byte `at`. */
static inline uint32_t ptx_position(const struct ptx_lexer *in, const char *at)
{
    return (uint32_t)(at - in->text);
}

/* Returns the number of bytes of `text` that an error message quotes: all, but at most 60. */
static inline int ptx_quoted(struct ptx_text text)
{
    return text.length < 60 ? (int)text.length : 60;
}

/* ---- Numbers and constant expressions: expression.c ------------------------------------------- */

/* See ISA, "Constants" and "Constant Expressions". An error ends ptx_parse() with an error
 * message. */

struct ptx_constant {
    uint64_t bits; /* a 64-bit integer, or the bit pattern of an f64 or f32 */
    bool real;
    bool single;      /* true for a real number in single precision, such as 0f3F800000 */
    bool is_unsigned; /* true for an unsigned integer */
};

/* Reads the number at the current token, without a sign, and skips it. */
struct ptx_constant ptx_number(struct ptx_lexer *in);

/* Reads a constant expression and skips its tokens. */
struct ptx_constant ptx_expression(struct ptx_lexer *in);

/* Parses the terms, each with its sign, after an address or a symbol. A term is a product such as 4 * 8,
 * or a single value. Returns their sum. */
int64_t ptx_offset(struct ptx_lexer *in);

/* Returns true if the current token begins a constant expression. */
bool ptx_begins_expression(const struct ptx_lexer *in);

/* Returns the value of an integer or real constant as a double. */
double ptx_real(struct ptx_constant constant);

/* Reads and skips an integer in a directive. An integer above max is an error. `what` names the
 * integer in the error message. */
uint64_t ptx_integer(struct ptx_lexer *in, uint64_t max, const char *what);

#endif
