/*
 * efficiency.h - the efficiency of an optimistic simulation, as ROSS defines it.
 */
#ifndef WARPSCOPE_BASE_EFFICIENCY_H
#define WARPSCOPE_BASE_EFFICIENCY_H

#include <stdint.h>

/*
 * Per cent: 100 * (1 - undone / net), net = executed forwards - undone. Defined always: 100 when
 * nothing was undone, 0 when events were undone and none is left; negative when more was undone
 * than kept.
 */
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
