/*
 * gvt_stats.h - the engine's counters at GVT, as changes since the sample before.
 */
#ifndef WARPSCOPE_RECORD_GVT_STATS_H
#define WARPSCOPE_RECORD_GVT_STATS_H

#include "engine/counters.h"
#include "record/lane.h"

struct gvt_stats {
    struct record_lane *lane;
    uint32_t pe;
    struct tw_counters last; /* as of the last sample; zero at the start */
};

/* Adds a record: counters minus those of the sample before. */
void gvt_stats_sample(struct gvt_stats *stats, const struct tw_counters *now, double gvt,
                      double real_time);

#endif
