/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parsing of statements: instructions, labels, directives, blocks and declarations.
 */
#include "ptx/parser.h"
#include <assert.h>
#include <stdio.h>

/* Adds a statement whose range begins like `range` and ends with the token before the current one. */
static struct ptx_statement *push_statement(struct ptx_parser *parser, enum ptx_statement_kind kind,
                                            struct ptx_range range)
{
    range.end = ptx_position(&parser->in, parser->in.previous_end);
    const struct ptx_statement statement = {.kind = kind, .range = range};
    return ptx_push_or_fail(parser, &parser->statements, &statement, sizeof statement);
}

static struct ptx_range range_here(const struct ptx_parser *parser)
{
    return (struct ptx_range){.begin = ptx_position(&parser->in, parser->in.begin),
                              .line = parser->in.line};
}

static bool is_branch(struct ptx_text word)
{
    return ptx_is(word, "bra") || ptx_is(word, "brx");
}

static const struct ptx_operand *guard(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    size_t from = parser->operands.count;
    assert(in->kind == '@');
    ptx_next(in);
    if (in->kind != PTX_WORD && in->kind != '!') {
        ptx_fail_token(in, "a predicate after '@'");
    }
    ptx_operand(parser, false, false);
    const struct ptx_operand *predicate = ptx_collect_operands(parser, from, false);
    if (predicate->kind != PTX_REGISTER && predicate->kind != PTX_SYMBOL) {
        ptx_fail(in, "a guard that is not a predicate");
    }
    return predicate;
}

static void modifiers(struct ptx_parser *parser, struct ptx_instruction *to)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_stack *stack = &parser->modifiers;
    stack->count = 0;
    while (in->kind == PTX_DOT) {
        if (!in->length) {
            ptx_fail_token(in, "a word after '.'");
        }
        const struct ptx_text modifier = ptx_token_text(in);
        ptx_push_or_fail(parser, stack, &modifier, sizeof modifier);
        ptx_next(in);
    }
    to->modifier_count = (uint32_t)stack->count;
    to->modifiers = ptx_collect(parser, stack, 0, sizeof(struct ptx_text));
}

static void instruction(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_range range = range_here(parser);
    struct ptx_instruction *to = ptx_take(parser, sizeof *to);
    *to = (struct ptx_instruction){0};
    if (in->kind == '@') {
        to->guard = guard(parser);
    }
    to->word = ptx_expect_word(in, "an instruction");
    modifiers(parser, to);
    size_t from = parser->operands.count;
    bool call = ptx_is(to->word, "call"), branch = is_branch(to->word);
    /* For brx.idx, the first operand is a register and the second one the label. */
    bool indirect = branch && to->word.length == 3 && to->word.s[2] == 'x';
    if (in->kind != ';') {
        do {
            bool label = branch && (!indirect || parser->operands.count > from);
            ptx_operand(parser, call, label);
        } while (ptx_accept(in, ','));
    }
    to->operand_count = (uint32_t)(parser->operands.count - from);
    to->operands = ptx_collect_operands(parser, from, branch);
    if (in->kind != ';') {
        char expected[96];
        snprintf(expected, sizeof expected, "';' after the operands of %.*s", ptx_quoted(to->word),
                 to->word.s);
        ptx_fail_token(in, expected);
    }
    ptx_next(in);
    push_statement(parser, PTX_INSTRUCTION, range)->instruction = to;
}

static void label(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_range range = range_here(parser);
    struct ptx_text name = ptx_token_text(in);
    ptx_declare_label(parser, name);
    ptx_next(in);
    ptx_next(in);
    push_statement(parser, PTX_AT_LABEL, range)->name = name;
}

/* Parses the operands of .branchtargets (branches is true) or .calltargets into *to. */
static void targets(struct ptx_parser *parser, struct ptx_statement *to, bool branches)
{
    struct ptx_lexer *in = &parser->in;
    size_t from = parser->operands.count;
    do {
        if (in->kind != PTX_WORD) {
            ptx_fail_token(in, branches ? "a label" : "a function");
        }
        ptx_operand(parser, false, true);
    } while (ptx_accept(in, ','));
    to->target_count = (uint32_t)(parser->operands.count - from);
    to->targets = ptx_collect_operands(parser, from, branches);
    ptx_expect(in, ';', branches ? "after the labels" : "after the functions");
}

static void directive(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_range range = range_here(parser);
    struct ptx_text name = ptx_token_text(in);
    if (ptx_space_of(name) != PTX_GENERIC) {
        ptx_declaration(parser, PTX_STATIC, range.begin);
        push_statement(parser, PTX_DECLARATION, range);
        return;
    }
    struct ptx_statement statement = {.kind = PTX_DIRECTIVE, .name = name};
    if (ptx_is(name, "branchtargets") || ptx_is(name, "calltargets")) {
        ptx_next(in);
        targets(parser, &statement, *name.s == 'b');
    } else if (ptx_is(name, "pragma") || ptx_is(name, "callprototype") ||
               ptx_is(name, "attribute")) {
        ptx_skip_directive(parser);
    } else if (!ptx_skip_debugging(parser)) {
        ptx_fail(in, "unknown directive .%.*s in a function", ptx_quoted(name), name.s);
    }
    struct ptx_statement *to = push_statement(parser, PTX_DIRECTIVE, range);
    statement.range = to->range;
    *to = statement;
}

/* Parses { or } as a statement. */
static void brace(struct ptx_parser *parser, enum ptx_statement_kind kind)
{
    struct ptx_range range = range_here(parser);
    ptx_next(&parser->in);
    push_statement(parser, kind, range);
}

void ptx_statements(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    uint32_t outer = parser->depth;
    for (;;) {
        if (in->kind == PTX_WORD) {
            /* The most frequent case comes first: a dot or blank follows the word of an
             * instruction. */
            char c = in->at == in->end ? 0 : *in->at;
            if (c != '.' && (c == ':' || ptx_peek(in) == ':')) {
                label(parser);
            } else {
                instruction(parser);
            }
        } else if (in->kind == '@') {
            instruction(parser);
        } else if (in->kind == PTX_DOT) {
            directive(parser);
        } else if (in->kind == '{') {
            ptx_enter(parser);
            brace(parser, PTX_OPEN);
        } else if (in->kind == '}') {
            assert(parser->depth >= outer);
            if (parser->depth == outer) {
                return;
            }
            ptx_leave(parser);
            brace(parser, PTX_CLOSE);
        } else if (in->kind == ';') {
            ptx_next(in);
        } else {
            ptx_fail_token(in, "an instruction, a directive or '}'");
        }
    }
}
