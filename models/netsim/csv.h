/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.h - the results of all links and all flows as CSV files (RFC 4180).
 */
#ifndef NETSIM_CSV_H
#define NETSIM_CSV_H

#include "report.h"

/* The CSV files of the results. A member is NULL if the file was not requested, and on ranks other
 * than 0. */
struct ns_csv {
    FILE *links;
    FILE *flows;
};

/* Creates the files before the run, so that a path that cannot be written is found early.
 * Collective; all ranks return the same result and message. */
bool ns_csv_open(struct ns_csv *csv, const struct ns_settings *settings, MPI_Comm comm,
                 struct model_error *error);

/* Write the results of links, or of flows, to their file and close it, if it was requested. Called
 * on rank 0 only. An error names the file. */
bool ns_csv_write_links(struct ns_csv *csv, const struct ns_model *m, const struct ns_results *r,
                        struct model_error *error);
bool ns_csv_write_flows(struct ns_csv *csv, const struct ns_model *m, const struct ns_results *r,
                        struct model_error *error);

#endif
