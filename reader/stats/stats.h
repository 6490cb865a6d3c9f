/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - "warpscope stats": the totals of a file of any kind (figures/figures.h), and their JSON. */
#ifndef WARPSCOPE_READER_STATS_STATS_H
#define WARPSCOPE_READER_STATS_STATS_H

#include "figures/values.h"
#include "text/json.h"

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* Prints one JSON object with all sums of an open file, even if the file cannot be read. Returns
 * false if out of memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
