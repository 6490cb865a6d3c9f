/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Branches, exits and traps; calls of functions: direct, indirect and recursive, with parameters in
 * .param memory or in registers.
 */
#include "interp/rules.h"
#include <assert.h>
#include <string.h>

static void copy(struct end to, struct end from, uint32_t lanes)
{
    size_t bytes = to.bytes < from.bytes ? to.bytes : from.bytes;
    if (to.stride == 0 || from.stride == 0) {
        uint32_t mask, value;
        memcpy(&mask, to.at, sizeof mask);
        memcpy(&value, from.at, sizeof value);
        mask = (mask & ~lanes) | (value & lanes);
        memcpy(to.at, &mask, sizeof mask);
        return;
    }
    /* Most values have these sizes; a copy of constant size is one instruction. */
    if (bytes == 8 || bytes == 4) {
        FOR_MASK(lanes, {
            if (bytes == 8) {
                memcpy(to.at + i * to.stride, from.at + i * from.stride, 8);
            } else {
                memcpy(to.at + i * to.stride, from.at + i * from.stride, 4);
            }
        })
        return;
    }
    FOR_MASK(lanes, { memcpy(to.at + i * to.stride, from.at + i * from.stride, bytes); })
}

static void enter(struct warp *warp, struct frame *frame)
{
    warp->frame = frame;
    warp->base[BASE_FRAME] = frame->registers;
    warp->base[BASE_CONSTANTS] = frame->function->constants;
}

/* Moves lanes of the running group to the instruction pc of another frame. */
static void move(struct warp *warp, struct frame *frame, uint32_t lanes, const struct op *pc)
{
    assert(lanes != 0 && (lanes & ~warp->active) == 0);
    if (lanes == warp->active) {
        enter(warp, frame);
        warp->pc = pc;
        if (warp->group_count > 1) {
            warp_reschedule(warp);
        }
    } else {
        warp_split(warp, lanes, pc)->frame = frame;
    }
}

/* Returns true if predicates are passed where the function takes predicates, and nowhere else. */
static bool fits(const struct interp_parameter *passed, uint32_t passed_count,
                 const struct interp_parameter *params, uint32_t count)
{
    bool fits = true;
    for (uint32_t i = 0; i < passed_count && i < count; i++) {
        fits = fits && (passed[i].bytes == 0 && passed[i].width == 1) ==
                           (params[i].bytes == 0 && params[i].width == 1);
    }
    return fits;
}

static void call_function(struct warp *warp, const struct op *op, const struct function *callee,
                          uint32_t lanes)
{
    const struct call *call = op->extra;
    const struct interp_kernel_facts *facts = &callee->facts;
    if (callee->uncallable ||
        !fits(call->arguments, call->argument_count, facts->parameters, facts->parameter_count) ||
        !fits(call->results, call->result_count, callee->returns, callee->return_count)) {
        fault(warp, op, (unsigned)__builtin_ctz(lanes), INTERP_UNSUPPORTED,
              "the interpreter cannot call %.80s: it is a kernel, passes values of 128 bits, or "
              "takes predicates where others are passed",
              callee->name);
        return;
    }
    struct frame *frame = frame_push(warp, callee, op, lanes);
    if (!frame) {
        return;
    }
    for (uint32_t i = 0; i < call->argument_count && i < facts->parameter_count; i++) {
        copy(frame_end(warp, frame, &facts->parameters[i]),
             frame_end(warp, warp->frame, &call->arguments[i]), lanes);
    }
    move(warp, frame, lanes, callee->ops);
}

static void call_direct(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    call_function(warp, op, call->callee, warp->mask);
}

static void call_indirect(struct warp *warp, const struct op *op)
{
    const uint64_t *target = reg(warp, op->a);
    uint64_t targets[WARP_LANES];
    uint32_t left = warp->mask;
    FOR_MASK(left, { targets[i] = target[i]; })
    while (left && warp->launch->end == INTERP_DONE) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t same = 0;
        const struct function *callee = device_function(warp->launch->device, targets[lane]);
        if (!callee || callee->entry || callee->module != warp->launch->kernel->module) {
            fault(warp, op, lane, INTERP_TRAP, "a call of address 0x%llx, where no function is",
                  (unsigned long long)targets[lane]);
            return;
        }
        FOR_MASK(left, { same |= (uint32_t)(targets[i] == targets[lane]) << i; })
        left &= ~same;
        call_function(warp, op, callee, same);
    }
}

static void ret(struct warp *warp, const struct op *op)
{
    struct frame *frame = warp->frame;
    uint32_t lanes = warp->mask;
    (void)op;
    if (!frame->parent) {
        warp_exit_lanes(warp, lanes);
        return;
    }
    assert(frame->call != NULL); /* NULL only in the frame of the kernel */
    const struct op *from = frame->call;
    const struct call *call = from->extra;
    const struct function *callee = frame->function;
    for (uint32_t i = 0; i < call->result_count && i < callee->return_count; i++) {
        copy(frame_end(warp, frame->parent, &call->results[i]),
             frame_end(warp, frame, &callee->returns[i]), lanes);
    }
    struct frame *parent = frame->parent;
    frame_leave(warp, frame, lanes);
    move(warp, parent, lanes, from + 1);
}

