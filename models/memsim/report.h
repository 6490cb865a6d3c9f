/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - memsim's printed output: a heading before the run, and the results after the run.
 */
#ifndef MEMSIM_REPORT_H
#define MEMSIM_REPORT_H

#include "model.h"

/* Prints to out a heading with the input and the parameters of the model. */
void ms_report_heading(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Gathers the counts of all LPs and prints the results on rank 0. Must be called after tw_run().
 * Collective. */
void ms_report_results(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Returns an array whose element i is the number of launches that have begun in stream i. Valid on
 * rank 0, after ms_report_results(). */
const uint64_t *ms_report_begun(void);

#endif
