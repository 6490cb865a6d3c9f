/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons (setp, set, testp) and selections (selp, slct).
 */
#include "interp/rules.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Comparisons that handlers compute, of which the others are made (NUM: neither number is NaN); and
 * the operations that combine the result with a predicate. */
enum comparison { EQ, NE, LT, LE, NUM };
enum combination { ALONE, AND, OR, XOR };
/* Bits of op->imm above the combination: the predicate is inverted, and so is the comparison. */
enum { OTHER_INVERTED = 4, INVERTED = 8 };

/* Sets the bits of `result` for the lanes for which the expression is true. */
#define BITS(expression)                                                                           \
    for (unsigned i = 0; i < WARP_LANES; i++) {                                                    \
        result |= (uint32_t)((expression) != 0) << i;                                              \
    }

#define COMPARE(name, T)                                                                           \
    static uint32_t name(const void *a, const void *b, uint8_t how)                                \
    {                                                                                              \
        const T *x = a;                                                                            \
        const T *y = b;                                                                            \
        uint32_t result = 0;                                                                       \
        switch (how) {                                                                             \
        case EQ:                                                                                   \
            BITS(x[i] == y[i]) break;                                                              \
        case NE:                                                                                   \
            BITS(x[i]<y[i] || x[i]> y[i]) break;                                                   \
        case LT:                                                                                   \
            BITS(x[i] < y[i]) break;                                                               \
        case LE:                                                                                   \
            BITS(x[i] <= y[i]) break;                                                              \
        default:                                                                                   \
            BITS(x[i] == x[i] && y[i] == y[i]) break;                                              \
        }                                                                                          \
        return result;                                                                             \
    }

COMPARE(compare_u16, uint16_t)
COMPARE(compare_s16, int16_t)
COMPARE(compare_u32, uint32_t)
COMPARE(compare_s32, int32_t)
COMPARE(compare_u64, uint64_t)
COMPARE(compare_s64, int64_t)
COMPARE(compare_f32, float)
COMPARE(compare_f64, double)

static void flush(float *to, const float *from)
{
    for (unsigned i = 0; i < WARP_LANES; i++) {
        to[i] = fabsf(from[i]) < 0x1p-126f ? copysignf(0, from[i]) : from[i];
    }
}

/* Compares registers a and b of an op: the numbers there or, of pairs, only number `part` of each.
 * op->round: enum comparison; op->size: enum number; op->space: 2 for pairs, which only the instruction
 * "set" compares. Returns the bit mask of the lanes for which the comparison is true. */
static uint32_t compare(struct warp *warp, const struct op *op, unsigned part)
{
    static uint32_t (*const compares[])(const void *, const void *, uint8_t) = {
        [N_U16] = compare_u16, [N_S16] = compare_s16, [N_U32] = compare_u32, [N_S32] = compare_s32,
        [N_U64] = compare_u64, [N_S64] = compare_s64, [N_F32] = compare_f32, [N_F64] = compare_f64};
    const void *x = reg(warp, op->a), *y = reg(warp, op->b);
    uint32_t inverted = op->imm & INVERTED ? ALL_LANES : 0;
    if (op->flags & OP_FTZ && op->size == N_F32) {
        float fx[WARP_LANES], fy[WARP_LANES];
        flush(fx, x);
        flush(fy, y);
        return compare_f32(fx, fy, op->round) ^ inverted;
    }
    if (op->size == N_F16 || op->size == N_BF16) {
        double dx[WARP_LANES], dy[WARP_LANES];
        const uint16_t *hx = x, *hy = y;
        for (unsigned i = 0, at = part; i < WARP_LANES; i++, at += op->space) {
            dx[i] = number_value(op->size, hx[at]);
            dy[i] = number_value(op->size, hy[at]);
        }
        return compare_f64(dx, dy, op->round) ^ inverted;
    }
    return compares[op->size](x, y, op->round) ^ inverted;
}

/* Combines a result with the predicate op->c, as op->imm says. */
static uint32_t combine(struct warp *warp, const struct op *op, uint32_t x)
{
    uint32_t y = pred(warp, op->c) ^ (op->imm & OTHER_INVERTED ? ALL_LANES : 0);
    unsigned how = op->imm & 3;
    return how == AND ? x & y : how == OR ? x | y : how == XOR ? x ^ y : x;
}

/* Handler of setp. op->e: destination of the complement, or op->d if there is none. */
static void setp(struct warp *warp, const struct op *op)
{
    uint32_t result = compare(warp, op, 0), other = op->e != op->d ? combine(warp, op, ~result) : 0;
    result = combine(warp, op, result);
    if (op->e != op->d) {
        set_pred(warp, op->e, other);
    }
    set_pred(warp, op->d, result);
}

