/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PTX modules as trees (NVIDIA, "Parallel Thread Execution ISA", versions 6 to 9).
 *
 * ptx_parse() reads the text of a module that nvcc or clang emitted. The tree points into that text: each part
 * states where it begins and ends, so that a rewriter inserts text and copies all else unchanged. The tree knows
 * the grammar, not the meaning of instructions: an unknown instruction is parsed like any other, as a word,
 * modifiers and operands.
 *
 * The caller owns the text, and keeps it until ptx_free(). All parts of a tree belong to its module. Functions of
 * this room keep no state, and may run in several threads on different modules.
 */
#ifndef WARPSCOPE_CUDA_PTX_H
#define WARPSCOPE_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PTX_ERROR_MAX = 256 /* bytes of a message, with its zero */
};

/* A piece of the text; not terminated by a zero. */
struct ptx_text {
    const char *s;
    uint32_t length;
};

/* Bytes begin to end - 1 of the text; line counts from 1. */
struct ptx_range {
    uint32_t begin, end, line;
};

enum ptx_kind { PTX_NO_KIND, PTX_BITS, PTX_UNSIGNED, PTX_SIGNED, PTX_FLOAT, PTX_PRED, PTX_OTHER };

/* A fundamental type: kind and width in bits (.pred: 1), which counts all lanes. lanes is 2 for .f16x2 and the like,
 * else 1. PTX_OTHER: .texref, .bf16, .e4m3 and so on; name has the word. */
struct ptx_type {
    enum ptx_kind kind;
    uint16_t bits;
    uint8_t lanes;
    struct ptx_text name; /* without its dot */
};

