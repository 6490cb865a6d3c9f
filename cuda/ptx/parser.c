/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory and directives that the tree does not contain, for all files of the parser.
 */
#include "ptx/parser.h"
#include <assert.h>
#include <string.h>

/* Returns memory, unless it is NULL. */
static void *taken(struct ptx_parser *parser, void *memory)
{
    if (!memory) {
        ptx_fail(&parser->in, "out of memory");
    }
    return memory;
}

void *ptx_take(struct ptx_parser *parser, size_t size)
{
    return taken(parser, chunks_take(&parser->tree, (size + 7) & ~(size_t)7));
}

void *ptx_push_or_fail(struct ptx_parser *parser, struct ptx_stack *stack, const void *item,
                       size_t item_size)
{
    return memcpy(taken(parser, ptx_push(stack, item_size)), item, item_size);
}

struct ptx_name *ptx_add_name(struct ptx_parser *parser, struct ptx_names *names,
                              struct ptx_text text, bool family)
{
    return taken(parser, ptx_names_add(names, text, family, parser->depth));
}

void *ptx_collect(struct ptx_parser *parser, struct ptx_stack *stack, size_t from, size_t item_size)
{
    assert(from <= stack->count);
    size_t bytes = (stack->count - from) * item_size;
    if (!bytes) {
        return NULL;
    }
    void *items = ptx_take(parser, bytes);
    memcpy(items, (const char *)stack->items + from * item_size, bytes);
    stack->count = from;
    return items;
}

/* ---- Directives that the tree does not contain ----------------------------------------------- */

/* Skips a directive .loc or .file: numbers and strings and, behind commas, attributes such as
 * "function_name $L__info+4". */
static void skip_line(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    do {
        ptx_next(in);
        if (in->kind == PTX_WORD) {
            bool has_label = ptx_is(ptx_token_text(in), "function_name");
            ptx_next(in);
            if (has_label && in->kind == PTX_WORD) {
                ptx_next(in);
            }
        }
        while (in->kind == PTX_NUMBER || in->kind == PTX_STRING || in->kind == '+') {
            ptx_next(in);
        }
    } while (in->kind == ',');
}

/* Skips a .section directive: the section's name, and its data in braces. */
static void skip_section(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    uint32_t line = in->line;
    ptx_next(in);
    while (in->kind != '{') {
        if (in->kind != PTX_DOT && in->kind != PTX_WORD) {
            ptx_fail_token(in, "'{' after the name of a section");
        }
        ptx_next(in);
    }
    while (in->kind != '}') {
        if (in->kind == PTX_END) {
            ptx_fail_at(in, line, "the section of this line has no '}'");
        }
        ptx_next(in);
    }
    ptx_next(in);
}

void ptx_skip_directive(struct ptx_parser *parser)
{
    struct ptx_lexer *in = &parser->in;
    uint32_t line = in->line;
    while (in->kind != ';') {
        if (in->kind == PTX_END || in->kind == '{' || in->kind == '}') {
            ptx_fail_at(in, line, "expected ';' after the directive of this line");
        }
        ptx_next(in);
    }
    ptx_next(in);
}

bool ptx_skip_debugging(struct ptx_parser *parser)
{
    static const struct {
        const char *word;
        void (*skip)(struct ptx_parser *);
    } directives[] = {{"loc", skip_line}, {"file", skip_line}, {"section", skip_section}};
    int i = PTX_FIND(ptx_token_text(&parser->in), directives);
    if (i >= 0) {
        directives[i].skip(parser);
    }
    return i >= 0;
}
