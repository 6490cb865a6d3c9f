/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers of a CTA, nanosleep, and the exit of threads, for which others wait no longer.
 *
 * A barrier counts threads one by one, as GPUs do since compute capability 7.0. A barrier without a
 * number of threads waits for all threads that have not exited.
 */
#include "interp/rules.h"
#include <assert.h>
#include <sched.h>

enum barrier_result { NO_RESULT, POPC, AND, OR };

/* Writes the result of bar.red to the registers of a group that waited. */
static void write_result(const struct group *group, const struct barrier *barrier)
{
    const struct op *op = group->wait;
    if (op->size == NO_RESULT) {
        return;
    }
    assert((op->d & 3) == BASE_FRAME);
    char *array = group->frame->registers + (op->d & ~3u);
    uint32_t *values = (uint32_t *)(void *)array;
    bool yes = op->size == AND ? barrier->count_true == barrier->arrived : barrier->count_true > 0;
    if (op->size == POPC) {
        FOR_MASK(group->mask, { values[i] = barrier->count_true; })
    } else {
        values[0] = (values[0] & ~group->mask) | (yes ? group->mask : 0);
    }
}

/* Releases the threads that wait at barrier `number` if all expected threads have arrived. */
static void check(struct cta *cta, uint32_t number)
{
    assert(number < BARRIERS);
    struct barrier *barrier = &cta->barriers[number];
    uint32_t need = barrier->expected ? barrier->expected : cta->live;
    if (!barrier->arrived || barrier->arrived < need) {
        return;
    }
    barrier_release(cta, number, write_result);
    *barrier = (struct barrier){0};
}

/* After an exit of threads, releases the barriers of a CTA that waited only for these threads. */
static void barrier_exit(struct cta *cta)
{
    for (uint32_t i = 0; i < BARRIERS; i++) {
        if (cta->barriers[i].arrived && !cta->barriers[i].expected) {
            check(cta, i);
        }
    }
}

void warp_exit_lanes(struct warp *warp, uint32_t mask)
{
    assert(mask != 0 && (mask & ~warp->live) == 0);
    assert(warp->cta->live >= (uint32_t)__builtin_popcount(mask));
    warp->active &= ~mask;
    warp->live &= ~mask;
    warp->cta->live -= (uint32_t)__builtin_popcount(mask);
    for (struct frame *frame = warp->frame; frame;) {
        struct frame *parent = frame->parent;
        frame_leave(warp, frame, mask);
        frame = parent;
    }
    warp_reschedule(warp);
    sync_check(warp);
    barrier_exit(warp->cta);
    cluster_exit(warp, mask);
}

/* Handler of bar and barrier. op->a: index of the barrier; op->b: number of threads, 0: all; op->c:
 * predicate of bar.red; op->imm: 1 if the predicate is inverted; op->space: 1 for bar.arrive. */
static void barrier(struct warp *warp, const struct op *op)
{
    const uint32_t *number = reg(warp, op->a), *threads = reg(warp, op->b);
    unsigned lane = (unsigned)__builtin_ctz(warp->mask);
    uint32_t chosen = number[lane], expected = threads[lane];
    if (chosen >= BARRIERS || expected % WARP_LANES) {
        fault(warp, op, lane, INTERP_TRAP,
              "barrier %u for %u threads: there are %d barriers, for whole warps", chosen, expected,
              BARRIERS);
        return;
    }
    struct barrier *barrier = &warp->cta->barriers[chosen];
    uint32_t truth = (pred(warp, op->c) ^ (op->imm ? ALL_LANES : 0)) & warp->mask;
    barrier->arrived += (uint32_t)__builtin_popcount(warp->mask);
    barrier->count_true += (uint32_t)__builtin_popcount(truth);
    barrier->expected = expected;
    if (!op->space) {
        struct group *group = warp_split(warp, warp->mask, warp->pc);
        group->state = GROUP_BARRIER;
        group->barrier = chosen;
        group->wait = op;
    }
    check(warp->cta, chosen);
}

static bool decode_barrier(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    bool red = ptx_has(in, "red");
    uint32_t n = red ? 1 : 0, sources = in->operand_count - (red ? 2 : 0);
    if (ptx_has(in, "warp")) {
        return decode_warp_sync(decoder);
    }
    if (ptx_has(in, "cluster")) {
        return decode_cluster_barrier(decoder);
    }
    if (sources < 1 || sources > 2 || in->operand_count < (red ? 3u : 1u)) {
        return false;
    }
    op->a = decode_source(decoder, &in->operands[n], 4);
    op->b = sources == 2 ? decode_source(decoder, &in->operands[n + 1], 4)
                         : decode_constant(decoder, 0, 4);
    op->c = decode_constant(decoder, 1, 1);
    op->space = ptx_has(in, "arrive");
    if (red) {
        const struct ptx_operand *truth = &in->operands[in->operand_count - 1];
        op->size = ptx_has(in, "popc") ? POPC : ptx_has(in, "and") ? AND : OR;
        op->d = decode_destination(decoder, &in->operands[0], op->size == POPC ? 4 : 1);
        op->c = decode_source(decoder, truth, 1);
        op->imm = truth->negated;
    }
    return red || op->space || ptx_has(in, "sync");
}

/* Lets other warps run first, except in a tool's function, where nanosleep waits for the host. */
static void nanosleep_op(struct warp *warp, const struct op *op)
{
    sched_yield();
    if (!(op->flags & OP_TOOL)) {
        warp_sleep(warp);
    }
}

const struct rule barrier_rules[] = {
    {"bar", barrier, .decode = decode_barrier},
    {"barrier", barrier, .decode = decode_barrier},
    {"nanosleep.u32", nanosleep_op, NULL, "=4"},
    {NULL, NULL, NULL, NULL},
};