enum ptx_space {
    PTX_GENERIC, /* no space given */
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

/* One entry of an initialiser: bytes of a value (size of the variable's type, little-endian), or the address of a
 * symbol plus an offset. mask_shift: the byte that 0xFF(symbol)-like masks select, as a shift in bits, or -1. */
struct ptx_value {
    struct ptx_text symbol; /* length 0: none */
    int64_t offset;
    uint64_t bits;
    int mask_shift;
    bool generic; /* generic(symbol) */
};

/* A variable, a parameter, or a family of registers: %r<5> is one variable with count 5. */
struct ptx_variable {
    struct ptx_text name; /* of a family: without <5> */
    struct ptx_type type;
    enum ptx_space space;
    enum ptx_linkage linkage;
    uint32_t index;    /* unique in its function, or among the module's variables, from 0 */
    uint32_t count;    /* of a family, else 0 */
    uint32_t align;    /* bytes; 0: the natural one */
    uint8_t vector;    /* 1, 2, 4 or 8 */
    bool array;        /* with dimensions */
    bool pointer;      /* parameter with .ptr */
    uint64_t elements; /* product of all dimensions; 1 without; 0: [] without a size */
    uint64_t bytes;    /* elements * vector * size of the type */
    struct ptx_value
        *values; /* entries of the initialiser, in order; missing ones at the end are 0 */
    size_t value_count;
    struct ptx_range range;
};

enum ptx_operand_kind {
    PTX_REGISTER, /* variable; number for one of a family */
    PTX_SPECIAL,  /* %tid.x: name "%tid", member 'x'; %clock: member 0 */
    PTX_INTEGER,  /* bits */
    PTX_REAL, /* bits: the pattern of an f64 (0d..., decimal), or of an f32 (0f...) with single set */
    PTX_SYMBOL, /* variable, function, or neither (name of another module, or of an undeclared one); offset */
    PTX_LABEL,   /* name; number is the index of the function's statement that defines it */
    PTX_ADDRESS, /* [parts[0] + offset], or [parts[0], parts[1] ...] of textures and tensors */
    PTX_VECTOR,  /* {parts} */
    PTX_LIST,    /* (parts), as in call */
    PTX_PAIR,    /* parts[0] | parts[1], as in setp and shfl */
    PTX_SINK     /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated; /* !p; of numbers the sign is in bits */
    bool single;  /* PTX_REAL: bits are those of an f32 */
    char member;  /* x y z w r g b a, or 0 */
    struct ptx_text name;
    const struct ptx_variable *variable; /* resolved by scope, or NULL */
    const struct ptx_function *function; /* resolved, or NULL */
    uint32_t number;                     /* of a family's register */
    uint64_t bits;
    int64_t offset;
    struct ptx_operand *parts;
    uint32_t part_count;
    char part; /* with member 'b' or 'h', as in vadd's %r1.b2: '0' to '3'; else 0 */
};

struct ptx_instruction {
    const struct ptx_operand *guard; /* @p or @!p (negated), or NULL */
    struct ptx_text word;            /* "ld" */
    const struct ptx_text
        *modifiers; /* "relaxed", "global", "v4", "u32"; without dots; "shared::cta" is one */
    uint32_t modifier_count;
    struct ptx_operand
        *operands; /* call: PTX_LIST of results if any, callee, PTX_LIST of arguments if any, ... */
    uint32_t operand_count;
};

enum ptx_statement_kind {
    PTX_INSTRUCTION,
    PTX_AT_LABEL, /* name; also of .branchtargets, .calltargets and .callprototype, whose directive follows */
    PTX_DIRECTIVE,  /* .loc, .pragma, .branchtargets ...: name without its dot, text in range */
    PTX_OPEN,       /* { */
    PTX_CLOSE,      /* } */
    PTX_DECLARATION /* of variables; they are in the function's list */
};

struct ptx_statement {
    enum ptx_statement_kind kind;
    struct ptx_range range; /* with guard and semicolon */
    struct ptx_text name;
    struct ptx_instruction *instruction; /* or NULL */
    struct ptx_operand *targets;         /* of .branchtargets and .calltargets */
    uint32_t target_count;
};

struct ptx_function {
    struct ptx_text name;
    bool entry; /* .entry: a kernel */
    bool body;  /* false: a declaration */
    bool alias; /* of .alias: name, aliasee */
    struct ptx_text aliasee;
    enum ptx_linkage linkage;
    struct ptx_variable **returns, **parameters;
    uint32_t return_count, parameter_count;
    struct ptx_variable *
        *variables; /* all that are declared inside, in order; scopes are resolved already */
    uint32_t variable_count;
    struct ptx_statement *statements;
    size_t statement_count;
    struct ptx_range range;        /* from its first directive to its } or ; */
    uint32_t parameters_end;       /* the ) after the last parameter; 0: no list at all */
    uint32_t name_end;             /* the byte after its name */
    uint32_t body_begin, body_end; /* the byte after {, and } itself */
    struct ptx_text performance;   /* .maxntid, .reqntid ... as written, between ) and { */
};

struct ptx_module {
    const char *source;
    uint32_t size;
    unsigned version;       /* 90 for .version 9.0 */
    struct ptx_text target; /* "sm_75", with what follows a comma */
    unsigned address_bits;  /* 32 or 64 */
    uint32_t
        header_end; /* the byte after .version, .target and .address_size: module-level text may go here */
    struct ptx_variable **variables; /* at module level */
    size_t variable_count;
    struct ptx_function *
        *functions; /* declarations too; a declaration and its definition are two */
    size_t function_count;
    void *memory; /* of this room */
};

/*
 * Parses the size bytes at text. Returns the module, to be freed with ptx_free(), or NULL with a message in error
 * (PTX_ERROR_MAX bytes): "line 12: expected ';' after the operands of ld". Versions before 6.0 and above the known
 * ones of 9.x, 4 GiB or more of text, and nesting of more than 256 blocks are errors.
 */
struct ptx_module *ptx_parse(const char *text, size_t size, char *error);

void ptx_free(struct ptx_module *module);

/* True if the piece of text is exactly word. */
bool ptx_is(struct ptx_text text, const char *word);

/* True if the instruction has the modifier. */
bool ptx_has(const struct ptx_instruction *instruction, const char *modifier);

/* The number in "sm_75", "sm_90a, debug" ..., or 0. */
unsigned ptx_target_number(struct ptx_text target);

/* The type that a word such as "u32", "f16x2" or "pred" names; kind PTX_NO_KIND if it names none. */
struct ptx_type ptx_type_of(struct ptx_text word);

/* The last modifier that is a type: the type of what ld, st, add ... handle. */
struct ptx_type ptx_instruction_type(const struct ptx_instruction *instruction);

/* The state space among the modifiers ("global", "shared::cta", ...), or PTX_GENERIC. */
enum ptx_space ptx_instruction_space(const struct ptx_instruction *instruction);

/* Checks all invariants of a tree: ranges nested and ordered, names resolved, counts. Aborts with a message. */
void ptx_check(const struct ptx_module *module);

#endif
