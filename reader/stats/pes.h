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
    const char *fields[WS_PES_COLUMNS_MAX]; /* names of the columns in JSON */
    /* Indices of the columns' counts in the sums of a PE. */
    uint32_t counts[WS_PES_COLUMNS_MAX];
    uint32_t rank; /* column whose greatest values stand out */
    /* True if an efficiency is computed from columns 0 (executed) and 1 (undone). */
    bool has_efficiency;
    int width;    /* width of each column in characters */
    uint32_t top; /* maximum number of PEs that are printed as standing out */
};

/* Define the columns for samples and for event traces. top: most PEs to print. */
void ws_samples_pes(struct ws_pes_table *table, const struct ws_samples *samples, uint32_t top);
void ws_events_pes(struct ws_pes_table *table, const struct ws_events *events, uint32_t top);

/* Prints the member "spread". For each count it has the least and greatest value, the percentiles,
 * the mean, and the greatest value divided by the mean. */
void ws_stats_pes_spread_json(struct json_writer *json, const struct ws_pes_table *table);

/* Spread of n numbers: the least, the greatest, and percentiles, each of which is one of the
 * numbers. */
struct ws_spread {
    uint64_t least, tenth, median, ninetieth, largest;
    double mean, imbalance; /* mean; greatest value / mean (NaN if all numbers are 0) */
};
void ws_spread_find(struct ws_spread *spread, uint64_t *numbers, size_t n);
/* Finds the spread of a column. Returns false if out of memory. */
bool ws_pes_spread(struct ws_spread *spread, const struct ws_pes_table *table, uint32_t column);
/* Returns the efficiency of PE number i of the table, which has_efficiency. */
double ws_pes_efficiency(const struct ws_pes_table *table, uint32_t i);

#endif
