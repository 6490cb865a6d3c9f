/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of a warp: the choice of the group that runs, and where groups split and join.
 *
 * The scheduler chooses the ready group with the deepest frame, then the oldest frame, then the
 * lowest instruction. A group stops where another group of its frame waits, and joins it. A group
 * that loops for long lets another one run, so that threads of a warp can wait for each other.
 * Loops are counted at taken backward branches, so that tool code without loops does not change
 * these counts.
 */
#include "interp/machine.h"
#include <assert.h>

enum {
    /* Cost of a backward branch in a loop with strong accesses, since such a loop may wait for
     * other threads. */
    STRONG_COST = 64,
    GROUP_BUDGET = 4096, /* cost of backward branches after which another group of the warp runs */
    TURN_BUDGET = 1024,  /* like GROUP_BUDGET, for a group that has a turn */
    WARP_BUDGET = 16384, /* cost of backward branches after which another warp runs */
    /* Limits are checked at a taken backward branch if the number of these branches so far, masked
     * with this value, is 0. */
    PATROL = 1023
};

static void load(struct warp *warp, uint32_t number)
{
    struct group *group = &warp->groups[number];
    assert(number < warp->group_count && group->state == GROUP_READY);
    warp->current = number;
    warp->pc = group->pc;
    warp->frame = group->frame;
    warp->active = group->mask;
    warp->base[BASE_FRAME] = group->frame->registers;
    warp->base[BASE_CONSTANTS] = group->frame->function->constants;
    group->last = ++warp->loads;
}

/* Puts the running group back into the list of groups, and merges ready groups that are at the same
 * instruction of the same frame. */
static void store(struct warp *warp)
{
    if (warp->current < warp->group_count) {
        struct group *group = &warp->groups[warp->current];
        group->pc = warp->pc;
        group->frame = warp->frame;
        group->mask = warp->active;
        warp->current = WARP_LANES + 1;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct group *group = &warp->groups[i];
        if (!group->mask) {
            continue;
        }
        uint32_t j = 0;
        while (j < kept &&
               (group->state != GROUP_READY || warp->groups[j].state != GROUP_READY ||
                warp->groups[j].pc != group->pc || warp->groups[j].frame != group->frame)) {
            j++;
        }
        if (j < kept) {
            warp->groups[j].mask |= group->mask;
            if (group->last > warp->groups[j].last) {
                warp->groups[j].last = group->last;
            }
        } else {
            warp->groups[kept++] = *group;
        }
    }
    warp->group_count = kept;
}

/* Returns true if group a precedes group b in the usual order: deepest frame, oldest frame, lowest
 * instruction. */
static bool before(const struct group *a, const struct group *b)
{
    if (a->frame != b->frame) {
        return a->frame->depth != b->frame->depth ? a->frame->depth > b->frame->depth
                                                  : a->frame->order < b->frame->order;
    }
    return a->pc < b->pc;
}

/* Returns true if group a last ran before group b did. If both ran at the same time, returns true
 * if group a has the lower first lane. */
static bool oldest(const struct group *a, const struct group *b)
{
    return a->last != b->last ? a->last < b->last : __builtin_ctz(a->mask) < __builtin_ctz(b->mask);
}

enum { NONE = WARP_LANES + 1 };

/* Returns the index of the ready group that is first in the given order, or NONE. tool: true to
 * consider only groups in functions of a tool. */
static uint32_t first(const struct warp *warp,
                      bool (*order)(const struct group *, const struct group *), bool tool)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        const struct group *group = &warp->groups[i];
        if (group->state == GROUP_READY && (!tool || group->frame->function->tool) &&
            (best == NONE || order(group, &warp->groups[best]))) {
            best = i;
        }
    }
    return best;
}

/* Returns the index of the group to run next, or NONE. When a group has spent its budget, the group
 * that has waited longest gets a turn. The turn ends when that group has spent its own budget or
 * waits. A function of a tool ends before another group runs, so that the tool does not change the
 * order of the program. */
static uint32_t choose(struct warp *warp)
{
    uint32_t best = first(warp, before, true);
    if (best != NONE) {
        return best;
    }
    if (warp->group_budget <= 0) {
        warp->turn = !warp->turn;
        warp->group_budget = warp->turn ? TURN_BUDGET : GROUP_BUDGET;
        best = warp->turn ? first(warp, oldest, false) : NONE;
        warp->turn_lane =
            best == NONE ? 0 : warp->groups[best].mask & (0 - warp->groups[best].mask);
    }
    for (uint32_t i = 0; i < warp->group_count && warp->turn && best == NONE; i++) {
        const struct group *group = &warp->groups[i];
        if (group->state == GROUP_READY && group->mask & warp->turn_lane) {
            best = i;
        }
    }
    if (warp->turn && best == NONE) {
        warp->turn = false;
        warp->group_budget = GROUP_BUDGET;
    }
    return best != NONE ? best : first(warp, before, false);
}

