/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parsing of modules: the header, then variables, functions and directives in any order.
 */
#include "ptx/parser.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { VERSION_MIN = 10, VERSION_MAX = 99 };

/* ---- The module ------------------------------------------------------------------------------- */

static void version(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    if (!ptx_at(in, "version")) {
        ptx_fail(in, "a PTX module must begin with .version");
    }
    ptx_next(in);
    const char *s = in->s;
    bool plain = in->kind == PTX_NUMBER && in->length == 3 && s[0] >= '0' && s[0] <= '9' &&
                 s[1] == '.' && s[2] >= '0' && s[2] <= '9';
    if (!plain) {
        ptx_fail_token(in, "a version such as 8.5");
    }
    unsigned number = (unsigned)(s[0] - '0') * 10 + (unsigned)(s[2] - '0');
    if (number < VERSION_MIN || number > VERSION_MAX) {
        ptx_fail(in, "PTX version %.3s is not supported; 1.0 to 9.9 are", s);
    }
    parser->module->version = number;
    parser->module->version_text = ptx_token_text(in);
    ptx_next(in);
}

static void target(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    ptx_next(in);
    const char *begin = in->begin;
    do {
        ptx_expect_word(in, "a target such as sm_75");
    } while (ptx_accept(in, ','));
    parser->module->target = (struct ptx_text){begin, (uint32_t)(in->previous_end - begin)};
}

static void header(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_module *module = parser->module;
    ptx_next(in);
    version(parser);
    if (!ptx_at(in, "target")) {
        ptx_fail_token(in, ".target");
    }
    target(parser);
    module->address_bits = 64; /* as in ptxas; modules before PTX 2.3 do not state it */
    if (ptx_at(in, "address_size")) {
        ptx_next(in);
        module->address_bits = (unsigned)ptx_integer(in, 64, "the size of an address");
        if (module->address_bits != 32 && module->address_bits != 64) {
            ptx_fail(in, "the size of an address must be 32 or 64");
        }
    }
    module->header_end = ptx_position(in, in->previous_end);
}

static void module_item(struct ptx_parser *parser)
{
    static const char *const linkages[] = {"visible", "extern", "weak", "common"};
    struct ptx_lexer *in = &parser->in;
    uint32_t begin = ptx_position(in, in->begin), line = in->line;
    if (in->kind != PTX_DOT) {
        ptx_fail_token(in, "a directive");
    }
    /* PTX_STATIC, or that of a word, in the order of the enumeration */
    enum ptx_linkage linkage = (enum ptx_linkage)(PTX_FIND(ptx_token_text(in), linkages) + 1);
    if (linkage != PTX_STATIC) {
        ptx_next(in);
        if (in->kind != PTX_DOT) {
            ptx_fail_token(in, "a variable or a function");
        }
    }
    struct ptx_text word = ptx_token_text(in);
    if (ptx_is(word, "entry") || ptx_is(word, "func")) {
        ptx_function(parser, linkage, begin, line);
    } else if (ptx_space_of(word) != PTX_GENERIC) {
        ptx_declaration(parser, linkage, begin);
    } else if (ptx_is(word, "alias")) {
        ptx_alias(parser, begin, line);
    } else if (ptx_is(word, "pragma")) {
        ptx_skip_directive(parser);
    } else if (!ptx_skip_debugging(parser)) {
        ptx_fail(in, "unknown directive .%.*s", ptx_quoted(word), word.s);
    }
}

static void parse(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    struct ptx_module *module = parser->module = ptx_take(parser, sizeof *module);
    *module = (struct ptx_module){.source = in->text, .size = (uint32_t)(in->end - in->text)};
    header(parser);
    while (in->kind != PTX_END) {
        if (!ptx_accept(in, ';')) {
            module_item(parser);
        }
    }
    ptx_finish_names(parser);
    module->variable_count = parser->globals.count;
    module->variables = ptx_collect(parser, &parser->globals, 0, sizeof(struct ptx_variable *));
    module->function_count = parser->functions_list.count;
    module->functions =
        ptx_collect(parser, &parser->functions_list, 0, sizeof(struct ptx_function *));
    module->memory = parser->tree.list;
}

static void free_parser(struct ptx_parser *parser)
{
    ptx_names_free(&parser->variables);
    ptx_names_free(&parser->labels);
    ptx_names_free(&parser->functions);
    struct ptx_stack *stacks[] = {&parser->operands, &parser->modifiers,     &parser->statements,
                                  &parser->values,   &parser->pending,       &parser->locals,
                                  &parser->globals,  &parser->functions_list};
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) {
        free(stacks[i]->items);
    }
    free(parser);
}

struct ptx_module *ptx_parse(const char *text, size_t size, char *error)
{
    while (size && !text[size - 1]) {
        size--; /* a module that a program embeds has a zero byte at its end */
    }
    if (size >= UINT32_MAX) {
        snprintf(error, PTX_ERROR_MAX, "line 1: a module of 4 GiB or more");
        return NULL;
    }
    struct ptx_parser *parser = calloc(1, sizeof *parser);
    if (!parser) {
        snprintf(error, PTX_ERROR_MAX, "line 1: out of memory");
        return NULL;
    }
    parser->in = (struct ptx_lexer){
        .text = text, .end = text + size, .at = text, .last_line = 1, .error = error};
    struct ptx_module *module = NULL;
    if (setjmp(parser->in.escape) == 0) {
        parse(parser);
        module = parser->module;
    } else {
        chunks_free(parser->tree.list);
    }
    free_parser(parser);
    return module;
}

void ptx_free(struct ptx_module *module)
{
    if (module) {
        chunks_free(module->memory);
    }
}
