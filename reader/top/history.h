/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.h - the latest minutes of a run in steps of its wall clock, and the rates that follow.
 */
#ifndef WARPSCOPE_READER_TOP_HISTORY_H
#define WARPSCOPE_READER_TOP_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#define TOP_STEP  0.25 /* seconds */
#define TOP_STEPS 1200 /* five minutes */

struct top_step {
    int64_t number; /* of the step since the run began, + 1; 0: empty */
    double processed, undone, committed, rollbacks, gvts;
    double gvt; /* the latest in the step, NaN: none */
};

/* Zero-initialise. */
struct top_history {
    struct top_step steps[TOP_STEPS];
    double first, last; /* times of the first and the last record */
    bool any;
    double counted; /* beginning of the first interval with counts */
    bool counts;
};

/* Returns the step of a time, to be added to; NULL if it is too long ago. */
struct top_step *top_history_at(struct top_history *history, double real_time);
/* Adds the counts of the time between two samples, the same share to each part of it. */
void top_history_count(struct top_history *history, double from, double to,
                       const struct top_step *counts);
void top_history_gvt(struct top_history *history, double real_time, double gvt);

/* Sums of the last `seconds`, per second; NaN: not known. */
struct top_rates {
    double processed, undone, committed, rollbacks, gvts, advance; /* advance: of GVT */
    double seconds;                                                /* that they cover */
};
void top_history_rates(const struct top_history *history, double until, double seconds,
                       struct top_rates *rates);

/* Estimates the time until GVT has reached end: at the rate of the last minute, and at the rates
 * that nine in ten of the latest spans exceeded, and one in ten. Returns false if it cannot. */
struct top_eta {
    double likely, early, late;
};
bool top_history_eta(const struct top_history *history, double gvt, double end,
                     struct top_eta *eta);

/* Fills n values for a picture of the latest minutes: committed events per second, or efficiency.
 * NaN where nothing is known. Returns the seconds of one value. */
double top_history_picture(const struct top_history *history, bool efficiency, double *values,
                           unsigned n);

#endif
