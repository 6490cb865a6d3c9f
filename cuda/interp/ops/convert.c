/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cvt: conversions between all types of integers and floating-point numbers, in three steps: read,
 * convert, write.
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <assert.h>
#include <fenv.h>
#include <math.h>

/* Parameters of a conversion; op->extra points to this structure. */
struct conversion {
    enum number from, to;
    uint32_t from_width, to_width; /* widths of the registers in bytes */
    bool integral;                 /* .rni and the like: the result is rounded to an integer */
    bool relu;
    bool pair; /* true if two f32 become one register with two halves */
};

struct lanes {
    int64_t integers[WARP_LANES];
    double reals[WARP_LANES];
};

static bool is_real(enum number type)
{
    return type >= N_F16;
}

/* Keeps the low bits of an integer, and extends them by zeros or the sign, as the type requires. */
static int64_t narrow(int64_t value, enum number type)
{
    unsigned drop = 64 - (8u << (type >> 1)); /* types come in pairs, unsigned and signed */
    uint64_t high = (uint64_t)value << drop;
    return type & 1 ? (int64_t)high >> drop : (int64_t)(high >> drop);
}

#define READ(T) FOR_MASK(warp->mask, { lanes->integers[i] = (int64_t)((const T *)from)[i]; })
static void read_integers(struct warp *warp, const void *from, const struct conversion *conversion,
                          struct lanes *lanes)
{
    assert(conversion->from_width >= 2 && conversion->from_width <= 8);
    switch (conversion->from_width) {
    case 2:
        READ(uint16_t) break;
    case 4:
        READ(uint32_t) break;
    default:
        READ(uint64_t) break;
    }
    if (conversion->from < N_U64) {
        FOR_MASK(warp->mask, { lanes->integers[i] = narrow(lanes->integers[i], conversion->from); })
    }
}

static void read_reals(struct warp *warp, const struct op *op, const void *from, enum number type,
                       double *reals)
{
    switch (type) {
    case N_F16:
        FOR_MASK(warp->mask, { reals[i] = f16_to_double(((const uint16_t *)from)[i]); })
        break;
    case N_BF16:
        FOR_MASK(warp->mask, { reals[i] = bf16_to_double(((const uint16_t *)from)[i]); })
        break;
    case N_F32:
        FOR_MASK(warp->mask, {
            double value = (double)((const float *)from)[i];
            reals[i] = op->flags & OP_FTZ && fabs(value) < 0x1p-126 ? copysign(0, value) : value;
        })
        break;
    default:
        FOR_MASK(warp->mask, { reals[i] = ((const double *)from)[i]; })
    }
}

static int64_t saturate(int64_t value, enum number from, enum number to)
{
    assert(!is_real(from) && !is_real(to));
    static const int64_t least[] = {0, INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN};
    static const int64_t most[] = {UINT8_MAX,  INT8_MAX,  UINT16_MAX, INT16_MAX,
                                   UINT32_MAX, INT32_MAX, INT64_MAX,  INT64_MAX};
    if (from == N_U64 && value < 0) { /* the unsigned value is greater than INT64_MAX */
        return to == N_U64 ? value : most[to];
    }
    if (to == N_U64) {
        return value < 0 ? 0 : value;
    }
    return value < least[to] ? least[to] : value > most[to] ? most[to] : value;
}

static double round_integral(double value, uint8_t round)
{
    return round == ROUND_ZERO   ? trunc(value)
           : round == ROUND_DOWN ? floor(value)
           : round == ROUND_UP   ? ceil(value)
                                 : nearbyint(value);
}

/* Converts a real number to an integer: NaN to 0, a number outside the range of the type to the
 * nearest end of the range. */
