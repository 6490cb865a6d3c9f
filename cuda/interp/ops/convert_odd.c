/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cvt of pairs of FP8 numbers, of TF32, and cvt.pack; see decode.h. FP8 and TF32: PTX ISA, "cvt".
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <math.h>

/* Parameters of a conversion; op->extra points to this structure. */
struct odd {
    struct f8 type;
    bool relu;
    bool halves;   /* true if the other type is f16x2; false: f32 */
    bool saturate; /* TF32: larger numbers become the largest finite one */
    /* TF32: number that is added to the pattern before its low bits are cleared */
    uint32_t add;
    bool to_even; /* TF32: ties are rounded to even */
    /* cvt.pack: size in bits and range of the packed integers */
    unsigned bits;
    int32_t least, most;
};

static double clamped(double value, bool relu)
{
    return relu && !(value > 0) && value == value ? 0 : value;
}

/* Converts two f32, or a register with two f16, to two FP8 numbers. The first operand, or the upper
 * half, becomes the upper byte. */
static void to_f8(struct warp *warp, const struct op *op)
{
    const struct odd *odd = op->extra;
    uint16_t *d = reg(warp, op->d);
    const uint32_t *a = reg(warp, op->a), *b = reg(warp, op->b);
    FOR_MASK(warp->mask, {
        double upper = odd->halves ? f16_to_double((uint16_t)(a[i] >> 16)) : (double)f32_of(a[i]);
        double lower = odd->halves ? f16_to_double((uint16_t)a[i]) : (double)f32_of(b[i]);
        d[i] = (uint16_t)(f8_from_double(clamped(upper, odd->relu), &odd->type) << 8 |
                          f8_from_double(clamped(lower, odd->relu), &odd->type));
    })
}

static void from_f8(struct warp *warp, const struct op *op)
{
    const struct odd *odd = op->extra;
    uint32_t *d = reg(warp, op->d);
    const uint16_t *a = reg(warp, op->a);
    FOR_MASK(warp->mask, {
        double upper = clamped(f8_to_double((uint8_t)(a[i] >> 8), &odd->type), odd->relu);
        double lower = clamped(f8_to_double((uint8_t)a[i], &odd->type), odd->relu);
        d[i] = (uint32_t)f16_from_double(upper, ROUND_NEAREST) << 16 |
               f16_from_double(lower, ROUND_NEAREST);
    })
}

/* TF32 has the exponent of f32 and 10 bits of the mantissa; the other 13 bits are 0. */
static void to_tf32(struct warp *warp, const struct op *op)
{
    enum { LOST = 13 };
    const struct odd *odd = op->extra;
    uint32_t *d = reg(warp, op->d);
    const uint32_t *a = reg(warp, op->a);
    FOR_MASK(warp->mask, {
        uint32_t magnitude = a[i] & INT32_MAX, sign = a[i] & ~(uint32_t)INT32_MAX;
        bool is_nan = magnitude > 0x7f800000u;
        magnitude += odd->add + (odd->to_even ? magnitude >> LOST & 1 : 0);
        magnitude &= ~((1u << LOST) - 1);
        magnitude = magnitude > 0x7f800000u ? 0x7f800000u : magnitude;
        magnitude = odd->saturate && magnitude == 0x7f800000u ? 0x7f7fe000u : magnitude;
        d[i] = is_nan ? NAN_F32 : odd->relu && sign ? 0 : sign | magnitude;
    })
}

/* Shifts c to the left by two packed integers, and puts a and b, saturated, into the space. */
static void pack(struct warp *warp, const struct op *op)
{
    const struct odd *odd = op->extra;
    uint32_t *d = reg(warp, op->d), mask = (1u << odd->bits) - 1;
    const int32_t *a = reg(warp, op->a), *b = reg(warp, op->b);
    const uint32_t *c = reg(warp, op->c);
    FOR_MASK(warp->mask, {
        int32_t upper = a[i] < odd->least ? odd->least : a[i] > odd->most ? odd->most : a[i];
        int32_t lower = b[i] < odd->least ? odd->least : b[i] > odd->most ? odd->most : b[i];
        uint32_t rest = odd->bits == 16 ? 0 : c[i] << 2 * odd->bits;
        d[i] = rest | ((uint32_t)upper & mask) << odd->bits | ((uint32_t)lower & mask);
    })
}

