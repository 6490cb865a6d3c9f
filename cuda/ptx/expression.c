/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers of PTX: 12, 017, 0x1F, 0b101, each with or without U; 1.5e3, 0f3F800000,
 * 0d3FF0000000000000. Constant expressions: the operators of C on integers of 64 bits, and some of them
 * on real numbers.
 *
 * The signedness of a result follows the ISA: it is unsigned if an operand is unsigned. A shift has
 * the signedness of its left operand. Comparisons and logical operators give signed values.
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

/* ---- Expressions -------------------------------------------------------------------------------- */

enum { NESTING_MAX = 100 /* maximum depth of nested parentheses and operators */ };

enum { SUM_LEVEL = 9, PRODUCT_LEVEL = 10 };

/* The binary operators, those of two characters first: name, text, level, and for some their form in C.
 * Operators of higher levels bind more tightly. Only COMPARISONS and ARITHMETIC take real numbers. */
#define COMPARISONS(X)                                                                             \
    X(EQUAL, "==", 6, ==)                                                                          \
    X(NOT_EQUAL, "!=", 6, !=)                                                                      \
    X(LESS_EQUAL, "<=", 7, <=)                                                                     \
    X(GREATER_EQUAL, ">=", 7, >=)                                                                  \
    X(LESS, "<", 7, <)                                                                             \
    X(GREATER, ">", 7, >)
#define ARITHMETIC(X)                                                                              \
    X(ADD, "+", SUM_LEVEL, +)                                                                      \
    X(SUBTRACT, "-", SUM_LEVEL, -)                                                                 \
    X(MULTIPLY, "*", PRODUCT_LEVEL, *)
#define BITWISE(X)                                                                                 \
    X(BIT_OR, "|", 3, |)                                                                           \
    X(BIT_XOR, "^", 4, ^)                                                                          \
    X(BIT_AND, "&", 5, &)
#define OPERATORS(X)                                                                               \
    X(OR_ELSE, "||", 1, )                                                                          \
    X(AND_THEN, "&&", 2, )                                                                         \
    X(LEFT, "<<", 8, )                                                                             \
    X(RIGHT, ">>", 8, )                                                                            \
    COMPARISONS(X)                                                                                 \
    BITWISE(X)                                                                                     \
    ARITHMETIC(X)                                                                                  \
    X(DIVIDE, "/", PRODUCT_LEVEL, )                                                                \
    X(REMAINDER, "%", PRODUCT_LEVEL, )

enum operation {
#define NAME(name, ...) name,
    OPERATORS(NAME) NONE
};

static const struct {
    char text[3];
    unsigned char level;
} operators[] = {
#define ROW(name, text, level, c) {text, level},
    OPERATORS(ROW)};

/* Returns the binary operator at the current token, or NONE. */
static enum operation peek_operator(const struct ptx_lexer *in)
{
    int next = in->at != in->end ? *in->at : 0;
    enum operation op = in->kind < 128 && strchr("|&=!<>^+-*/%", in->kind) ? 0 : NONE;
    while (op != NONE && (operators[op].text[0] != (int)in->kind ||
                          (operators[op].text[1] && operators[op].text[1] != next))) {
        op++;
    }
    return op;
}

static struct ptx_constant make_integer(uint64_t bits, bool is_unsigned)
{
    return (struct ptx_constant){.bits = bits, .is_unsigned = is_unsigned};
}

static struct ptx_constant make_real(double value)
{
    return (struct ptx_constant){.real = true, .bits = bits_of_f64(value)};
}

static struct ptx_constant apply_real(struct ptx_lexer *in, enum operation op, double a, double b)
{
    switch (op) {
#define COMPARE_REALS(name, text, level, c)                                                        \
    case name:                                                                                     \
        return make_integer(a c b, false);
        COMPARISONS(COMPARE_REALS)
#define COMBINE_REALS(name, text, level, c)                                                        \
    case name:                                                                                     \
        return make_real(a c b);
        ARITHMETIC(COMBINE_REALS)
    case DIVIDE:
        return make_real(a / b);
    default:
        ptx_fail(in, "an operator for integers has a real operand");
    }
}

__extension__ typedef __int128 wide;

static wide widened(uint64_t bits, bool is_unsigned)
{
    return is_unsigned ? (wide)bits : (int64_t)bits;
}

static struct ptx_constant apply(struct ptx_lexer *in, enum operation op, struct ptx_constant left,
                                 struct ptx_constant right)
{
    if (left.real || right.real) {
        return apply_real(in, op, ptx_real(left), ptx_real(right));
    }
    uint64_t a = left.bits, b = right.bits;
    bool is_unsigned = left.is_unsigned || right.is_unsigned;
    wide x = widened(a, is_unsigned), y = widened(b, is_unsigned);
    if (y == 0 && (op == DIVIDE || op == REMAINDER)) {
        ptx_fail(in, "division by zero in a constant expression");
    }
    switch (op) {
    case OR_ELSE:
        return make_integer(a || b, false);
    case AND_THEN:
        return make_integer(a && b, false);
    case LEFT:
        return make_integer(b < 64 ? a << b : 0, left.is_unsigned);
    case RIGHT:
        return make_integer((uint64_t)(widened(a, left.is_unsigned) >> (b < 64 ? b : 64)),
                            left.is_unsigned);
#define COMPARE(name, text, level, c)                                                              \
    case name:                                                                                     \
        return make_integer(x c y, false);
        COMPARISONS(COMPARE)
#define COMBINE(name, text, level, c)                                                              \
    case name:                                                                                     \
        return make_integer(a c b, is_unsigned);
        BITWISE(COMBINE)
        ARITHMETIC(COMBINE)
    default:
        return make_integer((uint64_t)(op == DIVIDE ? x / y : x % y), is_unsigned);
    }
}

