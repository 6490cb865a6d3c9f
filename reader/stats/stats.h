/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - "warpscope stats": the totals of a file of any kind (figures/figures.h), and their JSON. */
#ifndef WARPSCOPE_READER_STATS_STATS_H
#define WARPSCOPE_READER_STATS_STATS_H

#include "figures/figures.h"
#include "figures/values.h"
#include "text/json.h"

void ws_samples_json(struct json_writer *json, const struct ws_samples *samples);
void ws_events_json(struct json_writer *json, const struct ws_events *events);
void ws_model_json(struct json_writer *json, const struct ws_model *model);
void ws_tracers_json(struct json_writer *json, const struct ws_tracers *tracers);

/* ---- Parts as JSON --------------------------------------------------------------------------- */

void ws_stats_dist_json(struct json_writer *json, const char *name,
                        const struct ws_histogram *dist);
void ws_stats_list_json(struct json_writer *json, const char *name,
                        const struct ws_stats_list *list, const char *key);
void ws_stats_axis_json(struct json_writer *json, const struct ws_stats_axis *axis);
/* Writes the parts of a stream and the gaps between them as JSON; nothing for a single file. */
void ws_stats_parts_json(struct json_writer *json, const struct ws_file *file);
void ws_stats_span_json(struct json_writer *json, const struct ws_stats_span *span);

/* ---- A file ---------------------------------------------------------------------------------- */

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* Prints one JSON object with all sums of an open file, even if the file cannot be read. Returns
 * false if out of memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
