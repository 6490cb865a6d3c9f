/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operands that are the sum of a register and a constant, as in "st.global.u32 [%d0], %r1+4". An op
 * before that of the instruction computes the sum into a register of its own.
 */
#include "interp/rules.h"

/* Returns true if an operand is the sum of a register and a constant, which an op computes before
 * the op of its instruction. */
static bool is_sum(const struct ptx_operand *o)
{
    return o->kind == PTX_REGISTER && o->offset != 0;
}

uint32_t decode_sum_count(const struct ptx_instruction *in)
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

void decode_sums(struct decoder *decoder, const struct ptx_statement *statement)
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
