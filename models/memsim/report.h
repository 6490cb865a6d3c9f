/*
 * report.h - what memsim prints: a heading before the run, results after it.
 */
#ifndef MEMSIM_REPORT_H
#define MEMSIM_REPORT_H

#include "model.h"

void ms_report_heading(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* Brings the counts of all LPs together and prints them on rank 0. After tw_run(). Collective. */
void ms_report_results(FILE *out, const struct ms_model *m, const struct ms_script *script);

/* On rank 0, after ms_report_results(): launches that have begun, by stream. */
const uint64_t *ms_report_begun(void);

#endif
