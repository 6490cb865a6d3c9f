/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the results of the simulated run.
 */
#ifndef WARP_REPORT_H
#define WARP_REPORT_H

#include <stdio.h>

#include "processor.h"

/* Adds the counts of a processor's ranks to the sums of this process. Final function of LPs. */
void wp_processor_final(void *state, tw_lp *lp);

/* Prints to out a heading with the parameters. Called on rank 0 only. */
void wp_report_heading(FILE *out, const struct wp_model *m);

/* Prints the results to out on rank 0. Prints an error message on rank 0 and returns false if the
 * simulated run reached an impossible state. Must be called after tw_run(). Collective. */
bool wp_report_results(FILE *out, const struct wp_model *m);

#endif
