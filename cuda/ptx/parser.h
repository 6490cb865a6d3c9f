/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the parser, and the functions that its files provide.
 *
 * Calls go one way: module -> function -> statement -> instruction -> operand; module, function and
 * statement -> variable -> initialiser. An error ends ptx_parse() with a message.
 */
#ifndef WARPSCOPE_CUDA_PTX_PARSER_H
#define WARPSCOPE_CUDA_PTX_PARSER_H

#include "ptx/arena.h"
#include "ptx/lexer.h"
#include "ptx/names.h"
#include "ptx/number.h"

enum {
    PTX_NESTING_MAX = 256,      /* nested blocks */
    PTX_OPERAND_NESTING_MAX = 8 /* nested braces and brackets of one operand */
};

/* An operand whose name is not a variable of its scope. It is a label, a function, or a name of
 * another module, and is resolved later. */
struct ptx_pending {
    struct ptx_operand *operand;
    uint32_t line;
    bool label; /* true for the operand of a branch, which must be a label */
};

struct ptx_scope {
    /* Numbers of variables, labels and pending operands when the scope began. */
    size_t variables, labels, pending;
};

struct ptx_parser {
    struct ptx_lexer in;
    struct ptx_arena arena;
    struct ptx_module *module;
    struct ptx_function *function; /* the function that is being parsed, or NULL */
    struct ptx_names variables, labels, functions;
    bool odd_families;  /* true if the name of a family ends with a digit: %r1<4> */
    bool odd_registers; /* true if a single register has a name like one of a family: %r1 */
    uint32_t depth;     /* depth of scopes; the scope of the module is 0 */
    struct ptx_scope scopes[PTX_NESTING_MAX + 2];
    struct ptx_stack operands, modifiers, statements, values, pending;
    struct ptx_stack locals, globals, functions_list; /* stacks of pointers */
    uint64_t padding; /* number of values that inner braces of initialisers left out */
};

/* Returns memory of the module, not initialised. Fails if memory is exhausted. */
void *ptx_take(struct ptx_parser *parser, size_t size);
void *ptx_push_or_fail(struct ptx_parser *parser, struct ptx_stack *stack, size_t item_size);
/* Moves all items except the first `from` ones from a stack into the arena. Returns NULL if there
 * are none. */
void *ptx_collect(struct ptx_parser *parser, struct ptx_stack *stack, size_t from,
                  size_t item_size);

/* ---- scope.c ---------------------------------------------------------------------------------- */
void ptx_enter(struct ptx_parser *parser);
void ptx_leave(struct ptx_parser *parser);
/* Declares a variable. Fails if the current scope already has its name. */
void ptx_declare(struct ptx_parser *parser, struct ptx_variable *variable);
void ptx_declare_label(struct ptx_parser *parser, struct ptx_text name);
/* Returns the variable that a name refers to in the current scope, or NULL. *number: number of the
 * register in its family. */
const struct ptx_variable *ptx_resolve(const struct ptx_parser *parser, struct ptx_text name,
                                       uint32_t *number);
/* Resolves the names that are still open when all scopes of the function, or of the module, have
 * ended. */
void ptx_finish_labels(struct ptx_parser *parser);
void ptx_finish_names(struct ptx_parser *parser);
/* Returns true for names of special registers in the ISA, such as "%tid". */
bool ptx_is_special(struct ptx_text name);

/* ---- operand.c -------------------------------------------------------------------------------- */
/* Parses one operand and pushes it on parser->operands. */
void ptx_operand(struct ptx_parser *parser, bool call, bool label);
/* Moves operands from the stack into the arena, and lists those whose names are not resolved
 * yet. */
struct ptx_operand *ptx_collect_operands(struct ptx_parser *parser, size_t from, bool label);

/* ---- statement.c ------------------------------------------------------------------------------ */
/* Parses statements up to the } of the function, where the lexer stays. */
void ptx_statements(struct ptx_parser *parser);
/* Skips a directive up to its semicolon, inclusive. */
void ptx_skip_directive(struct ptx_parser *parser);
void ptx_skip_loc(struct ptx_parser *parser);
void ptx_skip_file(struct ptx_parser *parser);
void ptx_skip_section(struct ptx_parser *parser);

/* ---- variable.c ------------------------------------------------------------------------------- */
/* Parses a declaration with its semicolon. The lexer is at the state space. */
void ptx_declaration(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin);
/* Parses a list of parameters or results. The lexer is at "(". */
struct ptx_variable **ptx_parameters(struct ptx_parser *parser, uint32_t *count);
/* Returns PTX_GENERIC if the word is not a state space. */
enum ptx_space ptx_space_of(struct ptx_text word);
/* Skips the parentheses after .attribute. */
void ptx_skip_attribute(struct ptx_parser *parser);

/* ---- initialiser.c ---------------------------------------------------------------------------- */
/* Parses what follows "=". dimensions: dimensions as written; 0 for []. */
void ptx_initialiser(struct ptx_parser *parser, struct ptx_variable *variable,
                     const uint64_t *dimensions, unsigned dimension_count);

/* ---- function.c ------------------------------------------------------------------------------- */
/* Parses a function. The lexer is at .entry or .func. */
void ptx_function(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin,
                  uint32_t line);
/* Parses an alias. The lexer is at .alias. */
void ptx_alias(struct ptx_parser *parser, uint32_t begin, uint32_t line);

#endif
