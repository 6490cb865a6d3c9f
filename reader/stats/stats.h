/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - prints the statistics of a file (figures/figures.h, figures/values.h) as readable text, 80
 * columns wide.
 */
#ifndef WARPSCOPE_READER_STATS_STATS_H
#define WARPSCOPE_READER_STATS_STATS_H

#include <stdio.h>

#include "figures/values.h"

void ws_counted_text(FILE *out, const struct ws_counted *counted,
                     const struct ws_stats_options *options);
void ws_model_text(FILE *out, const struct ws_model *model);
void ws_tracers_text(FILE *out, const struct ws_tracers *tracers);

#endif
