/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PTX modules as syntax trees (NVIDIA, "Parallel Thread Execution ISA", versions 6 to 9).
 *
 * ptx_parse() reads the text of a module that nvcc or clang emitted. The tree points into that
 * text. Each part of the tree states where it begins and ends, so that the rewriter can insert text
 * and copy the rest unchanged. The parser knows the grammar only: it parses an unknown instruction
 * like any other, as a word, modifiers and operands.
 *
 * The caller owns the text, and keeps it until ptx_free(). All parts of a tree belong to its
 * module. Functions of this room keep no state. Several threads may call them for different
 * modules.
 */
#ifndef WARPSCOPE_CUDA_PTX_H
#define WARPSCOPE_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    PTX_ERROR_MAX = 256 /* maximum size in bytes of an error message, including its zero byte */
};

/* A piece of the module's text, without a zero byte at its end. */
struct ptx_text {
    const char *s;
    uint32_t length;
};

/* The bytes at offsets begin to end - 1 of the module's text. line: line number of the first of
 * them, from 1. */
struct ptx_range {
    uint32_t begin, end, line;
};

enum ptx_kind { PTX_NO_KIND, PTX_BITS, PTX_UNSIGNED, PTX_SIGNED, PTX_FLOAT, PTX_PRED, PTX_OTHER };

/* A fundamental type. bits: width of all lanes together (1 for .pred). lanes: 2 or 4 for packed
 * types such as .f16x2, else 1. The kind PTX_OTHER stands for .texref, .bf16, .e4m3 and so on. */
struct ptx_type {
    enum ptx_kind kind;
    uint16_t bits;
    uint8_t lanes;
    struct ptx_text name; /* the type's word without its dot */
};

enum ptx_space {
    PTX_GENERIC, /* no state space is given: generic addressing */
    PTX_REG,
    PTX_SREG,
    PTX_CONST,
    PTX_GLOBAL,
    PTX_LOCAL,
    PTX_PARAM,
    PTX_SHARED,
    PTX_TEX
};

enum ptx_linkage { PTX_STATIC, PTX_VISIBLE, PTX_EXTERN, PTX_WEAK, PTX_COMMON };

/* One entry of an initialiser: a value, or the address of a symbol plus an offset. bits: the value,
 * in as many bits as the variable's type has. mask_shift: shift in bits of the byte that a mask
 * such as 0xFF(symbol) selects; -1: no mask. */
struct ptx_value {
    struct ptx_text symbol; /* length 0: no symbol */
    const struct ptx_function
        *function; /* of a variable of the module: symbol's function, or NULL */
    int64_t offset;
    uint64_t bits;
    int mask_shift;
    bool generic; /* true for generic(symbol) */
};

/* A variable, a parameter, or a family of registers: %r<5> is one variable with a count of 5. */
struct ptx_variable {
    struct ptx_text name; /* without the <5> of a family */
    struct ptx_type type;
    enum ptx_space space;
    enum ptx_linkage linkage;
    /* Index of the variable in the list of variables of its function, or of the module. */
    uint32_t index;
    uint32_t count; /* number of registers in a family; 0: not a family */
    uint32_t align; /* alignment in bytes; 0: the type's natural alignment */
    uint8_t vector; /* number of elements of a vector type: 2, 4 or 8; else 1 */
    bool array;     /* true if the variable has dimensions */
    bool pointer;   /* true for a parameter with the attribute .ptr */
    bool hidden;    /* true for a parameter of a kernel with the attribute .hidden */
    /* Product of all dimensions; 1 without dimensions. For a family: its count. For [] with no
     * size: the number of elements that the initialiser gives, or 0. */
    uint64_t elements;
    uint64_t bytes; /* size in bytes: elements * vector * size of the type */
    /* Entries of the initialiser, in order. Entries that are missing at the end are 0. */
    struct ptx_value *values;
    size_t value_count;
    struct ptx_range range;
};

