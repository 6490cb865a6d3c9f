/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding of operands.
 */
#include "interp/decode.h"
#include "interp/machine.h"
#include "ptx/small_float.h"
#include "store/array.h"
#include <assert.h>
#include <string.h>

const struct ptx_operand *decode_operand(struct decoder *decoder, uint32_t n)
{
    if (n >= decoder->in->operand_count) {
        decode_refuse(decoder);
    }
    return &decoder->in->operands[n];
}

operand decode_constant(struct decoder *decoder, uint64_t bits, uint32_t width)
{
    assert(width > 0 && width <= 8);
    if (width < 8) {
        bits &= width == 1 ? 1 : (1ull << (8 * width)) - 1;
    }
    for (size_t i = 0; i < decoder->constant_count; i++) {
        if (decoder->constants[i].bits == bits && decoder->constants[i].width == width) {
            return decoder->constants[i].offset | BASE_CONSTANTS;
        }
    }
    if (!array_append(&decoder->constants, decoder->constant_count, sizeof *decoder->constants)) {
        decode_exhausted(decoder);
    }
    uint32_t offset = decoder->constant_bytes;
    decoder->constant_bytes += width == 1 ? 64 : width * WARP_LANES;
    decoder->constants[decoder->constant_count++] = (struct constant){bits, width, offset};
    return offset | BASE_CONSTANTS;
}

operand decode_shared(struct decoder *decoder, uint32_t number, uint32_t width)
{
    struct function *function = decoder->function;
    assert(number < decoder->module->shared_count);
    for (size_t i = 0; i < function->shared_count; i++) {
        if (function->shared[i] == number) {
            return shared_operand(number, width);
        }
    }
    if (!array_append(&function->shared, function->shared_count, sizeof *function->shared)) {
        decode_exhausted(decoder);
    }
    function->shared[function->shared_count++] = number;
    return shared_operand(number, width);
}

uint32_t decode_register_width(const struct decoder *decoder, const struct ptx_operand *o)
{
    const struct place *place = o->kind == PTX_REGISTER ? decode_place(decoder, o->variable) : NULL;
    return place ? place->width : 0;
}

/* Decodes a register, which must have the width that the instruction requires. */
static operand decode_register(struct decoder *decoder, const struct ptx_operand *o, uint32_t width)
{
    static const char members[] = "xyzwrgba";
    const struct place *place = decode_place(decoder, o->variable);
    if (!place || place->width != width) {
        decode_refuse(decoder);
    }
    for (uint32_t i = 0; i < decoder->sum_count; i++) {
        if (decoder->sums[i].operand == o) {
            return decoder->sums[i].sum;
        }
    }
    const char *member = o->member ? strchr(members, o->member) : members;
    uint32_t part = member ? (uint32_t)(member - members) % 4 : 4;
    uint32_t element = o->number * o->variable->vector + part;
    if (o->parts_selected[0] || o->offset || part >= o->variable->vector ||
        (!o->member && o->variable->vector > 1) ||
        element >= (o->variable->count ? o->variable->count : 1) * o->variable->vector) {
        decode_refuse(decoder);
    }
    assert(place->offset + (element + 1) * (width == 1 ? 4 : width * WARP_LANES) <=
           decoder->function->register_bytes);
    return (place->offset + element * (width == 1 ? 4 : width * WARP_LANES)) | BASE_FRAME;
}

const struct ptx_operand *decode_elements(struct decoder *decoder, const struct ptx_operand *whole,
                                          uint32_t *count)
{
    bool is_vector = whole->kind == PTX_REGISTER && whole->variable && !whole->member &&
                     whole->variable->vector > 1 && whole->variable->vector <= 4;
    bool is_list = whole->kind == PTX_VECTOR;
    *count = is_list ? whole->part_count : is_vector ? whole->variable->vector : 1;
    if (!is_vector) {
        return is_list ? whole->parts : whole;
    }
    struct ptx_operand *list = decode_memory(decoder, *count * sizeof *list);
    for (uint32_t i = 0; i < *count; i++) {
        list[i] = *whole;
        list[i].member = "xyzw"[i];
    }
    return list;
}

