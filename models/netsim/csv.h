/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.h - writes the results of all links and all flows to CSV files (RFC 4180).
 */
#ifndef NETSIM_CSV_H
#define NETSIM_CSV_H

#include "report.h"

/* The CSV files of the results. A member is NULL if the user did not request the file. Both members
 * are NULL on all ranks except rank 0. */
struct ns_csv {
    FILE *links;
    FILE *flows;
};

/* Creates the requested files before the run, so that a path that cannot be written is found early.
 * Returns false after an error. Collective; all ranks return the same result and error message. */
bool ns_csv_open(struct ns_csv *csv, const struct ns_settings *settings, MPI_Comm comm,
                 struct model_error *error);

/* Writes the results of all links to csv->links and closes the file, if it was requested. Returns
 * false after an error, with an error message in *error that names the file. Called on rank 0
 * only. */
bool ns_csv_write_links(struct ns_csv *csv, const struct ns_model *m, const struct ns_results *r,
                        struct model_error *error);
/* Like ns_csv_write_links(), for the results of all flows and csv->flows. */
bool ns_csv_write_flows(struct ns_csv *csv, const struct ns_model *m, const struct ns_results *r,
                        struct model_error *error);

#endif
