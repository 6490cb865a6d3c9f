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
        return (!rule->decode || rule->decode(decoder)) && !decoder->failed;
    }
    rule = write_name(in, op, key) ? rule_find(decoder->module->rules, key) : NULL;
    if (!rule || !decode_by_widths(decoder, rule->operands)) {
        return false;
    }
    op->run = op->round || op->flags & (OP_FTZ | OP_SAT) ? rule->exact : rule->run;
    return op->run != NULL;
}

static void decode_instruction(struct decoder *decoder, const struct ptx_statement *statement)
{
    struct op *op = decoder->op;
    const struct ptx_instruction *in = statement->instruction;
    const struct op empty = {.line = statement->range.line,
                             .guard = decode_constant(decoder, 1, 1)};
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
    if (decoder->failed || !decode_by_rule(decoder)) {
        char *name = decode_memory(decoder, 2 * KEY_MAX);
        *op = begun;
        op->run = fault_unsupported;
        op->extra = name;
        if (name) {
            write_name(in, NULL, name);
        }
        for (uint32_t i = 0; i < in->operand_count && name && ptx_is(in->word, "call"); i++) {
            const struct ptx_operand *o = &in->operands[i];
            if (o->kind == PTX_SYMBOL) { /* the function */
                snprintf(name + strlen(name), KEY_MAX, " %.*s", (int)o->name.length, o->name.s);
            }
        }
    }
    assert(op->run != NULL);
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

/* Decodes these operands of a statement into as many ops, which precede that of its instruction. */
static void decode_sums(struct decoder *decoder, const struct ptx_statement *statement)
{
    const struct ptx_instruction *in = statement->instruction;
    const size_t most = sizeof decoder->sums / sizeof decoder->sums[0];
    decoder->in = in;
    decoder->sum_count = 0;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        if (!is_sum(&in->operands[i])) {
            continue;
        }
        struct ptx_operand plain = in->operands[i];
        uint32_t width = decode_register_width(decoder, &plain);
        bool is_good = width >= 2 && width <= 8 && decoder->sum_count < most;
        plain.offset = 0;
        *decoder->op = (struct op){.line = statement->range.line,
                                   .guard = decode_constant(decoder, 1, 1),
                                   .run = width == 2   ? add_offset_16
                                          : width == 4 ? add_offset_32
                                                       : add_offset_64,
                                   .imm = in->operands[i].offset};
        if (is_good) {
            decoder->op->a = decode_source(decoder, &plain, width);
            decoder->op->d = decode_new_register(decoder, width);
            decoder->sums[decoder->sum_count].operand = &in->operands[i];
            decoder->sums[decoder->sum_count++].sum = decoder->op->d;
        } else { /* the instruction is then not supported */
            decoder->op->a = decoder->op->d = decode_scratch(decoder, 8);
        }
        decoder->op++;
    }
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Returns an array with the places that calls of a function use to pass its parameters or return
 * values. variables: these parameters or return values. Sets *registers to an array with their
 * operands: element i is valid only if parameter or return value i is a register. Returns NULL if
 * memory is exhausted. */
static struct interp_parameter *params_of(struct decoder *decoder, struct ptx_variable **variables,
                                          uint32_t count, operand **registers)
{
    struct interp_parameter *params = decode_memory(decoder, count * sizeof *params);
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
            count += 1 + sum_count(source->statements[i].instruction);
        }
    }
    decoder->function->op_count = count + 1; /* the decoder adds a ret at the end */
    decoder->function->ops = calloc(count + 1, sizeof *decoder->function->ops);
    return decoder->function->ops != NULL;
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
    *decoder->op = (struct op){.run = rule_find(decoder->module->rules, "ret")->run,
                               .guard = decode_constant(decoder, 1, 1),
                               .line = source->range.line};
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
    bool done = decode_places(&decoder) && number_statements(&decoder);
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
