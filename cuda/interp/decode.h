/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding: a function's tree becomes an array of instructions.
 */
#ifndef WARPSCOPE_CUDA_INTERP_DECODE_H
#define WARPSCOPE_CUDA_INTERP_DECODE_H

#include "interp/machine.h"
#include "interp/module.h"

/* Where a variable of the function lies. */
struct place {
    enum ptx_space space;
    uint32_t offset; /* of a register, or in param or local memory */
    uint32_t width;  /* bytes of a register; 1: a predicate */
    uint32_t shared; /* number of a shared variable */
    uint64_t bytes;
    uint64_t address; /* of a .global or .const variable inside the function */
    bool kernel;      /* a kernel's parameter */
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
    struct place *places; /* by the variable's index */
    uint32_t place_count;
    struct constant *constants;
    size_t constant_count, constant_room;
    uint32_t constant_bytes;
    size_t *op_of;       /* by statement: number of the next op */
    uint32_t scratch[9]; /* by width: a register for results that are dropped; 0: none yet */
    /* The current instruction. */
    const struct ptx_instruction *in;
    size_t statement;
    struct op *op;
    bool failed; /* an operand could not be used */
    bool no_memory;
};

/* Decodes the body of function->source. Returns false without memory. */
bool decode_function(struct interp_module *module, struct unit *unit,
                     const struct ptx_function *source, struct function *function);

/* Operands of the current instruction, as arrays of width bytes (1: predicates). They set decoder->failed. */
operand decode_source(struct decoder *decoder, const struct ptx_operand *from, uint32_t width);
operand decode_destination(struct decoder *decoder, const struct ptx_operand *to, uint32_t width);
operand decode_constant(struct decoder *decoder, uint64_t bits, uint32_t width);
uint32_t decode_register_width(const struct decoder *decoder,
                               const struct ptx_operand *o); /* 0: no register */
operand decode_scratch(struct decoder *decoder, uint32_t width);

/* Sets a, imm, flags and space for the address operand. space: that of the modifiers. */
void decode_address(struct decoder *decoder, const struct ptx_operand *address,
                    enum ptx_space space);

/* The place of a function's variable, or NULL. */
const struct place *decode_place(const struct decoder *decoder,
                                 const struct ptx_variable *variable);

/* Operand n of the instruction, or NULL with failed set. */
const struct ptx_operand *decode_operand(struct decoder *decoder, uint32_t n);

/* Decodes by widths, as in struct rule. */
bool decode_by_widths(struct decoder *decoder, const char *widths);

/* The op that a label operand names, or NULL with failed set. */
const struct op *decode_target(struct decoder *decoder, const struct ptx_operand *label);

/* Memory that is freed with the function, zeroed; NULL without memory. */
void *decode_memory(struct decoder *decoder, size_t bytes);

/* A shared variable's operand, of width 4 or 8. */
operand decode_shared(struct decoder *decoder, uint32_t number, uint32_t width);

void decode_callee(struct decoder *decoder, const struct function *callee);

/* True if the text contains the mark of names that a tool made. */
bool decode_tool_name(struct ptx_text name);

/* Copies a piece of text; NULL without memory. */
char *decode_text(struct ptx_text text);

#endif
