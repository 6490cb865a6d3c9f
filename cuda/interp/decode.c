/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decoding of a function: its instructions, and arrays of its constants.
 */
#include "interp/decode.h"
#include "interp/rules.h"
#include "ptx/names.h"
#include "ptx/small_float.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rules, in a hash table that each load of a module creates ----------------------------------- */

enum { TABLE_SIZE = 8192 };

struct rule_table {
    const struct rule *rules[TABLE_SIZE];
};

static const struct rule *const all[] = {
    integer_rules, bit_rules,    float_rules,   half_rules,   compare_rules, convert_rules,
    memory_rules,  atomic_rules, control_rules, sync_rules,   barrier_rules, mbarrier_rules,
    move_rules,    video_rules,  matrix_rules,  texture_rules};

/* Returns the place of the rule with this key, or of the empty entry where it belongs. */
static size_t place_of(const struct rule_table *table, const char *key)
{
    uint32_t h = ptx_hash((struct ptx_text){key, (uint32_t)strlen(key)});
    size_t at = (h ^ h >> 15) % TABLE_SIZE;
    while (table->rules[at] && strcmp(table->rules[at]->key, key) != 0) {
        at = (at + 1) % TABLE_SIZE;
    }
    return at;
}

struct rule_table *rule_table_create(void)
{
    struct rule_table *table = calloc(1, sizeof *table);
    for (size_t i = 0; table && i < sizeof all / sizeof *all; i++) {
        for (const struct rule *rule = all[i]; rule->key; rule++) {
            size_t at = place_of(table, rule->key);
            assert((rule->run || rule->decode) && !table->rules[at]); /* each key occurs once */
            table->rules[at] = rule;
        }
    }
    return table;
}

/* Returns the rule with this key, or NULL. */
static const struct rule *rule_find(const struct rule_table *table, const char *key)
{
    return table->rules[place_of(table, key)];
}

/* ---- Instructions ------------------------------------------------------------------------------- */

enum { KEY_MAX = 128 };

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
    int i = PTX_FIND(modifier, words);
    if (i >= 0) {
        op->round |= words[i].round;
        op->flags |= words[i].flags;
    }
    return i >= 0;
}

/* Writes an instruction's name and modifiers to text, as in "ld.global.f32". op: takes the modifiers that
 * are flags, which are then left out; NULL: writes all. Returns false if there is no room. */
static bool write_name(const struct ptx_instruction *in, struct op *op, char text[KEY_MAX])
{
    uint32_t length = 0;
    for (uint32_t i = 0; i <= in->modifier_count; i++) {
        struct ptx_text word = i ? in->modifiers[i - 1] : in->word;
        if (i && op && take_flag(op, word)) {
            continue;
        }
        if (word.length > KEY_MAX - 2 || length > KEY_MAX - 2 - word.length) {
            return false;
        }
        text[length] = '.';
        length += i > 0;
        memcpy(text + length, word.s, word.length);
        length += word.length;
        text[length] = '\0';
    }
    return true;
}

static bool decode_by_rule(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in, word = {.word = in->word};
    struct op *op = decoder->op;
    char key[KEY_MAX];
    const struct rule *rule =
        write_name(&word, NULL, key) ? rule_find(decoder->module->rules, key) : NULL;
    if (rule && !rule->operands) {
        op->run = rule->run;
        return !rule->decode || rule->decode(decoder, in, op);
    }
    rule = write_name(in, op, key) ? rule_find(decoder->module->rules, key) : NULL;
    if (!rule || !decode_by_widths(decoder, rule->operands)) {
        return false;
    }
    op->run = op->round || op->flags & (OP_FTZ | OP_SAT) ? rule->exact : rule->run;
    return op->run != NULL;
}

/* Makes *op the op of an instruction that is not supported, with the guard that it has already. */
static void decode_unsupported(struct decoder *decoder, struct op *op)
{
    const struct ptx_instruction *in = decoder->in;
    char *name = decode_memory(decoder, 2 * KEY_MAX);
    *op = (struct op){.run = fault_unsupported,
                      .guard = op->guard,
                      .invert = op->invert,
                      .line = op->line,
                      .extra = name};
    write_name(in, NULL, name);
    for (uint32_t i = 0; i < in->operand_count && ptx_is(in->word, "call"); i++) {
        const struct ptx_operand *o = &in->operands[i];
        if (o->kind == PTX_SYMBOL) { /* the function */
            snprintf(name + strlen(name), KEY_MAX, " %.*s", (int)o->name.length, o->name.s);
        }
    }
}

void op_nothing(struct warp *warp, const struct op *op)
{
    (void)warp;
    (void)op;
}

/* ---- Sums ------------------------------------------------------------------------------------- */

/* Returns true if an operand is the sum of a register and a constant, as in "st.global.u32 [%d0],
 * %r1+4". An op before that of the instruction computes the sum into a register of its own. */
static bool is_sum(const struct ptx_operand *o)
{
    return o->kind == PTX_REGISTER && o->offset != 0;
}

/* Returns the number of such operands of an instruction. */
static uint32_t sum_count(const struct ptx_instruction *in)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        n += is_sum(&in->operands[i]);
    }
    return n;
}

#define ADD_OFFSET(name, T)                                                                        \
    void name(struct warp *warp, const struct op *op)                                              \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        FOR_LANES(warp, { d[i] = (T)(a[i] + (T)op->imm); });                                       \
    }
ADD_OFFSET(add_offset_16, uint16_t)
ADD_OFFSET(add_offset_32, uint32_t)
ADD_OFFSET(add_offset_64, uint64_t)

