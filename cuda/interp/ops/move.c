/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mov, cvta, isspacep: values, addresses, and special registers whose values change.
 */
#include "interp/rules.h"
#include <assert.h>
#include <time.h>

UNARY(mov_b16, uint16_t, uint16_t, x)
UNARY(mov_b32, uint32_t, uint32_t, x)
UNARY(mov_b64, uint64_t, uint64_t, x)

static void mov_b128(struct warp *warp, const struct op *op)
{
    struct wide *d = reg(warp, op->d);
    const struct wide *a = reg(warp, op->a);
    FOR_LANES(warp, { d[i] = a[i]; });
}

static void mov_pred(struct warp *warp, const struct op *op)
{
    set_pred(warp, op->d, pred(warp, op->a));
}

/* Returns the address of a local variable: an address in local memory, or a generic address. op->imm:
 * offset of the variable in its frame, plus the address of the window if the result is generic. */
static void mov_local(struct warp *warp, const struct op *op)
{
    void *d = reg(warp, op->d);
    FOR_MASK(warp->mask,
             { set_lane(d, op->size, i, warp->frame->local_begin + (uint64_t)op->imm); })
}

/* ---- Vectors ------------------------------------------------------------------------------------ */

/* This handler and the next pack parts into a value, or unpack a value into parts. op->extra:
 * operands of the parts; op->c: number of parts; op->size: size of the value in bytes; op->b: size
 * of a part in bytes. */
static void mov_pack(struct warp *warp, const struct op *op)
{
    const operand *parts = op->extra;
    void *d = reg(warp, op->d);
    uint64_t mask = UINT64_MAX >> (64 - op->b * 8);
    assert(op->b > 0 && op->b <= 8 && op->b * op->c == op->size);
    FOR_MASK(warp->mask, {
        uint64_t words[2] = {0};
        for (uint32_t n = 0, bit = 0; n < op->c; n++, bit += op->b * 8) {
            words[bit / 64] |= (lane_value(reg(warp, parts[n]), op->b < 2 ? 2 : op->b, i) & mask)
                               << bit % 64;
        }
        if (op->size == 16) {
            ((struct wide *)d)[i] = (struct wide){words[0], words[1]};
        } else {
            set_lane(d, op->size, i, words[0]);
        }
    })
}

static void mov_unpack(struct warp *warp, const struct op *op)
{
    const operand *parts = op->extra;
    const void *a = reg(warp, op->a);
    uint64_t mask = UINT64_MAX >> (64 - op->b * 8);
    FOR_MASK(warp->mask, {
        const struct wide value = op->size == 16 ? ((const struct wide *)a)[i]
                                                 : (struct wide){lane_value(a, op->size, i), 0};
        for (uint32_t n = 0, bit = 0; n < op->c; n++, bit += op->b * 8) {
            uint64_t word = bit < 64 ? value.low : value.high;
            set_lane(reg(warp, parts[n]), op->b < 2 ? 2 : op->b, i, word >> bit % 64 & mask);
        }
    })
}

static bool decode_vector(struct decoder *decoder, const struct ptx_operand *list, uint32_t count,
                          const struct ptx_operand *whole, uint32_t width, bool pack)
{
    struct op *op = decoder->op;
    bool is_wide = width == 16 && count == 2;
    if (count > 8 || width % count || (width > 8 && !is_wide)) {
        return false;
    }
    op->b = width / count;
    op->c = count;
    op->size = (uint8_t)width;
    op->extra = decode_registers(decoder, list, count, op->b < 2 ? 2 : op->b, !pack);
    if (pack) {
        op->d = decode_destination(decoder, whole, width);
    } else {
        op->a = decode_source(decoder, whole, width);
    }
    op->run = pack ? mov_pack : mov_unpack;
    return true;
}

/* ---- Special registers whose values change --------------------------------------------------- */

/* Returns the time in a register, shifted right by op->b bits. */
static void set_time(struct warp *warp, const struct op *op, uint64_t now)
{
    void *d = reg(warp, op->d);
    FOR_MASK(warp->mask, { set_lane(d, op->size, i, now >> op->b); })
}

static void clock_now(struct warp *warp, const struct op *op)
{
    set_time(warp, op, warp->launch->executed + warp->executed);
}

static void globaltimer(struct warp *warp, const struct op *op)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    set_time(warp, op, (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec);
}

static bool decode_changing(struct decoder *decoder, const struct ptx_operand *to,
                            const struct ptx_operand *from, uint32_t width)
{
    static const struct {
        const char *name;
        op_handler run;
        uint32_t shift, width;
    } names[] = {
        {"%clock", clock_now, 0, 4},
        {"%clock_hi", clock_now, 32, 4},
        {"%clock64", clock_now, 0, 8},
        {"%globaltimer", globaltimer, 0, 8},
        {"%globaltimer_lo", globaltimer, 0, 4},
        {"%globaltimer_hi", globaltimer, 32, 4},
    };
    struct op *op = decoder->op;
    int i = PTX_FIND(from->name, names);
    if (i < 0 || width != names[i].width) {
        return false;
    }
    op->d = decode_destination(decoder, to, width);
    op->size = (uint8_t)width;
    op->b = names[i].shift;
    op->run = names[i].run;
    return true;
}

