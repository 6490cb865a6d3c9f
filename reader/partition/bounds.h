/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.h - bounds of the speed-up with placements (inside partition only). */
#ifndef WARPSCOPE_READER_PARTITION_BOUNDS_H
#define WARPSCOPE_READER_PARTITION_BOUNDS_H

#include "placement/place.h"

struct ws_file;

/* Finds the bounds of the placements made, in one more pass over the trace. If it does not allow
 * that, p->bounds_why has the reason. */
void partition_bounds_find(struct partition *p, struct ws_file *trace);

#endif
