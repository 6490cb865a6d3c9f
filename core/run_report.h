/*
 * run_report.h - gathers what the report says over all ranks.
 */
#ifndef WARPSCOPE_RUN_REPORT_H
#define WARPSCOPE_RUN_REPORT_H

#include "engine/pe.h"

/* Collective. Rank 0 prints the report on stdout and writes --report-json. */
void run_report(struct pe *pe);

#endif