/* ---- Decoding --------------------------------------------------------------------------------- */

bool convert_is_odd(const struct ptx_instruction *in)
{
    return ptx_has(in, "pack") || ptx_has(in, "tf32") || ptx_has(in, "e4m3x2") ||
           ptx_has(in, "e5m2x2");
}

/* Returns true if modifiers, in this order and without those in `options`, are the words. */
static bool has_form(const struct ptx_instruction *in, const char *const *words,
                     const char *const *options)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        bool is_option = false;
        for (const char *const *o = options; *o; o++) {
            is_option = is_option || ptx_is(in->modifiers[i], *o);
        }
        if (!is_option && (!*words || !ptx_is(in->modifiers[i], *words++))) {
            return false;
        }
    }
    return !*words;
}

static bool decode_f8(struct decoder *decoder, struct odd *odd)
{
    static const char *const relu[] = {"relu", NULL};
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    const char *type = ptx_has(in, "e4m3x2") ? "e4m3x2" : "e5m2x2";
    const char *const from_f32[] = {"rn", "satfinite", type, "f32", NULL};
    const char *const from_f16[] = {"rn", "satfinite", type, "f16x2", NULL};
    const char *const to_f16[] = {"rn", "f16x2", type, NULL};
    odd->type = ptx_has(in, "e4m3x2") ? F8_E4M3 : F8_E5M2;
    odd->relu = ptx_has(in, "relu");
    odd->halves = !ptx_has(in, "f32");
    if (has_form(in, to_f16, relu)) {
        op->run = from_f8;
        return decode_by_widths(decoder, "4=2");
    }
    op->run = to_f8;
    op->b = decode_constant(decoder, 0, 4);
    return has_form(in, from_f32, relu)   ? decode_by_widths(decoder, "2=44")
           : has_form(in, from_f16, relu) ? decode_by_widths(decoder, "2=4")
                                          : false;
}

static bool decode_tf32(struct decoder *decoder, struct odd *odd)
{
    static const char *const options[] = {"relu", "satfinite", NULL};
    static const char *const rounds[] = {"rna", "rn", "rz"};
    const struct ptx_instruction *in = decoder->in;
    odd->relu = ptx_has(in, "relu");
    odd->saturate = ptx_has(in, "satfinite");
    for (int i = 0; i < 3; i++) {
        const char *const form[] = {rounds[i], "tf32", "f32", NULL};
        if (has_form(in, form, options)) {
            odd->add = i == 0 ? 0x1000 : i == 1 ? 0xfff : 0;
            odd->to_even = i == 1;
            decoder->op->run = to_tf32;
            return decode_by_widths(decoder, "4=4");
        }
    }
    return false;
}

static bool decode_pack(struct decoder *decoder, struct odd *odd)
{
    static const char *const types[] = {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"};
    static const char *const none[] = {NULL};
    static const unsigned bits[] = {16, 16, 8, 8, 4, 4, 2, 2};
    for (int i = 0; i < 8; i++) {
        const char *const form[] = {"pack", "sat", types[i], "s32", i < 2 ? NULL : "b32", NULL};
        if (has_form(decoder->in, form, none)) {
            int32_t end = 1 << (bits[i] - (i % 2 ? 1u : 0u));
            odd->bits = bits[i];
            odd->least = i % 2 ? -end : 0;
            odd->most = end - 1;
            decoder->op->run = pack;
            decoder->op->c = decode_constant(decoder, 0, 4);
            return decode_by_widths(decoder, i < 2 ? "4=44" : "4=444");
        }
    }
    return false;
}

bool decode_odd_convert(struct decoder *decoder)
{
    struct odd *odd = decode_memory(decoder, sizeof *odd);
    decoder->op->extra = odd;
    if (!odd) {
        return false;
    }
    return ptx_has(decoder->in, "pack")   ? decode_pack(decoder, odd)
           : ptx_has(decoder->in, "tf32") ? decode_tf32(decoder, odd)
                                          : decode_f8(decoder, odd);
}
