/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c - gathers the counts of the LPs on rank 0. */
#include "results.h"

struct model_kept qn_kept;

void qn_results_keep(void *state, tw_lp *lp)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, lp->gid);
    size_t size = (m->window.n + 1) * sizeof(struct qn_batch);
    if (place == m->network.n) {
        const struct qn_outside *outside = state;
        model_kept_put(&qn_kept, lp, outside->batches, size);
        return;
    }
    const struct qn_station *station = state;
    struct qn_batch *copy = model_kept_put(&qn_kept, lp, station->batches, size);
    double last = station->last;
    uint32_t batch = station->batch;
    struct qn_advance_undo unused;
    uint64_t busy = qn_busy_servers(&m->network.stations[place], station->jobs);
    qn_batches_advance(copy, &last, &batch, &m->window, m->window.to, station->jobs, busy, &unused);
}

static void lp_add(void *results, const struct model_kept_lp *lp)
{
    struct qn_results *r = results;
    const struct qn_batch *batches = lp->bytes;
    unsigned per_lp = qn_model()->window.n + 1;
    size_t first = (size_t)qn_place(qn_model(), lp->gid) * per_lp;
    for (unsigned b = 0; b < per_lp; b++) {
        qn_batch_add(&r->batches[first + b], &batches[b]);
    }
}

void qn_results_gather(struct qn_results *results, MPI_Comm comm)
{
    const struct qn_model *m = qn_model();
    int ranks;
    MPI_Comm_size(comm, &ranks);
    tw_lpid *first = tw_calloc(TW_LOC, "results", sizeof *first, (size_t)ranks + 1);
    for (int rank = 0; rank <= ranks; rank++) {
        first[rank] = qn_model_first(m, (unsigned)rank);
    }
    results->n_batches = (size_t)m->lps_per_copy * (m->window.n + 1);
    results->batches = tw_calloc(TW_LOC, "results", sizeof *results->batches, results->n_batches);
    model_kept_sum(&qn_kept, first, comm, results->batches,
                   results->n_batches * sizeof *results->batches, lp_add, results);
    free(first);
}

void qn_results_fini(struct qn_results *results)
{
    free(results->batches);
    *results = (struct qn_results){NULL, 0};
}
