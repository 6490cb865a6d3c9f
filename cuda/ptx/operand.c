/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parsing of operands of instructions.
 */
#include "ptx/parser.h"
#include <assert.h>
#include <string.h>

static void operand(struct ptx_parser *parser, struct ptx_operand *to, bool call, bool label,
                    unsigned depth);

static void push_operand(struct ptx_parser *parser, const struct ptx_operand *operand)
{
    ptx_push_or_fail(parser, &parser->operands, operand, sizeof *operand);
}

struct ptx_operand *ptx_collect_operands(struct ptx_parser *parser, size_t from, bool label)
{
    assert(from <= parser->operands.count);
    size_t count = parser->operands.count - from;
    struct ptx_operand *operands = ptx_collect(parser, &parser->operands, from, sizeof *operands);
    for (size_t i = 0; i < count; i++) {
        struct ptx_operand *one = &operands[i];
        if (one->kind == PTX_SYMBOL && !one->variable) {
            const struct ptx_pending pending = {
                .operand = one, .line = parser->in.line, .label = label};
            ptx_push_or_fail(parser, &parser->pending, &pending, sizeof pending);
        }
    }
    return operands;
}

/* Parses the operands in brackets into to->parts, after those from index `from` on in parser->operands,
 * and skips the closing bracket. more: true if the lexer is at a further operand. */
static void operand_list(struct ptx_parser *parser, struct ptx_operand *to, size_t from, bool more,
                         char close, const char *context, unsigned depth)
{
    for (; more; more = ptx_accept(&parser->in, ',')) {
        struct ptx_operand part;
        operand(parser, &part, false, false, depth + 1);
        push_operand(parser, &part);
    }
    to->part_count = (uint32_t)(parser->operands.count - from);
    to->parts = ptx_collect_operands(parser, from, false);
    ptx_expect(&parser->in, close, context);
}

static void constant_operand(struct ptx_parser *parser, struct ptx_operand *to)
{
    struct ptx_constant constant = ptx_expression(&parser->in);
    to->kind = constant.real ? PTX_REAL : PTX_INTEGER;
    to->single = constant.single;
    to->bits = constant.bits;
}

/* Returns true if the token selects parts of a register in a video instruction: .b0 to .b7 and .h0
 * to .h3, or several of them, as in .b3210 and .h10. */
static bool selects_parts(const struct ptx_lexer *in)
{
    bool is_byte = *in->s == 'b', good = is_byte || *in->s == 'h';
    good = good && in->length >= 2 && in->length <= (is_byte ? 5 : 3);
    for (uint32_t i = 1; good && i < in->length; i++) {
        good = in->s[i] >= '0' && in->s[i] <= (is_byte ? '7' : '3');
    }
    return good;
}

/* Parses the member of an operand: .x of a vector or special register, or .b0 or .h1 in a video
 * instruction. */
static void member(struct ptx_parser *parser, struct ptx_operand *to)
{
    struct ptx_lexer *in = &parser->in;
    if (in->length == 1 && strchr("xyzwrgba", *in->s)) {
        to->member = *in->s;
    } else if (selects_parts(in)) {
        to->member = *in->s;
        memcpy(to->parts_selected, in->s + 1, in->length - 1);
    } else {
        ptx_fail(in, "%.*s has no member .%.*s", ptx_quoted(to->name), to->name.s,
                 ptx_quoted(ptx_token_text(in)), in->s);
    }
    ptx_next(in);
}

/* Where an operand is, which determines what may follow its name: in an address (nothing that this
 * file does not parse separately), in brackets (+ and - after a symbol), or on its own (also + after
 * a register). */
enum around { IN_ADDRESS, IN_BRACKETS, ALONE };

/* Parses a register, variable, label, function, or _ into *to. label: true if the name is a label,
 * even if a variable has the same name. */
