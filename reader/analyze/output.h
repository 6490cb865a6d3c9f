/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - the results of an analysis as tables and findings, and as files of other programs
 * (inside analyze only).
 */
#ifndef WARPSCOPE_READER_ANALYZE_OUTPUT_H
#define WARPSCOPE_READER_ANALYZE_OUTPUT_H

#include <stdio.h>

#include "analyze/analyze.h"
#include "cli/out.h"
#include "results/results.h"

/* ---- Tables and findings -------------------------------------------------------------------- */

/* Create the tables of the results. */
void analyze_tables_make(struct ws_results *tables, const struct analyze *a);
void analyze_tables_paths(struct ws_results *tables, const struct analyze *a);
void analyze_tables_structure(struct ws_results *tables, const struct analyze *a);
void analyze_tables_lps(struct ws_results *tables, const struct analyze *a);

void analyze_findings_find(struct ws_result_findings *findings, const struct analyze *a);

/* Returns work divided by the length of a path; 0 if the path has no length. */
double analyze_speed_up(const struct analyze *a, enum analyze_length length);
/* Returns the work, or the length of a path, in seconds or events. */
double analyze_work_of(const struct analyze *a, enum analyze_length length);
double analyze_length_of(const struct analyze *a, enum analyze_length length);
/* Returns true if the length is in seconds. */
bool analyze_is_time(const struct analyze *a, enum analyze_length length);
/* Returns the largest work of a PE, in the same unit. */
double analyze_busiest(const struct analyze *a, enum analyze_length length);
/* Returns the part of the path's weight in a sum of events and time. */
double analyze_path_part(const struct analyze *a, uint64_t events, uint64_t time);
/* Returns the name of a type by number plus 1; "unknown" for 0. */
const char *analyze_type_name(const struct analyze *a, uint32_t type);

/* ---- Forms ----------------------------------------------------------------------------------- */

void analyze_print_text(FILE *out, const struct analyze *a, const struct ws_results *tables);
void analyze_print_json(FILE *out, const struct analyze *a, const struct ws_results *tables);
/* Write files. Return false after a message, or if a signal has arrived. */
bool analyze_write_graph(struct ws_outs *outs, const struct analyze *a);
bool analyze_write_path(struct ws_outs *outs, const struct analyze *a);

/* ---- The critical path as a file ------------------------------------------------------------- */

struct analyze_path_out;

/* Begins to collect the events of the path. Returns NULL after a message. */
struct analyze_path_out *analyze_path_out_begin(struct analyze *a);
/* Adds an event of the path. element: its element in a->before. Returns false after a message. */
bool analyze_path_out_add(struct analyze_path_out *out, const struct analyze *a,
                          const struct analyze_event *e, uint64_t element);
void analyze_path_out_free(struct analyze_path_out *out);

#endif
