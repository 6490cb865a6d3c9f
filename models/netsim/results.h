/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - the counts of the LPs, gathered on rank 0.
 */
#ifndef NETSIM_RESULTS_H
#define NETSIM_RESULTS_H

#include "model.h"

/* A flow: the packets from one site to another, sent while flows count (ns_window). */
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
    struct ns_queue *arcs;        /* per arc */
    struct ns_queue *uplinks;     /* sum over all hosts' outputs */
    struct ns_queue *downlinks;   /* sum over all outputs to hosts */
    struct ns_flow_result *flows; /* per flow number, see ns_flow() */
    void *memory;                 /* the memory of all arrays */
    size_t memory_size;
};

/* Before tw_run(): makes room for n_lps states. After ns_results_gather(): frees it. */
/* Bytes of the tables that ns_results_gather() makes, beside the states that are kept. */
size_t ns_results_bytes(const struct ns_model *m);
void ns_results_keep_begin(tw_lpid n_lps);
void ns_results_keep_end(void);

/* The LPs' final function: keeps a copy of the state. */
void ns_results_keep(void *state, tw_lp *lp);

/*
 * Adds up all states. The result is complete on rank 0 only, and identical to the last bit for any
 * number of ranks. Must be called after tw_run(), and freed with ns_results_fini() on every rank.
 * Collective over comm.
 */
void ns_results_gather(struct ns_results *results, MPI_Comm comm);
void ns_results_fini(struct ns_results *results);

#endif
