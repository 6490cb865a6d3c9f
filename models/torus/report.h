/*
 * report.h - what torus prints: a heading before the run, results after it.
 */
#ifndef TORUS_REPORT_H
#define TORUS_REPORT_H

#include "model.h"

void to_report_heading(FILE *out, const struct to_model *m);

/* Brings the counts of all LPs together and prints them on rank 0. After tw_run(). Collective. */
void to_report_results(FILE *out, const struct to_model *m);

#endif
