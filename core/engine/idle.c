/* SPDX-License-Identifier: BSD-3-Clause */
/* idle.c - the behaviour of a rank without work. */
#include <assert.h>
#include <sched.h>

#include "comm/nap.h"
#include "engine/engine.h"

/* Number of polls, of about 100 ns each, before an idle rank yields its core. If ranks share cores,
 * an idle rank yields at once and then sleeps (comm/nap.h): the rank for which the idle rank waits
 * may need the core. */
#define IDLE_ROUNDS_SPINNING 200u

void engine_await_gvt(struct pe *pe, unsigned *idle_rounds)
{
    assert(pe->gvt.in_round);
    if (!pe->gvt.is_quiet || !pe->comm.crowded) {
        engine_idle(pe, idle_rounds);
        return;
    }
    struct phase_mark before = phase_always_begin(&pe->phases, TW_PHASE_other);
    comm_reduction_pass(&pe->gvt.reduction);
    if (nap_take_until_ended(&pe->gvt.reduction, (*idle_rounds)++)) {
        comm_abort_look_soon(&pe->comm);
    }
    phase_always_end(&pe->phases, before);
}

void engine_yield(struct pe *pe)
{
    struct phase_mark before = phase_always_begin(&pe->phases, TW_PHASE_other);
    sched_yield(); /* yielding may take long, so its time is always measured, never sampled */
    phase_always_end(&pe->phases, before);
}

void engine_idle(struct pe *pe, unsigned *idle_rounds)
{
    unsigned round = (*idle_rounds)++;
    if (round < IDLE_ROUNDS_SPINNING && !pe->comm.crowded) {
        return;
    }
    struct phase_clock *clock = &pe->phases;
    struct phase_mark before = phase_always_begin(clock, TW_PHASE_other);
    transport_flush(pe->transport);
    if (pe->comm.crowded && transport_is_flushed(pe->transport)) {
        struct comm_board *mine;
        struct comm_board *first;
        transport_nap_boards(pe->transport, &mine, &first);
        /* While this rank lets others run, the round may end: so it announces no sleep yet. */
        if (comm_reduction_pass(&pe->gvt.reduction)) {
            *idle_rounds = 0;
        } else if (nap_take(mine, first, round)) {
            comm_abort_look_soon(&pe->comm);
        }
    } else {
        sched_yield();
    }
    phase_always_end(clock, before);
}
