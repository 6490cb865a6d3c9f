/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pes.h - comparison of PEs: all PEs if there are few; otherwise the spread of their counts
 * and the PEs that stand out.
 */
#ifndef WARPSCOPE_READER_STATS_PES_H
#define WARPSCOPE_READER_STATS_PES_H

#include "stats/stats.h"

#define WS_PES_COLUMNS_MAX 5u

struct ws_pes_table {
    const struct ws_stats_pes *pes;
    uint32_t n_columns;
    const char *names[WS_PES_COLUMNS_MAX];
    const char *fields[WS_PES_COLUMNS_MAX]; /* their names in JSON */
    uint32_t counts[WS_PES_COLUMNS_MAX];    /* indices of the PEs' sums */
    uint32_t rank;                          /* column whose largest values stand out */
    bool has_efficiency;                    /* of columns 0 (executed) and 1 (undone) */
    int width;                              /* of each column */
    uint32_t top;                           /* limit of PEs that stand out */
};

/* Define the columns for samples and for event traces. top: PEs that stand out. */
void ws_samples_pes(struct ws_pes_table *table, const struct ws_samples *samples, uint32_t top);
void ws_events_pes(struct ws_pes_table *table, const struct ws_events *events, uint32_t top);

/* Prints member "spread": of each count the least, the largest, the percentiles, the mean, and the
 * largest divided by the mean. */
void ws_stats_pes_spread_json(struct json_writer *json, const struct ws_pes_table *table);

/* Least, largest and percentiles of n numbers in any order. Percentiles are numbers that occur. */
struct ws_spread {
    uint64_t least, tenth, median, ninetieth, largest;
    double mean, imbalance; /* largest / mean; NaN: all are 0 */
};
void ws_spread_find(struct ws_spread *spread, uint64_t *numbers, size_t n);
/* Finds the spread of a column. Returns false if out of memory. */
bool ws_pes_spread(struct ws_spread *spread, const struct ws_pes_table *table, uint32_t column);
/* Returns the efficiency of PE number i of the table, which has_efficiency. */
double ws_pes_efficiency(const struct ws_pes_table *table, uint32_t i);

#endif