static int64_t to_integer(double value, enum number to)
{
    assert(!is_real(to));
    static const double bits[] = {8, 7, 16, 15, 32, 31, 64, 63};
    double end = ldexp(1, (int)bits[to]);
    bool is_signed = (to & 1) != 0;
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

static void write_integers(struct warp *warp, void *to, const struct conversion *conversion,
                           const struct lanes *lanes)
{
    FOR_MASK(warp->mask, {
        int64_t value = conversion->to < N_U64 ? narrow(lanes->integers[i], conversion->to)
                                               : lanes->integers[i];
        set_lane(to, conversion->to_width, i, (uint64_t)value);
    })
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

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* Rounds a number to f32 in the current rounding mode. */
static float to_f32(double value)
{
    volatile double from = value;
    volatile float result = (float)from;
    return result == result ? result : f32_of(NAN_F32);
}

static void write_reals(struct warp *warp, const struct op *op, void *to,
                        const struct conversion *conversion, const struct lanes *lanes)
{
    assert(op->round < sizeof modes / sizeof *modes && is_real(conversion->to));
    fesetround(conversion->integral ? FE_TONEAREST : modes[op->round]);
    FOR_MASK(warp->mask, {
        double value = finish(op, conversion, lanes->reals[i]);
        switch (conversion->to) {
        case N_F16:
            ((uint16_t *)to)[i] = f16_from_double(value, op->round);
            break;
        case N_BF16:
            ((uint16_t *)to)[i] = bf16_from_double(value, op->round);
            break;
        case N_F32:
            ((float *)to)[i] = (float)finish(op, conversion, (double)to_f32(value));
            break;
        default:
            ((double *)to)[i] = value;
        }
    })
    fesetround(FE_TONEAREST);
}

/* Converts integers to real numbers. Rounds integers of more than 53 bits only once, to the type of
 * the result. */
static void integers_to_reals(struct warp *warp, const struct op *op, void *to,
                              const struct conversion *conversion, struct lanes *lanes)
{
    bool is_unsigned = conversion->from == N_U64;
    fesetround(modes[op->round]);
    FOR_MASK(warp->mask, {
        volatile int64_t value = lanes->integers[i];
        if (conversion->to == N_F32) {
            volatile float result = is_unsigned ? (float)(uint64_t)value : (float)value;
            ((float *)to)[i] = result;
        } else {
            volatile double result = is_unsigned ? (double)(uint64_t)value : (double)value;
            lanes->reals[i] = result;
        }
    })
    fesetround(FE_TONEAREST);
    if (conversion->to != N_F32) {
        write_reals(warp, op, to, conversion, lanes);
    }
}

static void cvt(struct warp *warp, const struct op *op)
{
    const struct conversion *conversion = op->extra;
    struct lanes lanes;
    const void *from = reg(warp, op->a);
    void *to = reg(warp, op->d);
    if (!is_real(conversion->from)) {
        read_integers(warp, from, conversion, &lanes);
        if (is_real(conversion->to)) {
            integers_to_reals(warp, op, to, conversion, &lanes);
            return;
        }
        if (op->flags & OP_SAT) {
            FOR_MASK(warp->mask, {
                lanes.integers[i] = saturate(lanes.integers[i], conversion->from, conversion->to);
            })
        }
        write_integers(warp, to, conversion, &lanes);
        return;
    }
    read_reals(warp, op, from, conversion->from, lanes.reals);
    if (conversion->integral) {
        FOR_MASK(warp->mask, { lanes.reals[i] = round_integral(lanes.reals[i], op->round); })
    }
    if (is_real(conversion->to)) {
        write_reals(warp, op, to, conversion, &lanes);
    } else {
        FOR_MASK(warp->mask, { lanes.integers[i] = to_integer(lanes.reals[i], conversion->to); })
        write_integers(warp, to, conversion, &lanes);
    }
}

/* Converts two f32 to two halves. The first operand becomes the upper half. */
static void cvt_pair(struct warp *warp, const struct op *op)
{
    const struct conversion *conversion = op->extra;
    uint16_t halves[2][WARP_LANES];
    const operand sources[2] = {op->b, op->a};
    struct lanes lanes;
    for (unsigned half = 0; half < 2; half++) {
        read_reals(warp, op, reg(warp, sources[half]), N_F32, lanes.reals);
        write_reals(warp, op, halves[half], conversion, &lanes);
    }
    uint32_t *d = reg(warp, op->d);
    FOR_MASK(warp->mask, { d[i] = halves[0][i] | (uint32_t)halves[1][i] << 16; })
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

/* [number]: width in bytes of the narrowest register that holds it. */
static const uint32_t widths[] = {2, 2, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};

static op_handler simple(const struct op *op, const struct conversion *conversion)
{
    static const struct {
        enum number from, to;
        op_handler run;
    } table[] = {
        {N_U32, N_U64, widen_u32_u64}, {N_U32, N_S64, widen_u32_u64}, {N_S32, N_S64, widen_s32_s64},
        {N_S32, N_U64, widen_s32_s64}, {N_U64, N_U32, narrow_64_32},  {N_S64, N_U32, narrow_64_32},
        {N_S64, N_S32, narrow_64_32},  {N_U64, N_S32, narrow_64_32},  {N_U16, N_U32, widen_u16_u32},
        {N_U16, N_S32, widen_u16_u32}, {N_S16, N_S32, widen_s16_s32}, {N_S16, N_U32, widen_s16_s32},
        {N_U32, N_U16, narrow_32_16},  {N_S32, N_S16, narrow_32_16},  {N_S32, N_F32, s32_f32},
        {N_F32, N_F64, f32_f64},
    };
    if (op->round || op->flags & (OP_SAT | OP_FTZ) || conversion->integral || conversion->relu ||
        widths[conversion->from] != conversion->from_width ||
        widths[conversion->to] != conversion->to_width) {
        return cvt;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].from == conversion->from && table[i].to == conversion->to) {
            return table[i].run;
        }
    }
    return cvt;
}

bool decode_number(struct ptx_type type, enum number *number)
{
    static const enum number reals[] = {N_F16, N_F32, N_F64};
    bool is_bf16 = ptx_is(type.name, "bf16") || ptx_is(type.name, "bf16x2");
    uint32_t bits = type.lanes > 1 ? type.bits / 2u : type.bits;
    uint32_t size = bits < 8 ? 0 : (uint32_t)__builtin_ctz(bits / 8);
    if (bits < 8 || bits > 64 || (type.lanes > 1 && (bits != 16 || type.lanes > 2))) {
        return false;
    }
    if (is_bf16 || (type.kind == PTX_FLOAT && size > 0)) {
        *number = is_bf16 ? N_BF16 : reals[size - 1];
        return true;
    }
    *number = N_U8 + 2 * size + (type.kind == PTX_SIGNED);
    return type.lanes == 1 && (type.kind == PTX_SIGNED || type.kind == PTX_UNSIGNED);
}

static bool decode_modifiers(struct decoder *decoder, struct conversion *conversion)
{
    static const char *const rounds[] = {"rn", "rz", "rm", "rp"}, *const integrals[] = {
                                                                      "rni", "rzi", "rmi", "rpi"};
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    if (in->modifier_count < 2) {
        return false;
    }
    struct ptx_type to = ptx_type_of(in->modifiers[in->modifier_count - 2]);
    struct ptx_type from = ptx_type_of(in->modifiers[in->modifier_count - 1]);
    conversion->pair = to.lanes > 1;
    if (!decode_number(to, &conversion->to) || !decode_number(from, &conversion->from) ||
        from.lanes > 1) {
        return false;
    }
    for (uint32_t i = 0; i + 2 < in->modifier_count; i++) {
        bool known = ptx_is(in->modifiers[i], "ftz") || ptx_is(in->modifiers[i], "sat") ||
                     ptx_is(in->modifiers[i], "relu");
        for (uint8_t r = 0; r < 4; r++) {
            if (ptx_is(in->modifiers[i], rounds[r]) || ptx_is(in->modifiers[i], integrals[r])) {
                op->round = r;
                conversion->integral = ptx_is(in->modifiers[i], integrals[r]);
                known = true;
            }
        }
        if (!known) {
            return false;
        }
    }
    op->flags |= ptx_has(in, "ftz") ? OP_FTZ : 0;
    op->flags |= ptx_has(in, "sat") ? OP_SAT : 0;
    conversion->relu = ptx_has(in, "relu");
    return true;
}

static bool decode_cvt(struct decoder *decoder)
{
    struct op *op = decoder->op;
    if (convert_is_odd(decoder->in)) {
        return decode_odd_convert(decoder);
    }
    struct conversion *conversion = decode_memory(decoder, sizeof *conversion);
    const struct ptx_operand *to = decode_operand(decoder, 0), *from = decode_operand(decoder, 1);
    if (!conversion || !to || !from || !decode_modifiers(decoder, conversion)) {
        return false;
    }
    op->extra = conversion;
    if (conversion->pair) {
        op->run = cvt_pair;
        return conversion->from == N_F32 && decode_by_widths(decoder, "4=44");
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
    return decoder->in->operand_count == 2;
}

const struct rule convert_rules[] = {{"cvt", .decode = decode_cvt}, {NULL, NULL, NULL, NULL}};
