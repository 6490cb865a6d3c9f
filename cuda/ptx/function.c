/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parsing of kernels and device functions.
 */
#include "ptx/parser.h"
#include <assert.h>

/* Returns true if a directive begins the next item of a module, not a property of a function. Old
 * compilers wrote declarations of functions without a semicolon. */
static bool begins_item(struct ptx_text word)
{
    static const char *const words[] = {"visible", "extern", "weak", "common",  "entry",
                                        "func",    "alias",  "file", "section", "loc"};
    return ptx_space_of(word) != PTX_GENERIC || PTX_FIND(word, words) >= 0;
}

/* Parses the directives between the parameters and the body. */
static void performance(struct ptx_parser *parser, struct ptx_function *function)
{
    struct ptx_lexer *in = &parser->in;
    while (in->kind == PTX_DOT && !begins_item(ptx_token_text(in))) {
        struct ptx_text word = ptx_token_text(in);
        bool pragma = ptx_is(word, "pragma");
        uint32_t *sizes = ptx_is(word, "maxntid") || ptx_is(word, "reqntid") ? function->threads
                          : ptx_is(word, "reqnctapercluster")                ? function->cluster
                                                                             : NULL;
        ptx_next(in);
        for (unsigned i = 0; i < 3 && sizes; i++) {
            sizes[i] =
                i > 0 && !ptx_accept(in, ',') ? 1 : (uint32_t)ptx_integer(in, UINT32_MAX, "a size");
        }
        if (pragma) {
            while (in->kind == ',' || in->kind == PTX_STRING) {
                ptx_next(in);
            }
            ptx_expect(in, ';', "after the strings of .pragma");
        }
        while (in->kind == PTX_NUMBER || in->kind == PTX_STRING || in->kind == ',') {
            ptx_next(in);
        }
        if (in->kind == '(') {
            ptx_skip_attribute(parser);
        }
    }
}

static void body(struct ptx_parser *parser, struct ptx_function *function)
{
    struct ptx_lexer *in = &parser->in;
    assert(in->kind == '{');
    function->body = true;
    function->body_begin = ptx_position(in, in->at);
    ptx_enter(parser);
    ptx_next(in);
    parser->statements.count = 0;
    ptx_statements(parser);
    function->body_end = ptx_position(in, in->begin);
    ptx_leave(parser);
    ptx_finish_labels(parser);
    function->statement_count = parser->statements.count;
    function->statements =
        ptx_collect(parser, &parser->statements, 0, sizeof(struct ptx_statement));
    function->range.end = ptx_position(in, in->at);
    ptx_next(in);
}

/* Registers a function under its name. If a module declares and defines it, in any order, the name
 * refers to the definition. */
static void register_function(struct ptx_parser *parser, struct ptx_function *function)
{
    struct ptx_text name = function->name;
    struct ptx_name *known = ptx_names_get(&parser->functions, name);
    const struct ptx_function *other = known ? known->object : NULL;
    if (other && other->body && function->body) {
        ptx_fail_at(&parser->in, function->range.line, "the function %.*s is defined twice",
                    ptx_quoted(name), name.s);
    }
    known = known ? known : ptx_add_name(parser, &parser->functions, name, false);
    if (!other || !other->body) {
        known->object = function;
    }
}

static struct ptx_function *new_function(struct ptx_parser *parser)
{
    assert(!parser->function && parser->depth == 0);
    struct ptx_function *function = ptx_take(parser, sizeof *function);
    *function = (struct ptx_function){.index = (uint32_t)parser->functions_list.count};
    ptx_push_or_fail(parser, &parser->functions_list, &function, sizeof function);
    return function;
}

void ptx_function(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin,
                  uint32_t line)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_function *function = new_function(parser);
    function->entry = ptx_is(ptx_token_text(in), "entry");
    function->linkage = linkage;
    function->range = (struct ptx_range){.begin = begin, .line = line};
    parser->function = function;
    parser->locals.count = 0;
    ptx_next(in);
    ptx_enter(parser);
    while (ptx_at(in, "attribute")) {
        ptx_next(in);
        ptx_skip_attribute(parser);
    }
    if (in->kind == '(') {
        function->returns = ptx_parameters(parser, &function->return_count);
    }
    function->name = ptx_expect_word(in, "the name of a function");
    function->name_end = ptx_position(in, in->previous_end);
    if (in->kind == '(') {
        function->parameters = ptx_parameters(parser, &function->parameter_count);
        function->parameters_end = ptx_position(in, in->previous_end) - 1;
    }
    performance(parser, function);
    if (in->kind == '{') {
        body(parser, function);
    } else if (!function->entry && in->kind == PTX_DOT) {
        function->range.end = ptx_position(in, in->previous_end);
    } else {
        ptx_expect(in, ';', "or '{' after the head of a function");
        function->range.end = ptx_position(in, in->previous_end);
    }
    ptx_leave(parser);
    function->variable_count = (uint32_t)parser->locals.count;
    function->variables = ptx_collect(parser, &parser->locals, 0, sizeof(struct ptx_variable *));
    register_function(parser, function);
    parser->function = NULL;
}

void ptx_alias(struct ptx_parser *parser, uint32_t begin, uint32_t line)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_function *function = new_function(parser);
    function->alias = true;
    ptx_next(in);
    function->name = ptx_expect_word(in, "the name of an alias");
    function->name_end = ptx_position(in, in->previous_end);
    ptx_expect(in, ',', "after the name of an alias");
    function->aliasee = ptx_expect_word(in, "the name of a function");
    ptx_expect(in, ';', "after an alias");
    function->range = (struct ptx_range){begin, ptx_position(in, in->previous_end), line};
    register_function(parser, function);
}
