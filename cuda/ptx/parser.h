/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of the parser, and how its files call each other: module -> function -> statement -> instruction ->
 * operand; module, function and statement -> variable -> initialiser.
 */
#ifndef WARPSCOPE_CUDA_PTX_PARSER_H
#define WARPSCOPE_CUDA_PTX_PARSER_H

#include "ptx/arena.h"
#include "ptx/lexer.h"
#include "ptx/names.h"
#include "ptx/number.h"

enum {
    PTX_NESTING_MAX = 256,      /* blocks */
    PTX_OPERAND_NESTING_MAX = 8 /* braces and brackets of one operand */
};

/* An operand that names no variable in its scope: a label, a function, or a name of another module. */
struct ptx_pending {
    struct ptx_operand *operand;
    uint32_t line;
    bool label; /* the operand of a branch: nothing but a label will do */
};

struct ptx_scope {
    size_t variables, labels, pending; /* counts when it began */
};

struct ptx_parser {
    struct ptx_lexer in;
    struct ptx_arena arena;
    struct ptx_module *module;
    struct ptx_function *function; /* being parsed */
    struct ptx_names variables, labels, functions;
    bool odd_families;  /* a family's name ends with a digit: %r1<4> */
    bool odd_registers; /* a single register is named like one of a family: %r1 */
    uint32_t depth;     /* of scopes: 0 is the module's */
    struct ptx_scope scopes[PTX_NESTING_MAX + 2];
    struct ptx_stack operands, modifiers, statements, values, pending;
    struct ptx_stack locals, globals, functions_list; /* pointers */
    uint64_t padding; /* entries that initialisers got for values left out in inner braces */
};

/* Never returns NULL; not initialised. */
void *ptx_take(struct ptx_parser *parser, size_t size);
void *ptx_push_or_fail(struct ptx_parser *parser, struct ptx_stack *stack, size_t item_size);
/* Moves all items but the first `from` from a stack into the arena. Returns NULL if there are none. */
void *ptx_collect(struct ptx_parser *parser, struct ptx_stack *stack, size_t from,
                  size_t item_size);

/* ---- scope.c ---------------------------------------------------------------------------------- */
void ptx_enter(struct ptx_parser *parser);
void ptx_leave(struct ptx_parser *parser);
/* Fails if the current scope has the name already. */
void ptx_declare(struct ptx_parser *parser, struct ptx_variable *variable);
void ptx_declare_label(struct ptx_parser *parser, struct ptx_text name);
/* Returns the variable that a name means here, or NULL; *number is that of a family's register. */
const struct ptx_variable *ptx_resolve(const struct ptx_parser *parser, struct ptx_text name,
                                       uint32_t *number);
/* Resolves names that all scopes of the function, or the module, leave open. */
void ptx_finish_labels(struct ptx_parser *parser);
void ptx_finish_names(struct ptx_parser *parser);
/* True for the names of the ISA, such as "%tid". */
bool ptx_is_special(struct ptx_text name);

/* ---- operand.c -------------------------------------------------------------------------------- */
/* Parses one operand and pushes it on parser->operands. */
void ptx_operand(struct ptx_parser *parser, bool call, bool label);
/* Moves operands from the stack into the arena, and notes those whose names are open. */
struct ptx_operand *ptx_collect_operands(struct ptx_parser *parser, size_t from, bool label);

/* ---- statement.c ------------------------------------------------------------------------------ */
/* Parses statements up to the } of the function, on which the lexer stands then. */
void ptx_statements(struct ptx_parser *parser);
/* Skips a directive that ends with a semicolon, which is skipped too. */
void ptx_skip_directive(struct ptx_parser *parser);
void ptx_skip_loc(struct ptx_parser *parser);
void ptx_skip_file(struct ptx_parser *parser);
void ptx_skip_section(struct ptx_parser *parser);

/* ---- variable.c ------------------------------------------------------------------------------- */
/* The lexer stands on a state space: parses a declaration with its semicolon. */
void ptx_declaration(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin);
/* The lexer stands on "(": parses a list of parameters or results. */
struct ptx_variable **ptx_parameters(struct ptx_parser *parser, uint32_t *count);
/* PTX_GENERIC if the word is no space. */
enum ptx_space ptx_space_of(struct ptx_text word);
/* Skips what stands in parentheses after .attribute. */
void ptx_skip_attribute(struct ptx_parser *parser);

/* ---- initialiser.c ---------------------------------------------------------------------------- */
/* Parses what follows "=". dimensions: those written; 0 for []. */
void ptx_initialiser(struct ptx_parser *parser, struct ptx_variable *variable,
                     const uint64_t *dimensions, unsigned dimension_count);

/* ---- function.c ------------------------------------------------------------------------------- */
/* The lexer stands on .entry or .func. */
void ptx_function(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin,
                  uint32_t line);
/* The lexer stands on .alias. */
void ptx_alias(struct ptx_parser *parser, uint32_t begin, uint32_t line);

#endif
