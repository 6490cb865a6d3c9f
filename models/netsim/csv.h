/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.h - writes the results of all links and all flows to CSV files (RFC 4180).
 */
#ifndef NETSIM_CSV_H
#define NETSIM_CSV_H

#include "report.h"

/* Writes the results of all links to the file of --links-csv, and closes it; does nothing if `file`
 * is NULL. Returns false after an error, with an error message in *error that names the file. Called
 * on rank 0 only. */
bool ns_csv_write_links(FILE *file, const struct ns_results *r, struct model_error *error);
/* Like ns_csv_write_links(), for the results of all flows and --flows-csv. */
bool ns_csv_write_flows(FILE *file, const struct ns_results *r, struct model_error *error);

#endif
