/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.c - sums up the counts that ranks have for each other, see comm_sum_for_me().
 *
 * If there are many ranks, each rank has counts for only a few others. It sends these counts in
 * synchronous mode, and meanwhile receives counts of other ranks. When all its own counts have been
 * received, it enters a non-blocking barrier, and continues to receive counts. The end of the
 * barrier shows that all counts have been received (after Hoefler, Siebert and Lumsdaine, "Scalable
 * communication protocols for dynamic sparse data exchange", PPoPP 2010).
 */
#include <assert.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>

#include "comm/comm.h"
#include "ross.h"

static uint64_t sum_dense(const struct comm *c, const uint64_t *counts, const int *ranks, size_t n)
{
    uint64_t sum = 0;
    uint64_t *all = tw_calloc(TW_LOC, "counts of messages", sizeof *all, (size_t)c->n_ranks);
    for (size_t i = 0; i < n; i++) {
        all[ranks[i]] = counts[ranks[i]];
    }
    MPI_Reduce_scatter_block(all, &sum, 1, MPI_UINT64_T, MPI_SUM, c->comm);
    free(all);
    return sum;
}

/* Receives the counts that have arrived, and adds them to *sum. If none has arrived, yields the
 * processor, which another rank may need. */
static void take_counts(const struct comm *c, uint64_t *sum)
{
    for (bool any = false;; any = true) {
        int flag = 0;
        uint64_t count = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, COMM_TAG_COUNTS, c->comm, &flag, &status);
        if (!flag) {
            if (!any) {
                sched_yield();
            }
            return;
        }
        MPI_Recv(&count, 1, MPI_UINT64_T, status.MPI_SOURCE, COMM_TAG_COUNTS, c->comm,
                 MPI_STATUS_IGNORE);
        *sum += count;
    }
}

/* Waits until *request has completed. Meanwhile receives counts, and adds them to *sum. */
static void wait_and_take(const struct comm *c, MPI_Request *request, uint64_t *sum)
{
    for (int done = 0; !done;) {
        take_counts(c, sum);
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
}

static uint64_t sum_sparse(const struct comm *c, const uint64_t *counts, const int *ranks, size_t n)
{
    uint64_t sum = 0;
    int n_sends = 0;
    MPI_Request barrier;
    MPI_Request *sends = tw_calloc(TW_LOC, "counts of messages", sizeof *sends, n);
    assert(n <= INT_MAX);
    for (size_t i = 0; i < n; i++) {
        if (counts[ranks[i]] != 0) {
            MPI_Issend(&counts[ranks[i]], 1, MPI_UINT64_T, ranks[i], COMM_TAG_COUNTS, c->comm,
                       &sends[n_sends++]);
        }
    }
    for (int i = 0; i < n_sends; i++) {
        wait_and_take(c, &sends[i], &sum);
    }
    MPI_Ibarrier(c->comm, &barrier);
    wait_and_take(c, &barrier, &sum);
    /* no rank may receive counts of the next call while it is still in this one */
    MPI_Barrier(c->comm);
    free(sends);
    return sum;
}

uint64_t comm_sum_for_me(const struct comm *c, const uint64_t *counts, const int *ranks, size_t n,
                         int dense_most)
{
    return c->n_ranks <= dense_most ? sum_dense(c, counts, ranks, n)
                                    : sum_sparse(c, counts, ranks, n);
}
