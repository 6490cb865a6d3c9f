/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show.h - prints statistics (stats/view.h) and tasks (tasks/tasks.h) as readable text, 80 columns
 * wide.
 */
#ifndef WARPSCOPE_READER_SHOW_SHOW_H
#define WARPSCOPE_READER_SHOW_SHOW_H

#include <stdio.h>

#include "document/document.h"
#include "stats/view.h"
#include "tasks/tasks.h"

/* ---- Statistics ------------------------------------------------------------------------------ */

/* Prints the command of the run that wrote the file with superblock sb, and its scheduler. Then
 * prints the number of ranks, of LPs, and of KPs per PE, and a blank line. */
void ws_stats_run_text(FILE *out, const struct fmt_superblock *sb);
void ws_view_text(FILE *out, const struct ws_stats_view *view,
                  const struct ws_stats_options *options);
void ws_model_text(FILE *out, const struct ws_model *model);
void ws_tracers_text(FILE *out, const struct ws_tracers *tracers);

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Stores the name of a field as words in `to`: "events processed" for "events_processed". Returns
 * `to`. */
const char *ws_stats_words(char *to, size_t size, const char *name);
/* Begins a table of totals and rates. */
struct doc_table *ws_stats_totals_table(struct doc *doc);
/* Adds a row to it: a count, and its rates in the span. */
void ws_stats_total_row(struct doc_table *table, const char *words, uint64_t count,
                        const struct ws_stats_span *span);
/* Prints words, then a line of n characters, whose heights show the n values on a scale from low to
 * high. NaN becomes a blank. utf8: true for block characters of UTF-8, false for ASCII. */
void ws_stats_line_text(FILE *out, const char *words, const double *values, uint32_t n, double low,
                        double high, bool utf8);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Prints the statistics in `tasks` as tables, with at most `top` rows for each kind of task. */
void ws_tasks_text(FILE *out, const struct ws_tasks *tasks, uint32_t top);

/* Maximum number of tasks in a life. The life of a task includes all its descendants. */
#define WS_LIFE_TASKS (1u << 20)
#define WS_LIFE_LINES (1u << 18)

/* Prints the selected records of a task and of its descendants in order of virtual time. Prints an
 * error message and returns false if no record is selected, if memory is exhausted, or if the life
 * exceeds a limit above. */
bool ws_life_print(FILE *out, struct ws_file *file, const struct ws_select *select,
                   struct ws_task_id id);

#endif
