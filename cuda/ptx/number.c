/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers of PTX: 12, 017, 0x1F, 0b101, each with or without U; 1.5e3, 0f3F800000,
 * 0d3FF0000000000000.
 */
#define _GNU_SOURCE /* for strtod_l() */
#include "ptx/lexer.h"
#include "ptx/small_float.h"
#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMAL_MAX = 400 /* maximum length in characters of a decimal real number */ };

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static _Noreturn void fail_number(struct ptx_lexer *in)
{
    ptx_fail(in, "\"%.*s\" is not a number", ptx_quoted(ptx_token_text(in)), in->s);
}

/* Returns the value of the `length` digits at s. Fails if the value does not fit in 64 bits. */
static uint64_t read_digits(struct ptx_lexer *in, const char *s, size_t length, unsigned base)
{
    uint64_t value = 0;
    assert(base == 2 || base == 8 || base == 10 || base == 16);
    if (!length) {
        fail_number(in);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_of(s[i]);
        if (digit >= base) {
            fail_number(in);
        }
        if (value > (UINT64_MAX - digit) / base) {
            ptx_fail(in, "the number does not fit in 64 bits");
        }
        value = value * base + digit;
    }
    return value;
}

static struct ptx_constant read_decimal(struct ptx_lexer *in)
{
    char copy[DECIMAL_MAX + 1];
    if (in->length > DECIMAL_MAX) {
        ptx_fail(in, "a number of more than %d characters", DECIMAL_MAX);
    }
    memcpy(copy, in->s, in->length);
    copy[in->length] = 0;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        ptx_fail(in, "out of memory");
    }
    char *end;
    double value = strtod_l(copy, &end, plain);
    freelocale(plain);
    if (end != copy + in->length) {
        fail_number(in);
    }
    return (struct ptx_constant){.real = true, .bits = bits_of_f64(value)};
}

/* Reads the bit pattern of a real number: 0f and 8 hexadecimal digits if `single` is true, else 0d
 * and 16 hexadecimal digits. */
static struct ptx_constant read_pattern(struct ptx_lexer *in, bool single)
{
    if (in->length != (single ? 10 : 18)) {
        ptx_fail(in, "0%c must have %d hexadecimal digits", in->s[1], single ? 8 : 16);
    }
    return (struct ptx_constant){
        .real = true, .single = single, .bits = read_digits(in, in->s + 2, in->length - 2, 16)};
}

struct ptx_constant ptx_number(struct ptx_lexer *in)
{
    const char *s = in->s;
    size_t length = in->length;
    struct ptx_constant constant = {0};
    assert(in->kind == PTX_NUMBER && length > 0);
    char form = length > 1 && s[0] == '0' ? (char)(s[1] | 32) : 0;
    if (form == 'f' || form == 'd') {
        constant = read_pattern(in, form == 'f');
    } else if (form != 'x' &&
               (memchr(s, '.', length) || memchr(s, 'e', length) || memchr(s, 'E', length))) {
        constant = read_decimal(in);
    } else {
        if (s[length - 1] == 'U' && length > 1) {
            constant.is_unsigned = true;
            length--;
        }
        unsigned base = 10, skip = 0;
        if (form == 'x') {
            base = 16, skip = 2;
        } else if (form == 'b') {
            base = 2, skip = 2;
        } else if (length > 1 && s[0] == '0') {
            base = 8, skip = 1;
        }
        constant.bits = read_digits(in, s + skip, length - skip, base);
        constant.is_unsigned |= constant.bits >> 63;
    }
    ptx_next(in);
    return constant;
}

double ptx_real(struct ptx_constant constant)
{
    if (!constant.real) {
        return constant.is_unsigned ? (double)constant.bits : (double)(int64_t)constant.bits;
    }
    return constant.single ? (double)f32_of((uint32_t)constant.bits) : f64_of(constant.bits);
}

uint64_t ptx_integer(struct ptx_lexer *in, uint64_t max, const char *what)
{
    uint32_t line = in->line;
    if (in->kind != PTX_NUMBER) {
        ptx_fail_token(in, what);
    }
    struct ptx_constant constant = ptx_number(in);
    if (constant.real || constant.bits > max) {
        ptx_fail_at(in, line, "%s must be an integer of at most %llu", what,
                    (unsigned long long)max);
    }
    return constant.bits;
}
