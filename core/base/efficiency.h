/* SPDX-License-Identifier: BSD-3-Clause */
/* efficiency.h - efficiency of an optimistic simulation, as defined by ROSS. */
#ifndef WARPSCOPE_BASE_EFFICIENCY_H
#define WARPSCOPE_BASE_EFFICIENCY_H

#include <stdint.h>

/* Returns the efficiency in per cent: 100 * (1 - rolled_back / net), where net = processed -
 * rolled_back. processed: number of forward executions; rolled_back: number of undone events.
 * Special values: 100 if no event was undone, 0 if all were. The efficiency is negative if more
 * events were undone than kept. */
static inline double efficiency_percent(uint64_t processed, uint64_t rolled_back)
{
    if (rolled_back == 0) {
        return 100.0;
    }
    if (processed <= rolled_back) {
        return 0.0;
    }
    return 100.0 * (1.0 - (double)rolled_back / (double)(processed - rolled_back));
}

#endif
