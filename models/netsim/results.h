/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - the results: results.c gathers the counts of the LPs on rank 0, report.c prints them.
 */
#ifndef NETSIM_RESULTS_H
#define NETSIM_RESULTS_H

#include "common/kept.h"
#include "model.h"

/* Counts of a flow, which is the traffic from one site to another. Includes only packets that were
 * sent in the window for flows, see ns_window. */
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
    struct ns_queue *arcs;        /* [a]: counts of arc a */
    struct ns_queue *uplinks;     /* sums over the uplinks of all hosts, one element */
    struct ns_queue *downlinks;   /* sums over all outputs from routers to hosts, one element */
    struct ns_flow_result *flows; /* [i]: counts of flow i, see ns_flow() */
    void *memory;                 /* owned memory, which contains the arrays above */
    size_t memory_size;
};

/* Returns the size in bytes of the tables that ns_results_gather() allocates. The kept copies of
 * states are not included. */
size_t ns_results_bytes(const struct ns_model *m);

/* Copies of the states of this rank's LPs. The caller of ns_results_gather() begins and ends it. */
extern struct model_kept ns_kept;

/* Keeps a copy of the state. Final function of all LPs. */
void ns_results_keep(void *state, tw_lp *lp);

/*
 * Adds up the counts in the states of all LPs of all ranks. *results is complete on rank 0 only; it
 * is identical to the last bit for any number of ranks. Must be called after tw_run(). The caller
 * frees results by ns_results_fini() on every rank. Collective over comm.
 */
void ns_results_gather(struct ns_results *results, MPI_Comm comm);
void ns_results_fini(struct ns_results *results);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Prints to out a heading about the network, the traffic and the simulated time. */
void ns_report_heading(FILE *out, const struct ns_model *m);

/* Prints to out the totals and the tables of links and flows, 80 columns wide. */
void ns_report_tables(FILE *out, const struct ns_model *m, const struct ns_results *r);

/* Results of a link, shown in the tables and the CSV files. */
struct ns_link_figures {
    double utilisation; /* share of the window in which the line was transmitting */
    /* Mean waiting time of accepted packets before their transmission, in seconds. */
    double wait_mean_s;
};
/* Results of a flow, shown in the tables and the CSV files. */
struct ns_flow_figures {
    /* dropped / (dropped + received); packets that are still on their way do not count. */
    double loss;
    double delay_mean_s;
};
struct ns_link_figures ns_link_figures(const struct ns_model *m, const struct ns_queue *queue);
struct ns_flow_figures ns_flow_figures(const struct ns_flow_result *flow);

/* Writes the results of all links to the file of --links-csv, and closes it; does nothing if `file`
 * is NULL. Returns false after an error, with an error message in *error that names the file. Called
 * on rank 0 only. */
bool ns_csv_write_links(FILE *file, const struct ns_results *r, struct model_error *error);
/* Like ns_csv_write_links(), for the results of all flows and --flows-csv. */
bool ns_csv_write_flows(FILE *file, const struct ns_results *r, struct model_error *error);

#endif