static void named_operand(struct ptx_parser *parser, struct ptx_operand *to, bool label,
                          enum around around)
{
    struct ptx_lexer *in = &parser->in;
    to->name = ptx_token_text(in);
    if (in->length == 1 && *in->s == '_') {
        to->kind = PTX_SINK;
        ptx_next(in);
        return;
    }
    to->kind = PTX_SYMBOL;
    if (!label) {
        to->variable = ptx_resolve(parser, to->name, &to->number);
        if (to->variable && to->variable->space == PTX_REG) {
            to->kind = PTX_REGISTER;
        }
    }
    ptx_next(in);
    if (in->kind == PTX_DOT) {
        member(parser, to);
    }
    bool is_special = *to->name.s == '%'; /* or a register that is not declared */
    bool has_offset = to->kind == PTX_SYMBOL ? !is_special && around != IN_ADDRESS &&
                                                   (in->kind == '+' || in->kind == '-')
                      : to->kind == PTX_REGISTER ? around == ALONE && in->kind == '+'
                                                 : false;
    if (has_offset) {
        to->offset = ptx_offset(in);
    }
}

/* Parses an address into *to, from the token after "[" on. */
static void address_operand(struct ptx_parser *parser, struct ptx_operand *to, unsigned depth)
{
    struct ptx_lexer *in = &parser->in;
    size_t from = parser->operands.count;
    to->kind = PTX_ADDRESS;
    struct ptx_operand base = {0};
    if (in->kind == PTX_WORD && !ptx_begins_expression(in)) {
        named_operand(parser, &base, false, IN_ADDRESS);
        to->offset = ptx_offset(in);
    } else {
        constant_operand(parser, &base);
        if (base.kind != PTX_INTEGER) {
            ptx_fail(in, "an address that is a real number");
        }
    }
    push_operand(parser, &base);
    operand_list(parser, to, from, ptx_accept(in, ','), ']', "after the address", depth);
}

static void pair_operand(struct ptx_parser *parser, struct ptx_operand *to, unsigned depth)
{
    struct ptx_operand second;
    size_t from = parser->operands.count;
    push_operand(parser, to);
    operand(parser, &second, false, false, depth + 1);
    push_operand(parser, &second);
    *to = (struct ptx_operand){.kind = PTX_PAIR, .part_count = 2};
    to->parts = ptx_collect_operands(parser, from, false);
}

static void operand(struct ptx_parser *parser, struct ptx_operand *to, bool call, bool label,
                    unsigned depth)
{
    struct ptx_lexer *in = &parser->in;
    *to = (struct ptx_operand){0};
    if (depth > PTX_OPERAND_NESTING_MAX) {
        ptx_fail(in, "an operand with more than %d nested brackets", PTX_OPERAND_NESTING_MAX);
    }
    if (in->kind == '!') {
        to->negated = true;
        ptx_next(in);
        if (ptx_begins_expression(in)) {
            constant_operand(parser, to);
            to->bits = !to->bits;
            to->negated = false;
            return;
        }
        if (in->kind != PTX_WORD) {
            ptx_fail_token(in, "a predicate after '!'");
        }
    }
    if (in->kind == PTX_WORD && !ptx_begins_expression(in)) {
        named_operand(parser, to, label, depth == 0 ? ALONE : IN_BRACKETS);
    } else if (ptx_accept(in, '{')) {
        to->kind = PTX_VECTOR;
        operand_list(parser, to, parser->operands.count, in->kind != '}', '}',
                     "after the elements of a vector", depth);
    } else if (call && ptx_accept(in, '(')) {
        to->kind = PTX_LIST;
        operand_list(parser, to, parser->operands.count, in->kind != ')', ')',
                     "after the arguments", depth);
    } else if (ptx_accept(in, '[')) {
        address_operand(parser, to, depth);
    } else if (ptx_begins_expression(in)) {
        constant_operand(parser, to);
        return;
    } else {
        ptx_fail_token(in, "an operand");
    }
    if (in->kind == '|') {
        ptx_next(in);
        pair_operand(parser, to, depth);
    }
}

void ptx_operand(struct ptx_parser *parser, bool call, bool label)
{
    struct ptx_operand one;
    operand(parser, &one, call, label, 0);
    push_operand(parser, &one);
}
