/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers of CTAs and clusters, nanosleep, the exit of threads, for which others wait no longer, and
 * addresses of shared memory of other CTAs of a cluster.
 *
 * A barrier counts threads one by one, as GPUs do since compute capability 7.0. A barrier without a
 * number of threads waits for all threads that have not exited.
 */
#include "interp/rules.h"
#include <assert.h>
#include <sched.h>

enum barrier_result { NO_RESULT, POPC, AND, OR };

/* Releases the groups of a CTA that wait at a barrier, and calls result() for each (NULL: no call). */
static void barrier_release(struct cta *cta, uint32_t number,
                            void (*result)(const struct group *, const struct barrier *))
{
    for (uint32_t i = 0; i < cta->warps[0].launch->warps; i++) {
        struct warp *warp = &cta->warps[i];
        for (uint32_t g = 0; g < warp->group_count; g++) {
            struct group *group = &warp->groups[g];
            if (group->state == GROUP_BARRIER && group->barrier == number) {
                group->state = GROUP_READY;
                if (result) {
                    result(group, &cta->barriers[number]);
                }
            }
        }
    }
}

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

/* Releases the threads that wait at the barrier of a cluster if all have arrived. */
static void cluster_check(struct cluster *cluster)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < cluster->size; i++) {
        live += cluster->ctas[i] ? cluster->ctas[i]->live : 0;
    }
    if (cluster->arrived < live || cluster->began < cluster->size) {
        return;
    }
    cluster->arrived = 0;
    for (uint32_t i = 0; i < cluster->size; i++) {
        struct cta *cta = cluster->ctas[i];
        for (uint32_t w = 0; cta && w < cta->warps[0].launch->warps; w++) {
            cta->warps[w].arrived = 0;
        }
        if (cta) {
            barrier_release(cta, BARRIER_CLUSTER, NULL);
        }
    }
}

/* Ends the threads in mask for the barrier of their cluster. */
static void cluster_exit(struct warp *warp, uint32_t mask)
{
    warp->cta->cluster->arrived -= (uint32_t)__builtin_popcount(warp->arrived & mask);
    warp->arrived &= ~mask;
    cluster_check(warp->cta->cluster);
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

static void arrive(struct warp *warp, const struct op *op)
{
    (void)op;
    uint32_t new = warp->mask & ~warp->arrived;
    warp->arrived |= new;
    warp->cta->cluster->arrived += (uint32_t)__builtin_popcount(new);
    cluster_check(warp->cta->cluster);
}

static void wait(struct warp *warp, const struct op *op)
{
    uint32_t waiting = warp->mask & warp->arrived;
    if (waiting) {
        struct group *group = warp_split(warp, waiting, warp->pc);
        group->state = GROUP_BARRIER;
        group->barrier = BARRIER_CLUSTER;
        group->wait = op;
    }
}

static bool decode_barrier(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool red = ptx_has(in, "red");
    uint32_t n = red ? 1 : 0, sources = in->operand_count - (red ? 2 : 0);
    if (ptx_has(in, "warp")) {
        decode_warp_sync(decoder);
        return true;
    }
    if (ptx_has(in, "cluster")) {
        op->run = ptx_has(in, "arrive") ? arrive : wait;
        return true;
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

/* ---- Shared memory of other CTAs ---------------------------------------------------------------- */

/* Of an address in the window of shared memory, the bits from CLUSTER_SHIFT on are 0 for the thread's
 * own CTA, or 1 more than the rank of a CTA of its cluster. */

/* Handler of mapa. op->a: address; op->b: rank of the CTA; op->size: width of the addresses; op->imm:
 * address of the window, 0 for addresses in shared memory. */
static void mapa(struct warp *warp, const struct op *op)
{
    const void *a = reg(warp, op->a);
    const uint32_t *rank = reg(warp, op->b);
    void *d = reg(warp, op->d);
    FOR_MASK(warp->mask, {
        uint64_t offset = (lane_value(a, op->size, i) - (uint64_t)op->imm) & (CLUSTER_STRIDE - 1);
        uint64_t part = rank[i] == warp->cta->rank ? 0 : rank[i] + 1;
        set_lane(d, op->size, i, (part << CLUSTER_SHIFT) + offset + (uint64_t)op->imm);
    })
}

static void getctarank(struct warp *warp, const struct op *op)
{
    const void *a = reg(warp, op->a);
    uint32_t *d = reg(warp, op->d);
    FOR_MASK(warp->mask, {
        uint64_t part = (lane_value(a, op->size, i) - (uint64_t)op->imm) >> CLUSTER_SHIFT;
        d[i] = part ? (uint32_t)part - 1 : warp->cta->rank;
    })
}

static bool decode_mapa(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool maps = ptx_is(in->word, "mapa");
    op->size = (uint8_t)(ptx_instruction_type(in).bits / 8u);
    op->imm = ptx_instruction_space(in) == PTX_SHARED
                  ? 0
                  : (int64_t)(decoder->module->device->base + SHARED_WINDOW);
    op->d = decode_destination_at(decoder, 0, maps ? op->size : 4);
    op->a = decode_source_at(decoder, 1, op->size);
    op->b = maps ? decode_source_at(decoder, 2, 4) : 0;
    op->run = maps ? mapa : getctarank;
    return op->size == 4 || op->size == 8;
}

const struct rule barrier_rules[] = {
    {"bar", barrier, .decode = decode_barrier},  {"barrier", barrier, .decode = decode_barrier},
    {"nanosleep.u32", nanosleep_op, NULL, "=4"}, {"mapa", .decode = decode_mapa},
    {"getctarank", .decode = decode_mapa},       {NULL, NULL, NULL, NULL},
};
