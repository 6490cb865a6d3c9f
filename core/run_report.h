/*
 * run_report.h - gathers what the report says over all ranks.
 */
#ifndef WARPSCOPE_RUN_REPORT_H
#define WARPSCOPE_RUN_REPORT_H

#include "engine/pe.h"

/* Collective. Rank 0 prints the report on stdout, writes --report-json and appends to --csv. */
void run_report(struct pe *pe);
/* Collective, before the run: refuses it when rank 0 could not write --report-json or --csv, rather
 * than losing the report of a long run. */
void run_check_report_files(struct pe *pe);
/* On rank 0: writes them. What cannot be written is said, and the run's status tells of it. */
struct report;
void run_write_report_files(const struct report *report);

/* Has all that was printed on stdout gone out? If not, says so on stderr. */
bool run_stdout_is_complete(void);
/*
 * Before anything is opened: where standard output or error is closed, the first file that is
 * opened would get its number, and what is printed would go into that file, or to MPI.
 */
void run_hold_standard_files(void);

#endif