/* Kinds of operands. Each comment names the members of struct ptx_operand that the kind sets. */
enum ptx_operand_kind {
    /* variable: the register or its family; number: index of the register in its family; offset:
     * constant that is added to its value, as in "%r1+4" */
    PTX_REGISTER,
    PTX_SPECIAL, /* name: such as "%tid" for %tid.x; member: 'x' for %tid.x, 0 for %clock */
    PTX_INTEGER, /* bits: the value */
    PTX_REAL,    /* bits: pattern of an f32 (written as 0f...) if single is set, else of an f64 */
    /* name: a variable or function, or a name that is defined in another module or nowhere. offset:
     * number of bytes added to its address. */
    PTX_SYMBOL,
    /* name: the label; number: index, in the function, of the statement that defines the label */
    PTX_LABEL,
    PTX_ADDRESS, /* [parts[0] + offset], or [parts[0], parts[1] ...] for textures and tensors */
    PTX_VECTOR,  /* {parts} */
    PTX_LIST,    /* (parts), as in the instruction "call" */
    PTX_PAIR,    /* parts[0] | parts[1], as in setp and shfl */
    PTX_SINK     /* _, in place of a result that is not used */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    /* true for a predicate with !, as in @!p; a negative number is negative in `bits` */
    bool negated;
    bool single; /* for PTX_REAL: true if bits is the pattern of an f32 */
    char member; /* a letter of "xyzwrgba", or 'b' or 'h' as in %r1.b2 of vadd; 0: none */
    struct ptx_text name;
    const struct ptx_variable *variable; /* variable that the name refers to, or NULL */
    const struct ptx_function *function; /* function that the name refers to, or NULL */
    uint32_t number; /* index of a register in its family, or of a label's statement */
    uint64_t bits;
    int64_t offset;
    struct ptx_operand *parts;
    uint32_t part_count;
    /* Digits after the member 'b' or 'h' of a video instruction: "2" of %r1.b2, "3210" of %r1.b3210;
     * empty: none. */
    char parts_selected[5];
};

struct ptx_instruction {
    const struct ptx_operand *guard; /* predicate of @p, or of @!p (negated); NULL: none */
    struct ptx_text word;            /* name of the instruction, such as "ld" */
    /* Modifiers, without their leading dots, such as "relaxed", "global", "v4", "u32".
     * "shared::cta" is one modifier. */
    const struct ptx_text *modifiers;
    uint32_t modifier_count;
    /* For "call": a PTX_LIST of results if there are any, the callee, a PTX_LIST of arguments if
     * there are any, and further operands. */
    struct ptx_operand *operands;
    uint32_t operand_count;
};

enum ptx_statement_kind {
    PTX_INSTRUCTION,
    /* name: the label. A directive .branchtargets, .calltargets or .callprototype after the label
     * is a statement of its own. */
    PTX_AT_LABEL,
    /* .loc, .pragma, .branchtargets and the like. name: the directive's word without its dot. */
    PTX_DIRECTIVE,
    PTX_OPEN,       /* { */
    PTX_CLOSE,      /* } */
    PTX_DECLARATION /* declaration of variables, which function->variables contains */
};

struct ptx_statement {
    enum ptx_statement_kind kind;
    struct ptx_range range; /* from the guard to the semicolon, inclusive */
    struct ptx_text name;
    struct ptx_instruction *instruction; /* NULL if the statement is not an instruction */
    struct ptx_operand *targets; /* operands of .branchtargets or .calltargets; NULL: none */
    uint32_t target_count;
};

struct ptx_function {
    struct ptx_text name;
    bool entry;     /* true for .entry: a kernel */
    bool body;      /* false for a declaration */
    bool alias;     /* true for .alias: only name, aliasee, name_end, index and range are set */
    uint32_t index; /* index of the function in the list of functions of its module */
    struct ptx_text aliasee;
    enum ptx_linkage linkage;
    struct ptx_variable **returns, **parameters;
    uint32_t return_count, parameter_count;
    /* The results, the parameters, then all variables that the body declares, in order. Operands
     * point directly to their variables, so that users of the tree need no scopes. */
    struct ptx_variable **variables;
    uint32_t variable_count;
    struct ptx_statement *statements;
    size_t statement_count;
    struct ptx_range range; /* from the function's first directive to its final } or ; */
    /* Offset of the ) after the last parameter; 0: no list of parameters. */
    uint32_t parameters_end;
    uint32_t name_end; /* offset of the byte after the function's name */
    /* body_begin: offset of the byte after {; body_end: offset of } */
    uint32_t body_begin, body_end;
    /* Sizes in the directives .maxntid or .reqntid, and .reqnctapercluster; 0: there is none. */
    uint32_t threads[3], cluster[3];
};

