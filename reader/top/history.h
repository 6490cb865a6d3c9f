/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.h - counts over the latest five minutes of a run, in bins of its wall-clock time, and the
 * rates that follow from them.
 */
#ifndef WARPSCOPE_READER_TOP_HISTORY_H
#define WARPSCOPE_READER_TOP_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "figures/counts.h"

#define TOP_STEP  0.25 /* length of a bin in seconds */
#define TOP_STEPS 1200 /* number of bins: five minutes */

struct top_step {
    int64_t number; /* number of the bin since the run began, from 1; 0: the element is empty */
    struct ws_reals counts;
    double gvt; /* largest GVT in the bin; NaN: none */
};

/* Must be zero-initialised. */
struct top_history {
    struct top_step steps[TOP_STEPS];
    /* Wall-clock times of the first and the last record, in seconds since the run began. */
    double first, last;
    bool any;
    double counted; /* start of the first interval whose counts were added */
    bool counts;
};

/* Returns the bin that contains the wall-clock time real_time, for the caller to add counts to;
 * NULL if that bin is no longer kept. */
struct top_step *top_history_at(struct top_history *history, double real_time);
/* Distributes `counts`, the counts between two successive samples, evenly over the time between
 * these samples. from, to: wall-clock times of the samples. */
void top_history_count(struct top_history *history, double from, double to,
                       const struct ws_counts *counts);
void top_history_gvt(struct top_history *history, double real_time, double gvt);

/* Mean rates per second over a range of wall-clock time; NaN: unknown. */
struct top_rates {
    struct ws_reals of;
    double advance; /* increase of GVT */
    double seconds; /* length of the range in seconds; 0: unknown */
};
void top_history_rates(const struct top_history *history, double until, double seconds,
                       struct top_rates *rates);

/* Estimates the number of seconds until GVT reaches end. likely: at the rate of the last minute.
 * late: at the rate that nine in ten of the latest time spans exceeded. early: at the rate that one
 * in ten exceeded. Returns false if no estimate is possible. */
struct top_eta {
    double likely, early, late;
};
bool top_history_eta(const struct top_history *history, double gvt, double end,
                     struct top_eta *eta);

/* Contents of a chart of the latest minutes, beside the rate of each count (enum ws_count): efficiency
 * in per cent, or GVT. */
enum { TOP_EFFICIENCY = WS_COUNTS, TOP_GVT };

/* Stores n values, each for `each` bins, from bin number `first` on. what: a count, whose rate is
 * stored, TOP_EFFICIENCY or TOP_GVT. A value is NaN where nothing is known. */
void top_history_values(const struct top_history *history, int what, int64_t first, int64_t each,
                        double *values, unsigned n);
/* Stores n values for a chart of the latest minutes: committed events per second, or efficiency in
 * per cent. Returns the number of seconds that a value stands for. */
double top_history_picture(const struct top_history *history, bool efficiency, double *values,
                           unsigned n);

#endif
