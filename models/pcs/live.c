/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.c - prints lines with counts of committed events while the simulation runs.
 *
 * Commit handlers count the events, so the counts are final, whereas the states in an optimistic
 * run may still be undone. Each rank counts its own events. After each GVT computation, each rank
 * updates the maximum number of calls in progress in its cells. After every --progress-th GVT
 * computation, the ranks add up their counts, and rank 0 prints the sums. Schedulers compute GVT at
 * different times, so two runs may print different lines although their results are the same.
 */
#include "pcs.h"

enum { TRIED, IN_PROGRESS, CUT, N_SUMS };

static struct {
    int64_t sums[N_SUMS];
    /* Maximum number of calls in progress on this rank, over all GVT computations so far. */
    int64_t most_in_progress;
} live;

void pcs_live_commit(const struct pcs_message *m, const tw_bf *bf)
{
    (void)m;
    live.sums[TRIED] += bf->c3;
    live.sums[IN_PROGRESS] += (int)bf->c0 - (int)bf->c1;
    live.sums[CUT] += bf->c2;
}

void pcs_live_resume(size_t calls)
{
    live.sums[IN_PROGRESS] += (int64_t)calls;
}

void pcs_live_leave(void)
{
    live.sums[IN_PROGRESS] = 0;
}

void pcs_live_gvt(tw_pe *pe)
{
    (void)pe;
    live.most_in_progress = ROSS_MAX(live.most_in_progress, live.sums[IN_PROGRESS]);
}

static void line_print(tw_pe *pe, bool past_end_time)
{
    int64_t sums[N_SUMS];
    int64_t most;
    MPI_Reduce(live.sums, sums, N_SUMS, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(&live.most_in_progress, &most, 1, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_ROSS);
    if (tw_ismaster()) {
        fprintf(stderr,
                "pcs: %s %.6g: %" PRId64 " calls tried, %" PRId64 " cut, %" PRId64
                " in progress; at most %" PRId64 " on a rank\n",
                past_end_time ? "end" : "time", ROSS_MIN(pe->GVT, g_tw_ts_end), sums[TRIED],
                sums[CUT], sums[IN_PROGRESS], most);
    }
}

void pcs_live_watch(void)
{
    if (pcs_options.progress > 0) {
        g_tw_gvt_hook = line_print;
        tw_trigger_gvt_hook_every((int)pcs_options.progress);
    }
}
