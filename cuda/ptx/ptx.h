/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PTX modules as syntax trees (NVIDIA, "Parallel Thread Execution ISA", versions 6 to 9).
 *
 * ptx_parse() reads the text of a module that nvcc or clang emitted. The tree points into that
 * text. Each part states where it begins and ends, so that the rewriter can insert text and copy
 * the rest unchanged. The parser uses the grammar only: it parses an unknown instruction like any
 * other, as a word, modifiers and operands.
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

enum {
    PTX_ERROR_MAX = 256 /* bytes of a message, with its zero byte */
};

/* A piece of the text, without a zero byte at its end. */
struct ptx_text {
    const char *s;
    uint32_t length;
};

/* Bytes begin to end - 1 of the text. Lines count from 1. */
struct ptx_range {
    uint32_t begin, end, line;
};

enum ptx_kind { PTX_NO_KIND, PTX_BITS, PTX_UNSIGNED, PTX_SIGNED, PTX_FLOAT, PTX_PRED, PTX_OTHER };

/* A fundamental type: kind, and width in bits of all lanes together (.pred: 1). lanes is 2 for
 * .f16x2 and the like, else 1. PTX_OTHER stands for .texref, .bf16, .e4m3 and so on; name has the
 * word. */
struct ptx_type {
    enum ptx_kind kind;
    uint16_t bits;
    uint8_t lanes;
    struct ptx_text name; /* the word without its dot */
};