/* Result types of the instruction "set". yes: value that stands for true; for pairs, value that
 * stands for true in both halves. of_one, of_f16x2, of_bf16x2: true if comparisons of single
 * values, of f16x2 and of bf16x2 may have this result type. */
struct set_result {
    const char *word;
    uint32_t yes, width;
    bool of_one, of_f16x2, of_bf16x2;
};
static const struct set_result set_results[] = {
    {"f32", 0x3f800000u, 4, true, false, false},    {"u32", ALL_LANES, 4, true, true, true},
    {"s32", ALL_LANES, 4, true, true, true},        {"u16", 0xffff, 2, true, false, false},
    {"s16", 0xffff, 2, true, false, false},         {"f16", 0x3c00, 2, true, false, false},
    {"bf16", 0x3f80, 2, true, false, false},        {"f16x2", 0x3c003c00u, 4, false, true, false},
    {"bf16x2", 0x3f803f80u, 4, false, false, true},
};

/* Handler of the instruction "set". op->extra: struct set_result. */
static void set(struct warp *warp, const struct op *op)
{
    const struct set_result *result = op->extra;
    uint32_t low = combine(warp, op, compare(warp, op, 0)), high = low;
    if (op->space == 2) {
        high = combine(warp, op, compare(warp, op, 1));
    }
    void *d = reg(warp, op->d);
    FOR_MASK(warp->mask, {
        uint32_t yes = (low >> i & 1 ? 0xffffu : 0) | (high >> i & 1 ? 0xffff0000u : 0);
        set_lane(d, result->width, i, result->yes & yes);
    })
}

/* The modifiers that name a comparison. swaps: of the operands in the other order. */
static const struct form {
    const char *word;
    enum comparison comparison;
    bool swaps, inverts, is_unsigned;
} forms[] = {
    {"eq", EQ},
    {"ne", NE},
    {"lt", LT},
    {"le", LE},
    {"gt", LT, .swaps = true},
    {"ge", LE, .swaps = true},
    {"equ", NE, .inverts = true},
    {"neu", EQ, .inverts = true},
    {"ltu", LE, .swaps = true, .inverts = true},
    {"leu", LT, .swaps = true, .inverts = true},
    {"gtu", LE, .inverts = true},
    {"geu", LT, .inverts = true},
    {"num", NUM},
    {"nan", NUM, .inverts = true},
    {"lo", LT, .is_unsigned = true},
    {"ls", LE, .is_unsigned = true},
    {"hi", LT, .swaps = true, .is_unsigned = true},
    {"hs", LE, .swaps = true, .is_unsigned = true},
};

/* Decodes the modifiers of setp and set into the op: comparison, combination, .ftz, and the type of
 * the sources; and the operands from the sources on. */
static bool decode_comparison(struct decoder *decoder, const struct ptx_instruction *in,
                              struct op *op)
{
    static const char *const combinations[] = {"and", "or", "xor"};
    const struct form *form = NULL;
    struct ptx_type type = {.bits = 0};
    enum number number = NUMBERS;
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        struct ptx_text word = in->modifiers[i];
        int f = form ? -1 : PTX_FIND(word, forms), c = PTX_FIND(word, combinations);
        if (f >= 0) {
            form = &forms[f];
        } else if (c >= 0) {
            op->imm = AND + c;
        } else if (ptx_is(word, "ftz")) {
            op->flags |= OP_FTZ;
        } else {
            type = ptx_type_of(word);
            type.kind = type.kind == PTX_BITS ? PTX_UNSIGNED : type.kind;
            if (!decode_number(type, &number) || number < N_U16 || number > N_F64) {
                return false;
            }
        }
    }
    if (!form || number == NUMBERS || (form->is_unsigned && (number > N_U64 || number & 1))) {
        return false;
    }
    /* For integers, EQ needs one comparison fewer than NE. */
    bool is_integer_ne = form->comparison == NE && number <= N_S64;
    op->round = is_integer_ne ? EQ : (uint8_t)form->comparison;
    op->size = (uint8_t)number;
    op->space = type.lanes;
    op->a = decode_source_at(decoder, form->swaps ? 2 : 1, type.bits / 8u);
    op->b = decode_source_at(decoder, form->swaps ? 1 : 2, type.bits / 8u);
    const struct ptx_operand *third = op->imm ? decode_operand(decoder, 3) : NULL;
    op->c = third ? decode_source(decoder, third, 1) : decode_constant(decoder, 1, 1);
    op->imm |= third && third->negated ? OTHER_INVERTED : 0;
    op->imm |= form->inverts != is_integer_ne ? INVERTED : 0;
    return true;
}

