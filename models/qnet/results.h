/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - the counts of the LPs, gathered on rank 0.
 */
#ifndef QNET_RESULTS_H
#define QNET_RESULTS_H

#include "model.h"

/* Sums over the copies of the network. batches[(n + 1) * place + b] is batch b (from 0) of all LPs
 * for which qn_place() returns `place`. */
struct qn_results {
    struct qn_batch *batches;
    size_t n_batches;
};

/* Allocates memory for n_lps LPs, which qn_results_gather() frees. Must be called before
 * tw_run(). */
void qn_results_keep_begin(tw_lpid n_lps);
/* Called when LPs have moved between ranks. */
void qn_results_keep_begin_again(tw_lpid n_lps);
void qn_results_keep_end(void);

/* Final function of the LPs: keeps a copy of the counts up to the end of the simulation. */
void qn_results_keep(void *state, tw_lp *lp);

/*
 * Adds up all LPs. The result is complete on rank 0 only, and identical to the last bit for any
 * number of ranks. Must be called after tw_run(), and freed with qn_results_fini() on every rank.
 * Collective over comm.
 */
void qn_results_gather(struct qn_results *results, MPI_Comm comm);
void qn_results_fini(struct qn_results *results);

static inline const struct qn_batch *
qn_results_batch(const struct qn_results *r, const struct qn_model *m, unsigned place, unsigned b)
{
    return &r->batches[(size_t)place * (m->window.n + 1) + b];
}

#endif