static bool decode_mov_scalar(struct decoder *decoder, const struct ptx_operand *to,
                              const struct ptx_operand *from, uint32_t width)
{
    struct op *op = decoder->op;
    const struct place *place =
        from->kind == PTX_SYMBOL ? decode_place(decoder, from->variable) : NULL;
    op->d = decode_destination(decoder, to, width);
    if (place && place->space == PTX_LOCAL && width >= 4) {
        op->imm = (int64_t)place->offset + from->offset;
        op->size = (uint8_t)width;
        op->run = mov_local;
        return true;
    }
    if (from->kind == PTX_SYMBOL && from->offset && width >= 4) {
        struct ptx_operand base = *from;
        base.offset = 0;
        op->a = decode_source(decoder, &base, width);
        op->imm = from->offset;
        op->run = width == 4 ? add_offset_32 : add_offset_64;
        return true;
    }
    if (from->kind == PTX_SPECIAL && width == 2) { /* the low half of the special register */
        op->a = decode_source(decoder, from, 4);
        op->size = 4;
        op->b = 2;
        op->c = 1;
        op->extra = decode_registers(decoder, to, 1, width, true);
        op->run = mov_unpack;
        return true;
    }
    op->a = decode_source(decoder, from, width);
    op->run = width == 1   ? mov_pred
              : width == 2 ? mov_b16
              : width == 4 ? mov_b32
              : width == 8 ? mov_b64
                           : mov_b128;
    return width <= 16;
}

static bool decode_mov(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    (void)op;
    const struct ptx_operand *to = decode_operand(decoder, 0), *from = decode_operand(decoder, 1);
    struct ptx_type type = ptx_instruction_type(in);
    uint32_t width = type.kind == PTX_PRED ? 1 : type.bits / 8u;
    uint32_t to_count, from_count;
    to = decode_elements(decoder, to, &to_count);
    from = decode_elements(decoder, from, &from_count);
    if (!width || (to_count > 1 && from_count > 1)) {
        return false;
    }
    if (from_count > 1) {
        return decode_vector(decoder, from, from_count, to, width, true);
    }
    if (to_count > 1) {
        return decode_vector(decoder, to, to_count, from, width, false);
    }
    if (from->kind == PTX_SPECIAL && decode_changing(decoder, to, from, width)) {
        return true;
    }
    return decode_mov_scalar(decoder, to, from, width);
}

/* ---- State spaces --------------------------------------------------------------------------------- */

/* Offsets of the generic addresses of each space. */
static const struct {
    uint64_t begin, end;
} ranges[] = {
    [PTX_GLOBAL] = {VARIABLE_BEGIN, UINT64_MAX},
    [PTX_CONST] = {CONSTANT_BEGIN, VARIABLE_BEGIN},
    [PTX_SHARED] = {SHARED_WINDOW, SHARED_WINDOW + WINDOW_BYTES},
    [PTX_LOCAL] = {LOCAL_WINDOW, LOCAL_WINDOW + WINDOW_BYTES},
    [PTX_PARAM] = {PARAMETER_WINDOW, PARAMETER_WINDOW + WINDOW_BYTES},
};

/* Decodes cvta. Global and constant addresses are equal to their generic addresses. */
static bool decode_cvta(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    const struct ptx_operand *to = decode_operand(decoder, 0), *from = decode_operand(decoder, 1);
    uint32_t width = ptx_instruction_type(in).bits / 8u;
    enum ptx_space space = ptx_instruction_space(in);
    bool is_window = space == PTX_SHARED || space == PTX_LOCAL || space == PTX_PARAM;
    uint64_t offset = is_window ? decoder->module->device->base + ranges[space].begin : 0;
    if ((width != 4 && width != 8) || !decode_mov_scalar(decoder, to, from, width)) {
        return false;
    }
    op->imm += (int64_t)(ptx_has(in, "to") ? 0 - offset : offset);
    if (op->run == mov_b32 || op->run == mov_b64) {
        op->run = width == 4 ? add_offset_32 : add_offset_64;
    }
    return true;
}

/* Handler of isspacep. op->size: 1 for shared memory of the own CTA only. */
static void isspacep(struct warp *warp, const struct op *op)
{
    const struct interp *device = warp->launch->device;
    const uint64_t *a = reg(warp, op->a);
    uint32_t result = 0;
    assert(op->space < sizeof ranges / sizeof *ranges);
    FOR_MASK(warp->mask, {
        uint64_t offset = a[i] - device->base;
        /* An address outside the device is an address of the host, or invalid. It counts as
         * global. */
        bool in =
            op->space == PTX_GLOBAL && offset >= device->bytes
                ? true
                : offset >= ranges[op->space].begin &&
                      offset < (op->size ? SHARED_WINDOW + CLUSTER_STRIDE : ranges[op->space].end);
        result |= (uint32_t)in << i;
    })
    set_pred(warp, op->d, result);
}

static bool decode_isspacep(struct decoder *decoder, const struct ptx_instruction *in,
                            struct op *op)
{
    op->space = (uint8_t)ptx_instruction_space(in);
    op->size = op->space == PTX_SHARED && !ptx_has(in, "shared::cluster");
    op->d = decode_destination_at(decoder, 0, 1);
    op->a = decode_source_at(decoder, 1, 8);
    return op->space == PTX_GLOBAL || op->space == PTX_CONST || op->space == PTX_SHARED ||
           op->space == PTX_LOCAL || op->space == PTX_PARAM;
}

const struct rule move_rules[] = {
    {"mov", .decode = decode_mov},
    {"cvta", .decode = decode_cvta},
    {"isspacep", isspacep, .decode = decode_isspacep},
    {NULL, NULL, NULL, NULL},
};
