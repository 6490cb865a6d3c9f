/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - writes the results of partition: the placement map, and the prediction as text or
 * JSON. Used only in reader/.
 */
#ifndef WARPSCOPE_READER_PARTITION_REPORT_H
#define WARPSCOPE_READER_PARTITION_REPORT_H

#include <stdio.h>

#include "access/covers.h"
#include "cli/out.h"
#include "partition/graph.h"
#include "placement/place.h"

/* Writes the placement map to `out`, in the format that the option --lp-map reads. counts: counts of
 * the graph of p. Returns false after an error message. */
bool partition_map_write(struct ws_out *out, const struct partition *p,
                         const struct partition_counts *counts);

/* This function and the next print the prediction. source: the trace, or its path. map: path of the
 * placement map. */
void partition_text(FILE *out, const struct partition *p, const char *source, const char *map);
void partition_json(FILE *out, const struct partition *p, const struct ws_file *source,
                    const char *map);

#endif
