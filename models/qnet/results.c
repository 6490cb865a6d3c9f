/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.c - gathers the counts of the LPs on rank 0.
 *
 * The sum of doubles depends on the order of the additions, and the printed result must not depend
 * on the number of ranks. Therefore the ranks add their counts one after another: rank 0 adds those
 * of its LPs in the order of gids and sends the table of sums to rank 1, and so on. The last rank
 * returns the table to rank 0. The mapping is linear, hence every sum is computed in the order of
 * gids. With --lp-map, the counts of each LP are first sent to the rank where the linear mapping
 * would place the LP.
 */
#include "results.h"

#include "common/kept.h"

static struct model_kept kept; /* copies of the batches of LPs */

void qn_results_keep_begin(tw_lpid n_lps)
{
    model_kept_begin(&kept, n_lps);
}

void qn_results_keep_begin_again(tw_lpid n_lps)
{
    model_kept_begin_again(&kept, n_lps);
}

void qn_results_keep_end(void)
{
    model_kept_end(&kept);
}

void qn_results_keep(void *state, tw_lp *lp)
{
    const struct qn_model *m = qn_model();
    unsigned place = qn_place(m, lp->gid);
    size_t size = (m->window.n + 1) * sizeof(struct qn_batch);
    if (place == m->network.n) {
        const struct qn_outside *outside = state;
        model_kept_put(&kept, lp, outside->batches, size);
        return;
    }
    const struct qn_station *station = state;
    struct qn_batch *copy = model_kept_put(&kept, lp, station->batches, size);
    double last = station->last;
    uint32_t batch = station->batch;
    struct qn_advance_undo unused;
    uint64_t busy = qn_busy_servers(&m->network.stations[place], station->jobs);
    qn_batches_advance(copy, &last, &batch, &m->window, m->window.to, station->jobs, busy, &unused);
}

static void local_lps_add(struct qn_results *r, const struct qn_model *m)
{
    unsigned per_lp = m->window.n + 1;
    for (tw_lpid i = 0; i < kept.n_lps; i++) {
        const struct qn_batch *batches = kept.lps[i].bytes;
        if (batches == NULL) {
            continue; /* the run ended before the final functions were called */
        }
        unsigned place = qn_place(m, kept.lps[i].gid);
        for (unsigned b = 0; b < per_lp; b++) {
            qn_batch_add(&r->batches[(size_t)place * per_lp + b], &batches[b]);
        }
    }
}

static void counts_go_home(const struct qn_model *m, int ranks, MPI_Comm comm)
{
    tw_lpid *first = tw_calloc(TW_LOC, "results", sizeof *first, (size_t)ranks + 1);
    for (int rank = 0; rank <= ranks; rank++) {
        first[rank] = qn_model_first(m, (unsigned)rank);
    }
    model_kept_go_home(&kept, first, comm);
    free(first);
}

void qn_results_gather(struct qn_results *results, MPI_Comm comm)
{
    const int tag = 1;
    const struct qn_model *m = qn_model();
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    counts_go_home(m, ranks, comm);
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