struct ptx_module {
    const char *source;
    uint32_t size;
    struct ptx_text version_text;
    unsigned version;       /* ten times the version: 90 for .version 9.0 */
    struct ptx_text target; /* target and options after commas, such as "sm_75, debug" */
    unsigned address_bits;  /* 32 or 64 */
    /* Offset after .version, .target and .address_size, at which the rewriter may insert text. */
    uint32_t header_end;
    struct ptx_variable **variables; /* variables at module level */
    size_t variable_count;
    /* Definitions and declarations of functions. A declaration and its definition are two
     * elements. */
    struct ptx_function **functions;
    size_t function_count;
    void *memory; /* memory of the tree, which ptx_free() frees */
};

/*
 * Parses the `size` bytes at text. Returns the module, which the caller frees with ptx_free(). On
 * an error returns NULL, and stores an error message in the PTX_ERROR_MAX bytes at error, such as
 * "line 12: expected ';' after the operands of ld". These are errors too: a PTX version above
 * 9.9, 4 GiB or more of text, and more than 256 nested blocks.
 */
struct ptx_module *ptx_parse(const char *text, size_t size, char *error);

/* Frees a module and its tree. module may be NULL. */
void ptx_free(struct ptx_module *module);

/* Reads a stream, of less than 1 GiB, to its end, closes it, and adds a zero byte. Sets *size to the
 * number of bytes before that one. The caller frees the text. Returns NULL, with errno set, after an
 * error; the stream NULL is one that fopen() could not open. */
char *ptx_read(FILE *in, size_t *size);

/* Returns true if text equals word. */
bool ptx_is(struct ptx_text text, const char *word);
static inline bool ptx_same(struct ptx_text a, struct ptx_text b)
{
    return a.length == b.length && memcmp(a.s, b.s, a.length) == 0;
}

/* Returns the index of the row of a table whose first member, a name, equals text; -1: there is none. */
#define PTX_FIND(text, table)                                                                      \
    ptx_find(text, table, sizeof *(table), sizeof(table) / sizeof *(table))
int ptx_find(struct ptx_text text, const void *rows, size_t row_size, size_t count);

/* Returns true if the instruction has the modifier, given without its dot. */
bool ptx_has(const struct ptx_instruction *instruction, const char *modifier);

/* Returns the number of elements of an access: 2 with the modifier .v2; 1 without such a one. */
uint32_t ptx_vector_size(const struct ptx_instruction *instruction);

/* The shape m16n8k16 of a product of matrices of m * k and k * n elements. Returns false if no modifier is one. */
struct ptx_shape {
    uint32_t m, n, k;
};
bool ptx_shape(const struct ptx_instruction *instruction, struct ptx_shape *shape);

/* The matrix of wmma.load or wmma.store. In memory it consists of `lines` lines, rows or columns, of `length`
 * elements of `bits` bits. Each lane of a warp accesses `part` bytes, one of 32 equal parts, line by line in
 * the order of lanes: the ISA leaves open which lane accesses which elements. Returns false if it has no such parts
 * of 4 to 32 bytes. */
struct ptx_matrix {
    bool by_rows; /* the lines are rows */
    uint32_t rows, columns, lines, length, bits, part;
};
bool ptx_matrix(const struct ptx_instruction *instruction, struct ptx_matrix *matrix);

/* Returns the number in a target: 75 for "sm_75", 90 for "sm_90a, debug". Returns 0 if there is
 * none. */
unsigned ptx_target_number(struct ptx_text target);

/* Returns the type that a word such as "u32", "f16x2" or "pred" names, with kind PTX_NO_KIND if it
 * names none. */
struct ptx_type ptx_type_of(struct ptx_text word);

/* Returns the type that the last type modifier names. For ld, st, add and others, this is the type
 * of their values. The kind is PTX_NO_KIND if no modifier is a type. */
struct ptx_type ptx_instruction_type(const struct ptx_instruction *instruction);

/* Returns the state space that the first modifier of this kind ("global", "shared::cta", ...)
 * names, or PTX_GENERIC if there is none. */
enum ptx_space ptx_instruction_space(const struct ptx_instruction *instruction);

#endif