/* Chooses the group that runs next and loads its state. Returns false if no group is ready. */
static bool schedule(struct warp *warp)
{
    store(warp);
    assert(warp_check(warp));
    uint32_t best = choose(warp);
    if (best == NONE) {
        return false;
    }
    load(warp, best);
    warp->stop = NULL;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        const struct group *group = &warp->groups[i];
        if (group->state == GROUP_READY && group->frame == warp->frame && group->pc > warp->pc &&
            (!warp->stop || group->pc < warp->stop)) {
            warp->stop = group->pc;
        }
    }
    return true;
}

bool warp_check(const struct warp *warp)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        const struct group *group = &warp->groups[i];
        if (!group->mask || group->mask & (seen | ~warp->live | ~group->frame->lanes)) {
            return false;
        }
        seen |= group->mask;
    }
    return warp->group_count <= WARP_LANES && seen == warp->live;
}

bool warp_ready(const struct warp *warp)
{
    for (uint32_t i = 0; i < warp->group_count; i++) {
        if (warp->groups[i].state == GROUP_READY) {
            return true;
        }
    }
    return false;
}

static void execute(struct warp *warp)
{
    const struct op *op;
    while ((op = warp->pc) != warp->stop) {
        warp->pc = op + 1;
        warp->executed++;
        warp->mask = warp->active & (pred(warp, op->guard) ^ op->invert);
        if (warp->mask) {
            op->run(warp, op);
        }
    }
}

void warp_run(struct warp *warp)
{
    warp->yielded = false;
    warp->warp_budget = WARP_BUDGET;
    while (warp->launch->end == INTERP_DONE && !warp->yielded && schedule(warp)) {
        execute(warp);
    }
    store(warp);
}

struct group *warp_split(struct warp *warp, uint32_t mask, const struct op *pc)
{
    assert(mask != 0 && (mask & ~warp->active) == 0);
    assert(warp->group_count < sizeof warp->groups / sizeof *warp->groups);
    struct group *group = &warp->groups[warp->group_count++];
    *group = (struct group){.pc = pc, .frame = warp->frame, .mask = mask, .last = warp->loads};
    warp->active &= ~mask;
    warp_reschedule(warp);
    return group;
}

/* Ends the launch if it was cancelled or has executed too many instructions. */
static void check_limits(struct warp *warp, const struct op *op)
{
    struct launch *launch = warp->launch;
    const struct interp_launch *options = launch->options;
    if (options->cancel && __atomic_load_n(options->cancel, __ATOMIC_RELAXED)) {
        fault(warp, op, (unsigned)__builtin_ctz(warp->active), INTERP_LIMIT,
              "the launch was cancelled");
    } else if (launch->limit && launch->executed + warp->executed > launch->limit) {
        fault(warp, op, (unsigned)__builtin_ctz(warp->active), INTERP_LIMIT,
              "more than %llu instructions of warps", (unsigned long long)launch->limit);
    }
}

/* Counts a taken backward branch. */
static void count_loop(struct warp *warp, const struct op *op)
{
    if ((++warp->loops & PATROL) == 0) {
        check_limits(warp, op);
    }
    if (op->flags & OP_TOOL) {
        return;
    }
    int32_t cost = warp->strong ? STRONG_COST : 1;
    warp->strong = false;
    warp->group_budget -= cost;
    warp->warp_budget -= cost;
    if (warp->group_budget <= 0) {
        if (warp->group_count > 1) {
            warp_reschedule(warp);
        } else {
            warp->group_budget = GROUP_BUDGET;
        }
    }
    if (warp->warp_budget <= 0) {
        warp->yielded = true;
        warp_reschedule(warp);
    }
}

void warp_branch(struct warp *warp, const struct op *op, const struct op *target)
{
    assert(warp->mask != 0 && target != NULL);
    if (warp->mask == warp->active) {
        warp->pc = target;
        if (warp->group_count > 1) {
            warp_reschedule(warp);
        }
    } else {
        warp_split(warp, warp->mask, target);
    }
    if (target <= op) {
        count_loop(warp, op);
    }
}

void warp_sleep(struct warp *warp)
{
    warp->yielded = true;
    warp->group_budget = 0;
    warp->turn = false;
    warp_reschedule(warp);
}
