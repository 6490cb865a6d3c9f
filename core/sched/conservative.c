/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conservative.c - windows of lookahead, no rollback (after Nicol, "The cost of conservative
 * synchronization in parallel discrete event simulations", J. ACM 40(2), 1993).
 *
 * When the ranks have executed the events of a window, they compute GVT, and send no messages
 * meanwhile. All messages have therefore been received when GVT is known. No later message from
 * another rank can precede GVT + lookahead: the events before that time are the next window.
 */
#include <assert.h>

#include "engine/process/error.h"
#include "engine/process/run.h"
#include "sched/sched.h"

/* Executes the events of the window that begins at GVT. Stops early if a signal ends the run, or if
 * observers have reached the limit of --observer-memory. */
static void execute_window(struct pe *pe)
{
    assert(!pe->gvt.in_round);
    bool alone = pe->comm.n_ranks == 1; /* with a single rank, windows serve only to compute GVT */
    if (!alone && pe->head.GVT + pe->lookahead == pe->head.GVT && pe->head.GVT <= DBL_MAX) {
        char setter[RUN_LOOKAHEAD_MAX];
        tw_error(TW_LOC,
                 "the lookahead %g is lost in rounding at time %.17g; raise %s or use --synch=3",
                 pe->lookahead, pe->head.GVT, run_lookahead_setter(setter));
    }
    double window_end = alone ? INFINITY : pe->head.GVT + pe->lookahead;
    window_end = window_end < pe->gvt.cut.at ? window_end : pe->gvt.cut.at;
    uint64_t most = alone ? pe->gvt.interval_events : UINT64_MAX;
    uint64_t done = 0;
    uint64_t n;
    do {
        messages_check_abort(pe); /* also tests here, because a window may take long */
        n = alone ? sched_batch(pe, window_end, UINT64_MAX) : sched_batch_noted(pe, window_end);
        done += n;
        sched_turn(pe);
    } while (n > 0 && done < most && !sched_observers_are_full(pe) && !sched_is_stopping(pe));
}

void sched_conservative(struct pe *pe)
{
    assert(pe->synch == CONSERVATIVE && pe->lp_times == NULL);
    unsigned idle = 0;
    engine_begin_lp_times(pe);
    gvt_keep_quiet(pe);
    gvt_start(pe);
    while (pe->ended == RUN_END_NONE) {
        messages_check_abort(pe);
        sched_turn(pe);
        if (gvt_step(pe)) {
            idle = 0;
            engine_after_gvt(pe);
            if (pe->ended == RUN_END_NONE) {
                execute_window(pe);
                gvt_start(pe);
            }
        } else if (!engine_receive(pe)) {
            engine_await_gvt(pe, &idle);
        }
    }
}
