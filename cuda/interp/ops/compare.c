/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comparisons (setp, set, testp) and selections (selp, slct).
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum comparison { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NOT_A, COMPARISONS };
enum combination { ALONE, AND, OR, XOR };

static const char *const comparison_names[COMPARISONS] = {
    "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

/* Sets the bits of `result` for the lanes for which the expression is true. */
#define BITS(expression)                                                                           \
    for (unsigned i = 0; i < WARP_LANES; i++) {                                                    \
        result |= (uint32_t)((expression) != 0) << i;                                              \
    }

#define COMPARE(name, T)                                                                           \
    static uint32_t name(const T *x, const T *y, uint32_t how)                                     \
    {                                                                                              \
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
        case GT:                                                                                   \
            BITS(x[i] > y[i]) break;                                                               \
        case GE:                                                                                   \
            BITS(x[i] >= y[i]) break;                                                              \
        case EQU:                                                                                  \
            BITS(!(x[i] < y[i] || x[i] > y[i])) break;                                             \
        case NEU:                                                                                  \
            BITS(!(x[i] == y[i])) break;                                                           \
        case LTU:                                                                                  \
            BITS(!(x[i] >= y[i])) break;                                                           \
        case LEU:                                                                                  \
            BITS(!(x[i] > y[i])) break;                                                            \
        case GTU:                                                                                  \
            BITS(!(x[i] <= y[i])) break;                                                           \
        case GEU:                                                                                  \
            BITS(!(x[i] < y[i])) break;                                                            \
        case NUM:                                                                                  \
            BITS(x[i] == x[i] && y[i] == y[i]) break;                                              \
        default:                                                                                   \
            BITS(!(x[i] == x[i] && y[i] == y[i])) break;                                           \
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

static void widen(double *to, const uint16_t *from, bool bf16)
{
    for (unsigned i = 0; i < WARP_LANES; i++) {
        to[i] = bf16 ? bf16_to_double(from[i]) : f16_to_double(from[i]);
    }
}

/* Compares registers a and b of an op. op->round: enum comparison; op->size: enum number, plus
 * NUMBERS for pairs, which only the instruction "set" compares. Returns the bit mask of the lanes
 * for which the comparison is true. */
static uint32_t compare(struct warp *warp, const struct op *op)
{
    const void *x = reg(warp, op->a), *y = reg(warp, op->b);
    float fx[WARP_LANES], fy[WARP_LANES];
    double dx[WARP_LANES], dy[WARP_LANES];
    assert(op->size < NUMBERS && op->round < COMPARISONS);
    switch (op->size) {
    case N_U16:
        return compare_u16(x, y, op->round);
    case N_S16:
        return compare_s16(x, y, op->round);
    case N_U32:
        return compare_u32(x, y, op->round);
    case N_S32:
        return compare_s32(x, y, op->round);
    case N_U64:
        return compare_u64(x, y, op->round);
    case N_S64:
        return compare_s64(x, y, op->round);
    case N_F64:
        return compare_f64(x, y, op->round);
    case N_F32:
        if (op->flags & OP_FTZ) {
            flush(fx, x);
            flush(fy, y);
            return compare_f32(fx, fy, op->round);
        }
        return compare_f32(x, y, op->round);
    default:
        widen(dx, x, op->size == N_BF16);
        widen(dy, y, op->size == N_BF16);
        return compare_f64(dx, dy, op->round);
    }
}

/* Compares the low (bit is 0) or high (bit is 16) halves of pairs. Returns the bit mask of the
 * lanes for which the comparison is true. */
static uint32_t compare_halves(struct warp *warp, const struct op *op, unsigned bit)
{
    const uint32_t *x = reg(warp, op->a), *y = reg(warp, op->b);
    uint16_t hx[WARP_LANES], hy[WARP_LANES];
    double dx[WARP_LANES], dy[WARP_LANES];
    assert(op->size >= NUMBERS);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        hx[i] = (uint16_t)(x[i] >> bit);
        hy[i] = (uint16_t)(y[i] >> bit);
    }
    widen(dx, hx, op->size == NUMBERS + N_BF16);
    widen(dy, hy, op->size == NUMBERS + N_BF16);
    return compare_f64(dx, dy, op->round);
}

static uint32_t combine(uint32_t x, uint32_t y, uint8_t how)
{
    return how == AND ? x & y : how == OR ? x | y : how == XOR ? x ^ y : x;
}

/* Handler of setp. op->c: predicate that is combined with the result; op->imm: enum combination,
 * plus 4 if that predicate is inverted; op->e: destination of the complement, or op->d if there is
 * none. */
static void setp(struct warp *warp, const struct op *op)
{
    uint32_t result = compare(warp, op), other = pred(warp, op->c) ^ (op->imm & 4 ? ALL_LANES : 0);
    if (op->e != op->d) {
        set_pred(warp, op->e, combine(~result, other, op->imm & 3));
    }
    set_pred(warp, op->d, combine(result, other, op->imm & 3));
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
    uint32_t other = pred(warp, op->c) ^ (op->imm & 4 ? ALL_LANES : 0);
    uint32_t yes = combine(compare(warp, op), other, op->imm & 3);
    if (result->width == 2) {
        uint16_t *d = reg(warp, op->d);
        FOR_MASK(warp->mask, { d[i] = (uint16_t)(yes >> i & 1 ? result->yes : 0); })
    } else {
        uint32_t *d = reg(warp, op->d);
        FOR_MASK(warp->mask, { d[i] = yes >> i & 1 ? result->yes : 0; })
    }
}

static void set_pair(struct warp *warp, const struct op *op)
{
    const struct set_result *result = op->extra;
    uint32_t other = pred(warp, op->c) ^ (op->imm & 4 ? ALL_LANES : 0);
    uint32_t low = combine(compare_halves(warp, op, 0), other, op->imm & 3);
    uint32_t high = combine(compare_halves(warp, op, 16), other, op->imm & 3);
    uint32_t *d = reg(warp, op->d);
    FOR_MASK(warp->mask, {
        d[i] = result->yes & ((low >> i & 1 ? 0xffffu : 0) | (high >> i & 1 ? 0xffff0000u : 0));
    })
}

/* Decodes the modifiers of setp and set into the op: comparison, combination, .ftz, and the type of
 * the sources. Sets *width to the size of a source in bytes. */
static bool decode_modifiers(struct decoder *decoder, uint32_t *width)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    enum number number = NUMBERS;
    bool found = false, is_unsigned = false;
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        struct ptx_text word = in->modifiers[i];
        static const struct {
            const char *word;
            enum comparison comparison;
        } unsigned_names[] = {{"lo", LT}, {"ls", LE}, {"hi", GT}, {"hs", GE}};
        bool known = false;
        for (uint8_t c = 0; c < COMPARISONS && !found; c++) {
            if (ptx_is(word, comparison_names[c])) {
                op->round = c;
                known = found = true;
            }
        }
        for (size_t c = 0; c < 4 && !found; c++) {
            if (ptx_is(word, unsigned_names[c].word)) {
                op->round = (uint8_t)unsigned_names[c].comparison;
                known = found = is_unsigned = true;
            }
        }
        if (known) {
            continue;
        }
        if (ptx_is(word, "and") || ptx_is(word, "or") || ptx_is(word, "xor")) {
            op->imm = ptx_is(word, "and") ? AND : ptx_is(word, "or") ? OR : XOR;
        } else if (ptx_is(word, "ftz")) {
            op->flags |= OP_FTZ;
        } else {
            struct ptx_type type = ptx_type_of(word);
            type.kind = type.kind == PTX_BITS ? PTX_UNSIGNED : type.kind;
            if (!decode_number(type, &number) || number < N_U16) {
                return false;
            }
            *width = type.bits / 8u;
            op->size = (uint8_t)(type.lanes == 2 ? NUMBERS + number : number);
        }
    }
    return found && number != NUMBERS &&
           (!is_unsigned || op->size == N_U16 || op->size == N_U32 || op->size == N_U64);
}