/* Decodes such an operand into the current op, which precedes that of the instruction. */
static void decode_sum(struct decoder *decoder, const struct ptx_operand *o)
{
    struct op *op = decoder->op;
    struct ptx_operand plain = *o;
    uint32_t width = decode_register_width(decoder, &plain);
    if (width < 2 || width > 8 ||
        decoder->sum_count == sizeof decoder->sums / sizeof decoder->sums[0]) {
        decode_refuse(decoder);
    }
    plain.offset = 0;
    op->a = decode_source(decoder, &plain, width);
    op->d = decode_new_register(decoder, width);
    op->imm = o->offset;
    op->run = width == 2 ? add_offset_16 : width == 4 ? add_offset_32 : add_offset_64;
    decoder->sums[decoder->sum_count].operand = o;
    decoder->sums[decoder->sum_count++].sum = op->d;
}

/* Decodes the instruction of a statement into the op `last`, and its sums into those before. Returns false
 * if it is not supported. */
static bool decode_instruction(struct decoder *decoder, struct op *last)
{
    const struct ptx_instruction *in = decoder->in;
    if (setjmp(decoder->unsupported) != 0) {
        return false;
    }
    if (in->guard) {
        last->guard = decode_source(decoder, in->guard, 1);
        last->invert = in->guard->negated ? ALL_LANES : 0;
    }
    for (uint32_t i = 0; i < in->operand_count; i++) {
        if (is_sum(&in->operands[i])) {
            decode_sum(decoder, &in->operands[i]);
            decoder->op++;
        }
    }
    assert(decoder->op == last);
    return decode_by_rule(decoder);
}

static void decode_statement(struct decoder *decoder, const struct ptx_statement *statement)
{
    struct op *const last = decoder->op + sum_count(statement->instruction);
    decoder->in = statement->instruction;
    decoder->sum_count = 0;
    for (struct op *op = decoder->op; op <= last; op++) {
        *op = (struct op){.run = op_nothing,
                          .line = statement->range.line,
                          .guard = decode_constant(decoder, 1, 1),
                          .flags = decoder->function->tool ? OP_TOOL : 0};
    }
    if (!decode_instruction(decoder, last)) {
        decode_unsupported(decoder, last);
    }
    assert(last->run != NULL);
    decoder->op = last + 1;
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Returns an array with the places that calls of a function use to pass its parameters or return
 * values. variables: these parameters or return values. */
static const struct interp_parameter *
params_of(struct decoder *decoder, struct ptx_variable *const *variables, uint32_t count)
{
    struct interp_parameter *params = decode_memory(decoder, count * sizeof *params);
    for (uint32_t i = 0; i < count; i++) {
        const struct place *place = decode_place(decoder, variables[i]);
        assert(place != NULL);
        params[i].offset = place->offset;
        params[i].bytes = place->space == PTX_REG ? 0 : (uint32_t)place->bytes;
        params[i].width = place->width;
        params[i].from = place->offset | BASE_FRAME;
        decoder->function->uncallable |= place->space == PTX_REG && place->width > 8;
    }
    return params;
}

/* Sets decoder->op_of, and allocates the ops of all instructions. */
static void number_statements(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    size_t count = 0;
    decoder->op_of =
        decode_needed(decoder, malloc((source->statement_count + 1) * sizeof *decoder->op_of));
    for (size_t i = 0; i < source->statement_count; i++) {
        decoder->op_of[i] = count;
        if (source->statements[i].kind == PTX_INSTRUCTION) {
            count += 1 + sum_count(source->statements[i].instruction);
        }
    }
    decoder->function->op_count = count + 1; /* the decoder adds a ret at the end */
    decoder->function->ops =
        decode_needed(decoder, calloc(count + 1, sizeof *decoder->function->ops));
}

/* Writes each constant once per lane to function->constants. */
static void write_constants(struct decoder *decoder)
{
    size_t bytes = ((size_t)decoder->constant_bytes + 63) & ~(size_t)63;
    char *memory = decode_needed(decoder, aligned_alloc(64, bytes));
    decoder->function->constants = memory;
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
}

static void decode_body(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    struct function *function = decoder->function;
    decoder->op = function->ops;
    for (size_t i = 0; i < source->statement_count; i++) {
        const struct ptx_statement *statement = &source->statements[i];
        if (statement->kind == PTX_INSTRUCTION) {
            decode_statement(decoder, statement);
        }
    }
    assert(decoder->op == function->ops + function->op_count - 1);
    *decoder->op = (struct op){.run = rule_find(decoder->module->rules, "ret")->run,
                               .guard = decode_constant(decoder, 1, 1),
                               .line = source->range.line};
    write_constants(decoder);
}

/* Returns false if memory is exhausted. */
static bool decode_all(struct decoder *decoder)
{
    const struct ptx_function *source = decoder->source;
    struct function *function = decoder->function;
    if (setjmp(decoder->exhausted) != 0) {
        return false;
    }
    decode_places(decoder);
    number_statements(decoder);
    function->uncallable = function->entry;
    function->facts.parameters = params_of(decoder, source->parameters, source->parameter_count);
    function->facts.parameter_count = source->parameter_count;
    function->returns = params_of(decoder, source->returns, source->return_count);
    function->return_count = source->return_count;
    decode_body(decoder);
    function->register_bytes = (function->register_bytes + 63) & ~63u;
    return true;
}

bool decode_function(struct interp_module *module, struct unit *unit,
                     const struct ptx_function *source, struct function *function)
{
    struct decoder decoder = {
        .module = module, .unit = unit, .source = source, .function = function};
    bool done = decode_all(&decoder);
    free(decoder.places);
    free(decoder.constants);
    free(decoder.op_of);
    return done;
}
