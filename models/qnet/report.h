/*
 * report.h - what qnet prints and writes: a heading before the run, a table and a JSON file after
 * it.
 */
#ifndef QNET_REPORT_H
#define QNET_REPORT_H

#include "figures.h"

/* Prints what is going to be simulated. */
void qn_report_heading(FILE *out, const struct qn_model *m);

/* Prints the stations' figures beside the exact ones; 80 columns. */
void qn_report_table(FILE *out, const struct qn_model *m, const struct qn_results *r);

/*
 * Creates the JSON file, so that a path that cannot be written is found before the run. *file is
 * NULL on other ranks than 0 and when none was asked for. Collective; all ranks return the same,
 * with the same message.
 */
bool qn_json_open(FILE **file, const struct qn_settings *settings, MPI_Comm comm,
                  struct model_error *error);

/* Writes and closes the file, if there is one. Rank 0 only. An error names the file. */
bool qn_json_write(FILE *file, const struct qn_model *m, const struct qn_results *r,
                   struct model_error *error);

#endif
