/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.h - what a recording states about its run: the scheduler, ranks, processors, the unit of times. */
#ifndef WARPSCOPE_READER_FIGURES_FACTS_H
#define WARPSCOPE_READER_FIGURES_FACTS_H

#include "format/format.h"

enum ws_scheduler {
    WS_SCHED_UNKNOWN,
    WS_SCHED_SEQUENTIAL,
    WS_SCHED_CONSERVATIVE,
    WS_SCHED_OPTIMISTIC
};

enum ws_scheduler ws_scheduler_of(const struct fmt_superblock *sb);

/* Returns the ticks per second of the PEs' clocks; 0 if not stated. */
double ws_stats_ticks_per_second(const struct fmt_superblock *sb);

#endif
