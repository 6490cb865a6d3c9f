/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollback_check.c - --synch=6: a sequential run that first executes each event on trial, undoes
 * it, and compares the LP's states before and after; see engine/rcheck.c. It commits the same
 * events as a sequential run, and observers get the same notifications.
 */
#include <assert.h>

#include "engine/process/error.h"
#include "engine/process/run.h"
#include "engine/rcheck.h"
#include "sched/sched.h"

static uint64_t checked_batch(struct pe *pe, void *ctx)
{
    uint64_t done = 0;
    uint64_t most = g_tw_signal != 0 ? 1 : pe->batch_events;
    while (done < most && !(done > 0 && g_tw_signal != 0)) {
        tw_event *event = pending_peek(pe->pending);
        if (event == NULL || event->recv_ts >= pe->gvt.cut.at) {
            break;
        }
        pending_pop(pe->pending);
        rcheck_execute(pe, ctx, event);
        done++;
    }
    return done;
}

static uint64_t lps_without_reverse(const struct pe *pe)
{
    uint64_t n = 0;
    for (tw_lpid i = 0; i < pe->lps.count; i++) {
        n += lp_table_at(&pe->lps, i)->type->revent == NULL;
    }
    return n;
}

static void print_result(const struct pe *pe, const struct rcheck *check)
{
    uint64_t without = lps_without_reverse(pe);
    progress_hide(&g_run.progress);
    printf("--synch=6: %" PRIu64 " events were undone and executed again: no difference.\n",
           check->checked);
    if (check->messages_changed > 0) {
        printf("  %" PRIu64 " messages came back changed, of no consequence when executed again.\n",
               check->messages_changed);
    }
    if (without > 0) {
        printf("  %" PRIu64 " of %" PRIu64 " LPs were not checked: their types have no reverse "
               "handler.\n",
               without, (uint64_t)pe->lps.count);
    }
}

void sched_rollback_check(struct pe *pe)
{
    assert(pe->synch == SEQUENTIAL_ROLLBACK_CHECK && pe->comm.n_ranks == 1);
    struct rcheck check;
    rcheck_init(pe, &check);
    sched_alone(pe, checked_batch, &check);
    print_result(pe, &check);
    rcheck_fini(&check);
}
