/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the run in a line, in JSON, and at its end.
 */
#ifndef WARPSCOPE_READER_TOP_REPORT_H
#define WARPSCOPE_READER_TOP_REPORT_H

#include "top/panes.h"

void top_line_print(FILE *out, const struct top_run *run);
/* One document in one line. */
void top_json_print(FILE *out, const struct top_run *run);
/* How the run ended, and its counters. Prints nothing for a run that has not ended. */
void top_end_print(FILE *out, const struct top_run *run);

#endif
