/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cvt: conversions between all types of integers and floating-point numbers. FP8 and TF32, which no
 * register has: PTX ISA, "cvt".
 */
#include "interp/rules.h"
#include "ptx/small_float.h"
#include <assert.h>
#include <math.h>

/* Parameters of a conversion; op->extra points to this structure. */
struct conversion {
    enum number from, to;
    uint32_t from_width, to_width; /* widths of the registers in bytes */
    bool integral;                 /* .rni and the like: the result is rounded to an integer */
    bool relu;
    bool saturates; /* .satfinite: larger numbers become the largest finite one */
    /* Numbers in a register: 2 for pairs. Two f32 that become a pair are in registers of their own;
     * the first one becomes the upper half. */
    uint32_t from_parts, to_parts;
};

static bool is_real(enum number type)
{
    return type >= N_F16;
}

static const struct small *const smalls[NUMBERS] = {
    [N_F16] = &small_f16, [N_BF16] = &small_bf16, [N_E4M3] = &small_e4m3, [N_E5M2] = &small_e5m2};

static bool is_f8(enum number type)
{
    return type == N_E4M3 || type == N_E5M2;
}

/* Keeps the low bits of an integer, and extends them by zeros or the sign, as the type requires. */
static int64_t narrow(int64_t value, enum number type)
{
    return extended((uint64_t)value, 8u << (type >> 1), type & 1); /* types: see enum number */
}

/* Rounds a number to f32 in the current rounding mode. */
static float to_f32(double value)
{
    volatile double from = value;
    volatile float result = (float)from;
    return result == result ? result : f32_of(NAN_F32);
}

double number_value(enum number type, uint64_t bits)
{
    switch (type) {
    case N_TF32: /* the low 13 bits of a register are no part of the number */
        return (double)f32_of((uint32_t)bits & ~0x1fffu);
    case N_F32:
        return (double)f32_of((uint32_t)bits);
    case N_F64:
        return f64_of(bits);
    default:
        return small_to_double((uint32_t)bits, smalls[type]);
    }
}

uint64_t number_bits(enum number type, double value, uint8_t round, bool saturates)
{
    switch (type) {
    case N_TF32:
        return tf32_from_double(value, round, saturates);
    case N_F32:
        return bits_of_f32(to_f32(value));
    case N_F64:
        return bits_of_f64(value);
    default:
        return small_from_double(value, smalls[type], round, saturates);
    }
}

/* [number]: width in bytes of the narrowest register that holds it or, of FP8, its size. */
static const uint32_t widths[NUMBERS] = {2, 2, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 4, 1, 1};

/* Returns the nearest integer that the type has. */
static int64_t saturate(int64_t value, enum number from, enum number to)
{
    assert(!is_real(from) && !is_real(to));
    bool is_huge = from == N_U64 && value < 0; /* the unsigned value is greater than INT64_MAX */
    if (to == N_U64) {
        return is_huge || value > 0 ? value : 0;
    }
    return limited(is_huge ? INT64_MAX : value, 8u << (to >> 1), to & 1);
}

/* Converts a real number to an integer: NaN to 0, a number outside the range of the type to the
 * nearest end of the range. */
static int64_t to_integer(double value, enum number to)
{
    assert(!is_real(to));
    bool is_signed = to & 1;
    double end = ldexp(1, (8 << (to >> 1)) - is_signed);
    if (value != value) {
        return 0;
    }
    if (value >= end) {
        return to == N_U64 ? -1 : to == N_S64 ? INT64_MAX : (int64_t)(end - 1);
    }
    if (value <= (is_signed ? -end : 0)) {
        return is_signed ? (to == N_S64 ? INT64_MIN : (int64_t)-end) : 0;
    }
    return to == N_U64 ? (int64_t)(uint64_t)value : (int64_t)value;
}

static double finish(const struct op *op, const struct conversion *conversion, double value)
{
    if (op->flags & OP_SAT) {
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    }
    if (conversion->relu && !(value > 0)) {
        value = value == value ? 0 : value;
    }
    if (op->flags & OP_FTZ && conversion->to == N_F32 && fabs(value) < 0x1p-126) {
        value = copysign(0, value);
    }
    return value;
}

