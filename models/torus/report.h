/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - torus's printed output: a heading before the run, and the results after the run.
 */
#ifndef TORUS_REPORT_H
#define TORUS_REPORT_H

#include "model.h"

void to_report_heading(FILE *out, const struct to_model *m);

/* Gathers the counts of all LPs and prints the results on rank 0. Must be called after tw_run().
 * Collective. */
void to_report_results(FILE *out, const struct to_model *m);

#endif
