/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - memsim's printed output: a heading before the run, results after it.
 */
#ifndef MEMSIM_REPORT_H
#define MEMSIM_REPORT_H

#include "model.h"

void ms_report_heading(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Gathers the counts of all LPs and prints them on rank 0. Must be called after tw_run().
 * Collective. */
void ms_report_results(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Returns, on rank 0 after ms_report_results(), an array with the number of launches begun by each
 * stream. */
const uint64_t *ms_report_begun(void);

#endif
