/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.h - finds bounds on the speed-up of placements. Used only in reader/. */
#ifndef WARPSCOPE_READER_PARTITION_BOUNDS_H
#define WARPSCOPE_READER_PARTITION_BOUNDS_H

#include "placement/place.h"

struct ws_file;

/* Finds bounds on the speed-up of the placements in p, in one more pass over the trace. If the
 * trace does not allow that, sets p->bounds_why to the reason. */
void partition_bounds_find(struct partition *p, struct ws_file *trace);

#endif
