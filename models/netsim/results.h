/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - the counts of the LPs, gathered on rank 0.
 */
#ifndef NETSIM_RESULTS_H
#define NETSIM_RESULTS_H

#include "model.h"

/* Counts of a flow, which is the traffic from one site to another. Only packets sent while flows
 * count are included, see ns_window. */
struct ns_flow_result {
    uint64_t sent;
    uint64_t received;
    uint64_t dropped;
    double delay_sum_s;
    double delay_max_s;
};

struct ns_results {
    uint32_t n_arcs;
    uint32_t n_flows;
    struct ns_queue *arcs;        /* counts of each arc */
    struct ns_queue *uplinks;     /* sums over the outputs of all hosts */
    struct ns_queue *downlinks;   /* sums over all outputs to hosts */
    struct ns_flow_result *flows; /* result of each flow by its number, see ns_flow() */
    void *memory;                 /* memory of all arrays above */
    size_t memory_size;
};

/* Returns the size in bytes of the tables that ns_results_gather() allocates, in addition to the
 * kept copies of states. */
size_t ns_results_bytes(const struct ns_model *m);

/* ns_results_keep_begin() allocates memory for copies of the states of n_lps LPs; call it before
 * tw_run(). ns_results_keep_end() frees the copies; call it after ns_results_gather(). */
void ns_results_keep_begin(tw_lpid n_lps);
/* Called when LPs have moved between ranks. */
void ns_results_keep_begin_again(tw_lpid n_lps);
void ns_results_keep_end(void);

/* The final function of the LPs: keeps a copy of the state. */
void ns_results_keep(void *state, tw_lp *lp);

/*
 * Adds up all states. The result is complete on rank 0 only, and identical to the last bit for any
 * number of ranks. Must be called after tw_run(), and freed with ns_results_fini() on every rank.
 * Collective over comm.
 */
void ns_results_gather(struct ns_results *results, MPI_Comm comm);
void ns_results_fini(struct ns_results *results);

#endif
