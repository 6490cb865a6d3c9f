/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * debug.c - --synch=4: executes events until the end time, or until memory is nearly used up,
 * without GVT and without commits. It then rolls back all events. Each LP must then be in the state
 * that it had after initialisation.
 *
 * Like a rollback, the scheduler undoes the events of each KP from the latest to the earliest. It
 * detects errors that appear only after several events, unlike --synch=6, which checks each event.
 * It reports the LP and the offset of the difference in its state, but not the event. Observers are
 * notified of executed and undone events; no event commits.
 */
#include <assert.h>

#include "engine/process/error.h"
#include "engine/process/run.h"
#include "engine/rcheck.h"
#include "sched/sched.h"

#define OPTION        "--synch=4"
#define RESERVE_SHARE 16u /* 1/16 of the event memory is not used */
#define ROOM_SHARE    8u  /* a batch may use 1/8 of the remaining space */

/* Reason for the end of forward execution. */
enum stop { STOP_END, STOP_MEMORY, STOP_OBSERVERS, STOP_SIGNAL };

static const char *const stop_texts[] = {
    [STOP_END] = "no events were left before the end",
    [STOP_MEMORY] = "the memory for events was nearly exhausted (--max-memory)",
    [STOP_OBSERVERS] = "observers had used their memory (--observer-memory)",
    [STOP_SIGNAL] = "a signal came",
};

/* Returns the number of events that may be executed now, assuming that each of them creates `burst`
 * events, the largest number that an event has created so far. Returns 0 if memory is nearly used
 * up. */
static uint64_t room_for(const struct pe *pe, uint64_t burst)
{
    assert(burst > 0);
    size_t left = event_pool_left_bytes(&pe->pool);
    if (left <= pe->memory_limit_bytes / RESERVE_SHARE) {
        return 0;
    }
    uint64_t room = pe_room_events(pe);
    return room <= burst ? 0 : 1 + room / ROOM_SHARE / burst;
}

static enum stop go_forwards(struct pe *pe)
{
    uint64_t burst = 1;
    for (;;) {
        uint64_t room = room_for(pe, burst);
        if (room == 0) {
            return STOP_MEMORY;
        }
        if (sched_observers_are_full(pe)) {
            return STOP_OBSERVERS;
        }
        if (g_tw_signal != 0) {
            return STOP_SIGNAL;
        }
        engine_answer_alone(pe);
        uint64_t before = pe->pool.in_use;
        uint64_t done = sched_batch(pe, INFINITY, room);
        sched_turn(pe);
        if (done == 0) {
            return STOP_END;
        }
        uint64_t made = pe->pool.in_use > before ? (pe->pool.in_use - before) / done + 1 : 1;
        burst = made > burst ? made : burst;
        progress_update(&g_run.progress, run_seconds(), pe->last_executed_ts,
                        pe->counters.events_processed, pe->counters.events_processed);
    }
}

static void check_all(const struct pe *pe, const struct rcheck_copy *copies)
{
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        const tw_lp *lp = lp_table_at(&pe->lps, i);
        struct rcheck_difference d = rcheck_copy_compare(pe, &copies[i], lp);
        if (d.part != RCHECK_SAME) {
            struct rcheck_place place = {lp, NULL, OPTION, NULL};
            rcheck_fail_copy(pe, &place, &copies[i], d, "after all events were rolled back",
                             "the reverse handler, or find the event with --synch=6");
        }
    }
}

void sched_debug(struct pe *pe)
{
    tw_lpid n = pe->lps.count;
    size_t waiting = pending_count(pe->pending);
    struct rcheck_copy *copies = tw_calloc(TW_LOC, "copies of LPs", sizeof *copies, n);
    for (tw_lpid i = 0; i < n; i++) {
        rcheck_copy_take(pe, &copies[i], lp_table_at(&pe->lps, i));
    }
    enum stop why = go_forwards(pe);
    uint64_t executed = pe->counters.events_processed;
    double reached = pe->latest_ts;
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        engine_undo_all(pe, &pe->kps[k]);
    }
    assert(pending_count(pe->pending) == waiting);
    (void)waiting;
    check_all(pe, copies);
    progress_hide(&g_run.progress);
    printf("--synch=4: all %" PRIu64 " events rolled back; every LP is as it was at the start.\n"
           "  They went up to time %.17g; %s.\n",
           executed, reached > 0.0 ? reached : 0.0, stop_texts[why]);
    for (tw_lpid i = 0; i < n; i++) {
        rcheck_copy_free(&copies[i]);
    }
    free(copies);
    pe->ended = why == STOP_SIGNAL ? RUN_END_SIGNAL : RUN_END_UNDONE;
}
