/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding of a function: places of its variables, arrays of its constants, and its instructions.
 */
#include "interp/decode.h"
#include "interp/ops/control.h"
#include "interp/rules.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 128 };

void *decode_memory(struct decoder *decoder, size_t bytes)
{
    struct function *function = decoder->function;
    assert(function->owned_count <= function->owned_room);
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory ||
        !grow(&function->owned, function->owned_count, &function->owned_room, sizeof(void *))) {
        free(memory);
        decoder->no_memory = decoder->failed = true;
        return NULL;
    }
    function->owned[function->owned_count++] = memory;
    return memory;
}

bool decode_tool_name(struct ptx_text name)
{
    static const char mark[] = "warpscope";
    for (uint32_t i = 0; i + sizeof mark - 1 <= name.length; i++) {
        if (memcmp(name.s + i, mark, sizeof mark - 1) == 0) {
            return true;
        }
    }
    return false;
}

char *decode_text(struct ptx_text text)
{
    char *copy = malloc((size_t)text.length + 1);
    if (copy) {
        memcpy(copy, text.s, text.length);
        copy[text.length] = '\0';
    }
    return copy;
}

/* Writes an instruction's name and modifiers to text, as in "ld.global.f32". */
static void write_name(const struct ptx_instruction *in, char *text, size_t size)
{
    int length = snprintf(text, size, "%.*s", (int)in->word.length, in->word.s);
    for (uint32_t i = 0; i < in->modifier_count && length > 0 && (size_t)length < size; i++) {
        length += snprintf(text + length, size - (size_t)length, ".%.*s",
                           (int)in->modifiers[i].length, in->modifiers[i].s);
    }
}

/* Sets in *op the flags and the rounding that a modifier stands for. Returns false if the modifier
 * is instead part of the key of a rule (rules.h). */
static bool take_flag(struct op *op, struct ptx_text modifier)
{
    static const struct {
        const char *word;
        uint8_t round, flags;
    } words[] = {
        {"rn", ROUND_NEAREST, 0},       {"rz", ROUND_ZERO, 0},
        {"rm", ROUND_DOWN, 0},          {"rp", ROUND_UP, 0},
        {"ftz", ROUND_NEAREST, OP_FTZ}, {"sat", ROUND_NEAREST, OP_SAT},
        {"approx", ROUND_NEAREST, 0},   {"full", ROUND_NEAREST, 0},
        {"uni", ROUND_NEAREST, 0},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ptx_is(modifier, words[i].word)) {
            op->round |= words[i].round;
            op->flags |= words[i].flags;
            return true;
        }
    }
    return false;
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
        if (!from || from->negated) {
            return false;
        }
        assert(s < sizeof sources / sizeof *sources);
        assert(source || d < sizeof destinations / sizeof *destinations);
        if (source) {
            *sources[s++] = decode_source(decoder, from, width);
        } else {
            *destinations[d++] = decode_destination(decoder, from, width);
        }
    }
    return n == decoder->in->operand_count && !decoder->failed;
}

static bool decode_by_rule(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    char key[KEY_MAX];
    int length = snprintf(key, sizeof key, "%.*s", (int)in->word.length, in->word.s);
    for (uint32_t i = 0; i < in->modifier_count && length < KEY_MAX; i++) {
        if (!take_flag(op, in->modifiers[i])) {
            length += snprintf(key + length, sizeof key - (size_t)length, ".%.*s",
                               (int)in->modifiers[i].length, in->modifiers[i].s);
        }
    }
    if (length >= KEY_MAX) {
        return false;
    }
    const struct rule *rule = rule_find(decoder->module->rules, key);
    if (!rule || !decode_by_widths(decoder, rule->operands)) {
        return false;
    }
    op->run = op->round || op->flags & (OP_FTZ | OP_SAT) ? rule->exact : rule->run;
    return op->run != NULL;
}

static bool decode_by_word(struct decoder *decoder, bool *known)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)decoder->in->word.length, decoder->in->word.s);
    const struct word_rule *rule = rule_find_word(decoder->module->rules, word);
    *known = rule != NULL;
    return rule && rule->decode(decoder) && !decoder->failed;
}