/* Decodes an argument or result of a call into *passed: a .param variable, register or number.
 * formal: parameter of the callee; NULL: unknown. */
static void decode_passed(struct decoder *decoder, const struct ptx_operand *actual,
                          const struct ptx_variable *formal, struct interp_parameter *passed)
{
    const struct place *place = decode_place(decoder, actual->variable);
    if (place && place->space == PTX_PARAM && actual->kind == PTX_SYMBOL) {
        passed->offset = place->offset;
        passed->bytes = (uint32_t)place->bytes;
        if (place->kernel) {
            decode_refuse(decoder);
        }
        return;
    }
    uint32_t width = formal ? decode_type_width(formal->type) : 0;
    if (actual->kind == PTX_REGISTER) {
        width = decode_register_width(decoder, actual);
    } else if (actual->kind == PTX_SINK && !width) {
        width = 8;
    }
    if (width < 1 || width > 8 || actual->negated) {
        decode_refuse(decoder);
    }
    passed->width = width;
    passed->from = actual->kind == PTX_SINK ? decode_scratch(decoder, width)
                                            : decode_source(decoder, actual, width);
}

static const struct interp_parameter *decode_list(struct decoder *decoder,
                                                  const struct ptx_operand *list,
                                                  struct ptx_variable **formals,
                                                  uint32_t formal_count, uint32_t *count)
{
    *count = list ? list->part_count : 0;
    struct interp_parameter *passed = decode_memory(decoder, *count * sizeof *passed);
    for (uint32_t i = 0; i < *count; i++) {
        decode_passed(decoder, &list->parts[i], i < formal_count ? formals[i] : NULL, &passed[i]);
    }
    return passed;
}

static bool decode_call(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    uint32_t n = 0;
    const struct ptx_operand *results = NULL, *arguments = NULL, *callee;
    struct call *call = decode_memory(decoder, sizeof *call);
    if (in->operand_count && in->operands[0].kind == PTX_LIST) {
        results = &in->operands[n++];
    }
    callee = decode_operand(decoder, n++);
    if (n < in->operand_count && in->operands[n].kind == PTX_LIST) {
        arguments = &in->operands[n++];
    }
    op->extra = call;
    const struct ptx_function *formal = NULL;
    if (callee->kind == PTX_REGISTER) {
        op->a = decode_source(decoder, callee, 8);
        op->run = call_indirect;
        decoder->function->calls_indirectly = true;
    } else {
        call->callee = module_function(decoder->module, decoder->unit, callee->name);
        call->builtin = call->callee ? NULL : builtin_find(callee->name);
        op->run = call->callee ? call_direct : call->builtin;
        formal = call->callee ? call->callee->source : callee->function;
        if (call->callee) {
            decode_callee(decoder, call->callee);
        }
    }
    call->arguments = decode_list(decoder, arguments, formal ? formal->parameters : NULL,
                                  formal ? formal->parameter_count : 0, &call->argument_count);
    call->results = decode_list(decoder, results, formal ? formal->returns : NULL,
                                formal ? formal->return_count : 0, &call->result_count);
    return op->run != NULL;
}

/* ---- Branches, exits, traps --------------------------------------------------------------------- */

static void bra(struct warp *warp, const struct op *op)
{
    warp_branch(warp, op, op->extra);
}

static bool decode_bra(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    op->extra = decode_target(decoder, decode_operand(decoder, 0));
    (void)in;
    return true;
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

static bool decode_brx(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    const struct ptx_operand *list = decode_operand(decoder, 1);
    const struct ptx_function *source = decoder->source;
    (void)in;
    if (list->kind != PTX_LABEL || (size_t)list->number + 1 >= source->statement_count) {
        return false;
    }
    const struct ptx_statement *directive = &source->statements[list->number];
    if (!directive->targets) {
        directive++;
    }
    const struct op **targets = decode_memory(decoder, directive->target_count * sizeof *targets);
    for (uint32_t i = 0; i < directive->target_count; i++) {
        targets[i] = decode_target(decoder, &directive->targets[i]);
    }
    op->a = decode_source_at(decoder, 0, 4);
    op->imm = directive->target_count;
    op->extra = targets;
    return directive->target_count > 0;
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

const struct rule control_rules[] = {
    {"bra", bra, .decode = decode_bra},
    {"brx", brx, .decode = decode_brx},
    {"call", .decode = decode_call},
    {"ret", ret},
    {"exit", exit_lanes},
    {"trap", trap},
    {"brkpt", op_nothing},
    {"pmevent", op_nothing},
    {"setmaxnreg", op_nothing},
    {NULL, NULL, NULL, NULL},
};