static bool decode_setp(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    const struct ptx_operand *to = decode_operand(decoder, 0);
    if (!decode_comparison(decoder, in, op) || op->space > 1) {
        return false;
    }
    const struct ptx_operand *first = to->kind == PTX_PAIR ? &to->parts[0] : to;
    op->d = op->e = decode_destination(decoder, first, 1);
    if (to->kind == PTX_PAIR) {
        op->e = decode_destination(decoder, &to->parts[1], 1);
    }
    return true;
}

static bool decode_set(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    if (!decode_comparison(decoder, in, op)) {
        return false;
    }
    int i = PTX_FIND(in->modifiers[in->modifier_count - 2], set_results);
    const struct set_result *result = &set_results[i < 0 ? 0 : i];
    if (i < 0 || !(op->space == 1      ? result->of_one
                   : op->size == N_F16 ? result->of_f16x2
                                       : result->of_bf16x2)) {
        return false;
    }
    op->extra = result;
    op->d = decode_destination_at(decoder, 0, result->width);
    return true;
}

/* ---- testp --------------------------------------------------------------------------------------- */

/* Handler of testp. op->imm: set of the classes of numbers for which it is true. */
static void testp(struct warp *warp, const struct op *op)
{
    const float *f = reg(warp, op->a);
    const double *g = reg(warp, op->a);
    uint32_t result = 0;
    FOR_MASK(warp->mask, {
        int class = op->size == 4 ? fpclassify(f[i]) : fpclassify(g[i]);
        result |= (uint32_t)(op->imm >> class & 1) << i;
    })
    set_pred(warp, op->d, result);
}

static bool decode_testp(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    enum { ORDINARY = 1 << FP_ZERO | 1 << FP_NORMAL, FINITE = ORDINARY | 1 << FP_SUBNORMAL };
    static const struct {
        const char *name;
        int classes;
    } tests[] = {{"finite", FINITE},
                 {"infinite", 1 << FP_INFINITE},
                 {"number", FINITE | 1 << FP_INFINITE},
                 {"notanumber", 1 << FP_NAN},
                 {"normal", ORDINARY},
                 {"subnormal", 1 << FP_SUBNORMAL}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        op->imm = ptx_has(in, tests[i].name) ? tests[i].classes : op->imm;
    }
    op->size = ptx_has(in, "f32") ? 4 : 8;
    return op->imm && decode_by_widths(decoder, op->size == 4 ? "p=4" : "p=8");
}

/* ---- Selections ------------------------------------------------------------------------------ */

#define CHOICE uint32_t choice = pred(warp, op->c);
#define SELECT(name, T)                                                                            \
    HANDLER(name, T, SOURCE(a, T) SOURCE(b, T) CHOICE, ALL_OF, VALUE(x, T, a) VALUE(y, T, b),      \
            choice >> i & 1 ? x : y)
SELECT(selp_16, uint16_t)
SELECT(selp_32, uint32_t)
SELECT(selp_64, uint64_t)

/* slct: the result is a if c is at least 0, and b if c is less than 0 or NaN. slct.ftz: a subnormal c
 * counts as 0. */
#define SLCT(bits)                                                                                 \
    TERNARY(slct_##bits##_s32, uint##bits##_t, uint##bits##_t, int32_t, z >= 0 ? x : y)            \
    TERNARY(slct_##bits##_f32, uint##bits##_t, uint##bits##_t, float, z >= 0 ? x : y)              \
    TERNARY(slct_##bits##_ftz, uint##bits##_t, uint##bits##_t, float, z > -0x1p-126f ? x : y)
SLCT(16)
SLCT(32)
SLCT(64)

/* The rules of a type of values: bits, their width in bytes. */
#define SELECTIONS(type, bits, w)                                                                  \
    {"selp." type, selp_##bits, NULL, w "=" w w "p"},                                              \
        {"slct." type ".s32", slct_##bits##_s32, NULL, w "=" w w "4"},                             \
        {"slct." type ".f32", slct_##bits##_f32, slct_##bits##_ftz, w "=" w w "4"},

const struct rule compare_rules[] = {
    {"setp", setp, .decode = decode_setp},
    {"set", set, .decode = decode_set},
    {"testp", testp, .decode = decode_testp},
    SELECTIONS("b16", 16, "2") SELECTIONS("u16", 16, "2") SELECTIONS("s16", 16, "2")
        SELECTIONS("b32", 32, "4") SELECTIONS("u32", 32, "4") SELECTIONS("s32", 32, "4")
            SELECTIONS("f32", 32, "4") SELECTIONS("b64", 64, "8") SELECTIONS("u64", 64, "8")
                SELECTIONS("s64", 64, "8") SELECTIONS("f64", 64, "8"){NULL, NULL, NULL, NULL},
};