enum ptx_space {
    PTX_GENERIC, /* no state space is given */
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

/* One entry of an initialiser: the bytes of a value (size of the type of the variable,
 * little-endian), or the address of a symbol plus an offset. mask_shift: shift in bits of the byte
 * that a mask such as 0xFF(symbol) selects; -1: no mask. */
struct ptx_value {
    struct ptx_text symbol; /* length 0: no symbol */
    int64_t offset;
    uint64_t bits;
    int mask_shift;
    bool generic; /* true for generic(symbol) */
};

/* A variable, a parameter, or a family of registers: %r<5> is one variable with count 5. */
struct ptx_variable {
    struct ptx_text name; /* without the <5> of a family */
    struct ptx_type type;
    enum ptx_space space;
    enum ptx_linkage linkage;
    /* Number from 0, unique in its function, or among the variables of the module. */
    uint32_t index;
    uint32_t count; /* number of registers of a family, else 0 */
    uint32_t align; /* alignment in bytes; 0: the natural one */
    uint8_t vector; /* elements of a vector type: 1, 2, 4 or 8 */
    bool array;     /* true if it has dimensions */
    bool pointer;   /* true for a parameter with .ptr */
    /* Product of all dimensions; 1 without dimensions; 0 for [] without a size. */
    uint64_t elements;
    uint64_t bytes; /* elements * vector * size of the type */
    /* Entries of the initialiser, in order; values that are missing at the end are 0. */
    struct ptx_value *values;
    size_t value_count;
    struct ptx_range range;
};

enum ptx_operand_kind {
    PTX_REGISTER, /* variable; number: register of a family */
    PTX_SPECIAL,  /* name, such as "%tid" for %tid.x; member: 'x'; %clock has member 0 */
    PTX_INTEGER,  /* bits: the value */
    PTX_REAL, /* bits: pattern of an f64 (0d..., decimal), or of an f32 (0f...) if single is set */
    /* Name of a variable or function, or of neither: defined in another module, or not declared.
     * offset. */
    PTX_SYMBOL,
    PTX_LABEL,   /* name; number: index of the statement of the function that defines the label */
    PTX_ADDRESS, /* [parts[0] + offset], or [parts[0], parts[1] ...] for textures and tensors */
    PTX_VECTOR,  /* {parts} */
    PTX_LIST,    /* (parts), as in call */
    PTX_PAIR,    /* parts[0] | parts[1], as in setp and shfl */
    PTX_SINK     /* _, for a result that is not used */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated; /* !p; the sign of a number is in bits */
    bool single;  /* of PTX_REAL: true if bits is the pattern of an f32 */
    char member;  /* one of x y z w r g b a, or 0 */
    struct ptx_text name;
    const struct ptx_variable *variable; /* variable that the name refers to, or NULL */
    const struct ptx_function *function; /* function that the name refers to, or NULL */
    uint32_t number;                     /* register of a family */
    uint64_t bits;
    int64_t offset;
    struct ptx_operand *parts;
    uint32_t part_count;
    char part; /* '0' to '3' with member 'b' or 'h', as in %r1.b2 of vadd; else 0 */
};

struct ptx_instruction {
    const struct ptx_operand *guard; /* @p, or @!p (negated); NULL: none */
    struct ptx_text word;            /* such as "ld" */
    /* Such as "relaxed", "global", "v4", "u32", without dots; "shared::cta" is one modifier. */
    const struct ptx_text *modifiers;
    uint32_t modifier_count;
    /* Operands of call: PTX_LIST of results if any, callee, PTX_LIST of arguments if any, ... */
    struct ptx_operand *operands;
    uint32_t operand_count;
};

enum ptx_statement_kind {
    PTX_INSTRUCTION,
    /* Name of the label; also of .branchtargets, .calltargets and .callprototype, whose directive
     * follows. */
    PTX_AT_LABEL,
    /* .loc, .pragma, .branchtargets and the like; name: the word without its dot; range: the
     * text. */
    PTX_DIRECTIVE,
    PTX_OPEN,       /* { */
    PTX_CLOSE,      /* } */
    PTX_DECLARATION /* declaration of variables, which are in the list of the function */
};

struct ptx_statement {
    enum ptx_statement_kind kind;
    struct ptx_range range; /* with guard and semicolon */
    struct ptx_text name;
    struct ptx_instruction *instruction; /* NULL if the statement is not an instruction */
    struct ptx_operand *targets;         /* operands of .branchtargets and .calltargets */
    uint32_t target_count;
};

struct ptx_function {
    struct ptx_text name;
    bool entry; /* true for .entry: a kernel */
    bool body;  /* false for a declaration */
    bool alias; /* true for .alias: name and aliasee are set */
    struct ptx_text aliasee;
    enum ptx_linkage linkage;
    struct ptx_variable **returns, **parameters;
    uint32_t return_count, parameter_count;
    /* All variables that are declared in the body, in order; their scopes are already resolved. */
    struct ptx_variable **variables;
    uint32_t variable_count;
    struct ptx_statement *statements;
    size_t statement_count;
    struct ptx_range range; /* from its first directive to its } or ; */
    /* Position of the ) after the last parameter; 0: no list of parameters. */
    uint32_t parameters_end;
    uint32_t name_end;             /* position after its name */
    uint32_t body_begin, body_end; /* position after {, and of } */
    /* Directives between ) and {, such as .maxntid and .reqntid, as written. */
    struct ptx_text performance;
};

struct ptx_module {
    const char *source;
    uint32_t size;
    unsigned version;       /* 90 for .version 9.0 */
    struct ptx_text target; /* such as "sm_75", with options after a comma */
    unsigned address_bits;  /* 32 or 64 */
    uint32_t
        /* Position after .version, .target and .address_size, where text at module level may be
         * inserted. */
        header_end;
    struct ptx_variable **variables; /* variables at module level */
    size_t variable_count;
    /* Definitions and declarations; a declaration and its definition are two elements. */
    struct ptx_function **functions;
    size_t function_count;
    void *memory; /* internal memory of the parser */
};

/*
 * Parses the size bytes at text. Returns the module, to be freed with ptx_free(). On an error
 * returns NULL, with a message in error (PTX_ERROR_MAX bytes), such as "line 12: expected ';' after
 * the operands of ld". Versions before 6.0 and above the known ones of 9.x, 4 GiB or more of text,
 * and nesting of more than 256 blocks are errors.
 */
struct ptx_module *ptx_parse(const char *text, size_t size, char *error);

void ptx_free(struct ptx_module *module);

/* Returns true if the piece of text is exactly word. */
bool ptx_is(struct ptx_text text, const char *word);

/* Returns true if the instruction has the modifier. */
bool ptx_has(const struct ptx_instruction *instruction, const char *modifier);

/* The number in "sm_75", "sm_90a, debug" ..., or 0. */
unsigned ptx_target_number(struct ptx_text target);

/* The type that a word such as "u32", "f16x2" or "pred" names; kind PTX_NO_KIND if it names none. */
struct ptx_type ptx_type_of(struct ptx_text word);

/* Returns the last modifier that is a type: the type of the values that ld, st, add and others
 * use. */
struct ptx_type ptx_instruction_type(const struct ptx_instruction *instruction);

/* Returns the state space among the modifiers ("global", "shared::cta", ...), or PTX_GENERIC if
 * there is none. */
enum ptx_space ptx_instruction_space(const struct ptx_instruction *instruction);

/* Checks all invariants of a tree: nested and ordered ranges, resolved names, counts. Aborts with a
 * message if one is violated. */
void ptx_check(const struct ptx_module *module);

#endif
