/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - what views show of the sums of samples and of event traces (struct ws_counted) beside the sums
 * themselves. And the statistics of a file of any kind, as JSON.
 */
#ifndef WARPSCOPE_READER_FIGURES_VIEW_H
#define WARPSCOPE_READER_FIGURES_VIEW_H

#include "figures/values.h"
#include "text/json.h"

/* Returns the span to which count i applies. */
static inline const struct ws_stats_span *ws_view_span(const struct ws_counted *c, uint32_t i)
{
    return c->is_trace ? &c->of_kinds[i != WS_EVENTS] : &c->span;
}
/* Returns true if the count called name was not recorded. */
bool ws_view_unknown(const struct ws_counted *counted, const char *name);
/* Sets *net to the number of remote events that their senders committed: those sent without those that
 * were cancelled. Returns false if it is not known. */
bool ws_net_remote(const struct ws_counted *samples, uint64_t *net);
/* Returns the efficiency in per cent that follows from the counts `sums`; counted->has_efficiency must be
 * true. */
static inline double ws_view_efficiency(const struct ws_counted *c, const uint64_t *sums)
{
    return ws_efficiency((double)sums[c->a], (double)sums[c->b]);
}

/* Returns the share of the time of `sums` that was lost, in per cent; NaN: not known. */
static inline double ws_view_lost(const struct ws_counted *c, const uint64_t *sums)
{
    const int32_t covered = c->processor[0], lost = c->processor[3];
    return covered < 0 || lost < 0 ? (double)NAN
                                   : ws_lost_share((double)sums[lost], (double)sums[covered]);
}

/* Spread of n numbers: the smallest, the largest, and percentiles, each of which is one of the
 * numbers. */
struct ws_spread {
    uint64_t least, tenth, median, ninetieth, largest;
    /* Mean, and largest number / mean; the latter is NaN if all numbers are 0. */
    double mean, imbalance;
};
/* Finds the spread of n numbers, where n > 0, and sorts the array `numbers`. */
void ws_spread_find(struct ws_spread *spread, uint64_t *numbers, size_t n);
/* Finds the spread of a count over the PEs. Returns false if there are no PEs, or no memory. */
bool ws_view_spread(struct ws_spread *spread, const struct ws_counted *counted, uint32_t count);

/* ---- A file of any kind ---------------------------------------------------------------------- */

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* Prints one JSON object with all sums of an open file, even if the file cannot be read. Returns
 * false if out of memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
