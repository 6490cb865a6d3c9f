/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Branches, returns, exits and traps.
 */
#include "interp/machine.h"
#include "interp/rules.h"
#include <stdio.h>

static void bra(struct warp *warp, const struct op *op)
{
    warp_branch(warp, op, op->extra);
}

static bool decode_bra(struct decoder *decoder)
{
    decoder->op->extra = decode_target(decoder, decode_operand(decoder, 0));
    return decoder->op->extra != NULL;
}

/* Handler of an indirect branch. op->a: index of a target; op->extra: array of targets; op->imm:
 * number of targets. */
static void brx(struct warp *warp, const struct op *op)
{
    const struct op *const *targets = op->extra;
    const uint32_t *index = reg(warp, op->a);
    uint32_t left = warp->mask;
    while (left) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t chosen = index[lane], same = 0;
        if (chosen >= (uint64_t)op->imm) {
            fault(warp, op, lane, INTERP_TRAP, "brx.idx with index %u of %lld targets", chosen,
                  (long long)op->imm);
            return;
        }
        FOR_MASK(left, { same |= (uint32_t)(index[i] == chosen) << i; })
        left &= ~same;
        warp->mask = same;
        warp_branch(warp, op, targets[chosen]);
    }
}

static bool decode_brx(struct decoder *decoder)
{
    const struct ptx_operand *list = decode_operand(decoder, 1);
    const struct ptx_function *source = decoder->source;
    if (!list || list->kind != PTX_LABEL || (size_t)list->number + 1 >= source->statement_count) {
        return false;
    }
    const struct ptx_statement *directive = &source->statements[list->number];
    if (!directive->targets) {
        directive++;
    }
    const struct op **targets = decode_memory(decoder, directive->target_count * sizeof *targets);
    for (uint32_t i = 0; i < directive->target_count && targets; i++) {
        targets[i] = decode_target(decoder, &directive->targets[i]);
    }
    decoder->op->a = decode_source_at(decoder, 0, 4);
    decoder->op->imm = directive->target_count;
    decoder->op->extra = targets;
    return targets && directive->target_count;
}

static void exit_lanes(struct warp *warp, const struct op *op)
{
    (void)op;
    warp_exit_lanes(warp, warp->mask);
}

static void trap(struct warp *warp, const struct op *op)
{
    fault(warp, op, (unsigned)__builtin_ctz(warp->mask), INTERP_TRAP, "a trap instruction");
}

void op_nothing(struct warp *warp, const struct op *op)
{
    (void)warp;
    (void)op;
}

const struct rule control_rules[] = {
    {"bra", bra, .decode = decode_bra},
    {"brx", brx, .decode = decode_brx},
    {"call", .decode = decode_call},
    {"ret", control_ret},
    {"exit", exit_lanes},
    {"trap", trap},
    {"brkpt", op_nothing},
    {"pmevent", op_nothing},
    {"setmaxnreg", op_nothing},
    {NULL, NULL, NULL, NULL},
};
