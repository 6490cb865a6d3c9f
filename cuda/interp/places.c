/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding of a function: its memory, and the places of its variables and registers.
 */
#include "interp/decode.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *decode_memory(struct decoder *decoder, size_t bytes)
{
    bytes = (bytes | 15) + 1;
    void *memory = decode_needed(decoder, chunks_take(&decoder->function->memory, bytes));
    return memset(memory, 0, bytes);
}

/* Reserves `count` registers in each frame of the function. width: width of a register in bytes; 1:
 * a predicate. Returns the offset of the first register in the frame. */
static uint32_t add_register(struct function *function, uint32_t width, uint32_t count)
{
    uint32_t bytes = width == 1 ? sizeof(uint32_t) : width * WARP_LANES;
    assert(width > 0 && count > 0);
    if (width > 1) {
        function->register_bytes = (function->register_bytes + 63) & ~63u;
    }
    uint32_t offset = function->register_bytes;
    function->register_bytes += bytes * count;
    return offset;
}

operand decode_new_register(struct decoder *decoder, uint32_t width)
{
    return add_register(decoder->function, width, 1) | BASE_FRAME;
}

operand decode_scratch(struct decoder *decoder, uint32_t width)
{
    assert(width < sizeof decoder->scratch / sizeof *decoder->scratch);
    if (!decoder->scratch[width]) {
        decoder->scratch[width] = add_register(decoder->function, width, 1) + 1;
    }
    return (decoder->scratch[width] - 1) | BASE_FRAME;
}

uint32_t decode_type_width(struct ptx_type type)
{
    return type.kind == PTX_PRED ? 1 : type.bits <= 16 ? 2 : type.bits / 8u;
}

/* Limits against hostile declarations, in this order: size in bytes of a frame's registers; size in
 * bytes of its local memory, of its parameter memory or of a kernel's parameters; number of
 * registers in a family. */
enum { REGISTER_BYTES_MAX = 1 << 28, LOCAL_BYTES_MAX = 1 << 19, COUNT_MAX = 1 << 20 };

static uint32_t take_bytes(struct decoder *decoder, uint32_t *total,
                           const struct ptx_variable *variable)
{
    uint32_t align = module_align(variable);
    assert(align > 0 && variable->bytes <= LOCAL_BYTES_MAX);
    uint32_t offset = (*total + align - 1) / align * align;
    *total = offset + (uint32_t)variable->bytes;
    if (*total > LOCAL_BYTES_MAX) {
        decode_exhausted(decoder);
    }
    return offset;
}

/* Returns true for a parameter: parameters follow the results in the list of variables. */
static bool is_parameter(const struct ptx_function *source, const struct ptx_variable *variable)
{
    return variable->index >= source->return_count &&
           variable->index - source->return_count < source->parameter_count;
}

/* Sets *place for a variable in registers: a register, a vector of registers or a family of
 * registers. */
static void place_registers(struct decoder *decoder, const struct ptx_variable *variable,
                            struct place *place)
{
    struct function *function = decoder->function;
    uint64_t count = (uint64_t)(variable->count ? variable->count : 1) *
                     (variable->vector ? variable->vector : 1);
    place->width = decode_type_width(variable->type);
    if (variable->count > COUNT_MAX ||
        function->register_bytes + count * place->width * WARP_LANES > REGISTER_BYTES_MAX) {
        decode_exhausted(decoder);
    }
    place->offset = add_register(function, place->width, (uint32_t)count);
}

/* Sets the place of a variable in decoder->places. If the variable is a parameter of a kernel, adds
 * its size to *kernel_bytes, the size in bytes of the earlier parameters. */
static void place_variable(struct decoder *decoder, const struct ptx_variable *variable,
                           uint32_t *kernel_bytes)
{
    struct function *function = decoder->function;
    assert(variable->index < decoder->place_count);
    struct place *place = &decoder->places[variable->index];
    bool is_in_module = variable->space == PTX_GLOBAL || variable->space == PTX_CONST;
    place->space = variable->space;
    place->bytes = variable->bytes;
    if (variable->space != PTX_REG && !is_in_module && variable->bytes > LOCAL_BYTES_MAX) {
        decode_exhausted(decoder);
    }
    switch (variable->space) {
    case PTX_REG:
        place_registers(decoder, variable, place);
        break;
    case PTX_PARAM:
        place->kernel = function->entry && is_parameter(decoder->source, variable);
        place->offset =
            take_bytes(decoder, place->kernel ? kernel_bytes : &function->param_bytes, variable);
        break;
    case PTX_LOCAL:
        place->offset = take_bytes(decoder, &function->facts.local_bytes, variable);
        break;
    case PTX_SHARED:
        place->shared = module_add_shared(decoder->module, variable->bytes, module_align(variable),
                                          decode_tool_name(variable->name));
        break;
    case PTX_GLOBAL:
    case PTX_CONST:
        place->address = module_add_variable(decoder->module, decoder->unit, variable);
        break;
    default:
        break;
    }
    if (place->shared == UINT32_MAX || (is_in_module && place->address == 0)) {
        decode_exhausted(decoder);
    }
}

void decode_places(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    struct function *function = decoder->function;
    uint32_t kernel_bytes = 0;
    decoder->place_count = source->variable_count;
    decoder->places =
        decode_needed(decoder, calloc(source->variable_count + 1u, sizeof *decoder->places));
    for (uint32_t i = 0; i < source->variable_count; i++) {
        place_variable(decoder, source->variables[i], &kernel_bytes);
    }
    function->facts.local_bytes = (function->facts.local_bytes + 15) & ~15u;
    function->param_bytes = (function->param_bytes + 15) & ~15u;
    function->facts.parameter_bytes = kernel_bytes;
}

const struct place *decode_place(const struct decoder *decoder, const struct ptx_variable *variable)
{
    return variable && variable->index < decoder->place_count &&
                   decoder->source->variables[variable->index] == variable
               ? &decoder->places[variable->index]
               : NULL;
}