operand *decode_registers(struct decoder *decoder, const struct ptx_operand *list, uint32_t count,
                          uint32_t width, bool are_results)
{
    operand *registers = decode_memory(decoder, count * sizeof *registers);
    for (uint32_t i = 0; i < count; i++) {
        registers[i] = are_results ? decode_destination(decoder, &list[i], width)
                                   : decode_source(decoder, &list[i], width);
    }
    return registers;
}

uint32_t decode_width_of(const struct decoder *decoder, const struct ptx_operand *list,
                         uint32_t count, uint32_t bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t width = decode_register_width(decoder, &list[i]);
        if (width > 1) {
            return width;
        }
    }
    return bytes < 2 ? 2 : bytes;
}

/* Returns the bit pattern of a number. Converts a real number to f32 if width is 4, and to f64 if
 * width is 8. */
static uint64_t number_bits(const struct ptx_operand *o, uint32_t width)
{
    if (o->kind == PTX_REAL && width == 8 && o->single) {
        return bits_of_f64((double)f32_of((uint32_t)o->bits));
    }
    if (o->kind == PTX_REAL && width == 4 && !o->single) {
        return bits_of_f32((float)f64_of(o->bits));
    }
    return o->bits;
}

/* Decodes a symbol: the address of a variable or function, plus the offset of the operand. */
static operand decode_symbol(struct decoder *decoder, const struct ptx_operand *o, uint32_t width)
{
    const struct place *place = decode_place(decoder, o->variable);
    const struct variable *variable =
        place ? NULL : module_variable(decoder->module, decoder->unit, o->variable, o->name);
    uint64_t address = 0;
    if (place && (place->space == PTX_GLOBAL || place->space == PTX_CONST)) {
        address = place->address;
    } else if (place && place->space == PTX_PARAM && !o->offset) {
        return decode_constant(decoder, place->offset, width);
    } else if (place && place->space == PTX_SHARED && !o->offset) {
        return decode_shared(decoder, place->shared, width);
    } else if (variable && variable->space == PTX_SHARED && !o->offset) {
        return decode_shared(decoder, variable->shared, width);
    } else if (variable && variable->space != PTX_SHARED) {
        address = variable->address;
    } else if (!place && !variable) {
        struct function *function = module_function(decoder->module, decoder->unit, o->name);
        if (function) {
            function->address_taken = true;
            address = function->address;
        }
    }
    if (!address) {
        decode_refuse(decoder);
    }
    return decode_constant(decoder, address + (uint64_t)o->offset, width);
}

/* Maximum width in bytes of an operand, and of one that is not a register. */
enum { WIDTH_MAX = 16, VALUE_MAX = 8 };

operand decode_source(struct decoder *decoder, const struct ptx_operand *from, uint32_t width)
{
    operand result = 0;
    if (width > WIDTH_MAX || (width > VALUE_MAX && from->kind != PTX_REGISTER)) {
        decode_refuse(decoder);
    }
    switch (from->kind) {
    case PTX_REGISTER:
        return decode_register(decoder, from, width);
    case PTX_INTEGER:
    case PTX_REAL:
        return decode_constant(decoder, width == 1 ? from->bits != 0 : number_bits(from, width),
                               width);
    case PTX_SYMBOL:
        return decode_symbol(decoder, from, width);
    case PTX_SPECIAL:
        if (special_operand(from, width, &result)) {
            return result;
        }
        break;
    default:
        break;
    }
    decode_refuse(decoder);
}

operand decode_destination(struct decoder *decoder, const struct ptx_operand *to, uint32_t width)
{
    if (to->kind == PTX_SINK && width <= WIDTH_MAX) {
        return decode_scratch(decoder, width);
    }
    if (to->kind == PTX_REGISTER && width <= WIDTH_MAX && !to->offset) {
        return decode_register(decoder, to, width);
    }
    decode_refuse(decoder);
}

