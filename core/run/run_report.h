/* SPDX-License-Identifier: BSD-3-Clause */
/* run_report.h - gathers the data of the report over all ranks. */
#ifndef WARPSCOPE_RUN_RUN_REPORT_H
#define WARPSCOPE_RUN_RUN_REPORT_H

#include "engine/pe/pe.h"

/* Gathers the report. Rank 0 prints it on stdout, writes --report-json and appends to --csv.
 * Collective. */
void run_report(struct pe *pe);
/* Ends the program before the run if rank 0 cannot write --report-json or --csv, rather than losing
 * the report of a long run. Collective. */
void run_check_report_files(struct pe *pe);
/* Functions of report_files.c. They write the files on rank 0. Failures produce warnings and affect
 * the exit status. */
struct report;
void run_write_report_files(const struct report *report);

/* Returns true if all output to stdout has been written. Otherwise prints an error on stderr. */
bool run_stdout_is_complete(void);
/* Opens placeholders (/dev/null) if standard output or standard error is closed. Otherwise the next
 * file or socket to be opened would get its descriptor, and printed text would go there. Call it
 * before anything is opened. */
void run_hold_standard_files(void);

#endif