static void decode_instruction(struct decoder *decoder, const struct ptx_statement *statement)
{
    struct op *op = decoder->op;
    const struct ptx_instruction *in = statement->instruction;
    const struct op empty = {.line = statement->range.line,
                             .guard = decode_constant(decoder, 1, 1)};
    bool known;
    decoder->in = in;
    decoder->failed = false;
    *op = empty;
    if (in->guard) {
        op->guard = decode_source(decoder, in->guard, 1);
        op->invert = in->guard->negated ? ALL_LANES : 0;
    }
    if (decoder->function->tool) {
        op->flags = OP_TOOL;
    }
    struct op begun = *op;
    if (decoder->failed ||
        (!decode_by_word(decoder, &known) && (known || !decode_by_rule(decoder)))) {
        char name[KEY_MAX];
        *op = begun;
        write_name(in, name, sizeof name);
        op->run = control_unsupported;
        char *text = decode_memory(decoder, strlen(name) + 1);
        if (text) {
            strcpy(text, name);
        }
        op->extra = text;
    }
    assert(op->run != NULL);
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

static uint32_t register_width(struct ptx_type type)
{
    return type.kind == PTX_PRED ? 1 : type.bits <= 16 ? 2 : type.bits / 8u;
}

static uint32_t natural_align(const struct ptx_variable *variable)
{
    uint32_t align = variable->type.bits <= 8 ? 1 : variable->type.bits / 8u;
    align *= variable->vector ? variable->vector : 1;
    return variable->align > align ? variable->align : align;
}

/* Limits against hostile declarations, in this order: size in bytes of a frame's registers; size in
 * bytes of its local memory, of its parameter memory or of a kernel's parameters; number of
 * registers in a family. */
enum { REGISTER_BYTES_MAX = 1 << 28, LOCAL_BYTES_MAX = 1 << 19, COUNT_MAX = 1 << 20 };

static uint32_t take_bytes(uint32_t *total, const struct ptx_variable *variable)
{
    uint32_t align = natural_align(variable);
    assert(align > 0 && variable->bytes <= LOCAL_BYTES_MAX);
    uint32_t offset = (*total + align - 1) / align * align;
    *total = offset + (uint32_t)variable->bytes;
    return offset;
}

static bool is_parameter(const struct ptx_function *source, const struct ptx_variable *variable)
{
    for (uint32_t i = 0; i < source->parameter_count; i++) {
        if (source->parameters[i] == variable) {
            return true;
        }
    }
    return false;
}

/* Sets *place for a variable in registers: a register, a vector of registers or a family of
 * registers. Returns false if the declaration exceeds a limit. */
static bool place_registers(struct function *function, const struct ptx_variable *variable,
                            struct place *place)
{
    uint64_t count = (uint64_t)(variable->count ? variable->count : 1) *
                     (variable->vector ? variable->vector : 1);
    place->width = register_width(variable->type);
    if (variable->count > COUNT_MAX ||
        function->register_bytes + count * place->width * WARP_LANES > REGISTER_BYTES_MAX) {
        return false;
    }
    place->offset = add_register(function, place->width, (uint32_t)count);
    return true;
}

/* Sets the place of a variable in decoder->places. If the variable is a parameter of a kernel, adds
 * its size to *kernel_bytes, the size in bytes of the earlier parameters. Returns false if the
 * declaration exceeds a limit, or if memory is exhausted. */
static bool place_variable(struct decoder *decoder, const struct ptx_variable *variable,
                           uint32_t *kernel_bytes)
{
    struct function *function = decoder->function;
    assert(variable->index < decoder->place_count);
    struct place *place = &decoder->places[variable->index];
    uint32_t *total;
    place->space = variable->space;
    place->bytes = variable->bytes;
    if (variable->space != PTX_REG && variable->space != PTX_GLOBAL &&
        variable->space != PTX_CONST && variable->bytes > LOCAL_BYTES_MAX) {
        return false;
    }
    switch (variable->space) {
    case PTX_REG:
        return place_registers(function, variable, place);
    case PTX_PARAM:
        place->kernel = function->entry && is_parameter(decoder->source, variable);
        total = place->kernel ? kernel_bytes : &function->param_bytes;
        place->offset = take_bytes(total, variable);
        return *total <= LOCAL_BYTES_MAX;
    case PTX_LOCAL:
        place->offset = take_bytes(&function->local_bytes, variable);
        return function->local_bytes <= LOCAL_BYTES_MAX;
    case PTX_SHARED:
        place->shared = module_add_shared(decoder->module, variable->bytes, natural_align(variable),
                                          decode_tool_name(variable->name));
        return place->shared != UINT32_MAX;
    case PTX_GLOBAL:
    case PTX_CONST:
        place->address = module_add_variable(decoder->module, decoder->unit, variable);
        return place->address != 0;
    default:
        return true;
    }
}

static bool place_variables(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    struct function *function = decoder->function;
    uint32_t kernel_bytes = 0;
    decoder->place_count = source->variable_count;
    decoder->places = calloc(source->variable_count + 1u, sizeof *decoder->places);
    if (!decoder->places) {
        return false;
    }
    for (uint32_t i = 0; i < source->variable_count; i++) {
        if (!place_variable(decoder, source->variables[i], &kernel_bytes)) {
            return false;
        }
    }
    function->local_bytes = (function->local_bytes + 15) & ~15u;
    function->param_bytes = (function->param_bytes + 15) & ~15u;
    function->facts.parameter_bytes = kernel_bytes;
    return true;
}

const struct place *decode_place(const struct decoder *decoder, const struct ptx_variable *variable)
{
    return variable && variable->index < decoder->place_count &&
                   decoder->source->variables[variable->index] == variable
               ? &decoder->places[variable->index]
               : NULL;
}

/* Returns an array with the places that calls of a function use to pass its parameters or return
 * values. variables: these parameters or return values. Sets *registers to an array with their
 * operands: element i is valid only if parameter or return value i is a register. Returns NULL if
 * memory is exhausted. */
static struct param *params_of(struct decoder *decoder, struct ptx_variable **variables,
                               uint32_t count, operand **registers)
{
    struct param *params = decode_memory(decoder, count * sizeof *params);
    *registers = decode_memory(decoder, count * sizeof **registers);
    for (uint32_t i = 0; i < count && params && *registers; i++) {
        const struct place *place = decode_place(decoder, variables[i]);
        if (place) {
            params[i].offset = place->offset;
            params[i].bytes = place->space == PTX_REG ? 0 : (uint32_t)place->bytes;
            params[i].width = place->width;
            (*registers)[i] = place->offset | BASE_FRAME;
            decoder->function->uncallable |= place->space == PTX_REG && place->width > 8;
        }
    }
    return params;
}

/* Sets decoder->op_of, and allocates the ops of all instructions. Returns false if memory is
 * exhausted. */
static bool number_statements(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    size_t count = 0;
    decoder->op_of = malloc((source->statement_count + 1) * sizeof *decoder->op_of);
    if (!decoder->op_of) {
        return false;
    }
    for (size_t i = 0; i < source->statement_count; i++) {
        decoder->op_of[i] = count;
        if (source->statements[i].kind == PTX_INSTRUCTION) {
            count += 1 + decode_sum_count(source->statements[i].instruction);
        }
    }
    decoder->function->op_count = count + 1; /* the decoder adds a ret at the end */
    decoder->function->ops = calloc(count + 1, sizeof *decoder->function->ops);
    return decoder->function->ops != NULL;
}

const struct op *decode_target(struct decoder *decoder, const struct ptx_operand *label)
{
    if (!label || label->kind != PTX_LABEL || label->number >= decoder->source->statement_count) {
        decoder->failed = true;
        return NULL;
    }
    if (decode_tool_name(label->name)) {
        decoder->op->flags |= OP_TOOL;
    }
    assert(decoder->op_of[label->number] < decoder->function->op_count);
    return &decoder->function->ops[decoder->op_of[label->number]];
}

/* Writes each constant once per lane to function->constants. Returns false if memory is
 * exhausted. */
static bool write_constants(struct decoder *decoder)
{
    size_t bytes = ((size_t)decoder->constant_bytes + 63) & ~(size_t)63;
    char *memory = aligned_alloc(64, bytes);
    decoder->function->constants = memory;
    if (!memory) {
        return false;
    }
    memset(memory, 0, bytes);
    for (size_t i = 0; i < decoder->constant_count; i++) {
        const struct constant *constant = &decoder->constants[i];
        char *at = memory + constant->offset;
        assert(constant->offset + constant->width * WARP_LANES <= bytes);
        if (constant->width == 1) {
            uint32_t mask = constant->bits ? ALL_LANES : 0;
            memcpy(at, &mask, sizeof mask);
            continue;
        }
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            /* The processor is little-endian: the first bytes are the low ones. */
            memcpy(at + lane * constant->width, &constant->bits, constant->width);
        }
    }
    return true;
}

