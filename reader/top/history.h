/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.h - counts of the latest five minutes of a run, in steps of its wall clock, and the rates
 * computed from them.
 */
#ifndef WARPSCOPE_READER_TOP_HISTORY_H
#define WARPSCOPE_READER_TOP_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#define TOP_STEP  0.25 /* length of a step in seconds */
#define TOP_STEPS 1200 /* five minutes */

struct top_step {
    int64_t number; /* ordinal number of the step since the run began, plus 1; 0: empty */
    double processed, undone, committed, rollbacks, gvts;
    double gvt; /* latest GVT in the step; NaN: none */
};

/* Zero-initialise. */
struct top_history {
    struct top_step steps[TOP_STEPS];
    double first, last; /* times of the first and the last record */
    bool any;
    double counted; /* start of the first interval that has counts */
    bool counts;
};

/* Returns the step that contains a time, for the caller to add counts to; NULL if that step is no
 * longer kept. */
struct top_step *top_history_at(struct top_history *history, double real_time);
/* Distributes the counts of the time between two samples evenly over the steps in it. */
void top_history_count(struct top_history *history, double from, double to,
                       const struct top_step *counts);
void top_history_gvt(struct top_history *history, double real_time, double gvt);

/* Rates per second over the last `seconds` of wall-clock time; NaN: unknown. */
struct top_rates {
    double processed, undone, committed, rollbacks, gvts, advance; /* advance: increase of GVT */
    /* Length of the time that the rates cover. */
    double seconds;
};
void top_history_rates(const struct top_history *history, double until, double seconds,
                       struct top_rates *rates);

/* Estimates the seconds until GVT reaches end. likely: at the rate of the last minute. late, early:
 * at the rates that nine in ten, or one in ten, of the latest time spans exceeded. Returns false if
 * no estimate is possible. */
struct top_eta {
    double likely, early, late;
};
bool top_history_eta(const struct top_history *history, double gvt, double end,
                     struct top_eta *eta);

/* Fills n values for a chart of the latest minutes: committed events per second, or efficiency. A
 * value is NaN where nothing is known. Returns the number of seconds that a value stands for. */
double top_history_picture(const struct top_history *history, bool efficiency, double *values,
                           unsigned n);

#endif
