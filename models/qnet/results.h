/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - the results: results.c gathers the counts of the LPs on rank 0 and computes figures with
 * their theoretical values, report.c prints them.
 */
#ifndef QNET_RESULTS_H
#define QNET_RESULTS_H

#include "common/kept.h"
#include "estimate.h"
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

/* ---- Figures --------------------------------------------------------------------------------- */

enum qn_quantity {
    QN_THROUGHPUT,
    QN_UTILISATION,
    QN_NUMBER,
    QN_RESPONSE,
    QN_MUST_WAIT,
    /* Number of quantities of a single station, whose enumerators precede this one. */
    QN_STATION_QUANTITIES,
    QN_TRIPS = QN_STATION_QUANTITIES,
    QN_TRIP_TIME,
    QN_QUANTITIES
};

struct qn_figure {
    struct qn_estimate estimate; /* estimate for a copy of the network: mean over all copies */
    double exact;                /* theoretical value; NAN: unknown */
    /* Distance of the estimated mean from the theoretical value, in half-widths; NAN: undefined. */
    double off;
};

const char *qn_quantity_name(enum qn_quantity quantity);

/* Returns the estimate and the theoretical value of a quantity. station: index of the station, from
 * 0 to network.n - 1; ignored if the quantity concerns trips. */
struct qn_figure qn_figure(const struct qn_model *m, const struct qn_results *r, unsigned station,
                           enum qn_quantity quantity);

/* Returns true if the quantity exists for the station. A station with infinitely many servers has
 * no utilisation, and no job waits there. */
bool qn_figure_exists(const struct qn_model *m, unsigned station, enum qn_quantity quantity);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Prints to out a heading about the network and the simulated time. */
void qn_report_heading(FILE *out, const struct qn_model *m);

/* Prints to out a table of the stations' results and exact values, 80 columns wide. */
void qn_report_table(FILE *out, const struct qn_model *m, const struct qn_results *r);

/* Writes the results to the file and closes it; does nothing if `file` is NULL. Returns false after
 * an error, with an error message in *error that names the file. Called on rank 0 only. */
bool qn_json_write(FILE *file, const struct qn_model *m, const struct qn_results *r,
                   struct model_error *error);

#endif
