/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the parser, and the functions that its files provide.
 *
 * Calls go one way: module -> function -> statement -> instruction -> operand; module, function and
 * statement -> variable -> initialiser. In this file, "fails" means: ends ptx_parse() with an
 * error message.
 */
#ifndef WARPSCOPE_CUDA_PTX_PARSER_H
#define WARPSCOPE_CUDA_PTX_PARSER_H

#include "ptx/lexer.h"
#include "ptx/names.h"
#include "store/chunks.h"

enum {
    PTX_NESTING_MAX = 256,      /* maximum depth of nested blocks in a function */
    PTX_OPERAND_NESTING_MAX = 8 /* maximum depth of nested braces and brackets in an operand */
};

/* An operand whose name is not a variable of its scope. The name is a label, a function, or a name
 * of another module. The parser resolves it later. */
struct ptx_pending {
    struct ptx_operand *operand;
    uint32_t line;
    bool label; /* true if the name must be that of a label, as in a branch */
};

struct ptx_scope {
    /* Number of variables, labels and pending operands at the time when the scope began. */
    size_t variables, labels, pending;
};

struct ptx_parser {
    struct ptx_lexer in;
    struct chunks tree; /* memory of the syntax tree */
    struct ptx_module *module;
    struct ptx_function *function; /* function that is being parsed; NULL: none */
    struct ptx_names variables, labels, functions;
    bool odd_families;  /* true if a family has a name that ends with a digit: %r1<4> */
    bool odd_registers; /* true if a register without a family has a name such as %r1 */
    uint32_t depth;     /* current depth of scopes; 0: the scope of the module */
    struct ptx_scope scopes[PTX_NESTING_MAX + 2];
    struct ptx_stack operands, modifiers, statements, values, pending;
    /* Stacks of pointers to the variables of the current function, to those of the module, and to
     * all functions. */
    struct ptx_stack locals, globals, functions_list;
    /* number of zeros that pad() has appended in the whole module */
    uint64_t padding;
};

/* ---- parser.c --------------------------------------------------------------------------------- */
/* Allocates `size` bytes in the memory of the tree, not initialised. Fails if memory is exhausted. */
void *ptx_take(struct ptx_parser *parser, size_t size);
/* Pushes a copy of an item, like ptx_push(), but fails if memory is exhausted. */
void *ptx_push_or_fail(struct ptx_parser *parser, struct ptx_stack *stack, const void *item,
                       size_t item_size);
/* Like ptx_names_add(), but fails if memory is exhausted. */
struct ptx_name *ptx_add_name(struct ptx_parser *parser, struct ptx_names *names,
                              struct ptx_text text, bool family);
/* Moves the items of stack from index `from` on into the memory of the tree, and returns their new address.
 * Returns NULL if there are none. */
void *ptx_collect(struct ptx_parser *parser, struct ptx_stack *stack, size_t from,
                  size_t item_size);

/* Skips a directive and its semicolon. */
void ptx_skip_directive(struct ptx_parser *parser);
/* Skips a directive .loc, .file or .section. Returns false if it is another one. */
bool ptx_skip_debugging(struct ptx_parser *parser);

/* ---- scope.c ---------------------------------------------------------------------------------- */
/* Begins an inner scope. */
void ptx_enter(struct ptx_parser *parser);
/* Ends the current scope and removes its variables and labels. Resolves the branches to its
 * labels. */
void ptx_leave(struct ptx_parser *parser);
/* Declares a variable in the current scope. Fails if that scope already has a variable with the
 * same name; in the scope of the module, this is permitted. */
void ptx_declare(struct ptx_parser *parser, struct ptx_variable *variable);
/* Declares a label that refers to the next statement. Fails if the current scope already has the
 * label. */
void ptx_declare_label(struct ptx_parser *parser, struct ptx_text name);
/* Returns the variable that a name refers to in the current scope, or NULL. A name such as %r3 may
 * refer to a family of registers: *number is then the index of the register in the family, else
 * 0. */
const struct ptx_variable *ptx_resolve(const struct ptx_parser *parser, struct ptx_text name,
                                       uint32_t *number);
/* Fails if a branch of the function names a label that is not defined. All scopes in the function's
 * body must have ended. */
void ptx_finish_labels(struct ptx_parser *parser);
/* Resolves the pending names of the module to functions, variables and special registers. Fails if
 * a register is not declared. */
void ptx_finish_names(struct ptx_parser *parser);

/* ---- operand.c -------------------------------------------------------------------------------- */
/* Parses one operand and pushes it onto parser->operands. call: true if the operand may be a list
 * in parentheses. label: true if a name is a label, even if a variable has the same name. */
void ptx_operand(struct ptx_parser *parser, bool call, bool label);
/* Moves the operands from index `from` of parser->operands on into the memory of the tree, and returns their new
 * address. Operands with unresolved names become pending. label: true if these names must be
 * labels. */
struct ptx_operand *ptx_collect_operands(struct ptx_parser *parser, size_t from, bool label);

/* ---- statement.c ------------------------------------------------------------------------------ */
/* Parses the statements of a function. Leaves the lexer at the } that ends the body. */
void ptx_statements(struct ptx_parser *parser);

/* ---- text.c ----------------------------------------------------------------------------------- */
/* Returns the state space that `word` names, or PTX_GENERIC if it names none. */
enum ptx_space ptx_space_of(struct ptx_text word);

/* ---- variable.c ------------------------------------------------------------------------------- */
/* Parses a declaration with its semicolon. The lexer is at the state space. begin: offset at which
 * the declaration begins. */
void ptx_declaration(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin);
/* Parses a list of parameters or results, and sets *count to its length. The lexer is at "(". */
struct ptx_variable **ptx_parameters(struct ptx_parser *parser, uint32_t *count);
/* Skips the parentheses after .attribute. */
void ptx_skip_attribute(struct ptx_parser *parser);

/* ---- initialiser.c ---------------------------------------------------------------------------- */
/* Parses an initialiser, from the token after "=" on. dimensions: sizes of the declared dimensions;
 * 0 for []. */
void ptx_initialiser(struct ptx_parser *parser, struct ptx_variable *variable,
                     const uint64_t *dimensions, unsigned dimension_count);

/* ---- function.c ------------------------------------------------------------------------------- */
/* Parses a function. The lexer is at .entry or .func. The function's range begins at offset begin
 * and in line `line`. */
void ptx_function(struct ptx_parser *parser, enum ptx_linkage linkage, uint32_t begin,
                  uint32_t line);
/* Parses an alias. The lexer is at .alias. The alias's range begins at offset begin and in line
 * `line`. */
void ptx_alias(struct ptx_parser *parser, uint32_t begin, uint32_t line);

#endif
