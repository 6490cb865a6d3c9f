/* SPDX-License-Identifier: BSD-3-Clause */
/* run_report.h - gathers the data of the report from all ranks, and writes the report. */
#ifndef WARPSCOPE_RUN_RUN_REPORT_H
#define WARPSCOPE_RUN_RUN_REPORT_H

#include "engine/pe/pe.h"

/* Gathers the report. On rank 0, prints it on stdout and writes it to the files of --report-json
 * and --csv. Collective. */
void run_report(struct pe *pe);

/* Returns true if all output to stdout has been written. Otherwise prints an error message on
 * stderr and returns false. */
bool run_stdout_is_complete(void);
/* Opens /dev/null as a placeholder for each standard file that is closed. Otherwise the next file
 * or socket to be opened would receive the descriptor of the closed file, and printed text would go
 * there. Call it before any file is opened. */
void run_hold_standard_files(void);

#endif
