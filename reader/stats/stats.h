/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - prints the sums of samples, or of an event trace, as readable text, 80 columns wide. */
#ifndef WARPSCOPE_READER_STATS_STATS_H
#define WARPSCOPE_READER_STATS_STATS_H

#include <stdio.h>

#include "figures/figures.h"

void ws_counted_text(FILE *out, const struct ws_counted *counted,
                     const struct ws_stats_options *options);

#endif
