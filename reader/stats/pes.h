/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pes.h - compares the PEs of a run by their counts: all PEs if there are few; otherwise the spread
 * of the counts, and the PEs that stand out.
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
    /* [column]: index in ws_stats_pe.sums of the count that the column shows. */
    uint32_t counts[WS_PES_COLUMNS_MAX];
    uint32_t rank; /* index of the column that ranks PEs: those with the largest values stand out */
    /* True if columns 0 and 1 are executed and undone events, from which an efficiency is
     * computed. */
    bool has_efficiency;
    int width;    /* width of each column in characters */
    uint32_t top; /* maximum number of PEs that are printed as standing out */
};

/* Fills table with the columns for samples. top: maximum number of PEs to print. */
void ws_samples_pes(struct ws_pes_table *table, const struct ws_samples *samples, uint32_t top);
/* Fills table with the columns for an event trace. top: maximum number of PEs to print. */
void ws_events_pes(struct ws_pes_table *table, const struct ws_events *events, uint32_t top);

/* Prints the JSON member "spread", with an object for each column. Each object has the smallest and
 * the largest count of a PE, percentiles, the mean, and the largest count divided by the mean. */
void ws_stats_pes_spread_json(struct json_writer *json, const struct ws_pes_table *table);

/* Spread of n numbers: the smallest, the largest, and percentiles, each of which is one of the
 * numbers. */
struct ws_spread {
    uint64_t least, tenth, median, ninetieth, largest;
    /* Mean, and largest number / mean; the latter is NaN if all numbers are 0. */
    double mean, imbalance;
};
/* Finds the spread of n numbers, where n > 0, and sorts the array `numbers`. */
void ws_spread_find(struct ws_spread *spread, uint64_t *numbers, size_t n);
/* Finds the spread of a column over the PEs. Returns false if out of memory. */
bool ws_pes_spread(struct ws_spread *spread, const struct ws_pes_table *table, uint32_t column);
/* Returns the efficiency in per cent of element i of table->pes. table->has_efficiency must be
 * true. */
double ws_pes_efficiency(const struct ws_pes_table *table, uint32_t i);

#endif
