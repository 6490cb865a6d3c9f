/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - qnet's output: a heading before the run, and a table and a JSON file after the run.
 */
#ifndef QNET_REPORT_H
#define QNET_REPORT_H

#include "figures.h"

/* Prints to out a heading about the network and the simulated time. */
void qn_report_heading(FILE *out, const struct qn_model *m);

/* Prints to out a table of the stations' results and exact values, 80 columns wide. */
void qn_report_table(FILE *out, const struct qn_model *m, const struct qn_results *r);

/* Writes the results to the file and closes it; does nothing if `file` is NULL. Returns false after
 * an error, with an error message in *error that names the file. Called on rank 0 only. */
bool qn_json_write(FILE *file, const struct qn_model *m, const struct qn_results *r,
                   struct model_error *error);

#endif
