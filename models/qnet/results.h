/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - gathers the counts of the LPs on rank 0.
 */
#ifndef QNET_RESULTS_H
#define QNET_RESULTS_H

#include "common/kept.h"
#include "model.h"

/* Sums over the copies of the network. batches[(n + 1) * place + b] is the sum of batch b (from 0)
 * over all LPs for which qn_place() returns `place`. n is window.n. */
struct qn_results {
    struct qn_batch *batches;
    size_t n_batches;
};

/* Copies of the counts of this rank's LPs. The caller of qn_results_gather() begins and ends it. */
extern struct model_kept qn_kept;

/* Keeps a copy of the counts in the state, updated to the end of the simulation. Final function of
 * all LPs. */
void qn_results_keep(void *state, tw_lp *lp);

/*
 * Adds up the counts of all LPs of all ranks. *results is complete on rank 0 only; it is identical
 * to the last bit for any number of ranks. Must be called after tw_run(). The caller frees results
 * by qn_results_fini() on every rank. Collective over comm.
 */
void qn_results_gather(struct qn_results *results, MPI_Comm comm);
void qn_results_fini(struct qn_results *results);

static inline const struct qn_batch *
qn_results_batch(const struct qn_results *r, const struct qn_model *m, unsigned place, unsigned b)
{
    return &r->batches[(size_t)place * (m->window.n + 1) + b];
}

#endif
