/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - output of partition: the map, and the prediction as text or JSON (inside partition
 * only).
 */
#ifndef WARPSCOPE_READER_PARTITION_REPORT_H
#define WARPSCOPE_READER_PARTITION_REPORT_H

#include <stdio.h>

#include "cli/out.h"
#include "placement/place.h"

/* Writes the map in the format of the option --lp-map. Returns false on failure, after a
 * message. */
bool partition_map_write(struct ws_out *out, const struct partition *p);

/* Print the prediction. source: path of the trace. map: path of the map. */
void partition_text(FILE *out, const struct partition *p, const char *source, const char *map);
void partition_json(FILE *out, const struct partition *p, const char *source, const char *map);

#endif