static bool decode_body(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    struct function *function = decoder->function;
    decoder->op = function->ops;
    for (size_t i = 0; i < source->statement_count && !decoder->no_memory; i++) {
        const struct ptx_statement *statement = &source->statements[i];
        if (statement->kind == PTX_INSTRUCTION) {
            decoder->statement = i;
            decode_sums(decoder, statement);
            decode_instruction(decoder, statement);
            decoder->op++;
        }
    }
    assert(decoder->no_memory || decoder->op == function->ops + function->op_count - 1);
    *decoder->op = (struct op){
        .run = control_ret, .guard = decode_constant(decoder, 1, 1), .line = source->range.line};
    return !decoder->no_memory && write_constants(decoder);
}

bool decode_function(struct interp_module *module, struct unit *unit,
                     const struct ptx_function *source, struct function *function)
{
    struct decoder decoder = {.module = module,
                              .unit = unit,
                              .source = source,
                              .function = function,
                              .constant_bytes = 0};
    bool done = place_variables(&decoder) && number_statements(&decoder);
    function->uncallable = function->entry;
    if (done) {
        function->parameters = params_of(&decoder, source->parameters, source->parameter_count,
                                         &function->parameter_registers);
        function->returns =
            params_of(&decoder, source->returns, source->return_count, &function->return_registers);
        function->parameter_count = source->parameter_count;
        function->return_count = source->return_count;
        done = !decoder.no_memory && decode_body(&decoder);
        function->register_bytes = (function->register_bytes + 63) & ~63u;
    }
    free(decoder.places);
    free(decoder.constants);
    free(decoder.op_of);
    return done;
}
