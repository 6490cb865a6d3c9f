/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding: turns the syntax tree of a function (ptx/ptx.h) into an array of instructions (struct
 * op).
 *
 * Where an operand cannot be used, functions end the decoding of the instruction by longjmp(): it
 * becomes one that the interpreter does not support. If memory is exhausted, they end that of the whole
 * function.
 */
#ifndef WARPSCOPE_CUDA_INTERP_DECODE_H
#define WARPSCOPE_CUDA_INTERP_DECODE_H

#include "interp/machine.h"
#include "interp/module.h"
#include <setjmp.h>

/* Place of a variable that a function declares. */
struct place {
    enum ptx_space space;
    /* Offset of a register in its frame, or of a variable in parameter or local memory. */
    uint32_t offset;
    uint32_t width;  /* width of a register in bytes; 1: a predicate */
    uint32_t shared; /* index of a .shared variable in module->shared */
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
    struct place *places; /* [i]: place of variable i of the function */
    uint32_t place_count;
    struct constant *constants;
    size_t constant_count;
    uint32_t constant_bytes;
    size_t *op_of; /* [i]: index of the first op that belongs to statement i or a later one */
    /* [width]: offset, plus 1, of the register that receives unused results of `width` bytes; 0:
     * none yet. */
    uint32_t scratch[17];
    /* State of the current instruction. */
    const struct ptx_instruction *in;
    /* Sums of a register and a constant that earlier ops of the statement compute. */
    struct {
        const struct ptx_operand *operand;
        operand sum;
    } sums[8];
    uint32_t sum_count;
    struct op *op;
    jmp_buf unsupported, exhausted; /* the ends that decode_refuse() and decode_needed() jump to */
};

/* Decodes the body of the function `source` into *function. Returns false if memory is
 * exhausted. */
bool decode_function(struct interp_module *module, struct unit *unit,
                     const struct ptx_function *source, struct function *function);

/* Ends the decoding of the current instruction, which is not supported. */
static inline _Noreturn void decode_refuse(struct decoder *decoder)
{
    longjmp(decoder->unsupported, 1);
}
/* Ends the decoding of the function: memory is exhausted, or its declarations exceed a limit. */
static inline _Noreturn void decode_exhausted(struct decoder *decoder)
{
    longjmp(decoder->exhausted, 1);
}
/* Returns `memory`, unless it is NULL: memory is then exhausted. */
static inline void *decode_needed(struct decoder *decoder, void *memory)
{
    if (!memory) {
        decode_exhausted(decoder);
    }
    return memory;
}

/* Returns operand n of the current instruction. */
const struct ptx_operand *decode_operand(struct decoder *decoder, uint32_t n);

/* Returns the operand `from` of the current instruction in the form that ops use. width: width of
 * the operand in bytes; 1: a predicate. */
operand decode_source(struct decoder *decoder, const struct ptx_operand *from, uint32_t width);
/* Like decode_source(), for an operand that receives a result. */
operand decode_destination(struct decoder *decoder, const struct ptx_operand *to, uint32_t width);
/* Like decode_source() and decode_destination(), for operand n of the current instruction. */
static inline operand decode_source_at(struct decoder *decoder, uint32_t n, uint32_t width)
{
    return decode_source(decoder, decode_operand(decoder, n), width);
}
static inline operand decode_destination_at(struct decoder *decoder, uint32_t n, uint32_t width)
{
    return decode_destination(decoder, decode_operand(decoder, n), width);
}
/* Returns an operand that holds a constant. */
operand decode_constant(struct decoder *decoder, uint64_t bits, uint32_t width);
/* Returns the elements of an operand in braces or, such as v of ".reg .v2 .f32 v", of a vector of
 * registers; any other operand unchanged. Sets *count to their number. */
const struct ptx_operand *decode_elements(struct decoder *decoder, const struct ptx_operand *whole,
                                          uint32_t *count);
/* Returns an array of the operands from `list` on, decoded by decode_destination() if they are
 * results, else by decode_source(). */
operand *decode_registers(struct decoder *decoder, const struct ptx_operand *list, uint32_t count,
                          uint32_t width, bool are_results);
/* Returns the width in bytes of the registers in a list: that of the first one or, if there are no
 * registers, the smallest width that holds an element of `bytes` bytes. */
uint32_t decode_width_of(const struct decoder *decoder, const struct ptx_operand *list,
                         uint32_t count, uint32_t bytes);
/* Returns the width in bytes of a register (1: a predicate), or 0 if the operand is not a
 * register. */
uint32_t decode_register_width(const struct decoder *decoder, const struct ptx_operand *o);
/* Returns the width in bytes of registers of a type; 1: a predicate. */
uint32_t decode_type_width(struct ptx_type type);
/* Returns a register of this width in bytes that nothing else uses. */
operand decode_new_register(struct decoder *decoder, uint32_t width);
/* Returns a register of this width in bytes for a result that is not used. */
operand decode_scratch(struct decoder *decoder, uint32_t width);

/* Sets the members a, imm, flags and space of the current op from the operand `address` of its
 * instruction. space: state space that the modifiers name. */
void decode_address(struct decoder *decoder, const struct ptx_operand *address,
                    enum ptx_space space);

/* Returns an op with these members. */
struct op decode_addressed(struct decoder *decoder, const struct ptx_operand *address,
                           enum ptx_space space);

/* Sets the places of all variables of the function, and the sizes of its memory. */
void decode_places(struct decoder *decoder);
/* Returns the place of a variable of the function, or NULL if the function does not declare it. */
const struct place *decode_place(const struct decoder *decoder,
                                 const struct ptx_variable *variable);

/* Decodes the operands of the current instruction. widths: widths of the operands, written as in
 * struct rule. Returns false if the operands do not match them. */
bool decode_by_widths(struct decoder *decoder, const char *widths);

/* Returns the op to which a label leads. */
const struct op *decode_target(struct decoder *decoder, const struct ptx_operand *label);

/* Returns zeroed memory, which is freed with the function. */
void *decode_memory(struct decoder *decoder, size_t bytes);

/* Returns an operand that holds the address of a .shared variable. number: index of the variable in
 * module->shared; width: 4 or 8 bytes. */
operand decode_shared(struct decoder *decoder, uint32_t number, uint32_t width);

/* Adds callee to the functions that the current function calls. */
void decode_callee(struct decoder *decoder, const struct function *callee);

/* Returns true if the name contains "warpscope", the mark of an instrumentation tool. */
bool decode_tool_name(struct ptx_text name);

#endif