/* Returns the bits of a result, which the current rounding mode of the processor rounds. */
static uint64_t real_bits(const struct op *op, const struct conversion *c, double value)
{
    value = finish(op, c, value);
    value = c->to == N_F32 ? finish(op, c, (double)to_f32(value)) : value;
    return number_bits(c->to, value, op->round, c->saturates);
}

/* Rounds an integer, also one of more than 53 bits, only once to f32 or f64. */
static double to_real(int64_t integer, bool is_unsigned, bool is_single)
{
    volatile int64_t value = integer;
    volatile float single = is_unsigned ? (float)(uint64_t)value : (float)value;
    volatile double result = is_unsigned ? (double)(uint64_t)value : (double)value;
    return is_single ? (double)single : result;
}

static double to_integral(double value, uint8_t round)
{
    return round == ROUND_ZERO   ? trunc(value)
           : round == ROUND_DOWN ? floor(value)
           : round == ROUND_UP   ? ceil(value)
                                 : nearbyint(value);
}

/* Converts the bits of a number. */
static uint64_t converted(const struct op *op, const struct conversion *c, uint64_t bits)
{
    if (!is_real(c->from)) {
        int64_t value = narrow((int64_t)bits, c->from);
        if (is_real(c->to)) {
            return real_bits(op, c, to_real(value, c->from == N_U64, c->to == N_F32));
        }
        return (uint64_t)narrow(op->flags & OP_SAT ? saturate(value, c->from, c->to) : value,
                                c->to);
    }
    double value = number_value(c->from, bits);
    if (op->flags & OP_FTZ && c->from == N_F32 && fabs(value) < 0x1p-126) {
        value = copysign(0, value);
    }
    value = c->integral ? to_integral(value, op->round) : value;
    return is_real(c->to) ? real_bits(op, c, value)
                          : (uint64_t)narrow(to_integer(value, c->to), c->to);
}

/* Handler of conversions; to pairs: op->a, op->b: registers of the upper and of the lower number. */
static void cvt(struct warp *warp, const struct op *op)
{
    const struct conversion *c = op->extra;
    const void *a = reg(warp, op->a), *b = reg(warp, op->b);
    void *d = reg(warp, op->d);
    uint32_t n = c->from_parts, from = c->from_width, to = c->to_width;
    bool rounds = op->round != ROUND_NEAREST && !c->integral;
    set_rounding(rounds ? op->round : ROUND_NEAREST);
    FOR_MASK(warp->mask, {
        uint64_t upper = lane_value(a, from, n * i + n - 1);
        if (c->to_parts == 2) {
            uint64_t lower = converted(op, c, lane_value(b, from, n * i));
            set_lane(d, to, 2 * i + 1, converted(op, c, upper));
            set_lane(d, to, 2 * i, lower);
        } else {
            set_lane(d, to, i, converted(op, c, upper));
        }
    })
    set_rounding(ROUND_NEAREST);
}

/* Shifts c to the left by two packed integers, and puts a and b, saturated, into the space. op->size,
 * op->round: bits of such an integer, and 1 if it is signed. */
static void pack(struct warp *warp, const struct op *op)
{
    uint32_t *d = reg(warp, op->d), mask = (1u << op->size) - 1;
    const int32_t *a = reg(warp, op->a), *b = reg(warp, op->b);
    const uint32_t *c = reg(warp, op->c);
    FOR_MASK(warp->mask, {
        uint32_t upper = (uint32_t)limited(a[i], op->size, op->round) & mask;
        uint32_t lower = (uint32_t)limited(b[i], op->size, op->round) & mask;
        d[i] = (op->size == 16 ? 0 : c[i] << 2 * op->size) | upper << op->size | lower;
    })
}

/* Conversions of integers without rounding, between registers that have the size of the type. */
UNARY(widen_u32_u64, uint64_t, uint32_t, x)
UNARY(widen_s32_s64, int64_t, int32_t, x)
UNARY(narrow_64_32, uint32_t, uint64_t, x)
UNARY(widen_u16_u32, uint32_t, uint16_t, x)
UNARY(widen_s16_s32, int32_t, int16_t, x)
UNARY(narrow_32_16, uint16_t, uint32_t, x)
UNARY(s32_f32, float, int32_t, x)
UNARY(f32_f64, double, float, x)