void decode_address(struct decoder *decoder, const struct ptx_operand *address,
                    enum ptx_space space)
{
    struct op *op = decoder->op;
    if (address->kind != PTX_ADDRESS || address->part_count != 1) {
        decode_refuse(decoder);
    }
    const struct ptx_operand *base = &address->parts[0];
    op->space = (uint8_t)space;
    op->imm = address->offset + base->offset;
    if (base->kind == PTX_REGISTER) {
        uint32_t width = decode_register_width(decoder, base);
        op->a = decode_source(decoder, base, width == 4 ? 4 : 8);
        op->flags |= width == 4 ? 0 : OP_WIDE;
        if (space == PTX_PARAM && !decoder->function->entry) {
            op->flags |= OP_FRAME;
        }
        return;
    }
    op->flags |= OP_WIDE;
    if (base->kind == PTX_INTEGER) {
        op->a = decode_constant(decoder, base->bits, 8);
        return;
    }
    const struct place *place = decode_place(decoder, base->variable);
    const struct variable *variable =
        place || base->kind != PTX_SYMBOL
            ? NULL
            : module_variable(decoder->module, decoder->unit, base->variable, base->name);
    enum ptx_space found = place ? place->space : variable ? variable->space : PTX_REG;
    struct ptx_operand plain = *base;
    plain.offset = 0;
    if (found == PTX_REG) {
        decode_refuse(decoder);
    }
    op->a = found == PTX_LOCAL ? decode_constant(decoder, place->offset, 8)
                               : decode_symbol(decoder, &plain, 8);
    if (found == PTX_LOCAL || (found == PTX_PARAM && !place->kernel)) {
        op->flags |= OP_FRAME;
    }
    if (found == PTX_LOCAL || found == PTX_PARAM || found == PTX_SHARED) {
        op->space = (uint8_t)found;
    }
}

struct op decode_addressed(struct decoder *decoder, const struct ptx_operand *address,
                           enum ptx_space space)
{
    struct op begun = *decoder->op, access;
    decoder->op->flags &= OP_TOOL;
    decode_address(decoder, address, space);
    access = *decoder->op;
    *decoder->op = begun;
    return access;
}

void decode_callee(struct decoder *decoder, const struct function *callee)
{
    struct function *function = decoder->function;
    assert(callee && callee->module == decoder->module);
    if (!array_append(&function->callees, function->callee_count, sizeof *function->callees)) {
        decode_exhausted(decoder);
    }
    function->callees[function->callee_count++] = callee;
}

bool decode_by_widths(struct decoder *decoder, const char *widths)
{
    struct op *op = decoder->op;
    operand *destinations[] = {&op->d, &op->e}, *sources[] = {&op->a, &op->b, &op->c, &op->e};
    uint32_t n = 0, d = 0, s = 0;
    bool source = false;
    for (; *widths; widths++) {
        if (*widths == '=') {
            source = true;
            continue;
        }
        const struct ptx_operand *from = decode_operand(decoder, n++);
        uint32_t width = *widths == 'p' ? 1 : (uint32_t)(*widths - '0');
        if (from->negated) {
            decode_refuse(decoder);
        }
        assert(s < sizeof sources / sizeof *sources);
        assert(source || d < sizeof destinations / sizeof *destinations);
        if (source) {
            *sources[s++] = decode_source(decoder, from, width);
        } else {
            *destinations[d++] = decode_destination(decoder, from, width);
        }
    }
    return n == decoder->in->operand_count;
}

const struct op *decode_target(struct decoder *decoder, const struct ptx_operand *label)
{
    if (label->kind != PTX_LABEL || label->number >= decoder->source->statement_count) {
        decode_refuse(decoder);
    }
    if (decode_tool_name(label->name)) {
        decoder->op->flags |= OP_TOOL;
    }
    assert(decoder->op_of[label->number] < decoder->function->op_count);
    return &decoder->function->ops[decoder->op_of[label->number]];
}
