/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding: turns the syntax tree of a function (ptx/ptx.h) into an array of instructions (struct
 * op).
 *
 * If an operand cannot be used, functions set decoder->failed. The instruction then becomes one
 * that the interpreter does not support.
 */
#ifndef WARPSCOPE_CUDA_INTERP_DECODE_H
#define WARPSCOPE_CUDA_INTERP_DECODE_H

#include "interp/machine.h"
#include "interp/module.h"

/* Place of a variable of the function. */
struct place {
    enum ptx_space space;
    /* Offset of a register in its frame, or of a variable in parameter or local memory. */
    uint32_t offset;
    uint32_t width;  /* width of a register in bytes; 1: a predicate */
    uint32_t shared; /* number of a .shared variable */
    uint64_t bytes;
    uint64_t address; /* address of a .global or .const variable that the function declares */
    bool kernel;      /* true for a parameter of a kernel */
};

struct constant {
    uint64_t bits;
    uint32_t width;
    uint32_t offset;
};

struct decoder {
    struct interp_module *module;
    struct unit *unit;
    const struct ptx_function *source;
    struct function *function;
    struct place *places; /* index: index of the variable */
    uint32_t place_count;
    struct constant *constants;
    size_t constant_count, constant_room;
    uint32_t constant_bytes;
    size_t *op_of; /* index: number of a statement; value: number of the next op */
    /* Registers for results that are not used; index: width in bytes; value: offset + 1, or 0 if
     * none exists yet. */
    uint32_t scratch[9];
    /* State of the current instruction. */
    const struct ptx_instruction *in;
    size_t statement;
    struct op *op;
    bool failed; /* true if an operand cannot be used */
    bool no_memory;
};

/* Decodes the body of source into *function. Returns false if memory is exhausted. */
bool decode_function(struct interp_module *module, struct unit *unit,
                     const struct ptx_function *source, struct function *function);

/* Decode operands of the current instruction; width: bytes, or 1 for predicates. They set
 * decoder->failed if the operand does not fit. */
operand decode_source(struct decoder *decoder, const struct ptx_operand *from, uint32_t width);
operand decode_destination(struct decoder *decoder, const struct ptx_operand *to, uint32_t width);
operand decode_constant(struct decoder *decoder, uint64_t bits, uint32_t width);
/* Returns 0 if the operand is not a register. */
uint32_t decode_register_width(const struct decoder *decoder, const struct ptx_operand *o);
operand decode_scratch(struct decoder *decoder, uint32_t width);

/* Sets a, imm, flags and space of the op from its address operand. space: state space that the
 * modifiers name. */
void decode_address(struct decoder *decoder, const struct ptx_operand *address,
                    enum ptx_space space);

/* Returns the place of a variable of the function, or NULL if the function does not declare it. */
const struct place *decode_place(const struct decoder *decoder,
                                 const struct ptx_variable *variable);

/* Returns operand n of the instruction. If it is missing, sets failed and returns NULL. */
const struct ptx_operand *decode_operand(struct decoder *decoder, uint32_t n);

/* Decodes an instruction from the widths of its operands; struct rule describes the string. */
bool decode_by_widths(struct decoder *decoder, const char *widths);

/* Returns the op to which a label leads. If the operand is not a label, sets failed and returns
 * NULL. */
const struct op *decode_target(struct decoder *decoder, const struct ptx_operand *label);

/* Returns zeroed memory, which is freed with the function. Returns NULL if memory is exhausted. */
void *decode_memory(struct decoder *decoder, size_t bytes);

/* Returns an operand that holds the address of a .shared variable; width: 4 or 8 bytes. */
operand decode_shared(struct decoder *decoder, uint32_t number, uint32_t width);

void decode_callee(struct decoder *decoder, const struct function *callee);

/* Returns true if the name contains "warpscope", the mark of names from an instrumentation tool. */
bool decode_tool_name(struct ptx_text name);

/* Copies a piece of text into memory that the caller frees. Returns NULL if memory is exhausted. */
char *decode_text(struct ptx_text text);

#endif
