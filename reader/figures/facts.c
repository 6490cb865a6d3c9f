/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c - see facts.h. */
#include "figures/facts.h"

#include <string.h>

#include "access/facts.h"

enum ws_scheduler ws_scheduler_of(const struct fmt_superblock *sb)
{
    static const char *const names[] = {[WS_SCHED_SEQUENTIAL] = "sequential",
                                        [WS_SCHED_CONSERVATIVE] = "conservative",
                                        [WS_SCHED_OPTIMISTIC] = "optimistic"};
    const char *text = ws_fact(sb, "scheduler");
    for (int i = WS_SCHED_SEQUENTIAL; text != NULL && i <= WS_SCHED_OPTIMISTIC; i++) {
        if (strncmp(text, names[i], strlen(names[i])) == 0) {
            return (enum ws_scheduler)i;
        }
    }
    return WS_SCHED_UNKNOWN;
}

double ws_stats_ticks_per_second(const struct fmt_superblock *sb)
{
    double v = ws_fact_number(sb, "ticks_per_second", 0.0);
    return v > 0.0 ? v : 0.0;
}