static void decode_third(struct decoder *decoder)
{
    const struct ptx_operand *third = decoder->op->imm ? decode_operand(decoder, 3) : NULL;
    decoder->op->c = decode_constant(decoder, 1, 1);
    if (third) {
        decoder->op->c = decode_source(decoder, third, 1);
        decoder->op->imm |= third->negated ? 4 : 0;
    }
}

static bool decode_setp(struct decoder *decoder)
{
    struct op *op = decoder->op;
    uint32_t width;
    const struct ptx_operand *to = decode_operand(decoder, 0);
    if (!to || !decode_modifiers(decoder, &width) || op->size >= NUMBERS) {
        return false;
    }
    if (op->round == NE && op->size <= N_S64) {
        op->round = NEU; /* for integers NE and NEU are equal, and NEU needs one comparison fewer */
    }
    const struct ptx_operand *first = to->kind == PTX_PAIR ? &to->parts[0] : to;
    op->a = decode_source_at(decoder, 1, width);
    op->b = decode_source_at(decoder, 2, width);
    op->d = op->e = decode_destination(decoder, first, 1);
    if (to->kind == PTX_PAIR) {
        op->e = decode_destination(decoder, &to->parts[1], 1);
    }
    decode_third(decoder);
    return true;
}

static bool decode_set(struct decoder *decoder)
{
    struct op *op = decoder->op;
    uint32_t width;
    if (!decode_modifiers(decoder, &width)) {
        return false;
    }
    const struct set_result *result = NULL;
    for (size_t i = 0; i < sizeof set_results / sizeof *set_results; i++) {
        if (ptx_is(decoder->in->modifiers[decoder->in->modifier_count - 2], set_results[i].word)) {
            result = &set_results[i];
        }
    }
    if (!result || !(op->size == NUMBERS + N_F16    ? result->of_f16x2
                     : op->size == NUMBERS + N_BF16 ? result->of_bf16x2
                                                    : result->of_one)) {
        return false;
    }
    op->extra = result;
    op->d = decode_destination_at(decoder, 0, result->width);
    op->a = decode_source_at(decoder, 1, width);
    op->b = decode_source_at(decoder, 2, width);
    decode_third(decoder);
    op->run = op->size >= NUMBERS ? set_pair : set;
    return true;
}

