/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - qnet's output: a heading before the run, a table and a JSON file after it.
 */
#ifndef QNET_REPORT_H
#define QNET_REPORT_H

#include "figures.h"

/* Prints the settings of the simulation. */
void qn_report_heading(FILE *out, const struct qn_model *m);

/* Prints the results of the stations, with the exact values, in 80 columns. */
void qn_report_table(FILE *out, const struct qn_model *m, const struct qn_results *r);

/*
 * Creates the JSON file before the run, so that a path that cannot be written is found early. *file
 * is NULL on ranks other than 0, and if none was requested. Collective; all ranks return the same
 * result and message.
 */
bool qn_json_open(FILE **file, const struct qn_settings *settings, MPI_Comm comm,
                  struct model_error *error);

/* Writes and closes the file, if there is one. Called on rank 0 only. An error names the file. */
bool qn_json_write(FILE *file, const struct qn_model *m, const struct qn_results *r,
                   struct model_error *error);

#endif
