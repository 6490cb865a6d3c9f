/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parsing of initialisers: constants, addresses, and lists of them in nested braces.
 */
#include "ptx/parser.h"
#include "ptx/small_float.h"
#include <assert.h>
#include <string.h>

enum {
    PADDING_MAX = 1 << 20 /* maximum number of zeros that pad() appends in a module */
};

struct initialiser {
    struct ptx_variable *variable;
    const uint64_t *dimensions;
    unsigned dimension_count;
};

/* Returns the bit pattern of constant, converted to the type of the variable. */
static uint64_t convert(struct ptx_lexer *in, struct ptx_constant constant, struct ptx_type type)
{
    if (type.kind == PTX_FLOAT && type.lanes == 1 && !(constant.single && type.bits == 32)) {
        double value = ptx_real(constant);
        return type.bits == 16   ? small_from_double(value, &small_f16, ROUND_NEAREST, false)
               : type.bits == 32 ? bits_of_f32((float)value)
                                 : bits_of_f64(value);
    }
    if (constant.real && type.kind != PTX_FLOAT && type.kind != PTX_BITS) {
        ptx_fail(in, "a real number as the value of an integer");
    }
    return type.bits < 64 ? constant.bits & (((uint64_t)1 << type.bits) - 1) : constant.bits;
}

/* Parses an address such as generic(symbol + 4) or symbol + 4 into *to. */
static void address(struct ptx_lexer *in, struct ptx_value *to)
{
    to->symbol = ptx_expect_word(in, "a name or a constant");
    if (in->kind == '(' && ptx_is(to->symbol, "generic")) {
        ptx_next(in);
        to->generic = true;
        to->symbol = ptx_expect_word(in, "a name after generic(");
    }
    to->offset = ptx_offset(in);
    if (to->generic) {
        ptx_expect(in, ')', "after generic(name");
        to->offset = (int64_t)((uint64_t)to->offset + (uint64_t)ptx_offset(in));
    }
}

static void value(struct ptx_parser *parser, const struct ptx_type type)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_value to = {.mask_shift = -1};
    /* name of a field, as in initialisers of .samplerref variables */
    if (in->kind == PTX_WORD && ptx_peek(in) == '=') {
        ptx_next(in);
        ptx_next(in);
    }
    if (in->kind == PTX_WORD && !ptx_begins_expression(in)) {
        address(in, &to);
    } else if (in->kind == PTX_NUMBER && ptx_peek(in) == '(') {
        uint64_t mask = ptx_number(in).bits;
        to.mask_shift = 0;
        while (to.mask_shift < 64 && mask != (uint64_t)0xff << to.mask_shift) {
            to.mask_shift += 8;
        }
        if (to.mask_shift == 64) {
            ptx_fail(in, "a mask that does not select one byte");
        }
        ptx_expect(in, '(', "after the mask");
        address(in, &to);
        ptx_expect(in, ')', "after the masked address");
    } else {
        to.bits = convert(in, ptx_expression(in), type);
    }
    ptx_push_or_fail(parser, &parser->values, &to, sizeof to);
}

/* Appends zeros for the values that the braces of a row leave out. begin: number of values before
 * the row; row: number of values in a complete row. */
static void pad(struct ptx_parser *parser, size_t begin, uint64_t row)
{
    const struct ptx_value zero = {.mask_shift = -1};
    assert(begin <= parser->values.count);
    uint64_t used = parser->values.count - begin;
    if (used > row) {
        ptx_fail(&parser->in, "more values than the array has elements");
    }
    parser->padding += row - used;
    if (row - used > PADDING_MAX || parser->padding > PADDING_MAX) {
        ptx_fail(&parser->in, "initialisers leave out more than %d values", PADDING_MAX);
    }
    for (; used < row; used++) {
        ptx_push_or_fail(parser, &parser->values, &zero, sizeof zero);
    }
}

/* Parses a list of values and rows, from the token after "{" on. depth: 0 for the outermost
 * braces. */
static void list(struct ptx_parser *parser, const struct initialiser *of, unsigned depth)
{
    struct ptx_lexer *in = &parser->in;
    uint64_t row = of->variable->vector; /* number of values in one element of this dimension */
    for (unsigned i = depth + 1; i < of->dimension_count; i++) {
        row *= of->dimensions[i];
    }
    while (in->kind != '}') {
        if (in->kind == '{') {
            if (depth > of->dimension_count) {
                ptx_fail(in, "more nested braces than the array has dimensions");
            }
            ptx_next(in);
            size_t begin = parser->values.count;
            list(parser, of, depth + 1);
            pad(parser, begin, depth < of->dimension_count ? row : parser->values.count - begin);
        } else {
            value(parser, of->variable->type);
        }
        if (!ptx_accept(in, ',')) {
            break;
        }
    }
    ptx_expect(in, '}', "after the values");
}

void ptx_initialiser(struct ptx_parser *parser, struct ptx_variable *variable,
                     const uint64_t *dimensions, unsigned dimension_count)
{
    struct ptx_lexer *in = &parser->in;
    struct initialiser of = {variable, dimensions, dimension_count};
    size_t begin = parser->values.count;
    assert(variable->vector > 0);
    if (ptx_accept(in, '{')) {
        list(parser, &of, 0);
    } else {
        value(parser, variable->type);
    }
    size_t count = parser->values.count - begin;
    if (dimension_count && !variable->elements) {
        uint64_t row = variable->vector;
        for (unsigned i = 1; i < dimension_count; i++) {
            row *= dimensions[i];
        }
        variable->elements = row ? (count + row - 1) / row * (row / variable->vector) : 0;
    } else if (variable->type.kind != PTX_OTHER && count > variable->elements * variable->vector) {
        ptx_fail(in, "more values than the array has elements");
    }
    variable->value_count = count;
    variable->values = ptx_collect(parser, &parser->values, begin, sizeof(struct ptx_value));
}
