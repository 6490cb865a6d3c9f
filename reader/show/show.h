/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show.h - statistics (stats/stats.h) and tasks (tasks/tasks.h) as readable text of 80 columns.
 */
#ifndef WARPSCOPE_READER_SHOW_SHOW_H
#define WARPSCOPE_READER_SHOW_SHOW_H

#include <stdio.h>

#include "stats/pes.h"
#include "stats/stats.h"
#include "tasks/tasks.h"

/* ---- Statistics ------------------------------------------------------------------------------ */

/* Prints the run's command, scheduler and number of ranks, then a blank line. */
void ws_stats_run_text(FILE *out, const struct fmt_superblock *sb);
/* Prints the reason why there are no statistics. */
void ws_stats_nothing_text(FILE *out, const struct ws_select *select);

void ws_samples_text(FILE *out, const struct ws_samples *samples,
                     const struct ws_stats_options *options);
void ws_events_text(FILE *out, const struct ws_events *events,
                    const struct ws_stats_options *options);
void ws_model_text(FILE *out, const struct ws_model *model);
void ws_tracers_text(FILE *out, const struct ws_tracers *tracers);

/* Prints the table as text; nothing for a single PE. */
void ws_stats_pes_text(FILE *out, const struct ws_pes_table *table);

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Stores the name of a field as words, "events processed" for "events_processed", in `to`. Returns
 * to. */
const char *ws_stats_words(char *to, size_t size, const char *name);
/* Prints "mean 5.0  median 4.9  90 % below 10.1  largest 20". seconds: true if the numbers are
 * times in seconds. */
void ws_stats_dist_text(FILE *out, const char *words, const struct ws_histogram *dist,
                        bool seconds);
/* Prints words, then a picture of n values, one character each. NaN is a blank. */
void ws_stats_line_text(FILE *out, const char *words, const double *values, uint32_t n, double low,
                        double high, bool utf8);
/* Prints words, then the range of the axis. */
void ws_stats_axis_text(FILE *out, const char *words, const struct ws_stats_axis *axis);
/* Prints the KPs or LPs at the top of a list, with their values. what: "KP" or "LP". */
void ws_stats_list_text(FILE *out, const struct ws_stats_list *list, const char *what,
                        bool with_pe);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Prints the statistics as tables with at most `top` rows each. */
void ws_tasks_text(FILE *out, const struct ws_tasks *tasks, uint32_t top);

#define WS_LIFE_TASKS (1u << 20) /* most tasks in one life */
#define WS_LIFE_LINES (1u << 18)

/* Prints the events of a task and its descendants in the order of time. Returns false, after a
 * message, if there is no such task, or if memory is exhausted. */
bool ws_life_print(FILE *out, struct ws_file *survey, const struct ws_select *select,
                   struct ws_task_id id);

#endif