static op_handler simple(const struct op *op, const struct conversion *conversion)
{
    static const struct {
        enum number from, to;
        op_handler run;
    } table[] = {
        {N_U32, N_U64, widen_u32_u64}, {N_S32, N_U64, widen_s32_s64}, {N_U64, N_U32, narrow_64_32},
        {N_S64, N_U32, narrow_64_32},  {N_U16, N_U32, widen_u16_u32}, {N_S16, N_U32, widen_s16_s32},
        {N_U32, N_U16, narrow_32_16},  {N_S32, N_U16, narrow_32_16},  {N_S32, N_F32, s32_f32},
        {N_F32, N_F64, f32_f64},
    };
    enum number to = conversion->to;
    to = is_real(to) ? to : to & ~(enum number)1; /* with or without a sign */
    if (op->round || op->flags & (OP_SAT | OP_FTZ) || conversion->integral || conversion->relu ||
        widths[conversion->from] != conversion->from_width ||
        widths[conversion->to] != conversion->to_width) {
        return cvt;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].from == conversion->from && table[i].to == to) {
            return table[i].run;
        }
    }
    return cvt;
}

bool decode_number(struct ptx_type type, enum number *number)
{
    static const struct {
        const char *name;
        enum number number;
    } reals[] = {{"f16", N_F16},     {"f16x2", N_F16},   {"bf16", N_BF16},
                 {"bf16x2", N_BF16}, {"f32", N_F32},     {"f64", N_F64},
                 {"tf32", N_TF32},   {"e4m3x2", N_E4M3}, {"e5m2x2", N_E5M2}};
    int i = PTX_FIND(type.name, reals);
    if (i >= 0) {
        *number = reals[i].number;
        return true;
    }
    if (type.lanes != 1 || type.bits < 8 || type.bits > 64 ||
        (type.kind != PTX_SIGNED && type.kind != PTX_UNSIGNED)) {
        return false;
    }
    *number = N_U8 + 2 * (uint32_t)__builtin_ctz(type.bits / 8u) + (type.kind == PTX_SIGNED);
    return true;
}

/* ---- Decoding --------------------------------------------------------------------------------- */

enum given { ROUND = 1, AWAY = 2, INTEGRAL = 4, FTZ = 8, SAT = 16, RELU = 32, SATFINITE = 64 };

/* Returns true if a conversion with these types may have these modifiers (enum given). */
static bool fits(const struct conversion *c, uint32_t given, uint8_t round)
{
    given &= ~(uint32_t)RELU;
    if (is_f8(c->to)) {
        return given == (ROUND | SATFINITE) && round == ROUND_NEAREST &&
               (c->from == N_F32 || (c->from == N_F16 && c->from_parts == 2));
    }
    if (is_f8(c->from)) {
        return given == ROUND && round == ROUND_NEAREST && c->to == N_F16 && c->to_parts == 2;
    }
    if (c->to == N_TF32) {
        given &= ~(uint32_t)SATFINITE;
        return c->from == N_F32 && (given == AWAY || (given == ROUND && round <= ROUND_ZERO));
    }
    return c->from != N_TF32 && !(given & (AWAY | SATFINITE)) && c->from_parts == 1 &&
           (c->to_parts == 1 || c->from == N_F32);
}

