/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - "warpscope report": writes the figures of a run (figures/over_time.h) as JSON, and the page
 * that shows them, from this JSON and the parts that the build embedded. Used only in reader/report, and for the reason why a part of it is unknown by reader/advise.
 */
#ifndef WARPSCOPE_READER_REPORT_REPORT_H
#define WARPSCOPE_READER_REPORT_REPORT_H

#include "cli/out.h"
#include "data/cell.h"
#include "figures/over_time.h"
#include "findings/findings.h"

#define REPORT_RUNS_MAX 4u /* maximum number of runs with charts */
/* Maximum number of cells in a list. In a report about several runs, each may have its part of it. */
#define REPORT_CELLS_MAX 20000u

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the reason why the page lacks the section about the model's parallelism (allows.c); NULL
 * if the page has it. */
const char *report_allows_absent(struct ws_figures *run);
/* The same for the prediction of other numbers of ranks (predicted.c). */
const char *report_predicted_absent(struct ws_figures *run);
/* Writes the data of a run as a JSON object. */
void report_run_json(struct json_writer *json, struct ws_figures *run);
/* Writes the charts for which the run has data, each as a member of the current JSON object. */
void report_charts_json(struct json_writer *json, struct ws_figures *run);
/* Writes the list of the charts that the page lacks, with reasons. */
void report_absent_json(struct json_writer *json, struct ws_figures *run);

/* Charts of charts.c's table that are in other files. Each writes members of the current JSON object, which
 * is the chart's own if the table names it; the run has its data. report_allows_json() analyses the event trace. */
void report_rollbacks_json(struct json_writer *json, struct ws_figures *run);
void report_traffic_json(struct json_writer *json, struct ws_figures *run);
void report_offsets_json(struct json_writer *json, struct ws_figures *run);
void report_allows_json(struct json_writer *json, struct ws_figures *run);
void report_predicted_json(struct json_writer *json, struct ws_figures *run);
void report_model_json(struct json_writer *json, struct ws_figures *run);
void report_tasks_json(struct json_writer *json, struct ws_figures *run);
void report_tracers_json(struct json_writer *json, struct ws_figures *run);

/* Returns a number rounded to `digits` significant digits; NaN becomes null in JSON. */
struct doc_cell report_real(double value, int digits);
/* Writes an array of such numbers. */
void report_put_numbers(struct json_writer *json, const char *key, const double *values, size_t n,
                        int digits);
/* Stores n means: each sum divided by its weight; NaN where that is 0. */
void report_means(double *means, const double *sums, const double *weights, size_t n);
/* Writes such means as an array. */
void report_put_means(struct json_writer *json, const char *key, const double *sums,
                      const double *weights, size_t n, int digits);
/* Writes the edges and the counts of the bars of a distribution, and the number of its values
 * treated as 0. */
void report_dist_json(struct json_writer *json, const struct ws_histogram *dist,
                      const struct ws_bars *bars);
/* Writes the distributions in the bins of a clock: the cells that are not 0 as [bin, bar, count],
 * then the sum, minimum and maximum of each bin. join: number of neighbouring bins that share
 * cells. */
void report_spread_json(struct json_writer *json, const struct ws_dists *s,
                        const struct ws_bars *bars, uint32_t join);
/* Returns the number of cells that report_spread_json() writes. */
uint32_t report_spread_cells(const struct ws_dists *s, const struct ws_bars *bars, uint32_t join);

/* This function and the next write the PE or the KP of a row as an object, such as {"pe":1,"kp":3}.
 * If several PEs or KPs share the row, the object has a label instead. */
void report_pe_json(struct json_writer *json, const struct ws_places *places, uint32_t row);
void report_kp_json(struct json_writer *json, const struct ws_places *places, uint32_t row);
/* Writes all rows of PEs as the array "pes". An element is the number of the PE, or a text if
 * several PEs share the row. */
void report_pes_json(struct json_writer *json, const struct ws_places *places);

/* ---- The page -------------------------------------------------------------------------------- */

#define REPORT_TITLE_MAX 512u

/* Returns true if the build embedded all parts of the page. */
bool report_page_built(void);

/* Writes to `out` the page with this title and this data, a JSON document of `size` bytes. Escapes
 * special characters, so that neither title nor data can end an element of the page. Returns false
 * after an error message. */
bool report_page_write(struct ws_out *out, const char *title, const char *json, size_t size);

/* Escapes JSON for use inside an HTML element: replaces characters that have a meaning in HTML by
 * escapes such as \u003c. These characters occur only in JSON strings, where such escapes are valid.
 * Returns the length of the result in `to`; a zero may follow it. Public for tests. */
size_t report_json_escape(char *to, const char *json, size_t size);
#define REPORT_ESCAPE_MAX 6u /* maximum number of bytes of output per byte of input */

#endif