static struct ptx_constant condition(struct ptx_lexer *in, unsigned depth);

static struct ptx_constant negate(struct ptx_constant value)
{
    if (!value.real) {
        return make_integer(0 - value.bits, value.is_unsigned);
    }
    value.bits ^= value.single ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
    return value;
}

static struct ptx_constant unary(struct ptx_lexer *in, unsigned depth);
/* Parses the rest of a cast, or of an expression in parentheses, from the token after "(" on. */
static struct ptx_constant parenthesis(struct ptx_lexer *in, unsigned depth)
{
    if (in->kind != PTX_DOT) {
        struct ptx_constant value = condition(in, depth);
        ptx_expect(in, ')', "after the constant expression");
        return value;
    }
    bool is_unsigned = ptx_is(ptx_token_text(in), "u64");
    if (!is_unsigned && !ptx_is(ptx_token_text(in), "s64")) {
        ptx_fail_token(in, "a cast to .u64 or .s64");
    }
    ptx_next(in);
    ptx_expect(in, ')', "after the type of a cast");
    struct ptx_constant value = unary(in, depth);
    if (value.real) {
        ptx_fail(in, "a cast of a real number");
    }
    value.is_unsigned = is_unsigned;
    return value;
}

static struct ptx_constant unary(struct ptx_lexer *in, unsigned depth)
{
    if (depth >= NESTING_MAX) {
        ptx_fail(in, "a constant expression with more than %d nested operators", NESTING_MAX);
    }
    if (in->kind == PTX_NUMBER) {
        return ptx_number(in);
    }
    if (in->kind == PTX_WORD && ptx_is(ptx_token_text(in), "WARP_SZ")) {
        ptx_next(in);
        return make_integer(32, false);
    }
    int op = in->kind;
    if (op != '+' && op != '-' && op != '~' && op != '!' && op != '(') {
        ptx_fail_token(in, "a constant");
    }
    ptx_next(in);
    if (op == '(') {
        return parenthesis(in, depth + 1);
    }
    struct ptx_constant value = unary(in, depth + 1);
    if (op == '-') {
        return negate(value);
    }
    if (value.real && op != '+') {
        ptx_fail(in, "an operator for integers has a real operand");
    }
    if (op == '~') {
        value.bits = ~value.bits;
    } else if (op == '!') {
        value = make_integer(!value.bits, false);
    }
    return value;
}

/* Parses an operand, and the binary operators after it as long as their level is at least
 * `level`. */
static struct ptx_constant binary(struct ptx_lexer *in, unsigned level, unsigned depth)
{
    struct ptx_constant left = unary(in, depth);
    for (;;) {
        /* The lexer takes % and following digits for a word, but in an expression % is an
         * operator. */
        if (in->kind == PTX_WORD && *in->s == '%') {
            in->kind = '%';
            in->at = in->s + 1;
        }
        enum operation op = peek_operator(in);
        if (op == NONE || operators[op].level < level) {
            return left;
        }
        for (const char *c = operators[op].text; *c; c++) {
            ptx_next(in);
        }
        left = apply(in, op, left, binary(in, operators[op].level + 1u, depth + 1));
    }
}

static struct ptx_constant condition(struct ptx_lexer *in, unsigned depth)
{
    struct ptx_constant value = binary(in, 1, depth);
    if (in->kind != '?') {
        return value;
    }
    if (value.real) {
        ptx_fail(in, "a condition that is a real number");
    }
    ptx_next(in);
    struct ptx_constant yes = condition(in, depth + 1);
    ptx_expect(in, ':', "between the values of ?");
    struct ptx_constant no = condition(in, depth + 1);
    return value.bits ? yes : no;
}

struct ptx_constant ptx_expression(struct ptx_lexer *in)
{
    return condition(in, 0);
}

int64_t ptx_offset(struct ptx_lexer *in)
{
    uint64_t offset = 0;
    while (in->kind == '+' || in->kind == '-') {
        bool minus = in->kind == '-';
        ptx_next(in);
        struct ptx_constant term = binary(in, PRODUCT_LEVEL, 0);
        if (term.real) {
            ptx_fail(in, "an offset that is a real number");
        }
        offset = minus ? offset - term.bits : offset + term.bits;
    }
    return (int64_t)offset;
}

bool ptx_begins_expression(const struct ptx_lexer *in)
{
    switch (in->kind) {
    case PTX_NUMBER:
    case '-':
    case '+':
    case '~':
    case '(':
        return true;
    case PTX_WORD:
        return ptx_is(ptx_token_text(in), "WARP_SZ");
    default:
        return false;
    }
}
