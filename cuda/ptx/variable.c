/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parsing of declarations of variables, registers and parameters.
 */
#include "ptx/parser.h"
#include <assert.h>

enum { DIMENSION_MAX = 16, FAMILY_MAX = 999999999 };

void ptx_skip_attribute(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    ptx_expect(in, '(', "after .attribute");
    unsigned depth = 1;
    while (depth) {
        if (in->kind == PTX_END || in->kind == ';' || in->kind == '{') {
            ptx_fail_token(in, "')' after the attribute");
        }
        depth += in->kind == '(';
        depth -= in->kind == ')';
        ptx_next(in);
    }
}

/* Parses the words between the state space and the name of a declaration into *to. */
static void attributes(struct ptx_parser *parser, struct ptx_variable *to)
{
    static const char *const vectors[] = {"v2", "v4", "v8"};
    struct ptx_lexer *in = &parser->in;
    while (in->kind == PTX_DOT) {
        struct ptx_text word = ptx_token_text(in);
        ptx_next(in);
        struct ptx_type type = ptx_type_of(word);
        if (type.kind != PTX_NO_KIND) {
            to->type = type;
        } else if (ptx_is(word, "align")) {
            to->align = (uint32_t)ptx_integer(in, 1u << 30, "an alignment");
            if (to->align & (to->align - 1) || !to->align) {
                ptx_fail(in, "the alignment %u is not a power of two", to->align);
            }
        } else if (PTX_FIND(word, vectors) >= 0) {
            to->vector = (uint8_t)(2 << PTX_FIND(word, vectors));
        } else if (ptx_is(word, "ptr")) {
            to->pointer = true;
        } else if (ptx_is(word, "attribute")) {
            ptx_skip_attribute(parser);
        } else if (!to->pointer ||
                   (ptx_space_of(word) == PTX_GENERIC && !ptx_is(word, "generic"))) {
            ptx_fail(in, "unknown word .%.*s in a declaration", ptx_quoted(word), word.s);
        }
    }
    if (to->type.kind == PTX_NO_KIND) {
        ptx_fail(in, "a declaration without a type");
    }
}

static uint64_t product(struct ptx_lexer *in, uint64_t a, uint64_t b)
{
    if (b && a > ((uint64_t)1 << 48) / b) {
        ptx_fail(in, "a variable of more than 2^48 bytes");
    }
    return a * b;
}

/* Parses the rest of a variable after its name: the count <5> of a family, or dimensions such as
 * [2][3] and the initialiser. */
static void dimensions(struct ptx_parser *parser, struct ptx_variable *to)
{
    struct ptx_lexer *in = &parser->in;
    uint64_t sizes[DIMENSION_MAX];
    unsigned count = 0;
    to->elements = 1;
    if (to->space == PTX_REG && ptx_accept(in, '<')) {
        to->count = (uint32_t)ptx_integer(in, FAMILY_MAX, "the number of registers");
        to->elements = to->count;
        ptx_expect(in, '>', "after the number of registers");
        return;
    }
    while (ptx_accept(in, '[')) {
        if (count == DIMENSION_MAX) {
            ptx_fail(in, "an array of more than %d dimensions", DIMENSION_MAX);
        }
        uint64_t size = 0;
        if (in->kind != ']') {
            struct ptx_constant constant = ptx_expression(in);
            if (constant.real) {
                ptx_fail(in, "a dimension that is a real number");
            }
            size = constant.bits;
        }
        if (!size && count) {
            ptx_fail(in, "a dimension of 0 that is not the first one");
        }
        sizes[count++] = size;
        to->elements = product(in, to->elements, size);
        ptx_expect(in, ']', "after the dimension");
    }
    to->array = count > 0;
    if (ptx_accept(in, '=')) {
        ptx_initialiser(parser, to, sizes, count);
    }
}

/* Parses one variable, from its name on. prototype: variable with the attributes that precede the
 * name. */
static struct ptx_variable *variable(struct ptx_parser *parser,
                                     const struct ptx_variable *prototype)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_variable *to = ptx_take(parser, sizeof *to);
    *to = *prototype;
    to->name = ptx_expect_word(in, "a name");
    dimensions(parser, to);
    to->bytes = product(in, product(in, to->elements, to->vector), (to->type.bits + 7u) / 8u);
    to->range.end = ptx_position(in, in->previous_end);
    struct ptx_stack *list = parser->function ? &parser->locals : &parser->globals;
    to->index = (uint32_t)list->count;
    ptx_push_or_fail(parser, list, &to, sizeof to);
    ptx_declare(parser, to);
    return to;
}

/* Parses a declaration up to its first name. The lexer is at the state space. begin: offset at
 * which the declaration begins. */
static struct ptx_variable begin_declaration(struct ptx_parser *parser, uint32_t begin)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_variable prototype = {.vector = 1, .range = {.begin = begin, .line = in->line}};
    if (parser->function && parser->function->entry && !parser->function->body &&
        ptx_at(in, "hidden")) {
        prototype.hidden = true;
        ptx_next(in);
    }
    if (in->kind != PTX_DOT ||
        (prototype.space = ptx_space_of(ptx_token_text(in))) == PTX_GENERIC) {
        ptx_fail_token(in, "a state space such as .reg or .param");
    }
    ptx_next(in);
    attributes(parser, &prototype);
    return prototype;
}

void ptx_declaration(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin)
{
    struct ptx_variable prototype = begin_declaration(parser, begin);
    prototype.linkage = linkage;
    do {
        variable(parser, &prototype);
    } while (ptx_accept(&parser->in, ','));
    ptx_expect(&parser->in, ';', "after a declaration");
}

struct ptx_variable **ptx_parameters(struct ptx_parser *parser, uint32_t *count)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_stack *list = &parser->locals;
    size_t from = list->count;
    assert(in->kind == '(' && parser->function);
    ptx_next(in);
    if (in->kind != ')') {
        do {
            struct ptx_variable prototype = begin_declaration(parser, ptx_position(in, in->begin));
            if (prototype.space != PTX_PARAM &&
                (prototype.space != PTX_REG || parser->function->entry)) {
                ptx_fail(in, "a parameter in a state space other than .param%s",
                         parser->function->entry ? "" : " and .reg");
            }
            variable(parser, &prototype);
        } while (ptx_accept(in, ','));
    }
    *count = (uint32_t)(list->count - from);
    ptx_expect(in, ')', "after the parameters");
    struct ptx_variable **parameters =
        ptx_collect(parser, list, from, sizeof(struct ptx_variable *));
    list->count += *count; /* they stay in the list of the function's variables */
    return parameters;
}
