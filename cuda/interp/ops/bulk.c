/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bulk copies (cp.async.bulk) and reductions (cp.reduce.async.bulk), executed at once.
 */
#include "interp/rules.h"
#include <string.h>

struct bulk {
    struct op from;
    struct op barrier; /* gets the number of bytes; .run is NULL if there is none */
    struct op element; /* .run: operation of cp.reduce; NULL: a copy */
};

/* Copies `size` bytes for the only lane of warp->mask. op->c: mask of the CTAs of the cluster that get a
 * copy at the same addresses, in op->size bytes; 0: no mask. */
static bool bulk_copy(struct warp *warp, const struct op *op, uint32_t size)
{
    const struct bulk *bulk = op->extra;
    unsigned i = (unsigned)__builtin_ctz(warp->mask);
    struct op to = *op, barrier = bulk->barrier;
    uint32_t ctas = op->size ? (uint32_t)lane_value(reg(warp, op->c), op->size, i) : 1;
    const void *from = NULL;
    if (size > 0 && !access_range(warp, &bulk->from, size, ACCESS_LOAD)) {
        return false;
    }
    from = warp->at[i];
    for (uint32_t rank = 0; ctas >> rank; rank++) {
        int64_t window = op->size ? (int64_t)(rank + 1) << CLUSTER_SHIFT : 0;
        to.imm = op->imm + window;
        barrier.imm = bulk->barrier.imm + window;
        if (!(ctas >> rank & 1)) {
            continue;
        }
        enum access how = bulk->element.run ? ACCESS_ATOMIC : ACCESS_STORE;
        if (size > 0 && !access_range(warp, &to, size, how)) {
            return false;
        }
        if (bulk->element.run) {
            uint64_t at = lane_value(reg(warp, op->a), op->flags & OP_WIDE ? 8 : 4, i);
            atomic_bulk(warp, &bulk->element, at + (uint64_t)op->imm, from, size);
        } else if (size > 0) {
            memcpy(warp->at[i], from, size);
        }
        if (barrier.run != NULL) {
            barrier.run(warp, &barrier);
        }
    }
    return true;
}

/* Handler of cp.async.bulk and cp.reduce.async.bulk. op->a, imm: destination; op->b: number of bytes. */
static void bulk_run(struct warp *warp, const struct op *op)
{
    const uint32_t *size = reg(warp, op->b);
    uint32_t mask = warp->mask;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        warp->mask = 1u << i;
        if (size[i] % 16) {
            fault(warp, op, i, INTERP_MISALIGNED, "cp.async.bulk of %u bytes, not a multiple of 16",
                  size[i]);
            break;
        }
        if (!bulk_copy(warp, op, size[i])) {
            break;
        }
    }
    warp->mask = mask;
}

bool decode_bulk(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    bool has_barrier = ptx_has(in, "mbarrier::complete_tx::bytes"), global = ptx_has(in, "global");
    bool is_masked = ptx_has(in, "multicast::cluster");
    struct bulk *bulk = decode_memory(decoder, sizeof *bulk);
    if (!bulk || has_barrier == ptx_has(in, "bulk_group") || ptx_has(in, "tensor") ||
        ptx_has(in, "cp_mask")) {
        return false;
    }
    if (ptx_has(in, "reduce") &&
        !decode_atomic_bulk(decoder, &bulk->element, global ? PTX_GLOBAL : PTX_SHARED)) {
        return false;
    }
    /* Of the two spaces, the first is that of the destination. */
    bool is_from = global && ptx_instruction_space(in) == PTX_SHARED;
    op->b = decode_source_at(decoder, 2, 4);
    bulk->from = decode_addressed(decoder, 1, is_from ? PTX_GLOBAL : PTX_SHARED);
    if (has_barrier) {
        bulk->barrier = decode_complete(decoder, 3, op->b, PTX_SHARED);
    }
    decode_address(decoder, decode_operand(decoder, 0),
                   global && !is_from ? PTX_GLOBAL : PTX_SHARED);
    if (is_masked) {
        const struct ptx_operand *mask = decode_operand(decoder, 4);
        op->size = (uint8_t)(mask ? decode_register_width(decoder, mask) : 0);
        op->size = op->size ? op->size : 2;
        op->c = decode_source(decoder, mask, op->size);
    }
    op->extra = bulk;
    op->run = bulk_run;
    return op->size == 0 || op->size == 2 || op->size == 4;
}
