/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the results of the simulated run.
 */
#ifndef WARP_REPORT_H
#define WARP_REPORT_H

#include <stdio.h>

#include "processor.h"

/* Final function of LPs: adds the counts of a processor to those of this process. */
void wp_processor_final(void *state, tw_lp *lp);

/* Prints the parameters. For rank 0. */
void wp_report_heading(FILE *out, const struct wp_model *m);

/* Prints the results on rank 0. Returns false, with a message there, if the simulated run contains
 * an impossible state. Collective, after tw_run(). */
bool wp_report_results(FILE *out, const struct wp_model *m);

#endif