static bool decode_modifiers(const struct ptx_instruction *in, struct op *op,
                             struct conversion *conversion)
{
    static const struct {
        const char *word;
        uint8_t round, given;
    } words[] = {
        {"rn", ROUND_NEAREST, ROUND},
        {"rz", ROUND_ZERO, ROUND},
        {"rm", ROUND_DOWN, ROUND},
        {"rp", ROUND_UP, ROUND},
        {"rni", ROUND_NEAREST, INTEGRAL},
        {"rzi", ROUND_ZERO, INTEGRAL},
        {"rmi", ROUND_DOWN, INTEGRAL},
        {"rpi", ROUND_UP, INTEGRAL},
        {"rna", ROUND_AWAY, AWAY},
        {"ftz", ROUND_NEAREST, FTZ},
        {"sat", ROUND_NEAREST, SAT},
        {"relu", ROUND_NEAREST, RELU},
        {"satfinite", ROUND_NEAREST, SATFINITE},
    };
    uint32_t given = 0;
    if (in->modifier_count < 2) {
        return false;
    }
    struct ptx_type to = ptx_type_of(in->modifiers[in->modifier_count - 2]);
    struct ptx_type from = ptx_type_of(in->modifiers[in->modifier_count - 1]);
    if (!decode_number(to, &conversion->to) || !decode_number(from, &conversion->from)) {
        return false;
    }
    for (uint32_t i = 0; i + 2 < in->modifier_count; i++) {
        int w = PTX_FIND(in->modifiers[i], words);
        if (w < 0) {
            return false;
        }
        op->round |= words[w].round;
        given |= words[w].given;
    }
    op->flags |= (given & FTZ ? OP_FTZ : 0) | (given & SAT ? OP_SAT : 0);
    conversion->integral = given & INTEGRAL;
    conversion->relu = given & RELU;
    conversion->saturates = given & SATFINITE;
    conversion->from_parts = from.lanes;
    conversion->to_parts = to.lanes;
    return fits(conversion, given, op->round);
}

static bool decode_pack(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    static const char *const types[] = {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"};
    const struct ptx_text *words = in->modifiers;
    for (unsigned i = 0; i < 8; i++) {
        if (in->modifier_count == (i < 2 ? 4 : 5) && ptx_is(words[0], "pack") &&
            ptx_is(words[1], "sat") && ptx_is(words[2], types[i]) && ptx_is(words[3], "s32") &&
            (i < 2 || ptx_is(words[4], "b32"))) {
            op->size = (uint8_t)(16u >> i / 2);
            op->round = i % 2;
            op->run = pack;
            op->c = decode_constant(decoder, 0, 4);
            return decode_by_widths(decoder, i < 2 ? "4=44" : "4=444");
        }
    }
    return false;
}

/* Decodes a conversion to a pair: of two f32, or of a pair. */
static bool decode_pair(struct decoder *decoder, struct conversion *c)
{
    struct op *op = decoder->op;
    op->run = cvt;
    c->from_width = widths[c->from];
    c->to_width = widths[c->to];
    if (c->from_parts == 1) {
        return decode_by_widths(decoder, is_f8(c->to) ? "2=44" : "4=44");
    }
    bool good = decode_by_widths(decoder, is_f8(c->to) ? "2=4" : "4=2");
    op->b = op->a;
    return good;
}

static bool decode_cvt(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    struct conversion *conversion = decode_memory(decoder, sizeof *conversion);
    const struct ptx_operand *to = decode_operand(decoder, 0), *from = decode_operand(decoder, 1);
    if (ptx_has(in, "pack")) {
        return decode_pack(decoder, in, op);
    }
    if (!decode_modifiers(in, op, conversion)) {
        return false;
    }
    op->extra = conversion;
    if (conversion->to_parts == 2) {
        return decode_pair(decoder, conversion);
    }
    uint32_t to_width = decode_register_width(decoder, to),
             from_width = decode_register_width(decoder, from);
    conversion->to_width = to_width ? to_width : widths[conversion->to];
    conversion->from_width = from_width ? from_width : widths[conversion->from];
    if (to_width > 8 || from_width > 8) {
        return false;
    }
    if (from->kind == PTX_SPECIAL) {
        conversion->from_width = 4;
    }
    if (conversion->to_width < widths[conversion->to] ||
        conversion->from_width < widths[conversion->from] ||
        (is_real(conversion->to) && conversion->to_width != widths[conversion->to]) ||
        (is_real(conversion->from) && conversion->from_width != widths[conversion->from])) {
        return false;
    }
    op->d = decode_destination(decoder, to, conversion->to_width);
    op->a = decode_source(decoder, from, conversion->from_width);
    op->run = simple(op, conversion);
    return in->operand_count == 2;
}

const struct rule convert_rules[] = {{"cvt", .decode = decode_cvt}, {NULL, NULL, NULL, NULL}};
