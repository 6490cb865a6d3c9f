/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - what the statistics of samples and of event traces have in common: one description, which
 * "warpscope stats" shows as text and as JSON. And the statistics of a file of any kind, as JSON.
 */
#ifndef WARPSCOPE_READER_FIGURES_VIEW_H
#define WARPSCOPE_READER_FIGURES_VIEW_H

#include "figures/values.h"
#include "text/json.h"

#define WS_VIEW_COLUMNS 5u
#define WS_VIEW_DISTS   4u

struct ws_stats_view {
    /* Borrowed, like all pointers here; one of them is not NULL. */
    const struct ws_samples *samples;
    const struct ws_events *events;
    const struct ws_select *select;
    uint64_t records;
    uint32_t n; /* number of counts */
    const char *names[WS_STATS_COUNTS_MAX];
    bool ticks[WS_STATS_COUNTS_MAX]; /* [i]: true if count i is a time in ticks, of a phase */
    int32_t
        processor[WS_PROCESSOR_FIELDS]; /* [i]: count of ws_processor_fields[i]; -1: not known */
    bool apart[WS_STATS_COUNTS_MAX];    /* [i]: true if count i is in a table of its own */
    /* [i]: true if count i was not recorded; its sums are 0 then */
    bool unknown[WS_STATS_COUNTS_MAX];
    const uint64_t *sums;
    const struct ws_stats_span *span, *spans; /* of the stream; of each count, or one for all */
    bool has_spans;                           /* true if spans has one for each count */
    const struct ws_stats_pes *pes;
    const struct ws_stats_axis *axis;
    const struct ws_stats_bins *bins;
    const char *a, *b; /* names of the counts in bins; b NULL: there is none */
    /* Counts of executed and of undone events, from which efficiencies follow; -1: not known. */
    int32_t processed, undone;
    struct {
        const char *name, *words;
        const struct ws_histogram *dist;
        bool is_time; /* true for seconds */
    } dists[WS_VIEW_DISTS];
    uint32_t n_dists;
    const struct ws_stats_list *kps, *lps;
    /* Counts that tables of PEs show. PEs with the largest counts number `rank` stand out, if no
     * efficiency is known. */
    uint32_t columns[WS_VIEW_COLUMNS], n_columns, rank;
};

/* Describe the statistics of samples whose kind is known (primary is not NULL), or of events. */
void ws_view_samples(struct ws_stats_view *view, const struct ws_samples *samples);
void ws_view_events(struct ws_stats_view *view, const struct ws_events *events);

/* Returns the descriptions of the file, with the names of LPs. */
static inline const struct fmt_desc_set *ws_view_names(const struct ws_stats_view *v)
{
    return v->samples != NULL ? &v->samples->file->descs : &v->events->file->descs;
}

/* Returns the span to which count i applies. */
static inline const struct ws_stats_span *ws_view_span(const struct ws_stats_view *v, uint32_t i)
{
    return &v->spans[v->has_spans ? i : 0];
}
/* Returns true if the count called name was not recorded. */
bool ws_view_unknown(const struct ws_stats_view *view, const char *name);
/* Sets *net to the number of remote events that their senders committed: those sent without those that
 * were cancelled. Returns false if it is not known. */
bool ws_net_remote(const struct ws_samples *samples, uint64_t *net);
/* Returns the efficiency in per cent that follows from the counts `sums`; view->processed must not be
 * -1. */
static inline double ws_view_efficiency(const struct ws_stats_view *v, const uint64_t *sums)
{
    return ws_efficiency((double)sums[v->processed], (double)sums[v->undone]);
}

/* Returns the share of the time of `sums` that was lost, in per cent; NaN: not known. */
static inline double ws_view_lost(const struct ws_stats_view *v, const uint64_t *sums)
{
    const int32_t covered = v->processor[0], lost = v->processor[3];
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
bool ws_view_spread(struct ws_spread *spread, const struct ws_stats_view *view, uint32_t count);

/* ---- A file of any kind ---------------------------------------------------------------------- */

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* Prints one JSON object with all sums of an open file, even if the file cannot be read. Returns
 * false if out of memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