/* ---- testp --------------------------------------------------------------------------------------- */

enum { FINITE, INFINITE, NUMBER, NOTANUMBER, NORMAL, SUBNORMAL, TESTS };

static bool test(int class, uint8_t how)
{
    const bool results[TESTS] = {
        [FINITE] = class != FP_INFINITE && class != FP_NAN,
        [INFINITE] = class == FP_INFINITE,
        [NUMBER] = class != FP_NAN,
        [NOTANUMBER] = class == FP_NAN,
        [NORMAL] = class == FP_NORMAL || class == FP_ZERO,
        [SUBNORMAL] = class == FP_SUBNORMAL,
    };
    return results[how];
}

static void testp(struct warp *warp, const struct op *op)
{
    const float *f = reg(warp, op->a);
    const double *g = reg(warp, op->a);
    uint32_t result = 0;
    FOR_MASK(warp->mask, {
        int class = op->size == 4 ? fpclassify(f[i]) : fpclassify(g[i]);
        result |= (uint32_t)test(class, op->round) << i;
    })
    set_pred(warp, op->d, result);
}

static bool decode_testp(struct decoder *decoder)
{
    static const char *const names[TESTS] = {"finite",     "infinite", "number",
                                             "notanumber", "normal",   "subnormal"};
    struct op *op = decoder->op;
    bool found = false;
    for (uint8_t i = 0; i < TESTS; i++) {
        if (ptx_has(decoder->in, names[i])) {
            op->round = i;
            found = true;
        }
    }
    op->size = ptx_has(decoder->in, "f32") ? 4 : 8;
    return found && decode_by_widths(decoder, op->size == 4 ? "p=4" : "p=8");
}

/* ---- Selections ------------------------------------------------------------------------------ */

#define SELECT(name, T)                                                                            \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a), *b = reg(warp, op->b);                                      \
        uint32_t choice = pred(warp, op->c);                                                       \
        FOR_LANES(warp, {                                                                          \
            T x = a[i];                                                                            \
            T y = b[i];                                                                            \
            d[i] = choice >> i & 1 ? x : y;                                                        \
        });                                                                                        \
    }
SELECT(selp_16, uint16_t)
SELECT(selp_32, uint32_t)
SELECT(selp_64, uint64_t)

static bool decode_selp(struct decoder *decoder)
{
    uint32_t width = ptx_instruction_type(decoder->in).bits / 8u;
    decoder->op->run = width == 2 ? selp_16 : width == 4 ? selp_32 : width == 8 ? selp_64 : NULL;
    return decoder->op->run && decode_by_widths(decoder, width == 2   ? "2=22p"
                                                         : width == 4 ? "4=44p"
                                                                      : "8=88p");
}

/* slct: the result is a if c is at least 0, and b if c is less than 0 or NaN. */
#define SLCT(name, T, C) TERNARY(name, T, T, C, z >= 0 ? x : y)
SLCT(slct_16_s32, uint16_t, int32_t)
SLCT(slct_32_s32, uint32_t, int32_t)
SLCT(slct_64_s32, uint64_t, int32_t)
SLCT(slct_16_f32, uint16_t, float)
SLCT(slct_32_f32, uint32_t, float)
SLCT(slct_64_f32, uint64_t, float)

/* slct.ftz: a subnormal c counts as 0. */
#define SLCT_FTZ(name, T) TERNARY(name, T, T, float, z > -0x1p-126f ? x : y)
SLCT_FTZ(slct_16_ftz, uint16_t)
SLCT_FTZ(slct_32_ftz, uint32_t)
SLCT_FTZ(slct_64_ftz, uint64_t)

static bool decode_slct(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    if (in->modifier_count < 2) {
        return false;
    }
    uint32_t width = ptx_type_of(in->modifiers[in->modifier_count - 2]).bits / 8u;
    bool real = ptx_is(in->modifiers[in->modifier_count - 1], "f32");
    bool ftz = in->modifier_count > 2 && ptx_is(in->modifiers[0], "ftz");
    op_handler run_16 = ftz ? slct_16_ftz : real ? slct_16_f32 : slct_16_s32;
    op_handler run_32 = ftz ? slct_32_ftz : real ? slct_32_f32 : slct_32_s32;
    op_handler run_64 = ftz ? slct_64_ftz : real ? slct_64_f32 : slct_64_s32;
    decoder->op->run = width == 2 ? run_16 : width == 4 ? run_32 : width == 8 ? run_64 : NULL;
    return decoder->op->run && (!ftz || real) &&
           decode_by_widths(decoder, width == 2   ? "2=224"
                                     : width == 4 ? "4=444"
                                                  : "8=884");
}

const struct rule compare_rules[] = {
    {"setp", setp, .decode = decode_setp},    {"set", .decode = decode_set},
    {"testp", testp, .decode = decode_testp}, {"selp", .decode = decode_selp},
    {"slct", .decode = decode_slct},          {NULL, NULL, NULL, NULL},
};
