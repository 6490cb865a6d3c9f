/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.c - the counts of the LPs, gathered on rank 0.
 *
 * Sums of doubles depend on their order, and the printed result must not depend on the number of
 * ranks. Therefore the ranks add one after another: rank 0 adds its LPs in gid order and sends the
 * table of sums to rank 1, and so on. The last rank returns the table to rank 0. The mapping is
 * linear, hence every sum is taken in gid order.
 *
 * kept holds copies of the batches, by number of the LP on its rank, because the model has no
 * access to states after the final functions.
 */
#include "results.h"

#include <assert.h>

static struct {
    tw_lpid n_lps;
    struct qn_batch **batches;
} kept;

void qn_results_keep_begin(tw_lpid n_lps)
{
    kept.n_lps = n_lps;
    kept.batches = tw_calloc(TW_LOC, "results", sizeof *kept.batches, n_lps + 1);
}

void qn_results_keep_end(void)
{
    for (tw_lpid i = 0; i < kept.n_lps; i++) {
        free(kept.batches[i]);
    }
    free(kept.batches);
    kept.batches = NULL;
    kept.n_lps = 0;
}

static struct qn_batch *batches_copy(const struct qn_batch *batches, unsigned n)
{
    struct qn_batch *copy = tw_calloc(TW_LOC, "results", sizeof *copy, n);
    memcpy(copy, batches, n * sizeof *copy);
    return copy;
}

void qn_results_keep(void *state, tw_lp *lp)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, lp->gid);
    assert(lp->id < kept.n_lps && kept.batches[lp->id] == NULL);
    if (place == m->network.n) {
        const struct qn_outside *outside = state;
        kept.batches[lp->id] = batches_copy(outside->batches, m->window.n + 1);
        return;
    }
    const struct qn_station *station = state;
    struct qn_batch *copy = batches_copy(station->batches, m->window.n + 1);
    double last = station->last;
    uint32_t batch = station->batch;
    struct qn_advance_undo unused;
    uint64_t busy = qn_busy_servers(&m->network.stations[place], station->jobs);
    qn_batches_advance(copy, &last, &batch, &m->window, m->window.to, station->jobs, busy, &unused);
    kept.batches[lp->id] = copy;
}

static void local_lps_add(struct qn_results *r, const struct qn_model *m)
{
    unsigned per_lp = m->window.n + 1;
    for (tw_lpid i = 0; i < kept.n_lps; i++) {
        if (kept.batches[i] == NULL) {
            continue; /* the run ended before the final functions were called */
        }
        unsigned place = qn_place(m, g_tw_lp_offset + i);
        for (unsigned b = 0; b < per_lp; b++) {
            qn_batch_add(&r->batches[(size_t)place * per_lp + b], &kept.batches[i][b]);
        }
    }
}

void qn_results_gather(struct qn_results *results, MPI_Comm comm)
{
    const int tag = 1;
    const struct qn_model *m = qn_model();
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    results->n_batches = (size_t)m->lps_per_copy * (m->window.n + 1);
    results->batches = tw_calloc(TW_LOC, "results", sizeof *results->batches, results->n_batches);
    int size = (int)(results->n_batches * sizeof *results->batches);
    if (rank > 0) {
        MPI_Recv(results->batches, size, MPI_BYTE, rank - 1, tag, comm, MPI_STATUS_IGNORE);
    }
    local_lps_add(results, m);
    if (ranks > 1) {
        MPI_Send(results->batches, size, MPI_BYTE, (rank + 1) % ranks, tag, comm);
        if (rank == 0) {
            MPI_Recv(results->batches, size, MPI_BYTE, ranks - 1, tag, comm, MPI_STATUS_IGNORE);
        }
    }
}

void qn_results_fini(struct qn_results *results)
{
    free(results->batches);
    *results = (struct qn_results){NULL, 0};
}
