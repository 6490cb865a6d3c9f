/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - prints the state of a run as one line of text or as JSON, and a summary when it has
 * ended.
 */
#ifndef WARPSCOPE_READER_TOP_REPORT_H
#define WARPSCOPE_READER_TOP_REPORT_H

#include "top/panes.h"

void top_line_print(FILE *out, const struct top_run *run);
/* Prints the state of the run as one JSON document in one line. */
void top_json_print(FILE *out, const struct top_run *run);
/* Prints how the run ended, and its counters. Prints nothing if the run has not ended, or if its
 * files are damaged. */
void top_end_print(FILE *out, const struct top_run *run);

#endif
